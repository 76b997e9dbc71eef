/**
 * What one lane shows: the role bar, the requests, and under them the ramp of the remaining time. Pure. Parallel arrays
 * hold the marks of a lane, and at most one mark per pixel survives. So a lane with a million requests on screen costs
 * no more than one with a thousand.
 */
import { isShown } from './ribbon.js';
import { lowerBound, toX } from './viewport.js';

/** @import { Buckets, Lane, Nanos, Tick } from '../../protocol.js' */
/** @import { LanePin } from './faults.js' */
/** @import { Scale } from './viewport.js' */

/** Levels of detail by pixels per virtual second. */
export const SPANS = 'spans'; // ≥ 400: a request is as long as it took
export const TICKS = 'ticks'; // 4–400
export const DENSITY = 'density'; // 0.4–4: the number of requests, and the lower envelope of the ramp
export const ROLES = 'roles'; // < 0.4: who led, and the worst remaining lease of each pixel

/** @param {number} pps @param {boolean} detail whether the data has single requests */
export function lodOf(pps, detail) {
  if (pps < 0.4) return ROLES;
  if (pps < 4 || !detail) return DENSITY;
  return pps < 400 ? TICKS : SPANS;
}

/** Shapes in rising importance. Of two in one pixel, the more important one shows. */
export const SHORT = 0; // a read
export const TALL = 1; // an accepted write
export const OPEN = 2; // not answered yet
export const HOLLOW = 3; // conflict
export const LOST = 4; // open end
export const ERROR = 5; // "!"

/** The shapes of requests that were not simply answered. @type {Record<string, number | undefined>} */
const FAILED = { conflict: HOLLOW, lost: LOST, error: ERROR, open: OPEN };
/** @param {Tick} tick */
const shapeOf = ({ outcome, write }) => FAILED[outcome] ?? (write ? TALL : SHORT);

/**
 * @typedef {object} LaneTicks parallel arrays
 * @property {number[]} x
 * @property {number[]} w 0 at the level "ticks"
 * @property {number[]} shape
 * @property {number[]} ref index into the lane's ticks
 * @property {{x: number, w: number}[]} calls from the first to the last request of each call that asked again
 */
/**
 * @typedef {object} LaneRamp
 * @property {Float32Array} points x, share, x, share, … share: remaining time over the scale's top, 0…1
 * @property {number[]} breaks indices into points (of an x) at which a new piece begins
 */
/**
 * @typedef {object} LaneLayout
 * @property {string} node
 * @property {number} index
 * @property {number} y top, in the timeline's coordinates, scrolling included
 * @property {number} h
 * @property {LaneBar[]} bars
 * @property {LaneTicks} ticks
 * @property {LaneRamp} ramp
 * @property {Float32Array} density per column of COLUMN pixels: share of the densest of all lanes, 0…1; empty at
 *   other levels
 * @property {LanePin[]} pins the faults of the node
 * @property {LaneNote[]} notes
 * @property {boolean} selected
 * @property {number} selectedTick index into ticks.x, or -1
 */
/** @typedef {{x: number, w: number, role: string}} LaneBar */
/** Where a countdown reaches zero. @typedef {{x: number, text: string, align: 'left'|'right'}} LaneNote */

/** The roles with a mark: a node that works without the Lease, and an API server that runs the controller. */
const MARKED = ['lost', 'controller'];

/** @param {Lane} lane @param {Scale} s @param {Nanos} live @returns {LaneBar[]} */
export function layoutBars({ spans }, s, live) {
  const shown = spans.filter((span) => MARKED.includes(span.role) && isShown(s, live)(span));
  return shown.map(({ from, to, role }) => {
    const x = Math.max(toX(s, from), s.x - 4);
    const w = Math.min(toX(s, Math.min(to, live)), s.x + s.w + 4) - x;
    return { x, w: Math.max(w, 1.5), role };
  });
}

/**
 * @param {Lane} lane @param {Scale} s @param {Nanos} live
 * @param {boolean} spans draw the length of each request
 * @returns {LaneTicks}
 */
export function layoutTicks(lane, s, live, spans) {
  /** @type {LaneTicks} */
  const out = { x: [], w: [], shape: [], ref: [], calls: [] };
  let call = -1;
  // A request from before the left end may still be on its way on screen. A candidate sends one request after another,
  // so one step back is enough.
  let i = Math.max(0, lowerBound(lane.ticks, (k) => k.t, s.from - 2 * s.perPx) - 1);
  let lastPx = -Infinity;
  for (; i < lane.ticks.length; i++) {
    const tick = lane.ticks[i];
    if (tick.t > live || tick.t > s.to) break;
    const isUnanswered = tick.end > live;
    const shape = isUnanswered ? OPEN : shapeOf(tick);
    const x = toX(s, tick.t);
    if (tick.call !== undefined) {
      if (tick.call !== call) out.calls.push({ x: toX(s, tick.call), w: 0 });
      call = tick.call;
      const last = out.calls[out.calls.length - 1];
      last.w = toX(s, Math.min(tick.end, live)) - last.x;
    }
    const w = spans ? toX(s, isUnanswered || tick.outcome === 'open' ? live : tick.end) - x : 0;
    if (x + w < s.x - 2) continue;
    const px = Math.round(x);
    if (!spans && px - lastPx < 2) {
      const k = out.x.length - 1;
      if (shape > out.shape[k]) {
        out.shape[k] = shape;
        out.ref[k] = i;
      }
      continue;
    }
    lastPx = px;
    out.x.push(x);
    out.w.push(w);
    out.shape.push(shape);
    out.ref.push(i);
  }
  return out;
}

/**
 * Collects the points of a ramp, which leave as a copy of the exact size. One array for all spares the garbage
 * collector.
 */
let scratch = new Float64Array(4096);
let usedLength = 0;

/** @param {number} x @param {number} v */
function gather(x, v) {
  if (usedLength + 2 > scratch.length) {
    const larger = new Float64Array(scratch.length * 2);
    larger.set(scratch);
    scratch = larger;
  }
  scratch[usedLength++] = x;
  scratch[usedLength++] = v;
}

function takePoints() {
  return new Float32Array(scratch.subarray(0, usedLength));
}

/**
 * The ramp as a line. Each pixel keeps its first, lowest and last value: safety depends on the lower envelope, and the
 * line continues from the last value.
 * @param {Lane} lane @param {Scale} s @param {Nanos} live
 * @param {Nanos} top remaining time at full height
 * @returns {LaneRamp}
 */
export function layoutRamp(lane, s, live, top) {
  usedLength = 0;
  /** @type {number[]} */
  const breaks = [];
  const stop = Math.min(live, s.to + s.perPx * 4);
  const list = lane.ramp;
  /** The point from which the line continues after a crowded pixel; −1: the newest point. */
  let last = -1;
  const leave = () => {
    if (last >= 0 && last !== scratch[usedLength - 1]) gather(scratch[usedLength - 2], last);
    last = -1;
  };
  const put = (/** @type {number} */ t, /** @type {number} */ left) => {
    const x = toX(s, t);
    const v = Math.min(1, Math.max(0, left / top));
    const first = breaks[breaks.length - 1];
    const px = Math.floor(x);
    if (
      usedLength - first >= 4 &&
      Math.floor(scratch[usedLength - 2]) === px &&
      Math.floor(scratch[usedLength - 4]) === px
    ) {
      if (v < scratch[usedLength - 1]) scratch[usedLength - 1] = v;
      last = v;
      return;
    }
    leave();
    gather(x, v);
  };
  let drawing = false;
  for (let i = Math.max(0, lowerBound(list, (p) => p.t, s.from) - 1); i < list.length; i++) {
    const p = list[i];
    if (p.t >= stop) break;
    const until = i + 1 < list.length ? Math.min(stop, list[i + 1].t) : stop;
    if (p.zeroAt <= p.t) {
      drawing = false;
      continue;
    }
    if (!drawing) {
      leave();
      breaks.push(usedLength);
    }
    drawing = true;
    put(p.t, p.zeroAt - p.t);
    if (p.zeroAt < until) put(p.zeroAt, 0);
    put(until, p.zeroAt - until);
  }
  leave();
  return { points: takePoints(), breaks };
}

/**
 * Lower envelope from buckets, for the two coarse levels.
 * @param {Lane} lane @param {Scale} s @param {Nanos} live @param {Nanos} top @returns {LaneRamp}
 */
export function layoutEnvelope(lane, s, live, top) {
  usedLength = 0;
  const b = lane.buckets;
  let px = Number.NEGATIVE_INFINITY;
  for (let i = firstBucket(b, s); b && i < b.requests.length; i++) {
    const t = b.from + i * b.widthNs;
    if (t >= live || t > s.to) break;
    if (b.requests[i] === 0) continue;
    const x = toX(s, t);
    const share = Math.min(1, Math.max(0, b.worstNs[i] / top));
    if (Math.floor(x) === px) {
      if (share < scratch[usedLength - 1]) scratch[usedLength - 1] = share;
      continue;
    }
    px = Math.floor(x);
    gather(x, share);
  }
  if (usedLength === 0) return { points: takePoints(), breaks: [] };
  // The last bucket reaches to the end of the known run.
  gather(Math.min(toX(s, live), s.x + s.w), scratch[usedLength - 1]);
  return { points: takePoints(), breaks: [0] };
}

/** The last bucket that begins at or before the left end. @param {Buckets|undefined} b @param {Scale} s */
function firstBucket(b, s) {
  return b ? Math.max(0, Math.floor((s.from - b.from) / b.widthNs)) : 0;
}

/** Width of a density column in pixels. */
export const COLUMN = 3;

/**
 * How many requests fall into each column of pixels, from single requests or from buckets, whichever the timeline has.
 * @param {Lane} lane @param {Scale} s @param {Nanos} live @param {boolean} detail
 */
export function layoutDensity(lane, s, live, detail) {
  const columns = Math.ceil(s.w / COLUMN);
  const counts = new Float32Array(columns);
  const add = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ n) => {
    const a = Math.floor((toX(s, from) - s.x) / COLUMN);
    const b = Math.max(a + 1, Math.ceil((toX(s, to) - s.x) / COLUMN));
    for (let c = Math.max(0, a); c < Math.min(columns, b); c++) counts[c] += n / (b - a);
  };
  if (detail) {
    for (let i = lowerBound(lane.ticks, (k) => k.t, s.from); i < lane.ticks.length; i++) {
      const t = lane.ticks[i].t;
      if (t > live || t > s.to) break;
      add(t, t, 1);
    }
  } else {
    const b = lane.buckets;
    for (let i = firstBucket(b, s); b && i < b.requests.length; i++) {
      const t = b.from + i * b.widthNs;
      if (t > live || t > s.to) break;
      if (b.requests[i] > 0) add(t, Math.min(t + b.widthNs, live), b.requests[i]);
    }
  }
  return counts;
}

/** Gives all lanes one scale, so that their heights compare. @param {{density: Float32Array}[]} lanes */
export function scaleDensity(lanes) {
  let most = 0;
  for (const { density } of lanes) for (const n of density) if (n > most) most = n;
  if (most > 0) for (const { density } of lanes) for (let c = 0; c < density.length; c++) density[c] /= most;
}

/**
 * The first instant on screen at which a follower's ramp reaches zero. From then on it may acquire the Lease.
 * @param {Lane} lane @param {Scale} s @param {Nanos} live
 * @returns {{at: Nanos, until: Nanos, leading: boolean}[]} until: where the countdown starts again, or the live instant
 */
export function zeroes(lane, s, live) {
  const out = [];
  const list = lane.ramp;
  for (let i = Math.max(0, lowerBound(list, (p) => p.t, s.from) - 1); i < list.length; i++) {
    const p = list[i];
    if (p.t > s.to || p.t > live) break;
    const until = Math.min(live, i + 1 < list.length ? list[i + 1].t : live);
    if (p.zeroAt > p.t && p.zeroAt <= until && p.zeroAt >= s.from && p.zeroAt <= s.to) {
      const again = list.find((later, k) => k > i && later.zeroAt > later.t);
      out.push({ at: p.zeroAt, until: Math.min(live, again?.t ?? live), leading: p.leading });
    }
  }
  return out;
}

/** The role a lane shows at an instant, for nodes the view does not list. @param {Lane} lane @param {Nanos} t */
export function roleAt(lane, t) {
  const i = lowerBound(lane.spans, (p) => p.to, t + 1);
  const span = lane.spans[Math.min(i, lane.spans.length - 1)];
  return span && span.from <= t ? span.role : '';
}
