import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ghostsOf } from './ghosts.js';

const branch = (/** @type {number} */ id, /** @type {object} */ more = {}) => ({
  ...{ id, name: `run ${id}`, parent: id - 1, forkAt: id * 10e9, live: 90e9, hidden: false },
  ...more,
});

test('the other branches begin where they fork; the one that this came from, where this forked', () => {
  const all = [branch(0, { parent: -1, forkAt: 0 }), branch(1), branch(2, { parent: 0 }), branch(3, { hidden: true })];
  const from = (/** @type {number} */ current) => ghostsOf(all, current).map((one) => [one.branch.id, one.from]);
  assert.deepEqual(from(0), [
    [1, 10e9],
    [2, 20e9],
  ]);
  assert.deepEqual(from(2), [
    [0, 20e9],
    [1, 10e9],
  ]);
});

test('the newest three are drawn', () => {
  const all = Array.from({ length: 9 }, (_, id) => branch(id));
  assert.deepEqual(
    ghostsOf(all, 0).map((one) => one.branch.id),
    [6, 7, 8],
  );
});
