/** The words of the timeline in random runs: none on another one, and none beyond the end of the plot. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brush } from '../../lib/testsupport/canvas.js';
import { draw } from './draw.js';
import { layout } from './layout.js';

/** @import { Timeline, View } from '../../protocol.js' */
/** @import { Word } from './pen.js' */

/** @type {{timeline: Timeline, views: Record<string, View>}} */
const recorded = JSON.parse(readFileSync(new URL('./testdata/leader-dies.json', import.meta.url), 'utf8'));
const S = 1e9;
/** The height of a word, px. */
const LINE = 13;

/** The width of a text in a size, wider when bold. */
const widthOf = (/** @type {string} */ text, bold = false, px = 13) => text.length * px * (bold ? 0.6 : 0.55);

/** Numbers that look random, the same in every run. @param {number} seed */
function chance(seed) {
  let s = seed;
  const next = () => {
    s = (s * 48271) % 2147483647;
    return s / 2147483647;
  };
  next();
  const upTo = (/** @type {number} */ n) => Math.floor(next() * n);
  return { next, upTo, oneOf: /** @template T @param {T[]} all */ (/** @type {any[]} */ all) => all[upTo(all.length)] };
}
/** @typedef {ReturnType<typeof chance>} Chance */

/** Spans one after another, with gaps between them. @param {Chance} c @param {number} end @param {number} most */
function row(c, end, most) {
  const spans = [];
  const step = c.oneOf([0.2, 2, 8, 20]) * S;
  for (let t = c.next() * step; t < end && spans.length < most; t += c.next() * step) {
    const from = t;
    t += c.next() * step;
    spans.push({ from, to: t });
  }
  return spans;
}

/** A lane in which a node follows, leads, pauses and loses the Lease in turn. @param {Chance} c */
function lane(c, /** @type {number} */ index, /** @type {number} */ end) {
  const node = c.oneOf(['a', 'node-b', 'controller-c', 'd', 'e']) + index;
  let t = 0;
  const ramp = [];
  while (t < end) {
    const wait = c.oneOf([0, 2, 10, 15]) * S;
    ramp.push({ t, zeroAt: t + wait, leading: c.upTo(2) === 0 });
    t += (0.2 + c.next() * c.oneOf([1, 3, 25])) * S;
  }
  const spans = row(c, end, 30).map((span) => ({
    ...span,
    role: c.oneOf(['leading', 'leading', 'lost', 'paused', 'following', 'down']),
    active: c.upTo(2) === 0,
  }));
  const ticks = ramp.map((p) => ({
    ...{ t: p.t, end: p.t + 1e7, verb: 'update', write: true, n: 0 },
    outcome: c.oneOf(['ok', 'conflict', 'error', 'lost']),
  }));
  return { node, index, spans, ramp, ticks, ready: [] };
}

const TEXTS = [
  'is paused',
  'is cut off (both ways)',
  'clock jumps by 90 s',
  'API server: every request fails with 500',
  'x',
];
const KINDS = ['down', 'paused', 'cut', 'resource', 'errors', 'slow', 'held', 'lost'];

/** A picture of a random run. @param {number} seed */
function picture(seed) {
  const c = chance(seed);
  const end = c.oneOf([30, 60, 300, 7200]) * S;
  const live = (0.4 + 0.6 * c.next()) * end;
  const lanes = Array.from({ length: 1 + c.upTo(c.oneOf([3, 9, 60])) }, (_, index) => lane(c, index, end));
  const nodes = ['', 'gone', ...lanes.map(({ node }) => node)];
  const faults = Array.from({ length: c.upTo(c.oneOf([2, 6, 40])) }, () => {
    const from = c.next() * end;
    return {
      ...{ from, to: from + c.next() * c.oneOf([0, 1, 30, 3600]) * S, open: false },
      ...{ node: c.oneOf(nodes), kind: c.oneOf(KINDS), text: c.oneOf(TEXTS) },
    };
  }).sort((one, other) => one.from - other.from);
  const band = (/** @type {{from: number, to: number}} */ span) => ({
    ...span,
    ...{
      kind: c.oneOf(['nobody', 'two', 'idle']),
      open: false,
      change: c.upTo(3),
      addends: [],
      pausedNs: c.upTo(2) * S,
    },
  });
  const rule = () => ({ rule: c.oneOf(['moreThanOneActive', 'x']), kind: 'safety', text: 'x', cursor: { t: 0, n: 0 } });
  const timeline = /** @type {Timeline} */ ({
    ...recorded.timeline,
    lanes: /** @type {any} */ (lanes),
    ...{ detail: true, landmarks: [], faults, bands: row(c, end, 40).map(band) },
    violations: row(c, end, 12).map((span) => ({ ...span, ...rule() })),
    holder: row(c, end, 12).map((span) => ({ ...span, holder: 'a', index: 0, renewedUntil: span.to })),
  });
  const from = c.next() * live * 0.8;
  const view = { ...recorded.views.at36, cursor: { t: live, n: -1 }, live: { t: live, n: -1 }, end };
  const narrow = c.upTo(2) === 0;
  return {
    ...{ view, timeline, narrow, measure: widthOf },
    width: narrow ? 320 + c.upTo(400) : 600 + c.upTo(1800),
    height: 200 + c.upTo(700),
    scroll: c.upTo(3) * c.upTo(400),
    viewport: { from, to: from + c.oneOf([0.05, 5, 40, 90, 3600]) * S },
  };
}

/** The words that a layout has in its picture, and the right end of its plot. @param {number} seed */
function written(seed) {
  const l = layout(picture(seed));
  const { b } = brush();
  b.ctx.measureText = (/** @type {string} */ text) => {
    const [, bold, px] = /** @type {RegExpExecArray} */ (/^(600 )?([\d.]+)px/.exec(b.ctx.font));
    return { width: widthOf(text, bold !== undefined, Number(px)) };
  };
  draw(b, l);
  return { words: l.words, end: l.scale.x + l.scale.w };
}

/** @param {Word} one @param {Word} other */
const intersect = (one, other) =>
  one.x < other.x + other.w && other.x < one.x + one.w && Math.abs(one.y - other.y) < LINE;

test('in 200 random runs words stand apart, and inside the plot', () => {
  let count = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const { words, end } = written(seed);
    count += words.length;
    const at = (/** @type {Word} */ { x, y, w }) => `${Math.round(x)}–${Math.round(x + w)} at ${Math.round(y)}`;
    for (const [i, one] of words.entries()) {
      assert.ok(one.x + one.w <= end + 0.01, `run ${seed}: ${at(one)} ends after ${end}`);
      for (const other of words.slice(i + 1))
        assert.ok(!intersect(one, other), `run ${seed}: ${at(one)} lies on ${at(other)}`);
    }
  }
  assert.ok(count > 700, `${count} words`);
});
