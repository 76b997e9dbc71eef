import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOpening, moveHint } from './hint.js';
import { createState } from './state.js';

/** The hint after everything that happened. @param {Parameters<typeof moveHint>[1][]} happened */
function hintAfter(...happened) {
  const state = createState();
  for (const one of happened) moveHint(state, one);
  return state.hint.value;
}

test('the hint waits for the end of the story, goes with the first act, and comes back when it is undone', () => {
  assert.equal(hintAfter(), '');
  assert.equal(hintAfter('touched'), '', 'who acts during the story needs no hint');
  assert.equal(hintAfter('waits'), 'shown');
  assert.equal(hintAfter('waits', 'touched'), 'tried');
  assert.equal(hintAfter('waits', 'touched', 'undone'), 'shown');
});

test('it does not come back in another run', () => {
  assert.equal(hintAfter('waits', 'touched', 'left'), 'done');
  assert.equal(hintAfter('waits', 'touched', 'left', 'undone', 'waits'), 'done');
});

test('the opening story is over with another run, a branch or an act', () => {
  const state = createState();
  assert.equal(isOpening(state), false, 'before its first view');
  const opens = (scenario = 'a-leader-dies', branches = 1) => {
    state.view.value = /** @type {any} */ ({ scenario, branches: Array.from({ length: branches }) });
    return isOpening(state);
  };
  assert.deepEqual([opens(), opens('paused-leader'), opens('a-leader-dies', 2)], [true, false, false]);
  moveHint(state, 'waits');
  assert.equal(opens(), true);
  moveHint(state, 'touched');
  assert.equal(opens(), false);
});
