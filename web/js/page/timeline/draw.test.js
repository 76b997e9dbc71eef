import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ICONS } from '../../lib/icons.js';
import { brush } from '../../lib/testsupport/canvas.js';
import { draw, drawCursor } from './draw.js';
import { drawLane, drawPins } from './drawlane.js';
import { violationY } from './geometry.js';
import { ERROR, HOLLOW, LOST, OPEN, SHORT, TALL } from './lanelayout.js';
import { layout } from './layout.js';
import { toX } from './viewport.js';

const recorded = JSON.parse(readFileSync(new URL('./testdata/leader-dies.json', import.meta.url), 'utf8'));

/** @param {string} view @param {object} [more] */
const lay = (view, more = {}) =>
  layout({
    view: recorded.views[view],
    timeline: recorded.timeline,
    viewport: { from: 0, to: 40e9 },
    ...{ width: 900, height: 600 },
    ...more,
  });

/** The picture of a layout. @param {import('./layout.js').Layout} l */
function drawLayout(l) {
  const pen = brush();
  draw(pen.b, l);
  return pen;
}

test('everything that the layout says in words is in the picture', () => {
  const l = lay('at34');
  const words = drawLayout(l).words();
  const expected = [
    ...l.ruler.map(({ label }) => label),
    ...l.terms.map(({ label }) => label),
    ...l.bands.map(({ label }) => label),
    ...l.lanes.flatMap(({ notes, pins }) => [...notes.map(({ text }) => text), ...pins.map(({ label }) => label)]),
  ].filter(Boolean);
  for (const word of ['a', 'b', 'nobody, 14.039 s', 'a crashes', 'may acquire 00:33.165'])
    assert.ok(expected.includes(word), word);
  for (const one of expected) assert.ok(words.includes(one), `“${one}” is missing in ${words.join(' | ')}`);
});

/**
 * The boxes with their top at a height: left end, fills, outline.
 * @param {ReturnType<typeof brush>} pen @param {number} top
 */
function boxesAt({ calls }, top) {
  return calls.flatMap(({ name, args }, i) => {
    if (name !== 'roundRect' || args[1] !== top) return [];
    const end = calls.findIndex((one, k) => k > i && one.name === 'beginPath');
    const inks = calls
      .slice(i, end < 0 ? undefined : end)
      .flatMap((one) => (one.name === 'fill' ? [one.fill] : one.name === 'stroke' ? [one.stroke] : []));
    return [[Math.round(args[0]), ...inks]];
  });
}

/** A picture with this band alone. @param {object} more of the band @param {object} [rest] of the input */
function band(more, rest = {}) {
  const l = lay('at34', {
    timeline: { ...recorded.timeline, bands: [{ ...recorded.timeline.bands[1], ...more }] },
    ...rest,
  });
  return { l, pen: drawLayout(l), top: l.g.ribbon.y + 2 };
}

test('the ribbon has the color of each leader; the name is in it', () => {
  const { pen, top } = band({});
  assert.deepEqual(
    boxesAt(pen, top).map(([x, fill]) => [x, fill]),
    [
      [100, 'a'],
      [762, 'b'],
    ],
  );
  const [name] = pen.callsOf('fillText').filter(({ args }) => args[0] === 'a');
  assert.equal(name.fill, 'on');
  assert.ok(Math.abs(name.args[2] - top - 16) <= 1, 'in the middle of the bar');
});

test('two leaders share the height of the ribbon, the first over the second', () => {
  const timeline = structuredClone(recorded.timeline);
  timeline.lanes[2].spans = [{ from: 5e9, to: 10e9, role: 'lost' }];
  const l = lay('at34', { timeline });
  const halves = drawLayout(l)
    .callsOf('roundRect')
    .filter(({ args }) => args[3] > 10 && args[3] < 20 && args[1] < l.g.lease.y);
  assert.deepEqual(
    halves.map(({ args }) => args[1] - l.g.ribbon.y - 2),
    [0, 16],
  );
  assert.equal(halves[0].args[1] + halves[0].args[3] + 1, halves[1].args[1], 'a pixel between them');
});

test('whom the Lease names is a line in the color of the node, hollow where the holder no longer renews', () => {
  const l = lay('at34');
  const pen = drawLayout(l);
  const middle = l.g.lease.y + l.g.lease.h / 2;
  assert.deepEqual(
    [boxesAt(pen, middle - 2), boxesAt(pen, middle - 1.5)],
    [
      [
        [100, 'a'],
        [762, 'b'],
      ],
      [[490, 'card', 'a']],
    ],
  );
  const short = lay('at34', { height: 240 });
  assert.equal(short.g.lease.h, 0);
  const lines = drawLayout(short)
    .callsOf('roundRect')
    .filter(({ args }) => args[3] === 4 || args[3] === 3);
  assert.deepEqual(lines, [], 'no line without a row');
});

test('a gap is hatched, an overlap has a ring in the color of violations', () => {
  const gap = band({});
  assert.deepEqual(boxesAt(gap.pen, gap.top + 0.5), [[490, 'card', 'hatch hatch', 'hatch']]);
  const two = band({ kind: 'two' });
  assert.deepEqual(boxesAt(two.pen, two.top - 1), [[489, 'bad']]);
  assert.ok(!two.pen.calls.some(({ fill }) => `${fill}`.startsWith('hatch')));
  const word = two.pen.callsOf('fillText').find(({ args }) => String(args[0]).startsWith('two lead'));
  assert.equal(word?.fill, 'bad');
});

test('the time of a paused leader has pairs of bars, unlike a gap and an overlap', () => {
  const { pen, top } = band({ kind: 'idle' });
  assert.deepEqual(boxesAt(pen, top + 0.5), [[490, 'pairs on', 'mute']]);
});

test('a selected band has an outline in ink, and a sliver is filled', () => {
  const { from, to } = recorded.timeline.bands[1];
  const { pen, top } = band({}, { selection: { kind: 'band', band: 'nobody', from, to } });
  assert.equal(boxesAt(pen, top + 0.5)[0].at(-1), 'ink');
  const sliver = band({ kind: 'two', from: 20e9, to: 20.01e9 });
  const rect = sliver.pen.callsOf('fillRect').find(({ args }) => args[1] === sliver.top && args[3] === 32);
  assert.deepEqual([rect?.fill, rect?.args[2]], ['bad', 3]);
});

const violation = {
  from: 24e9,
  to: 30e9,
  rule: 'moreThanOneActive',
  kind: 'safety',
  text: 'x',
  cursor: { t: 24e9, n: 0 },
};

test('faults and violations are pins with an icon, and a line through all rows', () => {
  const other = { ...violation, from: 27e9, to: 28e9, kind: 'liveness' };
  const l = lay('at34', { timeline: { ...recorded.timeline, violations: [violation, other] } });
  const pen = drawLayout(l);
  const y = violationY(l.g);
  const x = (/** @type {number} */ t) => toX(l.scale, t);
  const crash = l.lanes[0].pins[0];
  assert.deepEqual(pen.pins(ICONS), [
    { icon: 'crash', color: 'fault', x: crash.x, y: l.lanes[0].y + l.g.lane.base },
    { icon: 'two', color: 'bad', x: x(24e9), y },
    { icon: 'errors', color: 'bad', x: x(27e9), y },
  ]);
  const bars = pen.callsOf('fillRect').filter(({ args }) => args[1] === y - 1.5);
  assert.deepEqual(
    bars.map(({ args, fill }) => [args[0], args[2], fill]),
    [
      [x(24e9), x(30e9) - x(24e9), 'bad'],
      [x(27e9), x(28e9) - x(27e9), 'bad'],
    ],
  );
  const lines = pen.callsOf('stroke').filter(({ dash }) => dash.length > 0);
  assert.deepEqual(
    lines.map(({ stroke }) => stroke),
    ['fault', 'bad', 'bad'],
  );
});

test('many pins have no lines, because they would hide the rest', () => {
  const violations = Array.from({ length: 8 }, (_, i) => ({
    ...violation,
    from: (2 + 3 * i) * 1e9,
    to: (3 + 3 * i) * 1e9,
  }));
  const lines = (/** @type {object[]} */ some) =>
    drawLayout(lay('at34', { timeline: { ...recorded.timeline, violations: some } }))
      .callsOf('stroke')
      .filter(({ dash }) => dash.length > 0);
  assert.equal(lines(violations.slice(1)).length, 8, 'with that of the crash');
  assert.equal(lines(violations).length, 0);
});

test('a fault of the API has a row with its name', () => {
  const fault = { from: 5e9, to: 20e9, open: false, node: '', kind: 'errors', text: 'API down' };
  const l = lay('at34', { timeline: { ...recorded.timeline, faults: [fault] } });
  const pen = drawLayout(l);
  assert.deepEqual(boxesAt(pen, l.g.network.y + 0.5), [[Math.round(l.network[0].x + 0.5), 'faultbg', 'fault']]);
  const word = (/** @type {ReturnType<typeof drawLayout>} */ { callsOf }) =>
    callsOf('fillText').find(({ args }) => args[0] === 'API down')?.args[1];
  assert.equal(word(pen), l.network[0].x + 8);
  const short = lay('at34', {
    timeline: { ...recorded.timeline, faults: [{ ...fault, to: 6e9 }] },
    selection: { kind: 'fault', from: 5e9 },
  });
  const other = drawLayout(short);
  assert.equal(word(other), short.network[0].x + short.network[0].w + 6, 'beside a short one');
  assert.equal(boxesAt(other, short.g.network.y + 0.5)[0][2], 'ink', 'selected');
});

test('a selected stretch has a ground and an outline through all rows; lanes that scroll have a bar', () => {
  const selection = { kind: 'span', from: 10e9, to: 20e9 };
  const l = lay('at34', { selection });
  const [outline] = drawLayout(l).callsOf('strokeRect');
  assert.equal(outline.stroke, 'ink');
  assert.equal(Math.round(outline.args[0]), Math.round(toX(l.scale, 10e9) + 0.5));
  assert.equal(outline.args[1] + outline.args[3], l.g.bottom - 0.5);
  const bars = (/** @type {number} */ scroll) => {
    const lanes = Array.from({ length: 20 }, (_, index) => ({ ...recorded.timeline.lanes[2], index }));
    const boxes = drawLayout(lay('at34', { lanes, scroll })).callsOf('roundRect');
    return boxes.filter(({ args }) => args[0] === 900 - 6).map(({ args }) => args[1]);
  };
  assert.equal(bars(0)[0], l.g.lanes.y);
  assert.ok(bars(200)[0] > bars(0)[0]);
  assert.equal(
    drawLayout(l)
      .callsOf('roundRect')
      .some(({ args }) => args[0] === 900 - 6),
    false,
  );
});

test('the whole run has who led, a red line over two leaders, and a tip for each fault and violation', () => {
  const bands = [{ ...recorded.timeline.bands[1], kind: 'two' }];
  const l = lay('at34', { timeline: { ...recorded.timeline, bands, violations: [violation] } });
  const pen = drawLayout(l);
  const { y, h } = l.g.strip;
  assert.deepEqual(
    boxesAt(pen, y).map(([, fill]) => fill),
    ['sunk', 'a', 'b'],
  );
  assert.ok(pen.callsOf('fillRect').some(({ args, fill }) => args[1] === y - 3 && args[3] === 3 && fill === 'bad'));
  const tips = pen.callsOf('lineTo').filter(({ args }) => args[1] === y - 1);
  assert.deepEqual(
    tips.map(({ fill }) => fill),
    ['fault', 'bad'],
  );
  const frame = (/** @type {object} */ viewport) =>
    boxesAt(drawLayout(lay('at34', { viewport })), y - 1).map(([, outline]) => outline);
  assert.deepEqual([frame({ from: 0, to: 40e9 }), frame({ from: 10e9, to: 20e9 })], [[], ['ink']]);
  assert.ok(h > 0);
});

test('a bar of a whole day is cut a few pixels beyond the screen', () => {
  const fault = { from: 1e9, to: 35e9, open: false, node: 'b', kind: 'paused', text: 'b is paused' };
  const timeline = {
    ...recorded.timeline,
    faults: [fault, { ...fault, node: '' }],
    violations: [{ ...violation, from: 1e9, to: 33e9 }],
  };
  const { calls } = drawLayout(lay('at34', { timeline, viewport: { from: 30e9, to: 30.001e9 } }));
  const boxes = calls.filter(({ name }) => name === 'fillRect' || name === 'roundRect');
  const widest = Math.max(...boxes.map(({ args }) => args[2]));
  assert.ok(widest < 2000, `${widest} px`);
});

test('the cursor is where its instant is, and not drawn beside the plot', () => {
  const l = lay('at34');
  const at = (/** @type {number} */ x) => {
    const pen = brush();
    drawCursor(pen.b, l, x, 300);
    return pen;
  };
  const x = toX(l.scale, 20e9);
  const lines = at(x).callsOf('fillRect');
  const places = lines.map(({ args }) => args[0]);
  assert.deepEqual(places, [299, Math.round(x) - 1], 'on the overview, and here');
  assert.equal(at(l.scale.x - 50).callsOf('fillRect').length, 1, 'on the overview alone');
});

test('“live” stands at the end of what was shown, unless the cursor is there or there is no room', () => {
  const wordAt = (/** @type {import('./layout.js').Layout} */ l, /** @type {number} */ x) => {
    const pen = brush();
    drawCursor(pen.b, l, x, 300);
    return pen.words();
  };
  const l = lay('at20');
  assert.deepEqual(wordAt(l, toX(l.scale, 5e9)), ['live']);
  const tight = lay('at20', { viewport: { from: 0, to: 20.5e9 } });
  assert.deepEqual(wordAt(tight, toX(tight.scale, 5e9)), []);
});

/** One lane with these marks, drawn. @param {object} lane @param {object} [more] of the layout */
function lane(lane, more = {}) {
  const pen = brush();
  const l = lay('at34');
  const empty = {
    ...{ node: 'a', index: 0, y: 100, h: 132, bars: [], notes: [], pins: [], selected: false, selectedTick: -1 },
    ticks: { x: [], w: [], shape: [], ref: [], calls: [] },
    ramp: { points: new Float32Array(), breaks: [] },
    density: new Float32Array(),
  };
  drawLane(pen.b, { ...l, ...more }, /** @type {any} */ ({ ...empty, ...lane }));
  return pen;
}
/** The grounds of a lane under its ramp: color, left end, width. @param {object} marks */
const grounds = (marks) =>
  lane(marks)
    .callsOf('fillRect')
    .filter(({ args }) => args[3] > 50)
    .map(({ fill, args }) => [fill, args[0], args[2]]);

test('the ground is red while a node works without the Lease, amber while a fault lasts', () => {
  const bar = (/** @type {string} */ role) => grounds({ bars: [{ x: 200, w: 60, role }] });
  assert.deepEqual(bar('lost'), [['badbg', 200, 60]]);
  assert.deepEqual(['leading', 'following', 'down', 'paused'].flatMap(bar), []);
  const pin = (/** @type {string} */ kind) => grounds({ pins: [{ x: 300, w: 40, item: { kind } }] });
  assert.deepEqual(pin('paused'), [['faultbg', 300, 40]]);
  assert.deepEqual(pin('cut'), [['faultbg', 300, 40]]);
  assert.deepEqual([...pin('down'), ...pin('lost')], [], 'nothing runs there');
});

test('a ramp has an axis: its top and zero, unless a narrow page has a long name there', () => {
  const words = lane({}, { rampTop: 15e9 }).callsOf('fillText');
  const { ramp, base } = lay('at34').g.lane;
  assert.deepEqual(
    words.map(({ args }) => [args[0], args[2]]),
    [
      ['15', 100 + ramp + 1],
      ['0 s', 100 + base],
    ],
  );
  const { g } = lay('at34');
  assert.deepEqual(lane({}, { g: { ...g, narrow: true } }).words(), ['15', '0 s']);
  assert.deepEqual(lane({ node: 'node-1' }, { g: { ...g, narrow: true } }).words(), []);
});

/** The pins of a lane, drawn. @param {object[]} pins @param {object} [more] of the lane */
function drawnPins(pins, more = {}) {
  const pen = brush();
  const l = lay('at34');
  drawPins(pen.b, l, /** @type {any} */ ({ ...l.lanes[0], pins, ...more }));
  return { ...pen, l };
}
const pin = { x: 300, w: 40, hasPin: true, item: { kind: 'cut' }, label: 'a is cut off', selected: false };

test('a fault is a pin on the base of its lane, its words right of it; a selected one is in ink', () => {
  const drawn = drawnPins([pin, { ...pin, x: 400, item: { kind: 'slow' }, label: '', selected: true }]);
  const y = drawn.l.lanes[0].y + drawn.l.g.lane.base;
  assert.deepEqual(drawn.pins(ICONS), [
    { icon: 'cut', color: 'fault', x: 300, y },
    { icon: 'slow', color: 'fault', x: 400, y },
  ]);
  const [word] = drawn.callsOf('fillText');
  assert.deepEqual([word.args[0], word.args[1], word.fill], ['a is cut off', 315, 'fault']);
  const rings = drawn.calls.filter(({ name, args }) => name === 'stroke' && args.length === 0);
  assert.deepEqual(
    rings.map(({ stroke }) => stroke),
    ['fault', 'ink'],
  );
});

test('a fault without room for its pin is a line, and nothing is drawn beside the plot', () => {
  const { x } = lay('at34').scale;
  const lines = drawnPins([
    { ...pin, hasPin: false },
    { ...pin, hasPin: false, x: x - 20 },
  ]).callsOf('fillRect');
  assert.deepEqual(
    lines.map(({ args, fill }) => [args[0], fill]),
    [[300, 'fault']],
  );
});

test('a word that the end of the lanes would cut through is left out', () => {
  const { g } = lay('at34');
  const words = (/** @type {number} */ y) => drawnPins([pin], { y }).words();
  assert.deepEqual(words(g.lanes.y), ['a is cut off']);
  assert.deepEqual(words(g.lanes.y - g.lane.base + 12), [], 'above');
  assert.deepEqual(words(g.lanes.y + g.lanes.h - g.lane.base + 5), [], 'below');
});

/** @param {number} shape @param {number} [w] */
const tick = (shape, w = 0) => lane({ ticks: { x: [300], w: [w], shape: [shape], ref: [0], calls: [] } });

test('requests have the shape of their outcome', () => {
  assert.ok(tick(ERROR).words().includes('!'));
  assert.equal(tick(HOLLOW).callsOf('fillRect')[0].fill, 'card');
  assert.equal(tick(OPEN).callsOf('arc').length, 1);
  const forks = tick(LOST)
    .callsOf('moveTo')
    .filter(({ args }) => args[0] === 300);
  assert.equal(forks.length, 2, 'a line that splits: nothing came back');
  const heights = [SHORT, TALL].map((shape) => {
    const pen = tick(shape);
    const top = /** @type {any} */ (pen.callsOf('moveTo').find(({ args }) => args[0] === 300)).args[1];
    return /** @type {any} */ (pen.callsOf('lineTo').find(({ args }) => args[0] === 300)).args[1] - top;
  });
  assert.ok(heights[0] < heights[1], 'a read is shorter than a write');
});

test('where there is room a request is as long as it took', () => {
  const [span, end] = tick(SHORT, 40).callsOf('fillRect');
  assert.deepEqual([span.args[2], span.alpha, end.args[0]], [40, 0.25, 339]);
});

test('a call that asked again has a bracket over its requests', () => {
  const pen = lane({ ticks: { x: [], w: [], shape: [], ref: [], calls: [{ x: 300, w: 40 }] } });
  const corners = pen.callsOf('lineTo').map(({ args }) => args[0]);
  assert.deepEqual(corners.slice(-3), [300, 340, 340]);
});

test('the selected request has a frame', () => {
  const pen = lane({ ticks: { x: [300], w: [0], shape: [SHORT], ref: [0], calls: [] }, selectedTick: 0 });
  assert.deepEqual([pen.callsOf('strokeRect')[0].stroke, pen.callsOf('strokeRect')[0].args[0]], ['ink', 295]);
});

test('the ramp falls in one line, and begins a new one where it is reset', () => {
  const points = Float32Array.of(100, 1, 200, 0.5, 200, 1, 300, 0.25);
  const { calls } = lane({ ramp: { points, breaks: [0] } });
  const path = calls.slice(calls.findLastIndex(({ name }) => name === 'beginPath'));
  assert.deepEqual(
    path.filter(({ name }) => name === 'moveTo' || name === 'lineTo').map(({ name, args }) => [name, args[0]]),
    [
      ['moveTo', 100],
      ['lineTo', 200],
      ['moveTo', 200],
      ['lineTo', 300],
    ],
  );
});

test('the base of the ramp ends where the run is live', () => {
  const right = (/** @type {number | null} */ liveX) => lane({}, { liveX }).callsOf('lineTo')[0].args[0];
  const { scale } = lay('at34');
  assert.equal(right(250), 250);
  assert.equal(right(null), scale.x + scale.w);
});

test('many requests are columns, the higher the more there are', () => {
  const rects = lane({ density: Float32Array.of(0, 1, 0.5) })
    .callsOf('rect')
    .filter(({ args }) => args[2] < 10);
  assert.equal(rects.length, 2);
  assert.ok(rects[0].args[3] > rects[1].args[3]);
});

test('a word has the ground of its lane around it, so that no line crosses it', () => {
  const note = { x: 200, text: 'may acquire 00:33.165', align: 'left' };
  const ground = (/** @type {boolean} */ selected) => lane({ notes: [note], selected }).callsOf('strokeText')[0].stroke;
  assert.deepEqual([ground(false), ground(true)], ['card', 'sunk']);
});

test('a note has a line down to a dot on the base, and its word beside the line', () => {
  const { base } = lay('at34').g.lane;
  const drawn = (/** @type {'left' | 'right'} */ align) => lane({ notes: [{ x: 400, text: 'x', align }] });
  const dot = drawn('left').callsOf('arc')[0];
  assert.deepEqual(dot.args.slice(0, 2), [400, 100 + base]);
  const x = (/** @type {'left' | 'right'} */ align) => drawn(align).callsOf('strokeText')[0].args[1];
  assert.deepEqual([x('left'), x('right')], [406, 394]);
});
