import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals-core';
import { waitUntil } from './until.js';

test('resolves at once, or when the condition holds, and then watches no more', async () => {
  const count = signal(0);
  let asked = 0;
  const waitForCount = (/** @type {number} */ n) => waitUntil(() => ++asked > 0 && count.value >= n);
  await waitForCount(0);
  /** @type {string[]} */
  const log = [];
  const two = waitForCount(2).then(() => log.push('two'));
  count.value = 1;
  await Promise.resolve();
  assert.deepEqual(log, []);
  count.value = 2;
  await two;
  const before = asked;
  count.value = 3;
  assert.equal(asked, before);
});
