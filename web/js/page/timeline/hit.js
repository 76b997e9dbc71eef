/** What is under a point of the timeline: the nearest mark within reach, if any. Pure. */
import { PIN } from './faults.js';
import { LEVEL, violationY } from './geometry.js';
import { OPEN } from './lanelayout.js';
import { toTime, toX } from './viewport.js';

/** @import { Lane, Nanos, Timeline } from '../../protocol.js' */
/** @import { FaultMark, LanePin, ViolationBar } from './faults.js' */
/** @import { Layout } from './layout.js' */
/** @import { BandMark } from './ribbon.js' */
/** @import { Marked, Selection } from '../state.js' */

export const REACH = 12;
export const SNAP = 6;

/** The rows, from top to bottom. */
const ZONES = /** @type {const} */ ([
  ...['ruler', 'ribbon', 'lease', 'network', 'server', 'lanes', 'resource', 'overview'],
]);

/** @param {{y: number, h: number}} row @param {number} y */
function isInRow(row, y) {
  return y >= row.y && y < row.y + row.h;
}

/** @template {{x: number, w: number}} T @param {T[]} marks @param {number} x @returns {T|null} */
function nearest(marks, x) {
  let best = null;
  let least = REACH + 1;
  for (const m of marks) {
    const d = x < m.x ? m.x - x : x > m.x + m.w ? x - m.x - m.w : 0;
    // At equal distance the narrower mark wins, so that the pointer can reach a sliver beside a wide neighbor.
    if (d < least || (d === least && best && m.w < best.w)) {
      best = m;
      least = d;
    }
  }
  return least <= REACH ? best : null;
}

/**
 * @param {Layout} l
 * @param {number} y
 * @returns {typeof ZONES[number] | ''}
 */
export function zoneAt(l, y) {
  return ZONES.find((zone) => isInRow(l.g[zone], y)) ?? '';
}

/**
 * @param {Layout} l
 * @param {{lanes: Lane[], timeline: Timeline}} run lanes: all of them, in drawing order
 * @param {number} x @param {number} y @returns {Selection}
 */
export function hit(l, { lanes, timeline }, x, y) {
  const violation = Math.abs(y - violationY(l.g)) <= PIN ? nearest(l.violations, x) : null;
  if (violation) return violationSelection(violation);
  switch (zoneAt(l, y)) {
    case 'lanes':
      return hitLane(l, lanes, x, y);
    case 'ribbon': {
      const m = nearest(l.bands, x);
      return m ? bandSelection(m) : hitLease(l, timeline, x);
    }
    case 'lease':
      return hitLease(l, timeline, x);
    case 'network': {
      const level = Math.floor((y - l.g.network.y) / LEVEL);
      const m = nearest(
        l.network.filter((f) => f.level === level),
        x,
      );
      return m && faultSelection(m);
    }
    default:
      return null;
  }
}

/** @param {BandMark} m @returns {Marked} */
export function bandSelection({ kind, count, item: { from, to, change, open } }) {
  return { kind: 'band', band: kind, from, to, index: change, count, cursor: { t: open ? from : to, n: -1 } };
}

/** @param {FaultMark | LanePin} m @returns {Marked} */
export function faultSelection({ count, item: { node, from, to, text } }) {
  return { kind: 'fault', node, from, to, text, count, cursor: { t: from, n: -1 } };
}

/** @param {ViolationBar} m @returns {Marked} */
export function violationSelection({ count, item: { rule, from, to, text, cursor } }) {
  return { kind: 'violation', rule, from, to, text, count, cursor };
}

/** @param {Layout} l @param {Lane[]} lanes @param {number} x @param {number} y @returns {Selection} */
function hitLane(l, lanes, x, y) {
  const k = l.lanes.findIndex((lane) => y >= lane.y && y < lane.y + lane.h);
  if (k < 0) return null;
  const target = l.lanes[k];
  const lane = lanes[l.firstLane + k];
  const inRow = y - target.y;
  const pin = target.pins.find((m) => m.hasPin && Math.hypot(x - m.x, inRow - l.g.lane.base) <= PIN + 2);
  if (pin) return faultSelection(pin);
  const { node, index } = lane;
  const { ticks } = target;
  const near = nearest(
    ticks.x.map((from, i) => ({
      x: from,
      w: ticks.w[i],
      tick: lane.ticks[ticks.ref[i]],
      open: ticks.shape[i] === OPEN,
    })),
    x,
  );
  if (!near) return { kind: 'node', node, index };
  const { t, end, n, verb, outcome } = near.tick;
  const marked = { kind: 'event', node, index, verb, from: t };
  return near.open
    ? { ...marked, outcome: 'open', cursor: { t, n: -1 } }
    : { ...marked, outcome, cursor: { t: end, n } };
}

/**
 * Near a change of the holder this is the change. Elsewhere it is the stored version of that instant.
 * @param {Layout} l @param {Timeline} timeline @param {number} x @returns {Selection}
 */
function hitLease(l, timeline, x) {
  const live = toTime(l.overview.scale, l.overview.scale.x + l.overview.scale.w);
  const near = nearest(
    timeline.changes.filter((c) => c.at <= live).map((c) => ({ x: toX(l.scale, c.at), w: 0, c })),
    x,
  );
  if (near) return { kind: 'change', index: near.c.index, cursor: { t: near.c.at, n: -1 } };
  const bar = nearest(l.lease, x);
  return bar && { kind: 'version', version: 0, cursor: { t: Math.min(live, Math.max(0, toTime(l.scale, x))), n: -1 } };
}

/**
 * The instant of a drag on the ruler: that of an event within six pixels, else that of the pixel.
 * @param {Layout} l @param {{lanes: Lane[], timeline: Timeline|null, live: Nanos}} run @param {number} x
 * @param {boolean} free @returns {Nanos}
 */
export function snap(l, { lanes, timeline, live }, x, free) {
  const t = Math.min(live, Math.max(0, toTime(l.scale, x)));
  if (free) return t;
  let best = t;
  let least = SNAP;
  const offer = (/** @type {Nanos} */ at, /** @type {number} */ bonus) => {
    if (at > live) return;
    const d = Math.abs(toX(l.scale, at) - x) - bonus;
    if (d < least) {
      best = at;
      least = d;
    }
  };
  // Landmarks attract the cursor a little more than requests do.
  for (const m of timeline?.landmarks ?? []) offer(m.t, 2);
  offer(live, 2);
  for (let k = 0; k < l.lanes.length; k++) {
    const { ticks } = l.lanes[k];
    const lane = lanes[l.firstLane + k];
    for (let i = 0; i < ticks.x.length; i++) {
      if (Math.abs(ticks.x[i] - x) > SNAP + ticks.w[i]) continue;
      offer(lane.ticks[ticks.ref[i]].t, 0);
      offer(lane.ticks[ticks.ref[i]].end, 0);
    }
  }
  return best;
}
