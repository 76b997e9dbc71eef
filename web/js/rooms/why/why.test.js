import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handlers, markup, text } from '../../lib/testsupport/template.js';
import { createState } from '../../page/state.js';
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

/** The panel of causes over an engine that answers as told. @param {(op: string, params: any) => any} answer */
function panel(answer) {
  const state = createState();
  state.view.value = /** @type {any} */ ({ run: 3, cursor: at(36e9) });
  /** @type {unknown[]} */
  const done = [];
  const lab = {
    ask: async (/** @type {string} */ op, /** @type {any} */ params) => {
      done.push([op, params]);
      return answer(op, params);
    },
    change: async (/** @type {string} */ op, /** @type {any} */ params) => done.push([op, params]),
  };
  const notifier = { say: (/** @type {string} */ sentence) => done.push(sentence) };
  const select = (/** @type {unknown} */ one) => done.push(one);
  const causes = open(/** @type {any} */ ({ state, lab, notifier, select, close: () => done.push('close') }));
  return { state, done, causes, shown: () => causes.template('the sum', 1) };
}

const change = /** @type {any} */ ({ index: 1, at: 34e9, from: 'a', to: 'b', leaderlessNs: 14e9 });

test('below the sum of a change stand its steps with their total, each a way to its instant', async () => {
  const { causes, shown, done } = panel(() => cause);
  await causes.explain(change);
  assert.match(text(shown()), /the sum Every step to the new leader 13\.000 s .* \+ 1\.000 s .* = 14\.000 s/);
  handlers(shown(), 'click')[0]();
  assert.deepEqual(done, [['cause', { kind: 'change', number: 1 }], { kind: 'event', cursor: at(33e9) }]);
});

test('a change that began an overlap gets the story of the overlap', async () => {
  const { causes, done } = panel((_, params) => ({ ...cause, ...params }));
  await causes.explain({ ...change, leaderlessNs: 0 });
  assert.deepEqual(done.at(-1), ['cause', { kind: 'violation', number: 0 }]);
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
  await handlers(shown(), 'click').at(-1)?.();
  assert.equal(asked, 3);
  assert.equal(done.at(-1), 'With renewDeadline 5 s it was 2 s.');
  await handlers(shown(), 'click').at(-1)?.();
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
  await handlers(shown(), 'click').at(-1)?.();
  assert.match(markup(shown()), /role="alert">the run is too long/);
  state.view.value = { ...state.view.value, run: 4 };
  assert.equal(shown(), 'the sum');
});
