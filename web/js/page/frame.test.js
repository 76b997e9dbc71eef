import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noticeOf, scrollTopOf } from './frame.js';
import { createState } from './state.js';

test('the notice says what waits for the engine, and that it failed', () => {
  const state = createState();
  state.progress.value = 0.426;
  assert.equal(noticeOf(state, false), '');
  assert.equal(noticeOf(state, true), 'The link opens as soon as the simulator has loaded, 43 %');
  state.queued.value = [
    { sentence: 'a will crash', again: () => {} },
    { sentence: 'b will stop', again: () => {} },
  ];
  assert.equal(noticeOf(state, true), 'a will crash, b will stop as soon as the simulator has loaded, 43 %');
  state.failure.value = 'The simulator could not start.';
  state.phase.value = 'failed';
  assert.equal(noticeOf(state, true), 'The simulator could not start.');
});

test('the row at the cursor stands in the middle of what is visible', () => {
  assert.equal(scrollTopOf(100, 280, 28), 95 * 28);
  assert.equal(scrollTopOf(3, 10, 28), 3 * 28, 'a list lower than a row shows that row');
});
