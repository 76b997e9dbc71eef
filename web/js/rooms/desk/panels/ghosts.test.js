import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brush } from '../../../lib/testsupport/canvas.js';
import { makeScale } from '../../../page/timeline/viewport.js';
import { ghostsOf, markBranches } from './ghosts.js';

const branch = (/** @type {number} */ id, more = {}) =>
  /** @type {any} */ ({ id, parent: 0, name: `${id}`, hidden: false, forkAt: id * 5e9, live: 30e9, ...more });

test('the other branches begin where they fork; the one that this came from, where this forked', () => {
  const all = [branch(0, { parent: -1 }), branch(1), branch(2), branch(3, { hidden: true })];
  const from = (/** @type {number} */ current) => ghostsOf(all, current).map((one) => [one.branch.id, one.from / 1e9]);
  assert.deepEqual(from(0), [
    [1, 5],
    [2, 10],
  ]);
  assert.deepEqual(from(1), [
    [0, 5],
    [2, 10],
  ]);
});

test('no more than three, the newest', () => {
  const ids = ghostsOf(
    [0, 1, 2, 3, 4].map((id) => branch(id)),
    0,
  ).map((one) => one.branch.id);
  assert.deepEqual(ids, [2, 3, 4]);
});

test('a line goes from the fork, with a dot, to where the branch was shown, on screen only', () => {
  const timeline = /** @type {any} */ ({ overlays: new Set() });
  markBranches(timeline);
  const [overlay] = timeline.overlays;
  const l = { scale: makeScale({ from: 10e9, to: 50e9 }, 100, 400), g: { ruler: { h: 26 } } };
  const branches = [branch(0, { parent: -1 }), branch(1), branch(4, { live: 40e9 }), branch(20, { live: 120e9 })];
  const pen = brush();
  overlay(pen.b, l, { view: { branches, branch: 0 } });
  const ends = pen.of('lineTo').map(({ args }) => args[0]);
  assert.deepEqual(ends, [300, 400], 'the last one forks beyond the screen');
  assert.deepEqual(
    pen.of('arc').map(({ args }) => args[0]),
    [200],
    'the first one forks before it',
  );
});
