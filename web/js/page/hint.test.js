import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveHint } from './hint.js';
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
