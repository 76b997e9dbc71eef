import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equal, mergePatch } from './merge.js';

test('a merge patch says what changed, and nothing else', () => {
  const change = (/** @type {any} */ before, /** @type {any} */ after) => mergePatch(before, before, after);
  assert.equal(change({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }), undefined);
  assert.deepEqual(change({ a: 1, b: 2 }, { b: 3, c: 4 }), { a: null, b: 3, c: 4 });
  assert.deepEqual(change({ m: { x: 1, y: 2 } }, { m: { x: 1 } }), { m: { y: null } });
  assert.deepEqual(change({ l: [1, 2] }, { l: [2] }), { l: [2] });
  assert.deepEqual(change({ m: { x: 1 } }, { m: 'text' }), { m: 'text' });
});

test('an apply takes back what it wrote before, and leaves alone what others wrote', () => {
  const current = { spec: { mine: 1, old: 2, theirs: 3 } };
  assert.deepEqual(mergePatch({ spec: { mine: 1, old: 2 } }, current, { spec: { mine: 5 } }), {
    spec: { mine: 5, old: null },
  });
  assert.equal(mergePatch({ spec: { mine: 1 } }, current, { spec: { mine: 1 } }), undefined);
  assert.equal(mergePatch({ spec: { gone: 1 } }, current, { spec: { mine: 1 } }), undefined, 'it is gone already');
  assert.deepEqual(mergePatch({}, current, { spec: { theirs: 3 }, meta: { a: 'b' } }), { meta: { a: 'b' } });
});

test('the order of members does not matter', () => {
  assert.ok(equal({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }));
  assert.ok(!equal([1, 2], [2, 1]));
});
