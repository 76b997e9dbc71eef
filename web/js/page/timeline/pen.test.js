import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutAround } from './pen.js';

test('an upright line leaves out the words that it would cross', () => {
  const words = [
    { x: 40, y: 50, w: 30 },
    { x: 40, y: 56, w: 30 },
    { x: 200, y: 80, w: 30 },
  ];
  assert.deepEqual(cutAround(words, 55, 0, 100), [
    [0, 41],
    [65, 100],
  ]);
  assert.deepEqual(cutAround(words, 100, 0, 100), [[0, 100]]);
  assert.deepEqual(cutAround(words, 55, 45, 60), []);
});
