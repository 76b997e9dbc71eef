import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, enter, fire, nameOf, press, settle, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { open } from './index.js';

const at = (/** @type {number} */ t) => ({ t, n: -1 });
const cause = {
  run: 3,
  kind: 'change',
  number: 1,
  title: 'b leads',
  story: [],
  parts: [],
  chain: [
    { ns: 13e9, shown: '13.000', text: 'until the Lease had run out', cursor: at(33e9) },
    { ns: 1e9, shown: '1.000', text: 'until b looked', cursor: at(34e9) },
  ],
  ending: [],
  bound: '',
  subject: [
    { kind: 'change', number: 1, rule: '', title: 'b leads', cursor: at(34e9) },
    { kind: 'violation', number: 0, rule: 'moreThanOneActive', title: 'two', cursor: at(34e9) },
  ],
};

/** The panel of causes with a fake engine. @param {(op: string, params: any) => any} answer */
function panel(answer) {
  const { state } = pageAt({ run: 3, cursor: at(36e9), live: at(40e9) });
  /** @type {unknown[]} */
  const done = [];
  const lab = {
    ask: async (/** @type {string} */ op, /** @type {any} */ params) => {
      if (op === 'save') return { scenario: { name: 'crash' } };
      done.push([op, params]);
      return answer(op, params);
    },
    change: async (/** @type {string} */ op, /** @type {any} */ params) => done.push([op, params]),
  };
  const notifier = { say: (/** @type {string} */ sentence) => done.push(sentence) };
  const select = (/** @type {unknown} */ one) => done.push(one);
  const causes = open(
    /** @type {any} */ ({ state, lab, notifier, select, close: () => done.push('close') }),
    /** @type {any} */ (lab),
  );
  return { state, done, causes, shown: () => causes.template('the sum', 1) };
}

const change = /** @type {any} */ ({ index: 1, at: 34e9, from: 'a', to: 'b', leaderlessNs: 14e9 });

test('below the sum of a change stand its steps with their total, each a way to its instant', async () => {
  const { causes, shown, done } = panel(() => cause);
  await causes.explain(change);
  assert.match(text(shown()), /the sum Every step to the new leader 13\.000 s .* \+ 1\.000 s .* = 14\.000 s/);
  all(shown(), 'button')[0].click();
  assert.deepEqual(done, [['cause', { kind: 'change', number: 1 }], { kind: 'event', cursor: at(33e9) }]);
});

test('a change that began an overlap gets the story of the overlap', async () => {
  const { causes, done, state } = panel((_, params) => ({ ...cause, ...params }));
  state.view.value = { ...state.view.value, playing: true };
  await causes.explain({ ...change, leaderlessNs: 0 });
  assert.deepEqual(done.at(-1), ['cause', { kind: 'violation', number: 0 }], 'nothing else runs while the page plays');
});

test('what would have changed a violation is asked at once, with its price and what no setting prevents', async () => {
  const line = (/** @type {number} */ failoverNs) => ({ number: 4, label: 'x', sentence: 'x: never', failoverNs });
  const lines = [line(20e9), line(82e9)].map((one) => ({ ...one, effect: 'better' }));
  const { causes, shown } = panel((op, params) =>
    op === 'cause' ? { ...cause, ...params } : { done: 2, of: 2, lines, failoverNs: 20e9 },
  );
  await causes.explain({ ...change, leaderlessNs: 0 });
  await settle();
  const texts = all(shown(), '.what-if li').map(text);
  assert.doesNotMatch(texts[0], /Price/);
  assert.match(texts[1], /with x: never Price: a failover can take 82\.0 s\./);
  assert.match(text(shown()), /Only a fence at the data is safe for every pause: lesson 9/);
  await causes.explain(change);
  await press(button(shown(), 'What would have changed it?'));
  assert.doesNotMatch(text(shown()), /fence/, 'a gap harms no data');
});

test('what would have changed it is asked slice by slice, and told once it is whole', async () => {
  let asked = 0;
  const { causes, shown, done } = panel((op) => {
    if (op === 'cause') return cause;
    asked++;
    const line = { number: 4, label: 'renewDeadline 5 s', sentence: 'renewDeadline 5 s it was 2 s', effect: 'better' };
    return { done: asked, of: 3, lines: asked === 3 ? [line] : [] };
  });
  await causes.explain(change);
  await press(all(shown(), 'button').at(-1));
  assert.equal(asked, 3);
  assert.equal(done.at(-1), 'With renewDeadline 5 s it was 2 s.');
  await press(all(shown(), 'button').at(-1));
  assert.deepEqual(done.slice(-3), [
    ['try', { kind: 'change', number: 1, line: 4 }],
    'New branch with renewDeadline 5 s.',
    'close',
  ]);
});

test('an engine that refuses is quoted, and a run that has changed since shows the sum alone', async () => {
  const { causes, shown, state } = panel((op) => {
    if (op === 'cause') return cause;
    throw new Error('the run is too long');
  });
  await causes.explain(change);
  await press(all(shown(), 'button').at(-1));
  assert.equal(text(the(shown(), '[role="alert"]')), 'the run is too long');
  state.view.value = { ...state.view.value, run: 4 };
  assert.equal(shown(), 'the sum');
});

/** The panel once it shows the point of no return. @param {object} more of the answer */
async function openRerolled(more) {
  const points = [10, 20, 30].map((t, i) => ({ t: t * 1e9, share: [0.1, 0.5, 1][i], low: 0.05, high: 1 }));
  const it = panel((op) =>
    op === 'cause' ? { ...cause, bound: 'a gap over 10 s' } : { done: 2, of: 2, runs: 200, points, ...more },
  );
  await it.causes.explain(change);
  await press(button(it.shown(), 'Find the point of no return'));
  return it;
}

test('the point of no return is asked with its subject, and found or not', async () => {
  const { shown, done } = await openRerolled({ inevitable: 30e9 });
  assert.deepEqual(done.at(-2), [
    'reroll',
    { kind: 'change', number: 1, scenario: { name: 'crash' }, until: 40e9, runs: 200, points: 16 },
  ]);
  assert.equal(done.at(-1), 'The point of no return is found.');
  assert.match(text(shown()), /Inevitable from 00:30\.000 on: at least 99 %/);
  const none = await openRerolled({});
  assert.match(text(none.shown()), /inevitable at none of these instants/);
});

test('where it turned is told with what happened then', async () => {
  const happened = [{ cursor: at(15e9), text: 'a crashes.' }];
  const { shown, done } = await openRerolled({ turn: { from: 10e9, to: 20e9, before: 0.1, after: 0.5, happened } });
  assert.match(text(shown()), /It rose from 10\.0 % to 50\.0 % between 00:10\.000 and 00:20\.000:/);
  button(shown(), /a crashes/).click();
  assert.deepEqual(done.at(-1), { kind: 'event', cursor: at(15e9) });
});

test('a click into the curve goes to its instant; the curve shows the cursor only where it is in it', async () => {
  const { shown, done, state } = await openRerolled({ inevitable: 30e9 });
  const curve = () => the(shown(), '.curve svg');
  const drawn = curve();
  drawn.getBoundingClientRect = () => ({ left: 0, width: 420 });
  fire(drawn, 'click', { clientX: 210 });
  assert.deepEqual(done.at(-1), { kind: 'event', cursor: { t: 20e9, n: -1 } });
  assert.equal(all(shown(), '.cursor').length, 0, 'the run stands at 36 s');
  state.view.value = { ...state.view.value, cursor: at(15e9) };
  assert.equal(all(shown(), '.cursor').length, 1);
});

test('a question that is stopped shows nothing that comes late', async () => {
  /** @type {(answer: any) => void} */
  let answer = () => {};
  const { causes, shown } = panel((op) => (op === 'cause' ? cause : new Promise((resolve) => (answer = resolve))));
  await causes.explain(change);
  button(shown(), 'What would have changed it?').click();
  assert.match(text(shown()), /starting/);
  await Promise.resolve(); // lets the panel ask the question
  button(shown(), 'Stop').click();
  assert.doesNotMatch(text(shown()), /starting/);
  answer({ done: 1, of: 1, lines: [{ number: 1, label: 'x', sentence: 'late', effect: 'better' }] });
  await settle();
  assert.doesNotMatch(text(shown()), /late/);
});

test('changes that make no difference are folded away', async () => {
  const line = (/** @type {string} */ effect) => ({ number: 1, label: effect, sentence: `${effect}.`, effect });
  const lines = ['better', 'same', 'worse'].map(line);
  const { causes, shown } = panel((op) => (op === 'cause' ? cause : { done: 1, of: 1, lines }));
  await causes.explain(change);
  await press(button(shown(), 'What would have changed it?'));
  const [shownLines, folded] = all(shown(), '.what-if');
  assert.deepEqual([nameOf(shownLines), nameOf(folded)], ['With one thing changed', 'What makes no difference']);
  assert.match(text(shown()), /No difference: 1/);
  assert.equal(folded.parentElement.localName, 'details');
});

test('another subject is chosen from the list', async () => {
  const { causes, shown, done } = panel((_, params) => ({ ...cause, ...params }));
  await causes.explain(change);
  enter(the(shown(), '.subjects select'), '1');
  assert.deepEqual(done.at(-1), ['cause', { kind: 'violation', number: 0 }]);
});
