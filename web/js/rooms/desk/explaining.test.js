import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, placeAt, settle, text } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { rooms } from '../../page/rooms.js';
import { openExplaining } from './explaining.js';

const CHANGE = { index: 1, at: 34e9, from: 'a', to: 'b', leaderlessNs: 14e9 };
const WHY = {
  change: CHANGE,
  title: 'Why nobody led for 14 s',
  addends: [{ ns: 14e9, shown: '14.000', text: 'left on the countdown', cursor: { t: 20e9, n: 1 } }],
  story: [{ cursor: { t: 20e9, n: 1 }, text: 'a crashes.' }],
};
const VIOLATION = {
  kind: 'violation',
  number: 3,
  title: 'Two leaders',
  rule: 'moreThanOneActive',
  cursor: { t: 30e9, n: 4 },
};
const cause = (/** @type {any} */ { kind, number }) => ({
  ...{ run: 1, kind, number, title: `Cause of ${kind} ${number}`, subject: [VIOLATION] },
  ...{ story: [], parts: [], chain: [], ending: [] },
});

/**
 * The panel for a run whose cursor is after a leader change.
 * @param {Record<string, (params: any) => any>} [answers] of the engine
 */
function panel(answers = {}) {
  const engine = /** @type {Record<string, (params: any) => any>} */ ({ why: () => WHY, cause, ...answers });
  const ask = async (/** @type {string} */ op, /** @type {any} */ params) => engine[op](params);
  const page = pageAt({ run: 1, change: CHANGE, ...placeAt(35e9) }, { ask }, { rooms });
  return { ...page, ...openExplaining(page.ports), dialog: page.at('why') };
}

test('the change of leader at the cursor is explained by its sum, then by its causes', async () => {
  const { show, dialog, frame, isOpen, done } = panel();
  await show();
  assert.equal(isOpen(), true);
  assert.deepEqual(done[0], ['ask', 'why', { change: 1 }]);
  frame();
  assert.match(text(dialog), /Why nobody led for 14 s/);
  await settle();
  frame();
  assert.match(text(dialog), /What would have changed it\?/);
});

test('a marked violation is explained instead, in its own story', async () => {
  const { show, dialog, frame, state, isOpen } = panel();
  state.selection.value = { kind: 'violation', cursor: VIOLATION.cursor };
  await show();
  frame();
  assert.equal(isOpen(), true);
  assert.match(text(dialog), /Cause of violation 3/);
  assert.equal(state.why.value, null);
});

test('for a violation that the engine does not know, the change is explained', async () => {
  const { show, dialog, frame, state } = panel();
  state.selection.value = { kind: 'violation', cursor: { t: 1, n: 0 } };
  await show();
  frame();
  assert.match(text(dialog), /Why nobody led/);
});

test('without a change there is nothing to explain, and a refusal is told', async () => {
  const calm = panel();
  calm.state.view.value = { ...calm.state.view.value, change: undefined };
  await calm.show();
  assert.equal(calm.isOpen(), false);
  const refused = panel({
    why: () => {
      throw new Error('Change 1 is not in this run.');
    },
  });
  await refused.show();
  assert.equal(refused.isOpen(), false);
  assert.deepEqual(refused.done.at(-1), ['notify', 'Change 1 is not in this run.', { tone: 'error' }]);
});

test('closed, nothing stays marked; a part leads to its event', async () => {
  const { show, dialog, frame, close, isOpen, done } = panel();
  await show();
  frame();
  button(dialog, /a crashes/).click();
  assert.deepEqual(done.at(-1), ['select', { kind: 'event', cursor: { t: 20e9, n: 1 } }]);
  close();
  assert.equal(isOpen(), false);
  assert.deepEqual(done.at(-1), ['mark', null]);
});
