import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatCount,
  formatCountdown,
  formatDuration,
  formatInstant,
  formatSeconds,
  plural,
  roundUnits,
} from './format.js';

test('instants are mm:ss.mmm, half up, with hours once there are some', () => {
  const cases = [
    [0, '00:00.000'],
    [499_999, '00:00.000'],
    [500_000, '00:00.001'],
    [34_038_760_571, '00:34.039'],
    [59_999_500_000, '01:00.000'],
    [3_599_999_499_999, '59:59.999'],
    [3_599_999_500_000, '01:00:00.000'],
    [90 * 24 * 3600e9, '2160:00:00.000'],
  ];
  for (const [ns, want] of cases) assert.equal(formatInstant(/** @type {number} */ (ns)), want);
  assert.equal(formatInstant(35e9, 0), '00:35');
});

test('rounding is exact near 2^53', () => {
  assert.equal(roundUnits(9_007_199_254_740_991, 2), 4_503_599_627_370_496);
  assert.equal(roundUnits(-1, 2), 0);
});

test('lengths carry their unit', () => {
  assert.equal(formatSeconds(14_038_760_558), '14.039 s');
  assert.equal(formatSeconds(3_249_000_000, 1), '3.2 s');
  assert.equal(formatSeconds(-5_000_000), '−0.005 s');
});

test('a countdown never promises more than is left', () => {
  assert.equal(formatCountdown(1_299_999_999), '1.2 s');
  assert.equal(formatCountdown(-1), '0.0 s');
  assert.equal(formatCountdown(12e9), '12.0 s');
});

test('knobs read as people write them', () => {
  const cases = [
    [0, '0 s'],
    [15e9, '15 s'],
    [5e6, '5 ms'],
    [2_997_000_000, '2.997 s'],
    [9_999_999_999, '9.999999999 s'],
    [250_000, '250 µs'],
    [7, '7 ns'],
    [5400e9, '1 h 30 min'],
    [60e9, '1 min'],
    [3661e9, '1 h 1 min 1 s'],
  ];
  for (const [ns, want] of cases) assert.equal(formatDuration(/** @type {number} */ (ns)), want);
});

test('counts', () => {
  assert.equal(formatCount(1234567), '1,234,567');
  assert.equal(plural(1, 'leader'), '1 leader');
  assert.equal(plural(2, 'leader'), '2 leaders');
});
