import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percent, scalesOf } from './curve.js';

/** @param {number} t @param {number} share */
const point = (t, share) => ({ t, share, hits: 0, low: share, high: share });

test('the curve spans its picture, upside up', () => {
  const { x, y } = scalesOf([point(10e9, 0.2), point(20e9, 0.5), point(30e9, 1)]);
  assert.equal(x(10e9), 6);
  assert.equal(x(20e9), 210);
  assert.equal(x(30e9), 414);
  assert.equal(y(0), 90);
  assert.equal(y(1), 6);
});

test('one instant alone is no division by zero', () => {
  assert.equal(scalesOf([point(5, 1)]).x(5), 6);
});

test('shares read as people write them', () => {
  assert.equal(percent(0.825), '82.5 %');
  assert.equal(percent(1), '100.0 %');
});
