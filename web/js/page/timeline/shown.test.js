import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createState } from '../state.js';
import { follow, STORY_VIEW, show, showAll, showInstant, showRelevant, showSpan } from './shown.js';

function stateAt(/** @type {number} */ live) {
  const state = createState();
  state.view.value = /** @type {any} */ ({ live: { t: live, n: -1 }, end: 300e9 });
  return state;
}

test('all of a short run is shown as wide as the story, and all of a longer one whole', () => {
  const short = stateAt(5e9);
  showAll(short);
  assert.deepEqual(short.viewport.value, STORY_VIEW);
  const long = stateAt(200e9);
  showAll(long);
  assert.ok(long.viewport.value.from === 0 && long.viewport.value.to > 200e9);
});

test('an instant on screen moves nothing; one off screen is centered, and nothing starts before 0', () => {
  const state = stateAt(200e9);
  const before = state.viewport.value;
  showInstant(state, 40e9);
  assert.equal(state.viewport.value, before);
  showInstant(state, 100e9);
  assert.deepEqual(state.viewport.value, { from: 80e9, to: 120e9 });
  showInstant(state, 1e9);
  assert.deepEqual(state.viewport.value, { from: 0, to: 40e9 });
});

test('a span is shown with room on both sides, and a playing cursor stays on screen', () => {
  const state = stateAt(200e9);
  showSpan(state, { from: 100e9, to: 120e9 });
  const { from, to } = state.viewport.value;
  assert.ok(from < 100e9 && to > 120e9);
  follow(state, 119e9);
  assert.ok(state.viewport.value.to > 119e9 && state.viewport.value.to - state.viewport.value.from === to - from);
});

test('after a jump the plot stays while half of it is filled, else it shows forty seconds around the cursor', () => {
  const state = stateAt(100e9);
  const jump = (/** @type {number} */ cursor, /** @type {number} */ live) => {
    state.view.value = { ...state.view.value, cursor: { t: cursor, n: -1 }, live: { t: live, n: -1 } };
    showRelevant(state);
    return state.viewport.value;
  };
  show(state, { from: 70e9, to: 110e9 });
  assert.deepEqual(jump(95e9, 100e9), { from: 70e9, to: 110e9 });
  assert.deepEqual(jump(12e9, 12e9), { from: 0, to: 40e9 }, 'before the plot');
  assert.deepEqual(jump(100e9, 100e9), { from: 64e9, to: 104e9 }, 'after it');
  show(state, { from: 99e9, to: 139e9 });
  assert.deepEqual(jump(100e9, 100e9), { from: 64e9, to: 104e9 }, 'in it, and nearly nothing else is');
});

test('showing what is on screen is no change', () => {
  const state = stateAt(200e9);
  const before = state.viewport.value;
  show(state, { ...before });
  assert.equal(state.viewport.value, before);
});
