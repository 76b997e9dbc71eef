import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { each } from '../../lib/testsupport/calls.js';
import { stack } from './faults.js';
import { idealHeight, violationY } from './geometry.js';
import { hit, snap } from './hit.js';
import { zoomAnchored } from './input.js';
import { DENSITY, HOLLOW, lodOf, OPEN, ROLES, SPANS, TICKS } from './lanelayout.js';
import { layout, totalsLine } from './layout.js';
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

test('the recorded crash: who works, whom the Lease names, the gap, the crash, the end of the countdown', () => {
  const l = lay('at34', { width: 900, height: 526 });
  assert.equal(l.lod, TICKS);
  assert.deepEqual(each(l.terms, 'label'), ['a', 'b']);
  assert.deepEqual(each(l.lease, 'kind', 'index'), [
    ['holds', 0],
    ['stale', 0],
    ['holds', 1],
  ]);
  assert.deepEqual(each(l.bands, 'kind', 'label'), [
    ['nobody', ''],
    ['nobody', 'nobody, 14.039 s'],
  ]);
  assert.deepEqual(
    l.lanes.map(({ pins }) => each(pins, 'label')),
    [['a crashes'], [], []],
  );
  assert.deepEqual(
    l.lanes.map(({ notes }) => each(notes, 'text')),
    [[], ['may acquire 00:33.165'], []],
  );
  assert.deepEqual(l.ruler.map((t) => t.label).slice(0, 3), ['00:00', '00:05', '00:10']);
});

test('a length that still grows is said as in the headline, in tenths', () => {
  const labels = lay('at23', { width: 2000 }).bands.map(({ label }) => label);
  assert.match(labels[1], /(^|, )3\.2 s$/);
});

/** The words at the zeroes of the ramps. @param {Partial<import('./layout.js').Input>} [more] */
const zeroWords = (more) => lay('at34', more).lanes.flatMap(({ notes }) => each(notes, 'text'));

test('the end of a countdown says what the node may or must do; in little room the instant alone, or nothing', () => {
  assert.deepEqual(zeroWords(), ['may acquire 00:33.165']);
  assert.deepEqual(zeroWords({ viewport: { from: 31e9, to: 37e9 } }), ['may acquire 00:33.165']);
  assert.deepEqual(zeroWords({ viewport: { from: 32.2e9, to: 38e9 } }), ['00:33.165']);
  assert.deepEqual(zeroWords({ viewport: { from: 33.1e9, to: 70e9 } }), [''], 'the ramp itself has no room beside it');
  assert.deepEqual(zeroWords({ viewport: { from: 0, to: 400e9 } }), [], 'too coarse');
  const timeline = structuredClone(recorded.timeline);
  timeline.lanes[1].ramp = [{ t: 1e9, zeroAt: 15e9, leading: true }];
  assert.deepEqual(zeroWords({ timeline }), ['must stop 00:15.000']);
});

test('no word of a countdown stands under a flag', () => {
  assert.deepEqual(zeroWords({ flags: [33e9, 33.2e9] }), ['']);
});

test('in a low lane the word of a fault keeps the word of a countdown away', () => {
  const timeline = structuredClone(recorded.timeline);
  timeline.faults = [{ from: 27e9, to: 50e9, open: false, node: 'b', kind: 'cut', text: 'b is cut off' }];
  const words = (/** @type {object} */ more) => {
    const { lanes } = lay('at34', { timeline, width: 720, ...more });
    return [each(lanes[1].pins, 'label'), each(lanes[1].notes, 'text')];
  };
  assert.deepEqual(words({}), [['b is cut off'], ['may acquire 00:33.165']]);
  assert.deepEqual(words({ height: 230, narrow: true }), [['b is cut off'], ['']]);
});

test('a name stands in the widest part of its bar that is on screen and that no band covers', () => {
  const timeline = structuredClone(recorded.timeline);
  const place = (/** @type {number} */ from, /** @type {number} */ to, /** @type {object} */ more = {}) => {
    timeline.bands = [{ open: false, change: -1, addends: [], from, to, kind: 'idle' }];
    const { scale, terms } = lay('at34', { timeline, ...more });
    const t = terms[0].middle;
    return [terms[0].label, Math.round(toTime(scale, t) / 1e9)];
  };
  assert.deepEqual(place(0, 0.01e9), ['a', 10]);
  assert.deepEqual(place(9e9, 12e9), ['a', 5]);
  assert.deepEqual(place(6e9, 12e9), ['a', 16]);
  assert.deepEqual(place(0, 0.01e9, { viewport: { from: 10e9, to: 30e9 } }), ['a', 15]);
  assert.equal(place(0, 20e9)[0], '', 'no room');
});

test('pins that would touch share one, and the word of a fault ends before the next pin', () => {
  const timeline = structuredClone(recorded.timeline);
  const fault = { open: false, node: 'c', kind: /** @type {const} */ ('cut'), text: 'c is cut off' };
  const pins = (/** @type {number[]} */ ...from) => {
    timeline.faults = from.map((t) => ({ ...fault, from: t, to: t + 3e9 }));
    return each(lay('at34', { timeline, width: 920 }).lanes[2].pins, 'hasPin', 'label');
  };
  assert.deepEqual(pins(5e9, 20e9), [
    [true, 'c is cut off'],
    [true, 'c is cut off'],
  ]);
  assert.deepEqual(pins(5e9, 7e9), [
    [true, ''],
    [true, 'c is cut off'],
  ]);
  assert.deepEqual(pins(5e9, 5.5e9), [
    [true, ''],
    [false, ''],
  ]);
  timeline.faults = [{ ...fault, from: 5e9, to: 30e9 }];
  const [late] = lay('at34', { timeline, viewport: { from: 10e9, to: 30e9 } }).lanes[2].pins;
  assert.deepEqual([late.hasPin, late.label], [false, ''], 'its begin is not on screen');
});

test('several faults in a place say their number; a fault says what was done, not who led then', () => {
  const timeline = structuredClone(recorded.timeline);
  const fault = { open: false, node: 'c', kind: /** @type {const} */ ('cut'), text: 'c is cut off' };
  const label = () => lay('at34', { timeline }).lanes[2].pins[0].label;
  timeline.faults = [5e9, 5.02e9, 5.04e9].map((from) => ({ ...fault, from, to: from + 1e7 }));
  assert.equal(label(), '×3');
  timeline.faults = [{ ...fault, from: 10000019, to: 3e9 }];
  assert.equal(label(), 'c is cut off', 'a starts leading at the same instant');
});

test('violations that would touch share a pin', () => {
  const timeline = structuredClone(recorded.timeline);
  const mark = { rule: 'x', kind: /** @type {const} */ ('safety'), text: 'x', cursor: { t: 5e9, n: 1 } };
  const pins = (/** @type {number[]} */ ...from) => {
    timeline.violations = from.map((t) => ({ ...mark, from: t, to: t + 9e9 }));
    const l = lay('at34', { timeline, viewport: { from: 2e9, to: 42e9 } });
    const buttons = markButtons(l).filter(({ meaning }) => meaning.kind === 'violation');
    for (const { y, h } of buttons) assert.equal(y + h / 2, violationY(l.g));
    return each(l.violations, 'hasPin');
  };
  assert.deepEqual(pins(5e9, 9e9), [true, true]);
  assert.deepEqual(pins(5e9, 5.5e9), [true, false]);
  assert.deepEqual(pins(1e9), [false], 'its begin is not on screen');
});

test('a leader that leads on has one bar, and a thousand leaders no more bars than pixels', () => {
  const timeline = structuredClone(recorded.timeline);
  const leading = (/** @type {number} */ from, /** @type {number} */ to) => ({ from, to, role: 'leading' });
  timeline.lanes[0].spans = [leading(0, 10e9), leading(10e9, 20e9)];
  timeline.lanes[1].spans = [];
  assert.deepEqual(each(lay('at34', { timeline }).terms, 'label'), ['a']);
  const turns = Array.from({ length: 20000 }, (_, i) => leading(i * 1e6, (i + 1) * 1e6));
  timeline.lanes[0].spans = turns.filter((_, i) => i % 2 === 0);
  timeline.lanes[1].spans = turns.filter((_, i) => i % 2 === 1);
  const { terms } = lay('at34', { timeline });
  assert.ok(terms.length <= 400, `${terms.length} bars`);
});

test('faults of the API have levels, each with its name as far as the next one', () => {
  const timeline = structuredClone(recorded.timeline);
  const fault = { open: false, node: '', kind: /** @type {const} */ ('errors'), text: 'API answers with 500' };
  timeline.faults = [
    { ...fault, from: 2e9, to: 20e9 },
    { ...fault, from: 5e9, to: 6e9, node: 'gone' },
    { ...fault, from: 8e9, to: 9e9 },
  ];
  const { network, lanes, g } = lay('at34', { timeline });
  assert.deepEqual(each(network, 'level', 'label', 'inside'), [
    [0, 'API answers with 500', true],
    [1, '', false],
    [1, 'API answers with 500', false],
  ]);
  assert.ok(g.network.h > 2 * 20);
  assert.ok(lanes.every(({ pins }) => pins.length === 0));
});

test('the strip and a view from the start have one scale; what lies after live stays empty', () => {
  const viewport = { from: 0, to: 40e9 };
  const l = lay('at36', { viewport });
  assert.equal(toX(l.overview.scale, 20e9), toX(l.scale, 20e9));
  const live = toX(l.scale, recorded.views.at36.live.t);
  assert.ok(live < l.scale.x + l.scale.w - 10 && l.overview.terms.every(({ x, w }) => x + w <= live + 1));
  const zoomed = lay('at36', { viewport: { from: 10e9, to: 20e9 } }).overview.scale;
  assert.equal(
    toX(zoomed, recorded.views.at36.live.t),
    zoomed.x + zoomed.w,
    'a closer view leaves the whole run whole',
  );
});

test('no word of the ruler stands where a flag has its own', () => {
  const labels = (/** @type {{x: number, w: number}[]} */ covered) =>
    lay('at36', { viewport: { from: 0, to: 40e9 }, covered }).ruler.map(({ label }) => label);
  const { x } = lay('at36', { viewport: { from: 0, to: 40e9 } }).ruler[4];
  const all = labels([]);
  assert.deepEqual(labels([{ x: x - 40, w: 0 }]), all, 'a flag that does not show');
  assert.deepEqual(labels([{ x: x + 10, w: 50 }]), all.with(4, ''));
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
      overview.terms.filter(({ x, w }) => x + w > end),
      'who',
    ),
    [[{ index: 0, name: 'a' }]],
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
  other.faults.push({ ...other.faults[0], node: '', kind: 'errors', text: 'API answers with 500' });
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

test('what goes on at the live instant does not show when it ends', () => {
  const picture = (/** @type {number} */ to) => {
    const timeline = structuredClone(recorded.timeline);
    const fault = { from: 5e9, to, open: false, kind: /** @type {const} */ ('errors'), text: 'x' };
    timeline.faults = [
      { ...fault, node: 'a' },
      { ...fault, node: '' },
    ];
    const mark = { rule: 'x', kind: /** @type {const} */ ('safety'), text: 'x', cursor: { t: 5e9, n: 1 } };
    timeline.violations = [{ ...mark, from: 5e9, to }];
    timeline.bands = [{ from: 5e9, to, kind: 'two', open: false, change: 1, addends: [] }];
    return lay('at20', { timeline });
  };
  assert.deepEqual(picture(30e9), picture(50e9));
});

test('what has just begun has no length yet', () => {
  const timeline = structuredClone(recorded.timeline);
  const live = recorded.views.at34.live.t;
  timeline.bands = [{ open: true, change: -1, addends: [], from: live - 2e5, to: live, kind: 'two' }];
  const l = lay('at34', { timeline, viewport: { from: live - 3e5, to: live + 1e5 } });
  assert.equal(l.bands[0].label, 'two lead');
  assert.match(markButtons(l)[0].name, /^Two led since [\d:.]+$/);
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
  const names = markButtons(l).map((mark) => mark.name);
  assert.deepEqual(names, [
    'Two led from 00:12.000 to 00:12.020, 0.020 s; 1 more close by, all from 00:10.000 to 00:12.020',
    'b is paused, from 00:10.000 to 00:11.000, 1.000 s; 1 more close by, all from 00:10.000 to 00:13.000',
  ]);
});

test('on a phone an overlap keeps a word where it reaches to the left end', () => {
  const timeline = structuredClone(recorded.timeline);
  timeline.bands = [{ open: false, change: -1, addends: [], from: 2e9, to: 14e9, kind: 'two' }];
  const word = (/** @type {number} */ from) =>
    lay('at34', { timeline, narrow: true, width: 390, viewport: { from, to: from + 30e9 } }).bands[0].label;
  assert.deepEqual([word(6e9), word(11e9), word(13e9)], ['12.000 s', '2', '']);
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
  assert.match(labels[1], /^two lead, 9\.000 s, one paused 4\.000 s$/);
  assert.ok(summaryRows(timeline, 34e9).some(([what, who]) => what === 'no work' && who === 'the leader is paused'));
});

test('a gap that still goes on ends at the live instant and tells no reasons', () => {
  const l = lay('at23');
  const gap = l.bands[l.bands.length - 1];
  assert.equal(gap.item.open, true);
  assert.equal(gap.to, 23.2e9);
  assert.deepEqual([gap.item.addends, gap.item.change], [[], -1]);
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
    lanes: [1, 2].map((times, i) => ({
      ...{ ...recorded.timeline.lanes[i], ticks: [], ramp: [] },
      buckets: { ...buckets, requests: buckets.requests.map((n) => n * times) },
    })),
  };
  const view = { ...recorded.views.at36, live: { t: 400e9, n: -1 }, end: 400e9 };
  const l = layout({ view, timeline, viewport: { from: 0, to: 400e9 }, width: 820, height: 600, rampTop: 15e9 });
  assert.equal(l.lod, DENSITY);
  const [few, many] = l.lanes.map(({ density }) => Math.max(...density));
  assert.deepEqual([few, many], [0.5, 1], 'twice as many requests are twice as high');
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
  const found = hit(l, { lanes: timeline.lanes, timeline }, l.bands[0].x + 8, l.g.ribbon.y + 4);
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

test('more faults at the same time than levels share the last one', () => {
  const spans = [0, 1, 2, 3, 4].map((from) => ({ from, to: 10 }));
  assert.deepEqual(
    stack(spans).map((level) => level.length),
    [1, 1, 3],
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
  assert.equal(hit(l, { lanes: timeline.lanes, timeline }, at(27e9), l.g.ribbon.y + 5)?.index, 1);
  assert.equal(hit(l, { lanes: timeline.lanes, timeline }, at(34.0e9), l.g.lease.y + 5)?.kind, 'change');
  assert.equal(hit(l, { lanes: timeline.lanes, timeline }, at(25e9), l.g.lease.y + 5)?.kind, 'version');
  const base = l.lanes[0].y + l.g.lane.base;
  const crash = (/** @type {number} */ dx, /** @type {number} */ dy) =>
    hit(l, { lanes: timeline.lanes, timeline }, l.lanes[0].pins[0].x + dx, base + dy)?.kind;
  assert.deepEqual([crash(0, 0), crash(-10, 0), crash(0, 10), crash(11, 11)], ['fault', 'fault', 'fault', 'node']);
});

test('a click takes a violation under the ribbon, and a fault of the API in its level', () => {
  const timeline = structuredClone(recorded.timeline);
  const mark = { rule: 'x', kind: /** @type {const} */ ('safety'), text: 'x', cursor: { t: 25e9, n: 1 } };
  timeline.violations = [{ ...mark, from: 25e9, to: 28e9 }];
  const fault = { open: false, node: '', kind: /** @type {const} */ ('errors') };
  timeline.faults = [
    { ...fault, from: 2e9, to: 20e9, text: 'upper' },
    { ...fault, from: 5e9, to: 16e9, text: 'lower' },
  ];
  const l = lay('at34', { timeline });
  const take = (/** @type {number} */ t, /** @type {number} */ y) =>
    hit(l, { lanes: timeline.lanes, timeline }, toX(l.scale, t), y);
  assert.deepEqual(take(25e9, violationY(l.g) + 8)?.cursor, { t: 25e9, n: 1 });
  assert.equal(take(27.5e9, violationY(l.g))?.kind, 'violation');
  assert.equal(take(27.5e9, violationY(l.g) - 10)?.kind, 'band');
  const texts = [5, 25].map((y) => take(10e9, l.g.network.y + y)?.text);
  assert.deepEqual(texts, ['upper', 'lower']);
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
  // Never lower than an eye can read a ramp, nor higher than it helps.
  assert.deepEqual(heights, [132, 132, 132, 62, 56]);
  const short = lay('at34', { height: 270 });
  assert.ok(short.g.height <= 270, `${short.g.height} px for 270`);
  const many = lay('at34', {
    lanes: Array.from({ length: 1000 }, (_, i) => ({ ...recorded.timeline.lanes[0], node: `n${i}` })),
    height: 600,
    scroll: 5600,
  });
  assert.ok(many.lanes.length <= 10, 'only the lanes on screen are laid out');
  assert.equal(many.firstLane, 100);
});

test('in a short window the whole run gives way first, then the line of the Lease, and never a lane', () => {
  const rows = (/** @type {number} */ height, more = {}) => {
    const { g } = lay('at34', { height, ...more });
    return [g.overview.h > 0, g.lease.h > 0, g.laneHeight >= 56];
  };
  assert.deepEqual(rows(284), [true, true, true]);
  assert.deepEqual(rows(283), [false, true, true]);
  assert.deepEqual(rows(250), [false, true, true]);
  assert.deepEqual(rows(249), [false, false, true]);
  assert.deepEqual(rows(120), [false, false, true]);
});

test('the picture asks for the height that shows up to five lanes well', () => {
  const ideal = (/** @type {number} */ lanes, more = {}) => idealHeight({ lanes, narrow: false, ...more });
  assert.equal(ideal(4) - ideal(3), 106);
  assert.equal(ideal(50), ideal(5));
  assert.equal(ideal(0), ideal(1));
  assert.equal(ideal(3, { networkLevels: 2 }) - ideal(3), 44);
  assert.ok(ideal(3, { narrow: true }) < ideal(3));
  const three = lay('at34', { height: ideal(3) }).g;
  assert.deepEqual([three.height, three.laneHeight, three.overview.h > 0], [ideal(3), 106, true]);
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

test('every gap, fault and violation is a button with a name, its own key and something to select', () => {
  const timeline = structuredClone(recorded.timeline);
  const mark = { rule: 'x', kind: /** @type {const} */ ('safety'), text: 'x', cursor: { t: 25e9, n: 1 } };
  timeline.violations = [{ ...mark, from: 25e9, to: 28e9 }];
  timeline.faults = [
    ...timeline.faults,
    { from: 22e9, to: 23e9, open: false, node: '', kind: 'errors', text: 'API answers with 500' },
  ];
  const l = lay('at34', { width: 900, timeline });
  const buttons = markButtons(l);
  assert.deepEqual(
    buttons.map(({ meaning }) => meaning.kind),
    ['band', 'band', 'violation', 'fault', 'fault'],
  );
  assert.equal(new Set(buttons.map(({ key }) => key)).size, buttons.length);
  for (const { name } of buttons) assert.notEqual(name, '');
  const pin = l.lanes[0].pins[0];
  const crash = /** @type {import('./twin.js').MarkButton} */ (
    buttons.find(({ name }) => name.startsWith('a is down'))
  );
  assert.deepEqual([crash.x + crash.w / 2, crash.y + crash.h / 2], [pin.x, l.lanes[0].y + l.g.lane.base]);
});

test('a fault of a lane that is scrolled away has no button', () => {
  const lanes = Array.from({ length: 20 }, (_, i) => ({ ...recorded.timeline.lanes[0], node: `n${i}`, index: i }));
  const faults = lanes.map(({ node }) => ({ ...recorded.timeline.faults[0], node }));
  const l = lay('at34', { timeline: { ...recorded.timeline, lanes, faults }, lanes, height: 400, scroll: 100 });
  const foot = l.g.lanes.y + l.g.lanes.h;
  const buttons = markButtons(l).filter(({ meaning }) => meaning.kind === 'fault');
  assert.ok(buttons.length > 0 && buttons.length < l.lanes.length);
  for (const { y, h } of buttons) assert.ok(y >= l.g.lanes.y && y + h <= foot + 1);
});

test('the totals are one line', () => {
  const view = recorded.views.at34;
  assert.equal(totalsLine(view), '2 leaders so far · 14.049 s leaderless · no violations');
  const totals = { ...view.totals, leaders: 3, leaderlessNs: 0, doubleNs: 2e9, violations: 2 };
  assert.equal(
    totalsLine({ ...view, totals }),
    '3 leaders so far · 0.000 s leaderless · 2.000 s with two · 2 violations',
  );
});

test('the lowest lane still says what was done to its node', () => {
  const { g, lanes } = lay('at34', { width: 900, height: 200 });
  assert.equal(g.laneHeight, 56);
  assert.deepEqual(each(lanes[0].pins, 'label'), ['a crashes']);
});
