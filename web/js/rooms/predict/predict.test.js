import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, placeAt, settle, text } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { open } from './index.js';

const CHANGES = [
  { index: 0, at: 1e7, from: '', to: 'a', leaderlessNs: 1e7 },
  { index: 1, at: 34e9, from: 'a', to: 'b', leaderlessNs: 14e9 },
];

Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { languages: ['en'] } });

/** The room at an instant of a run of 80 s. @param {number} t */
async function roomAt(t) {
  const view = { run: 1, playing: false, end: 80e9, ...placeAt(t, 80e9) };
  const page = pageAt(view, {
    ask: async () => ({ changes: CHANGES, faults: [{ from: 20e9, to: 80e9, text: 'a is down' }] }),
    share: async () => ({ scenario: 'crash', cursor: { t, n: -1 }, live: { t: 80e9, n: -1 }, patch: [], actions: [] }),
    seek: async (/** @type {object} */ cursor) => {
      page.state.view.value = /** @type {any} */ ({ ...page.state.view.value, cursor });
    },
  });
  const room = await open(page.ports);
  await room.show();
  await settle();
  return { ...page, dialog: page.added()[0] };
}

test('at the end of a run the room offers the instants that something follows', async () => {
  const { dialog, state } = await roomAt(80e9);
  assert.match(text(dialog), /The run ends at 01:20\.000/);
  assert.deepEqual(all(dialog, 'li').map(text), ['00:00.000 the start of the run', '00:19.000 just before: a is down']);
  button(dialog, /00:19\.000/).click();
  await settle();
  assert.equal(state.view.value.cursor.t, 19e9);
  assert.match(text(dialog), /this run at 00:19\.000/);
  assert.equal(all(dialog, 'input[type=radio]').length, 4, 'with the question when');
});

/** Crashes the leader of a run of 80 s at an instant. @param {number} t @param {object} [more] of the view */
async function crashAt(t, more = {}) {
  /** @type {unknown[]} */
  const steps = [];
  const nodes = [{ name: 'a', role: 'leading', believes: 'I lead' }];
  const view = { playing: true, end: 80e9, ...placeAt(t, 80e9), nodes, lease: {}, change: CHANGES[0], ...more };
  const { ports } = pageAt(/** @type {any} */ (view), {
    guard: null,
    ask: async () => ({ outlook: { failoverNs: 24e9 } }),
    act: async (/** @type {string[]} */ ...act) => steps.push([...act, typeof ports.lab.guard]),
    pause: async () => steps.push('pause'),
  });
  ports.lab.notifier = /** @type {any} */ ({ notify: (/** @type {string} */ words) => steps.push(words) });
  const lessons = { predict: async (/** @type {object} */ predict) => steps.push(predict) };
  await (await open(ports)).crash(/** @type {any} */ (lessons));
  assert.ok(!ports.lab.guard || ports.lab.guard.name !== 'wait', 'the run is free again');
  return steps;
}

test('a crash is predicted: the run waits at it, and the question is about the next change', async () => {
  const ask = { ask: 'when', change: 1, until: 34e9 };
  assert.deepEqual(await crashAt(10e9), ['pause', ['crash', 'a', 'function'], ask]);
  assert.deepEqual(await crashAt(10e9, { playing: false, change: undefined }), [
    ['crash', 'a', 'function'],
    { ...ask, change: 0 },
  ]);
  const late = await crashAt(60e9, { playing: false });
  assert.deepEqual(late, ['The run ends before the next node leads.'], 'nothing is crashed');
  assert.deepEqual(await crashAt(10e9, { nodes: [{ name: 'a', role: 'following' }] }), []);
});

test('before the end it asks at once', async () => {
  const { dialog } = await roomAt(40e9);
  assert.equal(all(dialog, 'li').length, 0);
  assert.equal(all(dialog, 'input[type=radio]').length, 2, 'no leader change follows');
});
