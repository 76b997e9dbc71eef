import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { effect } from '@preact/signals-core';
import { Notifier } from '../lib/notify.js';
import { each, placeAt } from '../lib/testsupport/calls.js';
import { Lab } from './lab.js';
import { opening } from './opening.testsupport.js';
import { createState } from './state.js';

/** A lab that shows the recorded run, with what it has said. */
function begun() {
  const state = createState();
  /** @type {string[]} */
  const said = [];
  effect(() => {
    if (state.status.value) said.push(state.status.value);
  });
  const lab = new Lab(state, new Notifier(state, undefined, { now: () => 0, schedule: () => {} }), {
    opening: opening(),
    assets: /** @type {any} */ ({}),
    loadEngine: async () => undefined,
  });
  lab.begin({ linked: undefined, autoplay: false });
  const texts = () => state.toasts.value.map(({ text }) => text);
  return { lab, state, said, texts };
}

/** An engine's answers by operation. @param {Record<string, (params: any) => any>} answers */
function fakeEngine(answers) {
  /** @type {unknown[]} */
  const asked = [];
  const request = async (/** @type {string} */ op, /** @type {any} */ params) => {
    asked.push([op, params]);
    return answers[op]?.(params) ?? viewWith({ title: op });
  };
  return /** @type {any} */ ({
    request,
    asked,
    changes: (/** @type {string} */ op) => op === 'act',
    onView: undefined,
  });
}

/** @param {object} more @returns {any} */
const viewWith = (more) => ({ ...opening().frames[0], nextT: 0, ...more });

/** @param {string} code @param {string} message */
const refusal = (code, message) => Object.assign(new Error(message), { reply: { code, message } });

test('what the recorded run cannot do waits for the engine, in words, and is done then', async () => {
  const { lab, state, said } = begun();
  assert.equal(await lab.change('act', { act: 'crash', node: 'a' }, 'a will crash'), undefined);
  assert.deepEqual(each(state.queued.value, 'sentence'), ['a will crash']);
  const engine = fakeEngine({});
  lab.takeOver(engine, viewWith({}));
  await state.queued.value[0].retry();
  assert.deepEqual(engine.asked, [['act', { act: 'crash', node: 'a' }]]);
  assert.deepEqual(said, []);
});

test('once the engine has taken over, the recorded run is heard no more, even if it plays', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { lab, state } = begun();
  const recorded = /** @type {any} */ (lab.source);
  recorded.stop();
  recorded.play(0); // Space, while the engine opens the run
  lab.takeOver(fakeEngine({}), viewWith({ title: 'of the engine' }));
  recorded.play(0);
  mock.timers.tick(100);
  assert.equal(state.view.value.title, 'of the engine');
  mock.timers.reset();
});

test('a guard refuses with a sentence, or gives other parameters and leaves those of the caller alone', async () => {
  const { lab, said, texts } = begun();
  const engine = fakeEngine({});
  lab.takeOver(engine, viewWith({}));
  lab.guard = async (...[op, params]) => {
    if (op === 'seek') return { refusal: 'Not yet.' };
    return op === 'play' ? { params: { ...params, until: 7 } } : {};
  };
  assert.equal(await lab.change('seek', { cursor: { t: 1, n: -1 } }), undefined);
  assert.deepEqual([texts(), said], [['Not yet.'], ['Not yet.']]);
  const params = { speed: 1 };
  await lab.change('play', params);
  assert.deepEqual(engine.asked, [['play', { speed: 1, until: 7 }]]);
  assert.deepEqual(params, { speed: 1 });
});

test('a refusal is told in its own words; a bug is told as one, with a report', async () => {
  const { lab, state, texts } = begun();
  const silent = mock.method(console, 'error', () => {});
  lab.takeOver(
    fakeEngine({
      undo: () => {
        throw refusal('state', 'There is nothing to undo.');
      },
      redo: () => {
        throw refusal('panic', 'The simulator failed.');
      },
      seek: () => {
        throw new TypeError('x is undefined');
      },
    }),
    viewWith({}),
  );
  await lab.change('undo');
  assert.deepEqual(texts(), ['There is nothing to undo.']);
  await lab.change('redo');
  assert.equal(texts().length, 1, 'the engine tells of its panic itself');
  await lab.change('seek', { cursor: { t: 1, n: -1 } });
  const [, bug] = state.toasts.value;
  assert.equal(bug.text, 'The page failed at this step. This is a bug in leaselab.');
  assert.equal(bug.action?.label, 'Copy the bug report');
  assert.equal(silent.mock.callCount(), 1);
  silent.mock.restore();
  lab.tellFailure(refusal('input', 'Version 9 is unknown.'), true);
  assert.equal(texts().length, 2, 'an expected refusal is an answer');
});

test('what changes the run unpins the version; moving does not', async () => {
  const { lab, state } = begun();
  lab.takeOver(fakeEngine({}), viewWith({}));
  state.pinnedVersion.value = 3;
  await lab.change('seek', { cursor: { t: 1, n: -1 } });
  assert.equal(state.pinnedVersion.value, 3);
  await lab.change('act', { act: 'crash', node: 'a' });
  assert.equal(state.pinnedVersion.value, 0);
});

test('an act at the live instant plays on, unless planned, of a lesson, or against the visitor’s setting', async () => {
  const at = (/** @type {number} */ t, /** @type {object} */ more = {}) =>
    viewWith({ cursor: { t, n: -1 }, live: { t, n: -1 }, branch: 0, end: 60e9, playing: false, ...more });
  /** @param {object} after what the act answers @param {(lab: any, state: any) => void} [first] */
  const playAfter = async (after, first = () => {}) => {
    const { lab, state } = begun();
    const engine = fakeEngine({ act: () => after });
    lab.takeOver(engine, at(20e9));
    first(lab, state);
    await lab.change('act', { act: 'crash', node: 'a' });
    return engine.asked.some((/** @type {string[]} */ [op]) => op === 'play');
  };
  assert.equal(await playAfter(at(20e9 + 1)), true);
  assert.equal(await playAfter(at(12e9, { branch: 1 })), true, 'on a new branch, too');
  assert.equal(await playAfter(at(20e9)), false, 'planned for later');
  assert.equal(
    await playAfter(at(20e9 + 1, { cursor: { t: 12e9, n: -1 } })),
    false,
    'the visitor looks at an earlier instant',
  );
  assert.equal(await playAfter(at(20e9 + 1, { playing: true })), false, 'it plays already');
  assert.equal(await playAfter(at(20e9 + 1), (lab) => (lab.guard = async () => ({}))), false, 'in a lesson');
  assert.equal(await playAfter(at(20e9 + 1), (_, state) => (state.playOn.value = false)), false, 'turned off');
});

test('a time past live is computed, a time past the end and an act after it are offered', async () => {
  const { lab, state, texts } = begun();
  const end = { t: 60e9, n: -1 };
  const engine = fakeEngine({
    runTo: () => viewWith({ cursor: end, live: end, end: 60e9 }),
    edit: () => viewWith({ cursor: end, live: end, end: 120e9 }),
  });
  lab.takeOver(engine, viewWith({ ...placeAt(5e9, 20e9), end: 60e9 }));
  await lab.goTo(50e9);
  assert.deepEqual(engine.asked.at(-1), ['runTo', { what: 'time', t: 50e9 }]);
  await lab.goTo(90e9);
  assert.deepEqual(texts(), ['The run ends at 01:00.000.']);
  const asked = engine.asked.length;
  await state.toasts.value[0].action?.run();
  assert.deepEqual(engine.asked.slice(asked), [
    ['edit', { path: 'duration', value: '90s', mode: 'now' }],
    ['runTo', { what: 'time', t: 90e9 }],
  ]);
  lab.receive(viewWith({ cursor: end, live: end, end: 60e9, acts: [] }));
  await lab.act('crash', 'b');
  assert.equal(texts().at(-1), 'The run ends here.');
  await lab.goTo(10e9);
  assert.deepEqual(engine.asked.at(-1), ['seek', { cursor: { t: 10e9, n: -1 } }]);
});

test('an offer to undo is gone once something else can be undone', () => {
  const { lab, state } = begun();
  lab.receive(viewWith({ undo: 'a crashes', toast: 'New branch.' }));
  assert.equal(state.toasts.value[0].action?.label, 'Undo');
  lab.receive(viewWith({ undo: 'b crashes' }));
  assert.deepEqual(state.toasts.value, []);
});

test('the suggestions stay after the first act, undo brings the hint back, another run ends it', async () => {
  const { lab, state } = begun();
  const engine = fakeEngine({ act: () => viewWith({ undo: 'crash b' }), undo: () => viewWith({ undo: '' }) });
  lab.takeOver(engine, viewWith({ acts: [] }));
  state.hello.value = { ...state.hello.value, acts: [] };
  assert.equal(state.hint.value, 'shown');
  await lab.act('crash', 'b');
  assert.equal(state.hint.value, 'tried');
  await lab.undo();
  assert.equal(state.hint.value, 'shown');
  await lab.open({ scenario: 'same-name' }, 'It will open');
  assert.equal(state.hint.value, 'done');
});

test('to play shows the cursor: from the start if the run was at its end, or where it was panned away', async () => {
  const { lab, state } = begun();
  const end = { t: 60e9, n: -1 };
  const start = { t: 0, n: 0 };
  lab.takeOver(
    fakeEngine({ seek: () => viewWith({ cursor: start, live: end, end: 60e9 }) }),
    viewWith({ cursor: end, live: end, end: 60e9 }),
  );
  state.viewport.value = { from: 40e9, to: 80e9 };
  await lab.play();
  assert.deepEqual(state.viewport.value, { from: 0, to: 40e9 });
});

test('without an engine what waited is said not to be done, and the reason stays', () => {
  const { lab, state, texts, said } = begun();
  lab.queue({ sentence: 'a will crash', retry: () => {} });
  lab.fail('it could not be loaded');
  assert.equal(state.phase.value, 'failed');
  assert.match(texts()[0], /^a will crash: not done/);
  assert.match(said[0], /You can still watch this recorded run/);
  lab.queue({ sentence: 'b will crash', retry: () => {} });
  assert.deepEqual(state.queued.value, []);
  assert.match(texts()[1], /could not start/);
});

test('texts about a run hold while it is the shipped one: not after a change, an act or another branch', async () => {
  const { lab, state } = begun();
  const unchanged = viewWith({ undo: '', branch: 0 });
  lab.takeOver(fakeEngine({ open: () => unchanged }), unchanged);
  const now = () => state.isShipped.value;
  assert.equal(now(), true, 'the opening run');
  for (const [params, holds] of /** @type {[any, boolean][]} */ ([
    [{ scenario: 'crash', patch: [{ path: 'seed', value: '7' }] }, false],
    [{ scenario: 'crash', actions: [{ act: 'crash' }] }, false],
    [{ scenario: { name: 'mine' } }, false],
    [{ scenario: 'crash', patch: [], actions: [] }, true],
  ])) {
    await lab.open(params, 'It will open');
    assert.equal(now(), holds, JSON.stringify(params));
  }
  for (const change of [{ undo: 'crash a' }, { branch: 1 }]) {
    lab.receive({ ...unchanged, ...change });
    assert.equal(now(), false, JSON.stringify(change));
  }
});

test('a run that opens leads from a page to the lab; one that is refused does not', async () => {
  const { lab } = begun();
  let shown = 0;
  lab.showLab = () => shown++;
  const open = (/** @type {any} */ { scenario }) => {
    if (scenario === 'none') throw refusal('input', 'no scenario is named none');
  };
  lab.takeOver(fakeEngine({ open }), viewWith({}));
  await lab.open({ scenario: 'none' }, 'It will open');
  assert.equal(shown, 0);
  await lab.open({ scenario: 'crash' }, 'It will open');
  assert.equal(shown, 1);
});
