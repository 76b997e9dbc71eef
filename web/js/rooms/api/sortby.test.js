import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedBy } from './sortby.js';

const object = (/** @type {unknown} */ spec) => ({ spec });
const sorted = (/** @type {unknown[]} */ values) =>
  sortedBy(values.map(object), '.spec', (one) => one)?.map(({ spec }) => spec);

test('texts with numbers sort by the numbers, and numbers as numbers', () => {
  assert.deepEqual(sorted(['n10', 'n2', 'm', 'n1a']), ['m', 'n1a', 'n2', 'n10']);
  assert.deepEqual(sorted([10, 9, -1]), [-1, 9, 10]);
  assert.deepEqual(sorted([true, false]), [false, true]);
});

test('objects without the field come first; when none has it, there is no order', () => {
  assert.deepEqual(sorted(['b', undefined, 'a']), [undefined, 'a', 'b']);
  assert.equal(sorted([undefined, undefined]), undefined);
});
