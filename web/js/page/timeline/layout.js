/**
 * Turns data into a draw list. Pure: the same data, viewport and size give the same list. Nothing after the live
 * instant can enter it, because the layout first cuts every length there. The instant "now" is not an input: the cursor
 * has its own layer, so moving it redraws nothing else.
 */
import { formatInstant, formatSeconds, plural } from '../../lib/format.js';
import { layoutNetwork, layoutPins, layoutViolations, networkFaults, PIN, stack } from './faults.js';
import { geometry, margins } from './geometry.js';
import {
  DENSITY,
  layoutBars,
  layoutDensity,
  layoutEnvelope,
  layoutRamp,
  layoutTicks,
  lodOf,
  ROLES,
  SPANS,
  scaleDensity,
  zeroes,
} from './lanelayout.js';
import { mergeRare } from './merge.js';
import { laneUpToLive, upToLive } from './reach.js';
import { activeTerms, cutBand, isShown, layoutBands, layoutTerms } from './ribbon.js';
import { digitsFor, makeScale, niceStep, toX } from './viewport.js';

/** @import { Lane, Nanos, Timeline, View } from '../../protocol.js' */
/** @import { Marked, Selection } from '../state.js' */
/** @import { FaultMark, LanePin, ViolationBar } from './faults.js' */
/** @import { Geometry } from './geometry.js' */
/** @import { LaneLayout, LaneNote, LaneTicks } from './lanelayout.js' */
/** @import { Mark } from './merge.js' */
/** @import { Word } from './pen.js' */
/** @import { BandMark, RibbonBar } from './ribbon.js' */
/** @import { Scale, Viewport } from './viewport.js' */

/** The width of a text on the canvas. @typedef {(text: string, bold?: boolean, px?: number) => number} Measure */

/**
 * @typedef {object} Input
 * @property {View} view
 * @property {Timeline|null} timeline
 * @property {Timeline|null} [overview] the whole run, coarse; default: the timeline
 * @property {Viewport} viewport
 * @property {number} width
 * @property {number} height
 * @property {boolean} [narrow]
 * @property {number} [zoom] of the styles
 * @property {boolean} [resource] there is a row for the writes to the resource
 * @property {number} [scroll] of the lanes, in pixels
 * @property {Lane[]} [lanes] the lanes in drawing order; default: the timeline's
 * @property {Selection} [selection]
 * @property {Nanos} [rampTop] remaining time at full height of every ramp
 * @property {boolean} [server] give the API server a lane where the picture is close enough
 * @property {Nanos[]} [flags] instants with a line across the lanes, which no word of a note may cross
 * @property {{x: number, w: number}[]} [covered] parts of the ruler that have no room for its words
 * @property {Measure} [measure]
 */

/** @typedef {{x: number, w: number, index: number, kind: 'holds'|'stale'}} LeaseBar */
/**
 * A mark with its word.
 * @template T
 * @typedef {Mark<T> & {label: string, inside: boolean, selected: boolean}} WordedMark
 */

/**
 * @typedef {object} Layout
 * @property {Geometry} g
 * @property {Scale} scale
 * @property {string} lod
 * @property {number|null} liveX null when it is not on screen
 * @property {{x: number, label: string}[]} ruler
 * @property {RibbonBar[]} terms who works
 * @property {BandMark[]} bands when nobody works, or two
 * @property {LeaseBar[]} lease whom the Lease names
 * @property {LaneLayout[]} lanes only those on screen
 * @property {number} firstLane index of lanes[0] among all
 * @property {FaultMark[]} network faults that no lane shows
 * @property {ViolationBar[]} violations
 * @property {Nanos} rampTop remaining time at full height of every ramp
 * @property {OverviewLayout} overview
 * @property {{x: number, w: number}|null} span the selected stretch
 * @property {Word[]} words the places of the words that the drawing wrote
 */
/**
 * @typedef {object} OverviewLayout
 * @property {Scale} scale
 * @property {RibbonBar[]} terms
 * @property {Mark<{from: number, to: number, kind: string}>[]} bands
 * @property {Mark<{from: number, to: number}>[]} marks faults and violations
 * @property {{x: number, w: number}} window
 */

/** Average advance of our 13 px text. The page measures the real one. @type {Measure} */
const roughly = (text, _bold, px = 13) => text.length * px * 0.55;

/** @param {Input} input @returns {Layout} */
export function layout(input) {
  const { view, viewport, selection = null } = input;
  const timeline = upToLive(input.timeline, view);
  const live = view.live.t;
  const measure = input.measure ?? roughly;
  const lanes = input.lanes ?? timeline?.lanes ?? [];
  const narrow = input.narrow ?? false;
  const letters = lanes.reduce((most, { node }) => Math.max(most, node.length), 0);
  const { gutter, right } = margins({ narrow, letters });
  const scale = makeScale(viewport, gutter, input.width - gutter - right);
  const lod = lodOf(scale.pps, timeline?.detail ?? true);
  const network = networkFaults(timeline, new Set(timeline?.lanes.map(({ node }) => node)));
  const networkUpToLive = network.filter((f) => f.from <= live);
  const networkLevels = networkUpToLive.length > 0 ? stack(networkUpToLive).length : 0;
  const server = input.server === true && lod === SPANS && lanes.length > 0;
  const g = geometry({ ...input, lanes: lanes.length, narrow, letters, networkLevels, server });
  const x = (/** @type {number} */ t) => toX(scale, t);
  const liveX = x(live);
  const visibleBands = (timeline?.bands ?? []).map((b) => cutBand(b, live)).filter(isShown(scale, live));
  const bands = layoutBands(visibleBands, scale, selection, measure);
  const top = input.rampTop ?? rampTop(timeline, view, 0);
  return {
    g,
    scale,
    lod,
    liveX: liveX >= scale.x - 1 && liveX <= scale.x + scale.w + 1 ? liveX : null,
    ruler: layoutRuler(scale, input.covered),
    terms: layoutTerms(activeTerms(timeline, view, viewport), scale, measure, bands),
    bands,
    lease: layoutLease(timeline, scale, live),
    ...layoutLanes({ ...input, timeline }, { lanes, g, s: scale, lod, measure, top }),
    network: layoutNetwork(networkUpToLive, { s: scale, live }, selection, measure),
    violations: layoutViolations(timeline, { s: scale, live }, selection),
    rampTop: top,
    overview: layoutOverview(input, g, live),
    span:
      selection?.kind === 'span' && selection.from !== undefined && selection.to !== undefined
        ? { x: x(selection.from), w: x(selection.to) - x(selection.from) }
        : null,
    words: [],
  };
}

/** @param {Scale} s @param {{x: number, w: number}[]} [covered] */
export function layoutRuler(s, covered = []) {
  let step = niceStep(s.perPx * 60);
  // Finer instants need longer words.
  if (digitsFor(step) > 0) step = niceStep(s.perPx * (70 + 8 * digitsFor(step)));
  const digits = digitsFor(step);
  const ticks = [];
  for (let t = Math.ceil(s.from / step) * step; t <= s.to; t += step) {
    const at = toX(s, t);
    const isFree = covered.every(({ x, w }) => w === 0 || at < x - 22 || at > x + w + 22);
    ticks.push({ x: at, label: isFree ? formatInstant(t, digits) : '' });
  }
  return ticks;
}

/** @param {Timeline|null} timeline @param {Scale} s @param {Nanos} live @returns {LeaseBar[]} */
function layoutLease(timeline, s, live) {
  /** @type {LeaseBar[]} */
  const bars = [];
  const left = s.x - 4;
  const right = s.x + s.w + 4;
  const push = (
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {Pick<LeaseBar, 'index' | 'kind'>} */ { index, kind },
  ) => {
    if (to <= from || from >= live || from > s.to || to < s.from) return;
    const x0 = Math.max(left, toX(s, from));
    const w = Math.min(right, toX(s, Math.min(to, live))) - x0;
    const last = bars[bars.length - 1];
    if (w < 1 && last && x0 - (last.x + last.w) < 1 && last.index === index && last.kind === kind)
      last.w = x0 + w - last.x;
    else bars.push({ x: x0, w: Math.max(w, 1.5), index, kind });
  };
  for (const h of timeline?.holder ?? []) {
    if (h.from >= live || h.from > s.to) break;
    if (h.holder === '' || h.to < s.from) continue;
    const fresh = Math.max(h.from, Math.min(h.to, h.renewedUntil));
    push(h.from, fresh, { index: h.index, kind: 'holds' });
    push(fresh, h.to, { index: h.index, kind: 'stale' });
  }
  return bars;
}

/**
 * @param {Input} input its timeline reaches to the live instant
 * @param {{lanes: Lane[], g: Geometry, s: Scale, lod: string, measure: Measure, top: Nanos}} at
 */
function layoutLanes(input, { lanes, g, s, lod, measure, top }) {
  const { view, timeline, selection = null } = input;
  const flags = (input.flags ?? []).map((t) => toX(s, t));
  const live = view.live.t;
  const scroll = Math.max(0, Math.min(input.scroll ?? 0, g.laneTotal - g.lanes.h));
  const firstLane = Math.floor(scroll / g.laneHeight);
  const lastLane = Math.min(lanes.length, Math.ceil((scroll + g.lanes.h) / g.laneHeight));
  const detail = timeline?.detail ?? true;
  /** @type {LaneLayout[]} */
  const out = [];
  for (let i = firstLane; i < lastLane; i++) {
    const lane = laneUpToLive(lanes[i], timeline, view);
    const pins = layoutPins(lane, { timeline, s, live, selection, measure });
    const ticks = lod === DENSITY || lod === ROLES ? NO_TICKS : layoutTicks(lane, s, live, lod === SPANS);
    out.push({
      node: lane.node,
      index: lane.index,
      y: g.lanes.y + i * g.laneHeight - scroll,
      h: g.laneHeight,
      bars: layoutBars(lane, s, live),
      ticks,
      ramp: detail ? layoutRamp(lane, s, live, top) : layoutEnvelope(lane, s, live, top),
      density: lod === DENSITY ? layoutDensity(lane, s, live, detail) : NO_DENSITY,
      pins,
      notes: s.pps < 4 ? [] : layoutNotes(lane, { s, live, top, measure, rampH: g.lane.rampH, pins, flags }),
      selected: selection?.kind === 'node' && selection.node === lane.node,
      selectedTick: selection?.kind === 'event' && selection.cursor ? findTick(lane, ticks, selection) : -1,
    });
  }
  scaleDensity(out);
  return { lanes: out, firstLane };
}

const NO_DENSITY = new Float32Array(0);

/** @type {LaneTicks} */
const NO_TICKS = { x: [], w: [], shape: [], ref: [], calls: [] };

/** @param {Lane} lane @param {LaneTicks} ticks @param {Marked} selection */
function findTick(lane, ticks, selection) {
  if (selection.node !== undefined && selection.node !== lane.node) return -1;
  const t = selection.cursor?.t;
  return ticks.ref.findIndex((r) => lane.ticks[r].end === t || lane.ticks[r].t === t);
}

/** A ramp of this height has room for the word of a note over that of a pin. */
const NOTE_AND_PIN = 32;

/**
 * When a node may first acquire the Lease, and when a leader must stop.
 * @param {Lane} lane
 * @param {{s: Scale, live: Nanos, top: Nanos, measure: Measure, rampH: number, pins: LanePin[], flags: number[]}} at
 *   top: remaining time at full height of the ramp; flags: the x of lines across the lanes
 */
function layoutNotes(lane, { s, live, top, measure, rampH, pins, flags }) {
  /** @type {LaneNote[]} */
  const notes = [];
  const end = s.x + s.w;
  let free = s.x;
  // The word must not cross the ramp. Left of the zero it has the room above the falling line, and right of it the room
  // until the countdown starts again.
  const clear = Math.max(0, (1 - 16 / rampH) * top) / s.perPx;
  // In a low lane the words of the pins stand on the same line.
  const taken = rampH < NOTE_AND_PIN ? pins.filter(({ label }) => label !== '') : [];
  const isFree = (/** @type {number} */ from, /** @type {number} */ to) =>
    flags.every((x) => to < x || from > x) &&
    taken.every((pin) => to < pin.x - PIN || from > pin.x + PIN + 12 + measure(pin.label, true));
  for (const z of zeroes(lane, s, live)) {
    const at = formatInstant(z.at);
    const x = toX(s, z.at);
    const words = z.leading ? [`must stop ${at}`, at] : [`may acquire ${at}`, at];
    const after = Math.min(end, z.until < live ? toX(s, z.until) : end) - x;
    /** @type {LaneNote | undefined} */
    let note;
    for (const text of words) {
      const w = measure(text, true) + 8;
      if (x - w >= free && w <= clear && isFree(x - w, x)) note = { x, text, align: 'right' };
      else if (x >= free && w <= after && isFree(x, x + w)) note = { x, text, align: 'left' };
      if (note) break;
    }
    note ??= { x, text: '', align: 'right' };
    notes.push(note);
    if (note.text) free = note.align === 'left' ? x + measure(note.text, true) + 8 : x;
  }
  return notes;
}

/**
 * The one scale of all ramps: the largest remaining time seen so far in this run.
 * @param {Timeline|null} timeline @param {View} view
 * @param {Nanos} before the previous value; it only grows, so that zooming does not change the height of the ramps
 */
export function rampTop(timeline, view, before) {
  let top = before;
  for (const n of view.nodes) if (n.countdown && n.countdown.fromNs > top) top = n.countdown.fromNs;
  for (const lane of timeline?.lanes ?? []) {
    for (const p of lane.ramp) {
      if (p.t > view.live.t) break;
      if (p.zeroAt - p.t > top) top = p.zeroAt - p.t;
    }
  }
  return top > 0 ? top : 1e9;
}

/**
 * The whole run so far on one strip, on the scale of a view from the start. It reveals nothing of the future.
 * @param {Input} input @param {Geometry} g @param {Nanos} live @returns {OverviewLayout}
 */
function layoutOverview(input, g, live) {
  const data = upToLive(input.overview ?? input.timeline, input.view);
  const to = Math.max(live, 1, input.viewport.to);
  const scale = makeScale({ from: 0, to }, g.gutter, g.width - g.gutter - g.right);
  const bands = (data?.bands ?? []).filter((b) => b.from < live).map((b) => cutBand(b, live));
  const at =
    (/** @type {string} */ kind) =>
    (/** @type {{from: Nanos}} */ { from }) => ({ from, to: from, kind });
  const rare = [...(data?.faults ?? []).map(at('fault')), ...(data?.violations ?? []).map(at('violation'))]
    .filter(({ from }) => from <= live)
    .sort((a, b) => a.from - b.from);
  const clampX = (/** @type {number} */ t) => Math.min(scale.x + scale.w, Math.max(scale.x, toX(scale, t)));
  const left = clampX(input.viewport.from);
  return {
    scale,
    terms: layoutTerms(activeTerms(input.overview ?? input.timeline, input.view, scale), scale, () => Infinity),
    bands: mergeRare(bands, scale, (b) => b.kind),
    marks: mergeRare(rare, scale, (m) => m.kind),
    window: { x: Math.min(left, scale.x + scale.w - 3), w: Math.max(3, clampX(input.viewport.to) - left) },
  };
}

/** What the run has been so far, in one line. @param {View} view */
export function totalsLine({ totals: { leaders, leaderlessNs, doubleNs, violations } }) {
  const parts = [`${plural(leaders, 'leader')} so far`, `${formatSeconds(leaderlessNs)} leaderless`];
  if (doubleNs > 0) parts.push(`${formatSeconds(doubleNs)} with two`);
  parts.push(violations === 0 ? 'no violations' : plural(violations, 'violation'));
  return parts.join(' · ');
}
