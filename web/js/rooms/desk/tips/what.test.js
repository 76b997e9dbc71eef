import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { layout } from '../../../page/timeline/layout.js';
import { toX } from '../../../page/timeline/viewport.js';
import { laneAtCursor, whatIsAt } from './what.js';

const { views, timeline } = JSON.parse(
  readFileSync(new URL('../../../page/timeline/testdata/leader-dies.json', import.meta.url), 'utf8'),
);
const view = views.at34;
const l = layout({ view, timeline, viewport: { from: 0, to: 40e9 }, width: 1000, height: 640 });
const at = (/** @type {number} */ t, /** @type {number} */ y) => whatIsAt(l, timeline, view, { x: toX(l.scale, t), y });
const [a, b] = l.lanes;
const { g } = l;

test('every kind of mark says what it is', () => {
  assert.equal(at(25e9, g.lease.y + 5), '00:25.000: the Lease says holderIdentity a, and is no longer renewed');
  assert.equal(at(10e9, g.lease.y + 5), '00:10.000: the Lease says holderIdentity a');
  assert.match(at(10e9, a.y + g.lane.ramp - 4), /^a leads from 00:00\.\d+ to 00:20\.000$/);
  assert.match(at(25e9, b.y + g.lane.ramp + 4), /^00:25\.000: b believes that it may acquire the Lease in 8\.\d s$/);
  assert.match(at(10e9, a.y + g.lane.ramp + 4), /^00:10\.000: a believes that it must stop leading in \d+\.\d s$/);
  const tick = timeline.lanes[0].ticks.at(-1);
  assert.match(
    at(tick.t, a.y + g.lane.tick + 4),
    /^a: writes the Lease \(update\) at 00:\d\d\.\d+, answered after 0\.\d+ s$/,
  );
  assert.match(at(5e9, 5), /^00:05\.000: click to go there$/);
  assert.match(at(5e9, g.overview.y + 10), /^The whole run: 2 leaders so far .*\nClick to move the view\.$/);
  assert.match(at(25e9, g.ribbon.y + 20), /^Who works: /);
});

test('a lane says what it has at the cursor: its role, the last request, the countdown', () => {
  const lines = laneAtCursor(timeline, { ...view, cursor: { t: 10e9, n: -1 } }, 'a').split('\n');
  assert.match(lines[0], /^a leads from 00:00\.\d+/);
  assert.match(lines[1], /^a writes the Lease \(update\) at 00:0\d\.\d+, answered after 0\.\d+ s$/);
  assert.match(lines[2], /^00:10\.000: a believes that it must stop leading in \d+\.\d s$/);
  assert.equal(laneAtCursor(timeline, view, 'nobody'), '');
});

test('nothing is said of what has not been shown', () => {
  assert.equal(at(39e9, g.lease.y + 5), '');
  assert.match(at(39e9, 5), /not computed yet$/);
});

test('under the base of a lane the nearest request explains itself, over the base the ramp', () => {
  const low = layout({ view, timeline, viewport: { from: 0, to: 40e9 }, width: 1000, height: 200 });
  assert.equal(low.g.laneHeight, 56);
  const { t } = timeline.lanes[1].ticks[3];
  const [, lane] = low.lanes;
  const middle = lane.y + low.g.lane.tick + low.g.lane.tall - 4;
  const tip = (/** @type {number} */ dx, y = middle) => whatIsAt(low, timeline, view, { x: toX(low.scale, t) + dx, y });
  assert.match(tip(3), /^b: reads the Lease \(get\) at /);
  assert.match(tip(10), /^b: reads the Lease \(get\) at /);
  assert.match(tip(20), /may acquire the Lease in/);
  assert.match(tip(3, lane.y + low.g.lane.base - 4), /may acquire the Lease in/);
});

test('the pin of a crash says the crash', () => {
  const x = toX(l.scale, 20e9) - 5;
  const y = a.y + g.lane.base + 5;
  assert.equal(whatIsAt(l, timeline, view, { x, y }), 'a crashes at 00:20.000');
  assert.doesNotMatch(whatIsAt(l, timeline, view, { x: x - 20, y }), /crashes/);
});

test('a refused or lost write is a write, and what ended it has its name', () => {
  const tipOf = (/** @type {object} */ more) => {
    const tick = { t: 9e9, end: 9.01e9, verb: 'update', write: false, n: 1, ...more };
    const other = { ...timeline, lanes: [{ ...timeline.lanes[0], ticks: [tick] }] };
    return laneAtCursor(other, { ...view, cursor: { t: 10e9, n: -1 } }, 'a').split('\n')[1];
  };
  const write = 'a writes the Lease (update) at 00:09.000';
  assert.equal(tipOf({ outcome: 'conflict' }), `${write}, refused with a conflict: another write came first`);
  assert.equal(tipOf({ outcome: 'error', error: 'connection reset by peer' }), `${write}, connection reset by peer`);
  assert.equal(tipOf({ outcome: 'lost' }), `${write}, no answer`);
});

test('a countdown is rounded down, as on the stage', () => {
  const point = { ...timeline.lanes[0].ramp[0], t: 0, zeroAt: 11.977e9, leading: true };
  const other = { ...timeline, lanes: [{ ...timeline.lanes[0], ramp: [point] }] };
  assert.match(laneAtCursor(other, { ...view, cursor: { t: 10e9, n: -1 } }, 'a'), /must stop leading in 1\.9 s/);
});

test('a diamond says which observation it is, wherever its row ends', () => {
  const one = {
    from: 7e9,
    to: 7e9,
    rule: 'r',
    kind: 'observation',
    text: 'The clock of a is slow.',
    cursor: { t: 7e9 },
  };
  const later = { ...one, from: 50e9, to: 50e9, text: 'Not yet.' };
  const other = { ...timeline, observations: [one, later] };
  const x = toX(l.scale, 7e9) + 5;
  const foot = g.bottom;
  assert.match(whatIsAt(l, other, view, { x, y: foot - 4 }), /^Observation at 00:07\.000: The clock of a is slow\./);
  assert.match(whatIsAt(l, other, view, { x, y: foot + 2 }), /^Observation at/);
  assert.match(whatIsAt(l, other, view, { x: x + 40, y: foot - 4 }), /^00:09.*may acquire/);
});
