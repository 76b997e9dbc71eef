import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleStrip } from './samples.mjs';

const at = (/** @type {number} */ s) => new Date(Date.UTC(2026, 10, 20, 19, 0, s)).toISOString();
const files = [{ lines: 103 }, { lines: 8 }];
const leaderChanges = [
  { at: at(1), to: 'a' },
  { at: at(35), to: 'b' },
];

test('the strip of a pause: the leader works through its gap, until the other one has led for a while', () => {
  const gaps = [{ from: at(16), seconds: 19 }];
  const overlaps = [{ from: at(35), seconds: 16, who: ['a', 'b'] }];
  assert.deepEqual(sampleStrip({ leases: [{ from: at(0), to: at(60), leaderChanges, gaps, overlaps }], files }), {
    end: 60_000,
    led: [
      [0, 1000, 51_000, 0],
      [1, 35_000, 60_000, 0],
    ],
    bands: [[35_000, 51_000, 2]],
    files: 2,
    lines: 111,
  });
});

test('the strip of a crash: nobody works in the gap', () => {
  const gaps = [{ from: at(16), seconds: 19 }];
  const { led, bands } = sampleStrip({ leases: [{ from: at(0), to: at(60), leaderChanges, gaps }], files });
  assert.deepEqual([led[0], bands], [[0, 1000, 16_000, 0], [[16_000, 35_000, 0]]]);
});
