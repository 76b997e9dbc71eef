import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equal, mergePatch } from './merge.js';

test('a merge patch says what changed, and nothing else', () => {
  assert.equal(mergePatch({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }), undefined);
  assert.deepEqual(mergePatch({ a: 1, b: 2 }, { b: 3, c: 4 }), { a: null, b: 3, c: 4 });
  assert.deepEqual(mergePatch({ m: { x: 1, y: 2 } }, { m: { x: 1 } }), { m: { y: null } });
  assert.deepEqual(mergePatch({ l: [1, 2] }, { l: [2] }), { l: [2] });
  assert.deepEqual(mergePatch({ m: { x: 1 } }, { m: 'text' }), { m: 'text' });
});

test('a member has any name, also one that every object inherits', () => {
  assert.deepEqual(mergePatch({ constructor: 'x' }, {}), { constructor: null });
  assert.deepEqual(mergePatch({}, { toString: 'x' }), { toString: 'x' });
});

test('the order of members does not matter', () => {
  assert.ok(equal({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }));
  assert.ok(!equal([1, 2], [2, 1]));
});
