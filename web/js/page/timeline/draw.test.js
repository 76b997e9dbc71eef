import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brush } from '../../lib/testsupport/canvas.js';
import { draw, drawCursor } from './draw.js';
import { drawLane } from './drawlane.js';
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
    ...l.holder.map(({ label }) => label),
    ...l.bands.map(({ label }) => label),
    ...l.brackets.map(({ text }) => text),
    ...l.faults.map(({ label }) => label),
    ...l.lanes.flatMap(({ notes }) => notes.map(({ text }) => text)),
    l.empty,
    l.totals,
  ].filter(Boolean);
  for (const one of expected) assert.ok(words.includes(one), `“${one}” is missing in ${words.join(' | ')}`);
});

test('who holds the Lease is filled in the color of the node, a holder that no longer renews is hollow', () => {
  const { calls } = drawLayout(lay('at34'));
  const boxes = calls.filter(({ name }) => name === 'roundRect');
  const painted = boxes.map((box) => {
    const next = calls[calls.indexOf(box) + 1];
    const after = calls[calls.indexOf(box) + 2];
    return [next.fill, after?.name === 'stroke' ? after.stroke : ''];
  });
  const [holds, stale, second] = painted;
  assert.deepEqual([holds[0], second[0]], ['a', 'b']);
  assert.deepEqual(stale, ['panel', 'a']);
});

test('a gap is hatched, an overlap is hatched in another color', () => {
  const gap = drawLayout(lay('at34')).calls.filter(({ fill }) => `${fill}`.startsWith('hatch'));
  assert.ok(gap.length > 0 && gap.every(({ fill }) => fill !== 'hatch bad'));
  const two = { ...recorded.timeline.bands[1], kind: 'two' };
  const timeline = { ...recorded.timeline, bands: [two] };
  const l = lay('at34', { timeline });
  const { calls } = drawLayout(l);
  const band = calls.findIndex(({ name, args }) => name === 'roundRect' && args[1] === l.g.bands.y + 2);
  const strokes = calls.slice(band + 1, band + 4).map(({ name, fill, stroke }) => (name === 'stroke' ? stroke : fill));
  assert.deepEqual(strokes, ['panel', 'hatch bad', 'bad']);
});

test('the time of a paused leader has pairs of bars, unlike a gap and an overlap', () => {
  const idle = { ...recorded.timeline.bands[1], kind: 'idle' };
  const l = lay('at34', { timeline: { ...recorded.timeline, bands: [idle] } });
  const { calls } = drawLayout(l);
  const band = calls.findIndex(({ name, args }) => name === 'roundRect' && args[1] === l.g.bands.y + 2);
  const strokes = calls.slice(band + 1, band + 4).map(({ name, fill, stroke }) => (name === 'stroke' ? stroke : fill));
  assert.deepEqual(strokes, ['panel', 'pairs soft', 'soft']);
});

test('a violation is drawn as one, in place of the words that there are none', () => {
  const violations = [
    { from: 20e9, to: 30e9, rule: 'moreThanOneActive', kind: 'safety', text: 'x', cursor: { t: 20e9, n: 0 } },
  ];
  const l = lay('at34', { timeline: { ...recorded.timeline, violations } });
  const { calls, words } = drawLayout(l);
  assert.ok(
    calls.some(({ name, args, fill }) => name === 'roundRect' && args[1] === l.g.violations.y + 3 && fill === 'bad'),
  );
  assert.ok(!words().includes('No violations so far.'));
});

test('a bar of a whole day is cut a few pixels beyond the screen', () => {
  const { calls } = drawLayout(lay('at34', { viewport: { from: 30e9, to: 30.001e9 } }));
  const widest = Math.max(...calls.filter(({ name }) => name === 'fillRect').map(({ args }) => args[2]));
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
    ...{ node: 'a', index: 0, y: 100, h: 88, bars: [], notes: [], selected: false, selectedTick: -1 },
    ticks: { x: [], w: [], shape: [], ref: [], calls: [] },
    ramp: { points: new Float32Array(), breaks: [] },
    density: new Float32Array(),
  };
  drawLane(pen.b, { ...l, ...more }, /** @type {any} */ ({ ...empty, ...lane }));
  return pen;
}
const bar = (/** @type {string} */ role, active = false) => lane({ bars: [{ x: 200, w: 60, role, active }] });

test('roles have their own shapes: leading is filled, lost hatched, paused in pairs of bars, down dotted', () => {
  assert.deepEqual(
    bar('leading')
      .callsOf('fillRect')
      .map(({ fill, args }) => [fill, args[2]]),
    [['a', 60]],
  );
  assert.equal(bar('lost').callsOf('fillRect')[0].fill, 'hatch a');
  const pairs = bar('paused')
    .callsOf('fillRect')
    .map(({ args }) => args[0]);
  assert.deepEqual(pairs, [203, 208, 225, 230, 247, 252]);
  assert.deepEqual(
    bar('paused', true)
      .callsOf('strokeRect')
      .map(({ args, stroke }) => [args[0], args[2], stroke]),
    [[200.5, 59, 'a']],
    'a paused leader is active: it has an outline',
  );
  assert.equal(bar('paused').callsOf('strokeRect').length, 0);
  assert.ok(
    bar('down')
      .callsOf('stroke')
      .some(({ dash }) => dash.length === 2),
  );
  assert.deepEqual(bar('following').callsOf('fillRect'), []);
});

/** @param {number} shape @param {number} [w] */
const tick = (shape, w = 0) => lane({ ticks: { x: [300], w: [w], shape: [shape], ref: [0], calls: [] } });

test('requests have the shape of their outcome', () => {
  assert.deepEqual(tick(ERROR).words(), ['!']);
  assert.equal(tick(HOLLOW).callsOf('fillRect')[0].fill, 'panel');
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

test('the ground of the ramp ends where the run is live', () => {
  const right = (/** @type {number | null} */ liveX) => lane({}, { liveX }).callsOf('lineTo')[0].args[0];
  const { scale } = lay('at34');
  assert.equal(right(250), 250);
  assert.equal(right(null), scale.x + scale.w);
});

test('many requests are columns, the higher the more there are', () => {
  const rects = lane({ density: Float32Array.of(0, 1, 0.5) }).callsOf('rect');
  assert.equal(rects.length, 2);
  assert.ok(rects[0].args[3] > rects[1].args[3]);
});

test('a word has the ground of its lane around it, so that no line crosses it', () => {
  const note = { kind: 'fault', x: 200, text: 'a crashes', align: 'left' };
  const ground = (/** @type {boolean} */ selected) => lane({ notes: [note], selected }).callsOf('strokeText')[0].stroke;
  assert.deepEqual([ground(false), ground(true)], ['panel', 'chip']);
});
