import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { each } from '../../lib/testsupport/calls.js';
import { hit, snap } from './hit.js';
import { zoomAnchored } from './input.js';
import { DENSITY, HOLLOW, lodOf, OPEN, ROLES, SPANS, TICKS } from './lanelayout.js';
import { layout, stack } from './layout.js';
import { mergeRare } from './merge.js';
import { summaryRows } from './summary.js';
import { markButtons, timeSentence } from './twin.js';
import {
  askedWindow,
  clampViewport,
  digitsFor,
  fitAll,
  followViewport,
  makeScale,
  niceStep,
  panViewport,
  toTime,
  toX,
  zoomViewport,
} from './viewport.js';

/** @typedef {import('../../protocol.js').Timeline} Timeline */
/** @typedef {import('../../protocol.js').View} View */

/** @type {{timeline: Timeline, views: Record<string, View>}} */
const recorded = JSON.parse(readFileSync(new URL('./testdata/leader-dies.json', import.meta.url), 'utf8'));
const run = { lanes: recorded.timeline.lanes, timeline: recorded.timeline };
const whole = { from: 0, to: 40e9 };

/**
 * @param {string} view
 * @param {Partial<import('./layout.js').Input>} [more]
 */
function lay(view, more = {}) {
  return layout({
    view: recorded.views[view],
    timeline: recorded.timeline,
    viewport: whole,
    width: 820,
    height: 600,
    ...more,
  });
}

/** A generator that gives the same numbers in every run. */
function numbers(seed = 7) {
  let s = seed;
  return () => {
    s = (s * 48271) % 2147483647;
    return s / 2147483647;
  };
}

test('the recorded crash has the picture of ui.md', () => {
  const l = lay('at34', { width: 900, height: 526 });
  assert.equal(l.lod, TICKS);
  assert.equal(l.g.laneHeight, 88);
  assert.deepEqual(each(l.holder, 'kind', 'label'), [
    ['holds', 'a'],
    ['stale', 'still a, no longer renewed'],
    ['holds', 'b'],
  ]);
  assert.deepEqual(each(l.bands, 'label'), ['0.010 s', 'nobody leads, 14.039 s']);
  assert.deepEqual(each(l.brackets, 'text'), ["13.165 s left on b's countdown", '0.864 s', '0.010 s']);
  assert.deepEqual(each(l.lanes[0].notes, 'text'), ['a crashes']);
  assert.deepEqual(each(l.lanes[1].notes, 'text'), ['b may acquire from 00:33.165']);
  assert.equal(l.empty, 'No violations so far.');
  assert.equal(l.totals, '2 leaders so far · 14.049 s leaderless · no violations');
  assert.deepEqual(l.ruler.map((t) => t.label).slice(0, 3), ['00:00', '00:05', '00:10']);
});

test('a length that still grows is said as in the headline, in tenths', () => {
  const labels = lay('at23', { width: 2000 }).bands.map(({ label }) => label);
  assert.match(labels[1], /(^|, )3\.2 s$/);
});

test('“may acquire” is the only name of the instant from which a node may acquire the Lease', () => {
  const five = recorded.timeline.lanes.flatMap((lane) => [lane, lane]).slice(0, 5);
  const notes = (/** @type {object} */ more) =>
    lay('at34', more).lanes.flatMap((lane) => lane.notes.filter(({ kind }) => kind === 'zero').map(({ text }) => text));
  assert.ok(notes({}).includes('b may acquire from 00:33.165'));
  const low = notes({ lanes: five, height: 520 });
  assert.ok(low.includes('may acquire 00:33.165'), low.join());
});

test('every part of a gap has its length, also the short one in the middle', () => {
  const all = ['13.165 s', '0.864 s', '0.010 s'];
  const words = (/** @type {object} */ more) => {
    const { brackets, scale } = lay('at36', more);
    for (const { textX, text } of brackets)
      assert.ok(textX >= scale.x - 2 && textX + text.length * 6.6 <= scale.x + scale.w + 2.5);
    for (const [k, { textX }] of brackets.entries()) {
      const before = brackets[k - 1];
      if (before) assert.ok(before.textX + before.text.length * 6.6 < textX, 'no word lies on another');
    }
    return brackets.map(({ text }) => `${text.split(' s')[0]} s`);
  };
  for (const width of [390, 700, 1280])
    for (const to of [36.2e9, 40e9, 60e9, 90e9])
      assert.deepEqual(
        words({ width, narrow: width < 700, viewport: { from: 0, to } }),
        all,
        `${width} px, ${to / 1e9} s`,
      );
  const { brackets } = lay('at36', { width: 390, narrow: true, viewport: { from: 0, to: 60e9 } });
  for (const { x0, x1, textX, text, tie } of brackets)
    assert.equal(
      tie !== null,
      textX >= x1 || textX + text.length * 6.6 <= x0,
      'a line ties what stands beside its bracket',
    );
  assert.notEqual(brackets.at(-1)?.tie, null);
});

test('where two gaps lie close, no part of the first is written under the second', () => {
  const [first, gap] = recorded.timeline.bands;
  const later = 14.2e9;
  const addends = gap.addends.map((one) => ({ ...one, from: one.from + later, to: one.to + later }));
  const second = { ...gap, from: gap.from + later, to: gap.to + later, change: 2, addends };
  const timeline = { ...recorded.timeline, bands: [first, gap, second] };
  const view = { ...recorded.views.at36, live: { t: 52e9, n: -1 } };
  const l = lay('at36', { view, timeline, viewport: { from: 0, to: 60e9 }, width: 390, narrow: true });
  const written = l.brackets.filter(({ text }) => text !== '');
  assert.ok(written.length >= 2);
  for (const { text, textX, change } of written) {
    assert.match(text, / s\b/, 'every number has its unit');
    const under = l.brackets.filter((k) => textX + text.length * 6.6 > k.x0 + 1 && textX < k.x1 - 1);
    const own = under.every((k) => k.change === change);
    assert.ok(own, `“${text}” stands under another gap`);
  }
  assert.equal(l.brackets.length, 6, 'the brackets themselves stay');
});

test('the strip shows who led: a leader that is down leads no longer, though it holds the Lease', () => {
  const timeline = structuredClone(recorded.timeline);
  // a works on until 36.7 s; b leads for an instant and crashes.
  timeline.lanes[0].spans = [{ from: 0, to: 60e9, role: 'leading' }];
  timeline.lanes[1].spans = [
    { from: 0, to: 34.04e9, role: 'following' },
    { from: 34.04e9, to: 34.05e9, role: 'leading' },
    { from: 34.05e9, to: 60e9, role: 'down' },
  ];
  const { overview } = lay('at36', { timeline });
  const end = toX(overview.scale, 34.5e9);
  assert.deepEqual(
    each(
      overview.bars.filter(({ x, w }) => x + w > end),
      'index',
    ),
    [0],
  );
});

test('nothing that lies after the live instant enters the draw list', () => {
  const other = structuredClone(recorded.timeline);
  const live = recorded.views.at20.live.t;
  // Another future: other requests, another leader, another length of the gap, a violation, more faults.
  for (const lane of other.lanes) {
    lane.ticks = lane.ticks
      .filter((k) => k.t <= live)
      .concat([{ t: live + 1, end: live + 2, verb: 'update', outcome: 'error', write: false, n: 0 }]);
    lane.ramp = lane.ramp.filter((p) => p.t <= live).concat([{ t: live + 5, zeroAt: live + 90e9, leading: true }]);
    lane.spans = lane.spans.filter((p) => p.from <= live).map((p) => (p.to > live ? { ...p, to: live + 3e9 } : p));
  }
  other.holder = [
    { ...other.holder[0], to: live + 1e9, renewedUntil: live + 1e9 },
    { from: live + 1e9, to: 60e9, holder: 'c', index: 2, renewedUntil: 60e9 },
  ];
  other.bands = [other.bands[0], { from: live + 1, to: live + 2e9, kind: 'two', open: false, change: 1, addends: [] }];
  other.faults = [{ from: live + 1, to: 50e9, open: false, node: 'b', kind: 'down', text: 'b cut off (both ways)' }];
  other.violations = [
    { from: live + 1, to: live + 2e9, rule: 'x', kind: 'safety', text: 'x', cursor: { t: live + 1, n: 0 } },
  ];
  other.changes = [other.changes[0], { index: 1, at: live + 1e9, from: 'a', to: 'c', leaderlessNs: 1e9 }];
  other.landmarks = [other.landmarks[0], { t: live + 1, n: 0, kind: 'fault', text: 'b is cut off' }];
  for (const viewport of [whole, { from: 19e9, to: 21e9 }, { from: 0, to: 3600e9 }]) {
    assert.deepEqual(lay('at20', { timeline: other, viewport }), lay('at20', { viewport }));
  }
  assert.deepEqual(summaryRows(other, live), summaryRows(recorded.timeline, live));
});

test('what has just begun has no length yet', () => {
  const timeline = structuredClone(recorded.timeline);
  const live = recorded.views.at34.live.t;
  timeline.bands = [{ open: true, change: -1, addends: [], from: live - 2e5, to: live, kind: 'two' }];
  const l = lay('at34', { timeline, width: 1400 });
  assert.equal(l.bands[0].label, '2 active leaders');
  assert.match(markButtons(l, -1)[0].name, /^Two led since [\d:.]+$/);
});

test('a mark of several stretches tells the length of the gravest, not of all together', () => {
  const timeline = structuredClone(recorded.timeline);
  const band = { open: false, change: -1, addends: [] };
  timeline.bands = [
    { ...band, from: 10e9, to: 12e9, kind: 'idle' },
    { ...band, from: 12e9, to: 12.02e9, kind: 'two' },
  ];
  const fault = { open: false, node: 'b', kind: /** @type {const} */ ('cut') };
  timeline.faults = [
    { ...fault, from: 10e9, to: 11e9, text: 'b is paused' },
    { ...fault, from: 12e9, to: 13e9, text: 'b is cut off' },
  ];
  const l = lay('at34', { timeline, viewport: { from: 0, to: 24 * 3600e9 } });
  const names = markButtons(l, -1).map((mark) => mark.name);
  assert.deepEqual(names, [
    'Two led from 00:12.000 to 00:12.020, 0.020 s; 1 more close by, all from 00:10.000 to 00:12.020',
    'b is paused, from 00:10.000 to 00:11.000, 1.000 s; 1 more close by, all from 00:10.000 to 00:13.000',
  ]);
});

test('on a phone an overlap keeps its words where it reaches to the left end', () => {
  const timeline = structuredClone(recorded.timeline);
  timeline.bands = [{ open: false, change: -1, addends: [], from: 2e9, to: 14e9, kind: 'two' }];
  const [band] = lay('at34', { timeline, narrow: true, width: 390, viewport: { from: 6e9, to: 36e9 } }).bands;
  assert.match(band.label, /^2/);
});

test('a paused leader is told apart: alone it does no work, of two leaders one may not', () => {
  const timeline = structuredClone(recorded.timeline);
  const band = { open: false, change: -1, addends: [] };
  timeline.bands = [
    { ...band, from: 2e9, to: 10e9, kind: 'idle' },
    { ...band, from: 10e9, to: 19e9, kind: 'two', pausedNs: 4e9 },
  ];
  const wide = { width: 2400, viewport: { from: 0, to: 20e9 } };
  const labels = lay('at34', { timeline, ...wide }).bands.map((one) => one.label);
  assert.match(labels[0], /^leader paused, no work, 8\.000 s$/);
  assert.match(labels[1], /^2 active leaders, 9\.000 s, one paused 4\.000 s$/);
  assert.ok(summaryRows(timeline, 34e9).some(([what, who]) => what === 'no work' && who === 'the leader is paused'));
});

test('a gap that still goes on tells neither its length nor its reasons', () => {
  const l = lay('at23');
  const gap = l.bands[l.bands.length - 1];
  assert.equal(gap.item.open, true);
  assert.equal(gap.to, 23.2e9);
  assert.deepEqual(l.brackets, []);
  assert.ok(gap.x + gap.w <= /** @type {number} */ (l.liveX) + 0.01);
});

test('a request that is not answered by the live instant is open', () => {
  const { lanes } = lay('inFlight', { viewport: { from: 34.02e9, to: 34.045e9 } });
  const b = lanes[1];
  assert.deepEqual(b.ticks.shape, [OPEN]);
});

test('levels of detail', () => {
  assert.equal(lodOf(400, true), SPANS);
  assert.equal(lodOf(399, true), TICKS);
  assert.equal(lodOf(4, true), TICKS);
  assert.equal(lodOf(3.9, true), DENSITY);
  assert.equal(lodOf(0.4, false), DENSITY);
  assert.equal(lodOf(0.39, true), ROLES);
  assert.equal(lodOf(50, false), DENSITY);
  const spans = lay('at34', { viewport: { from: 34.0e9, to: 34.05e9 } });
  assert.equal(spans.lod, SPANS);
  assert.ok(spans.lanes[1].ticks.w.every((w) => w > 3));
});

test('buckets draw a density and a lower envelope', () => {
  const buckets = {
    from: 0,
    widthNs: 1e9,
    requests: Array.from({ length: 400 }, (_, i) => i % 5),
    worstNs: Array.from({ length: 400 }, (_, i) => (i === 201 ? 1e9 : 12e9)),
  };
  const timeline = {
    ...recorded.timeline,
    detail: false,
    lanes: [{ ...recorded.timeline.lanes[0], ticks: [], ramp: [], buckets }],
  };
  const view = { ...recorded.views.at36, live: { t: 400e9, n: -1 }, end: 400e9 };
  const l = layout({ view, timeline, viewport: { from: 0, to: 400e9 }, width: 820, height: 600, rampTop: 15e9 });
  assert.equal(l.lod, DENSITY);
  assert.ok(l.lanes[0].density.some((d) => d === 1));
  const shares = [...l.lanes[0].ramp.points].filter((_, i) => i % 2 === 1);
  assert.ok(Math.abs(Math.min(...shares) - 1 / 15) < 1e-6);
});

test('a million requests cost no more marks than there are pixels', () => {
  const lane = { ...recorded.timeline.lanes[0], ticks: /** @type {any[]} */ ([]), ramp: /** @type {any[]} */ ([]) };
  for (let i = 0; i < 100000; i++) {
    const t = i * 4e5;
    lane.ticks.push({ t, end: t + 1e5, verb: 'get', outcome: i === 50000 ? 'conflict' : 'ok', write: false, n: 0 });
    lane.ramp.push({ t, zeroAt: t + 15e9, leading: false });
  }
  const timeline = { ...recorded.timeline, lanes: [lane] };
  const view = { ...recorded.views.at36, live: { t: 40e9, n: -1 } };
  const l = layout({ view, timeline, viewport: whole, width: 820, height: 600 });
  assert.ok(l.lanes[0].ticks.x.length <= 720);
  assert.ok(l.lanes[0].ramp.points.length <= 720 * 3 * 2 + 8);
  assert.ok(l.lanes[0].ticks.shape.includes(HOLLOW), 'the one conflict is not lost among the rest');
});

test('a bracket spans the requests of a call that asked again', () => {
  const tick = (/** @type {number} */ t, call = -1) => ({
    ...{ t, end: t + 5e6, verb: 'get', outcome: /** @type {const} */ ('error'), write: false, n: 1 },
    ...(call < 0 ? {} : { call }),
  });
  const lane = {
    ...recorded.timeline.lanes[0],
    ticks: [tick(1e9), tick(2e9, 1e9), tick(3e9, 1e9), tick(10e9), tick(12e9, 10e9)],
  };
  const view = { ...recorded.views.at36, live: { t: 20e9, n: -1 } };
  const l = layout({
    view,
    timeline: { ...recorded.timeline, lanes: [lane] },
    viewport: { from: 0, to: 20e9 },
    width: 820,
    height: 600,
  });
  const at = (/** @type {number} */ t) => l.scale.x + (t / 20e9) * l.scale.w;
  const near = (/** @type {{x: number, w: number}} */ call, /** @type {number} */ from, /** @type {number} */ to) =>
    assert.ok(Math.abs(call.x - at(from)) < 0.01 && Math.abs(call.x + call.w - at(to)) < 0.01);
  assert.equal(l.lanes[0].ticks.calls.length, 2);
  near(l.lanes[0].ticks.calls[0], 1e9, 3.005e9);
  near(l.lanes[0].ticks.calls[1], 10e9, 12.005e9);
});

test('rare things never disappear', () => {
  const view = { ...recorded.views.at36, live: { t: 86400e9, n: -1 }, end: 86400e9 };
  /** @type {Timeline} */
  const timeline = {
    ...recorded.timeline,
    detail: false,
    bands: [{ from: 40000e9, to: 40000.02e9, kind: 'two', open: false, change: -1, addends: [] }],
  };
  const l = layout({ view, timeline, viewport: { from: 0, to: 86400e9 }, width: 820, height: 600 });
  assert.ok(l.bands[0].w >= 3);
  assert.equal(l.bands[0].kind, 'two');
  const found = hit(l, { lanes: timeline.lanes, timeline }, l.bands[0].x + 8, l.g.bands.y + 4);
  assert.equal(found?.kind, 'band');
  assert.equal(found?.from, 40000e9);
  const before = l.overview.bands[0];
  assert.ok(before.w >= 3);
});

test('neighbors merge, the gravest gives the kind', () => {
  const items = [
    ...Array.from({ length: 6 }, (_, i) => ({ from: 100 + i, to: 100 + i, kind: i === 3 ? 'two' : 'nobody' })),
    { from: 120, to: 180, kind: 'nobody' },
    { from: 300, to: 300, kind: 'fault' },
  ];
  const marks = mergeRare(items, makeScale({ from: 0, to: 1000 }, 0, 1000), (i) => i.kind);
  assert.deepEqual(each(marks, 'kind', 'count'), [
    ['two', 6],
    ['nobody', 1],
    ['fault', 1],
  ]);
  assert.equal(marks[0].item.from, 103);
  assert.ok(marks.every((m) => m.w >= 3));
});

test('faults at the same time stand under one another', () => {
  const levels = stack([
    { from: 0, to: 10 },
    { from: 5, to: 8 },
    { from: 9, to: 12 },
    { from: 20, to: 21 },
  ]);
  assert.deepEqual(
    levels.map((l) => l.map((f) => f.from)),
    [
      [0, 20],
      [5, 9],
    ],
  );
});

test('zooming keeps the instant under the pointer, from 24 h to 1 µs', () => {
  const end = 86400e9;
  const next = numbers();
  for (let run = 0; run < 200; run++) {
    let v = { from: 0, to: 86400e9 };
    const x = 92 + Math.floor(next() * 700);
    const t = toTime(makeScale(v, 92, 710), x);
    for (let step = 0; step < 60; step++) {
      v = zoomAnchored(v, 1.6, { t, share: (x - 92) / 710, end });
      const at = toX(makeScale(v, 92, 710), t);
      if (v.from > 0) assert.ok(Math.abs(at - x) <= 1, `${at} is not ${x} at width ${v.to - v.from}`);
    }
    assert.equal(v.to - v.from, 1e3);
  }
});

test('viewports', () => {
  assert.deepEqual(zoomViewport({ from: 0, to: 40e9 }, 2, 20e9, 60e9), { from: 10e9, to: 30e9 });
  assert.deepEqual(zoomViewport({ from: 0, to: 40e9 }, 1e-9, 20e9, 60e9), { from: 0, to: 86400e9 });
  assert.deepEqual(panViewport({ from: 0, to: 10e9 }, -1, 60e9), { from: 0, to: 10e9 });
  assert.deepEqual(clampViewport({ from: 100e9, to: 110e9 }, 60e9), { from: 59e9, to: 69e9 });
  assert.deepEqual(fitAll(36e9, 60e9), { from: 0, to: 40e9 });
  const v = { from: 0, to: 40e9 };
  assert.equal(followViewport(v, 30e9, 60e9), v);
  assert.deepEqual(followViewport(v, 40e9, 60e9), { from: 4e9, to: 44e9 });
});

test('the ruler steps like a clock', () => {
  assert.equal(niceStep(3e9), 5e9);
  assert.equal(niceStep(11e9), 15e9);
  assert.equal(niceStep(1.2e6), 2e6);
  assert.equal(niceStep(7e8), 1e9);
  assert.equal(digitsFor(5e9), 0);
  assert.equal(digitsFor(2e6), 3);
  assert.equal(digitsFor(1), 9);
  for (const width of [1e3, 5e6, 1e9, 40e9, 3600e9, 86400e9]) {
    const l = lay('at36', { viewport: { from: 12e9, to: 12e9 + width } });
    assert.ok(l.ruler.length >= 2 && l.ruler.length <= 12, `${l.ruler.length} labels at ${width} ns`);
    assert.equal(new Set(l.ruler.map((t) => t.label)).size, l.ruler.length, 'no two labels read the same');
  }
});

test('a click takes what is nearest, within twelve pixels', () => {
  const l = lay('at34');
  const { timeline } = recorded;
  const y = l.lanes[1].y + 20;
  const at = (/** @type {number} */ t) => toX(l.scale, t);
  const near = hit(l, { lanes: timeline.lanes, timeline }, at(31065015373) + 11, y);
  assert.equal(near?.kind, 'event');
  assert.equal(near?.cursor?.t, 31070017157);
  assert.deepEqual(hit(l, { lanes: timeline.lanes, timeline }, at(32.6e9), y), { kind: 'node', node: 'b', index: 1 });
  assert.equal(hit(l, { lanes: timeline.lanes, timeline }, at(27e9), l.g.bands.y + 5)?.index, 1);
  assert.equal(hit(l, { lanes: timeline.lanes, timeline }, at(34.0e9), l.g.holder.y + 5)?.kind, 'change');
  assert.equal(hit(l, { lanes: timeline.lanes, timeline }, at(25e9), l.g.holder.y + 5)?.kind, 'version');
  assert.equal(hit(l, { lanes: timeline.lanes, timeline }, at(27e9), l.g.faults.y + 5)?.node, 'a');
});

test('scrubbing snaps to an event within six pixels, unless it must not, and never passes the live instant', () => {
  const l = lay('at34');
  const live = 36e9;
  const x = toX(l.scale, 20000000013) - 4;
  assert.equal(snap(l, { ...run, live }, x, false), 20000000013);
  assert.notEqual(snap(l, { ...run, live }, x, true), 20000000013);
  assert.equal(snap(l, { ...run, live }, 5000, true), live);
  assert.equal(snap(l, { ...run, live }, 0, true), 0);
});

test('lane heights follow the number of lanes and the room', () => {
  const timeline = { ...recorded.timeline };
  const heights = [3, 5, 8, 30, 100].map((n) => {
    const lanes = Array.from({ length: n }, (_, i) => ({ ...recorded.timeline.lanes[0], node: `n${i}`, index: i }));
    return lay('at34', { timeline, lanes, height: 2000 }).g.laneHeight;
  });
  // Twice as high as they must be, where there is room for it.
  assert.deepEqual(heights, [176, 112, 80, 40, 20]);
  const short = lay('at34', { height: 270 });
  assert.ok(short.g.height <= 270, `${short.g.height} px for 270`);
  const many = lay('at34', {
    lanes: Array.from({ length: 1000 }, (_, i) => ({ ...recorded.timeline.lanes[0], node: `n${i}` })),
    height: 600,
    scroll: 5000,
  });
  assert.ok(many.lanes.length <= 25, 'only the lanes on screen are laid out');
  assert.equal(many.firstLane, 250);
});

test('the slider speaks in sentences', () => {
  assert.equal(timeSentence(recorded.views.at34, 34038760571), '00:34.039, b leads, nobody led for 14.039 s before');
  assert.equal(timeSentence(recorded.views.at23, 23.2e9), '00:23.200, nobody leads, for 3.200 s so far');
});

test('the summary lists terms, gaps and faults', () => {
  assert.deepEqual(
    summaryRows(recorded.timeline, 36e9).map((r) => r.join(' ')),
    [
      'gap nobody 00:00.000 00:00.010 0.010 s',
      'leads a 00:00.010 00:20.000 19.990 s',
      'gap nobody 00:20.000 00:34.039 14.039 s',
      'fault a is down 00:20.000 still going on 16.000 s',
      'leads b 00:34.039 still going on 1.961 s',
    ],
  );
});

test('a ramp leaves a crowded pixel from the last of its values, falling one second a second', () => {
  // The takeover: a follower's last moment, ten seconds for the new leader, twelve after its first renewal.
  const ramp = [
    { t: 0, zeroAt: 15e9, leading: false },
    { t: 20e9, zeroAt: 30e9, leading: true },
    { t: 20.005e9, zeroAt: 32.005e9, leading: true },
    { t: 20.006e9, zeroAt: 32.006e9, leading: true },
  ];
  const lane = { ...recorded.timeline.lanes[0], ramp };
  const view = recorded.views.at34;
  const l = layout({
    view: { ...view, live: { t: 25e9, n: -1 } },
    timeline: { ...recorded.timeline, lanes: [lane] },
    viewport: whole,
    width: 820,
    height: 600,
    rampTop: 15e9,
  });
  const { points } = l.lanes[0].ramp;
  const end = points.length;
  const seconds = (points[end - 2] - points[end - 4]) / (l.scale.pps || 1);
  assert.ok(Math.abs((points[end - 3] - points[end - 1]) * 15 - seconds) < 0.1, 'falls one second a second');
  assert.ok(Math.abs(points[end - 3] * 15 - 12) < 0.05, 'goes on from twelve');
});

test('what is asked for covers what is on screen with room on both sides, and is the same for many viewports', () => {
  const asked = new Set();
  for (let i = 0; i < 4000; i++) {
    const from = 3600e9 + i * 1e8;
    const width = 40e9 * 1.0001 ** i;
    const window = askedWindow({ from, to: from + width }, 1200);
    const room = Math.min(from - window.from, window.to - from - width);
    assert.ok(room >= width / 6, `room ${room} beside ${width}`);
    assert.ok(window.to - window.from < width * 2.5);
    assert.ok(window.widthPx >= 1200 * 1.75);
    asked.add(JSON.stringify(window));
  }
  assert.ok(asked.size < 60, `${asked.size} questions`);
  assert.deepEqual(askedWindow({ from: 0, to: 1000 }, 1200).from, 0);
});

test('every gap, fault and addend is a button with a name, its own key and something to select', () => {
  const l = lay('at34', { width: 900 });
  const buttons = markButtons(l, l.brackets[0].change);
  assert.equal(buttons.length, l.bands.length + l.brackets.length + l.faults.length + l.violations.length);
  assert.equal(new Set(buttons.map(({ key }) => key)).size, buttons.length);
  for (const { name, meaning } of buttons) assert.ok(name !== '' && meaning !== undefined, name);
  const addends = buttons.flatMap(({ addend }) => addend ?? []);
  assert.deepEqual(addends, each(l.brackets, 'addend'));
  assert.ok(markButtons(l, -1).every(({ addend }) => addend === undefined));
});

test('the row of the totals is as high as a finger needs, and the totals leave the buttons their room', () => {
  const wide = lay('at34');
  const phone = lay('at34', { narrow: true, width: 420 });
  assert.ok(wide.g.totals.h < 28);
  assert.equal(phone.g.totals.h, 44);
  assert.equal(lay('at34', { touch: true }).g.totals.h, 44);
  assert.equal(phone.totals, '14.049 s leaderless · no violations');
  assert.equal(wide.totals, '2 leaders so far · 14.049 s leaderless · no violations');
});

test('a low lane still says what was done to its node', () => {
  const { g, lanes } = lay('at34', { width: 900, height: 292 });
  assert.ok(g.laneHeight < 40 && g.laneHeight >= 24, String(g.laneHeight));
  const notes = lanes.flatMap(({ notes }) => notes.map(({ kind, text }) => [kind, text]));
  assert.deepEqual(notes, [['fault', 'a crashes']]);
});
