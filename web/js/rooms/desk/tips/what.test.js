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
const at = (/** @type {number} */ t, /** @type {number} */ y) => whatIsAt(l, timeline, view, toX(l.scale, t), y);
const [a, b] = l.lanes;
const { g } = l;

test('every kind of mark says what it is', () => {
  assert.equal(at(25e9, g.holder.y + 5), '00:25.000: the Lease says holderIdentity a, and is no longer renewed');
  assert.equal(at(10e9, g.holder.y + 5), '00:10.000: the Lease says holderIdentity a');
  assert.match(at(10e9, a.y + g.lane.bar), /^a leads from 00:00\.\d+ to 00:20\.000$/);
  assert.match(at(25e9, b.y + g.lane.ramp + 4), /^00:25\.000: b may acquire the Lease in 8\.\d s, as it believes$/);
  assert.match(at(10e9, a.y + g.lane.ramp + 4), /^00:10\.000: a must stop leading in \d+\.\d s, as it believes$/);
  const tick = timeline.lanes[0].ticks.at(-1);
  assert.match(
    at(tick.t, a.y + g.lane.tick + 4),
    /^a: writes the Lease \(update\) at 00:\d\d\.\d+, answered after 0\.\d+ s$/,
  );
  assert.match(at(5e9, 5), /^00:05\.000: click to go there$/);
  assert.match(at(5e9, g.overview.y + 10), /whole run so far/);
});

test('a lane says what it has at the cursor: its role, the last request, the countdown', () => {
  const lines = laneAtCursor(timeline, { ...view, cursor: { t: 10e9, n: -1 } }, 'a').split('\n');
  assert.match(lines[0], /^a leads from 00:00\.\d+/);
  assert.match(lines[1], /^a writes the Lease \(update\) at 00:0\d\.\d+, answered after 0\.\d+ s$/);
  assert.match(lines[2], /^00:10\.000: a must stop leading in \d+\.\d s, as it believes$/);
  assert.equal(laneAtCursor(timeline, view, 'nobody'), '');
});

test('nothing is said of what has not been shown', () => {
  assert.equal(at(39e9, g.holder.y + 5), '');
  assert.match(at(39e9, 5), /not computed yet$/);
});
