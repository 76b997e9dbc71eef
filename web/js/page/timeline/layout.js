/**
 * Turns data into a draw list. Pure: the same data, viewport and size give the same list. Nothing after the live
 * instant can enter it, because the layout first cuts every length there. The instant "now" is not an input: the cursor
 * has its own layer, so moving it redraws nothing else.
 */
import { formatInstant, formatSeconds, MS, plural } from '../../lib/format.js';
import { geometry, margins, zoomSize } from './geometry.js';
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
  zeroes,
} from './lanelayout.js';
import { mergeRare } from './merge.js';
import { laneUpToLive, upToLive } from './reach.js';
import { digitsFor, makeScale, niceStep, toX } from './viewport.js';

/** @import { Addend, Band, Cursor, FaultSpan, Lane, Nanos, Timeline, View, ViolationMark } from '../../protocol.js' */
/** @import { Marked, Selection } from '../state.js' */
/** @import { Geometry, Row } from './geometry.js' */
/** @import { LaneLayout, LaneNote, LaneTicks } from './lanelayout.js' */
/** @import { Mark } from './merge.js' */
/** @import { Word } from './pen.js' */
/** @import { Scale, Viewport } from './viewport.js' */

/**
 * @typedef {object} Input
 * @property {View} view
 * @property {Timeline|null} timeline
 * @property {Timeline|null} [overview] the whole run, coarse; default: the timeline
 * @property {Viewport} viewport
 * @property {number} width
 * @property {number} height
 * @property {boolean} [narrow]
 * @property {boolean} [touch] default: if it is narrow
 * @property {boolean} [resource] there is a row for the writes to the resource
 * @property {number} [scroll] of the lanes, in pixels
 * @property {Lane[]} [lanes] the lanes in drawing order; default: the timeline's
 * @property {Selection} [selection]
 * @property {number|null} [markedAddend]
 * @property {Nanos} [rampTop] remaining time at full height of every ramp
 * @property {boolean} [server] give the API server a lane where the picture is close enough
 * @property {(text: string, bold?: boolean) => number} [measure]
 */

/** @typedef {{x: number, w: number, index: number, label: string, kind: 'holds'|'stale', bold: boolean}} HolderBar */
/**
 * A mark with its word.
 * @template T
 * @typedef {Mark<T> & {label: string, inside: boolean, selected: boolean}} WordedMark
 */
/** @typedef {WordedMark<Band>} BandMark */
/** @typedef {WordedMark<FaultSpan> & {level: number}} FaultMark */
/** @typedef {WordedMark<ViolationMark>} ViolationBar */
/**
 * @typedef {{x0: number, x1: number, text: string, textX: number, tie: number|null, addend: number, change: number,
 *   marked: boolean}} Bracket
 */

/**
 * @typedef {object} Layout
 * @property {Geometry} g
 * @property {Scale} scale
 * @property {string} lod
 * @property {number|null} liveX null when it is not on screen
 * @property {{x: number, label: string}[]} ruler
 * @property {HolderBar[]} holder
 * @property {LaneLayout[]} lanes only those on screen
 * @property {number} firstLane index of lanes[0] among all
 * @property {BandMark[]} bands
 * @property {Bracket[]} brackets
 * @property {FaultMark[]} faults
 * @property {ViolationBar[]} violations
 * @property {string} empty what the violations row says when there are none
 * @property {OverviewLayout} overview
 * @property {string} totals
 * @property {{x: number, w: number}|null} span the selected stretch
 * @property {Word[]} words the places of the words that the drawing wrote
 */
/**
 * @typedef {object} OverviewLayout
 * @property {Scale} scale
 * @property {{x: number, w: number, index: number}[]} bars
 * @property {Mark<Band>[]} bands
 * @property {Mark<{from: number, to: number}>[]} marks faults and violations
 * @property {{x: number, w: number}} window
 */

/** The width that a row's name takes inside its row on a narrow page. */
export const NAME_WIDTH = 96;

/** Average advance of our 12 px text. The page measures the real one. */
const roughly = (/** @type {string} */ text) => text.length * 6.6;

/** @param {Input} input @returns {Layout} */
export function layout(input) {
  const { view, viewport, selection = null } = input;
  const timeline = upToLive(input.timeline, view);
  const live = view.live.t;
  const measure = input.measure ?? roughly;
  const lanes = input.lanes ?? timeline?.lanes ?? [];
  const { gutter, right } = margins(input.narrow ?? false);
  const scale = makeScale(viewport, gutter, input.width - gutter - right);
  const lod = lodOf(scale.pps, timeline?.detail ?? true);
  const g = geometry({
    width: input.width,
    height: input.height,
    lanes: lanes.length,
    narrow: input.narrow ?? false,
    touch: input.touch,
    resource: input.resource,
    faultLevels: stack((timeline?.faults ?? []).filter((f) => f.from <= live)).length,
    server: input.server === true && lod === SPANS && lanes.length > 0,
  });
  const x = (/** @type {number} */ t) => toX(scale, t);
  const liveX = x(live);
  const visibleBands = (timeline?.bands ?? []).map((b) => cutBand(b, live)).filter(isShown(scale, live));
  const bands = layoutBands(visibleBands, scale, selection, measure);
  // On a narrow page the row's name is on the left; an overlap keeps its words, and the name goes under it.
  if (g.narrow) for (const b of bands) if (!b.inside && b.kind !== 'two' && b.x < g.gutter + NAME_WIDTH) b.label = '';
  return {
    g,
    scale,
    lod,
    liveX: liveX >= scale.x - 1 && liveX <= scale.x + scale.w + 1 ? liveX : null,
    ruler: layoutRuler(scale),
    holder: layoutHolder(timeline, scale, live, measure),
    ...layoutLanes(input, { lanes, g, s: scale, lod, measure }),
    bands,
    brackets:
      g.bands.h - g.bandHeight >= 16
        ? layoutBrackets(
            bands,
            scale,
            { marked: input.markedAddend ?? null, change: view.change?.index ?? -1 },
            measure,
          )
        : [],
    faults: layoutFaults(timeline, { s: scale, live }, selection, measure),
    violations: layoutViolations(timeline, { s: scale, live }, selection, measure),
    empty:
      (timeline?.violations ?? []).some((v) => v.from <= live) || view.totals.violations > 0
        ? ''
        : 'No violations so far.',
    overview: layoutOverview(input, g, live),
    totals: totalsLine(view, g.width - 20 - zoomSize(input.touch ?? g.narrow).width, measure),
    span:
      selection?.kind === 'span' && selection.from !== undefined && selection.to !== undefined
        ? { x: x(selection.from), w: x(selection.to) - x(selection.from) }
        : null,
    words: [],
  };
}

/** @param {Scale} s @param {Nanos} live */
function isShown(s, live) {
  return (/** @type {{from: number, to: number}} */ p) => p.from <= live && p.from <= s.to && p.to >= s.from;
}

/**
 * A gap that ends after the live instant is still open, because its length and its explanation lie in the future.
 * @param {Band} b @param {Nanos} live @returns {Band}
 */
function cutBand(b, live) {
  return b.to <= live ? b : { ...b, to: live, open: true, change: -1, addends: [] };
}

/** @param {Scale} s */
export function layoutRuler(s) {
  let step = niceStep(s.perPx * 84);
  // Finer instants need longer words.
  if (digitsFor(step) > 0) step = niceStep(s.perPx * (70 + 8 * digitsFor(step)));
  const digits = digitsFor(step);
  const ticks = [];
  for (let t = Math.ceil(s.from / step) * step; t <= s.to; t += step)
    ticks.push({ x: toX(s, t), label: formatInstant(t, digits) });
  return ticks;
}

/**
 * @param {Timeline|null} timeline @param {Scale} s @param {Nanos} live
 * @param {(text: string, bold?: boolean) => number} measure @returns {HolderBar[]}
 */
function layoutHolder(timeline, s, live, measure) {
  /** @type {HolderBar[]} */
  const bars = [];
  const left = s.x - 4;
  const right = s.x + s.w + 4;
  /**
   * @param {{from: Nanos, to: Nanos, index: number, kind: 'holds'|'stale'}} span
   * @param {string[]} labels longest first
   */
  const push = ({ from, to, index, kind }, labels) => {
    if (to <= from || from >= live || from > s.to || to < s.from) return;
    const x0 = Math.max(left, toX(s, from));
    const w = Math.min(right, toX(s, Math.min(to, live))) - x0;
    const last = bars[bars.length - 1];
    if (w < 1 && last && x0 - (last.x + last.w) < 1 && last.index === index && last.kind === kind) {
      last.w = x0 + w - last.x;
      return;
    }
    const label = labels.find((text) => measure(text, kind === 'holds') + 8 <= w) ?? '';
    bars.push({ x: x0, w: Math.max(w, 1.5), index, label, kind, bold: kind === 'holds' });
  };
  for (const h of timeline?.holder ?? []) {
    if (h.from >= live || h.from > s.to) break;
    if (h.holder === '' || h.to < s.from) continue;
    const fresh = Math.max(h.from, Math.min(h.to, h.renewedUntil));
    const still = [`still ${h.holder}, no longer renewed`, `still ${h.holder}`, h.holder];
    push({ from: h.from, to: fresh, index: h.index, kind: 'holds' }, [h.holder]);
    push({ from: fresh, to: h.to, index: h.index, kind: 'stale' }, still);
  }
  return bars;
}

/**
 * @param {Input} input
 * @param {{lanes: Lane[], g: Geometry, s: Scale, lod: string, measure: (text: string, bold?: boolean) => number}} at
 */
function layoutLanes(input, { lanes, g, s, lod, measure }) {
  const { view, timeline, selection } = input;
  const live = view.live.t;
  const scroll = Math.max(0, Math.min(input.scroll ?? 0, g.laneTotal - g.lanes.h));
  const firstLane = Math.floor(scroll / g.laneHeight);
  const lastLane = Math.min(lanes.length, Math.ceil((scroll + g.lanes.h) / g.laneHeight));
  const top = input.rampTop ?? rampTop(timeline, view, 0);
  const detail = timeline?.detail ?? true;
  const end = s.x + s.w;
  /** @type {LaneLayout[]} */
  const out = [];
  for (let i = firstLane; i < lastLane; i++) {
    const lane = laneUpToLive(lanes[i], timeline, view);
    const bars = layoutBars(lane, s, live, end);
    const ticks = lod === DENSITY || lod === ROLES ? NO_TICKS : layoutTicks(lane, s, live, lod === SPANS);
    out.push({
      node: lane.node,
      index: lane.index,
      y: g.lanes.y + i * g.laneHeight - scroll,
      h: g.laneHeight,
      bars,
      ticks,
      ramp: detail ? layoutRamp(lane, s, live, top) : layoutEnvelope(lane, s, live, top),
      density: lod === DENSITY ? layoutDensity(lane, s, live, detail) : NO_DENSITY,
      notes: g.laneHeight >= 24 ? layoutNotes(lane, bars, { timeline, s, live, top, measure, g }) : [],
      selected: selection?.kind === 'node' && selection.node === lane.node,
      selectedTick: selection?.kind === 'event' && selection.cursor ? findTick(lane, ticks, selection) : -1,
    });
  }
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

/**
 * The words for the begin of a fault: "a crashes", not "a is down".
 * @param {Timeline|null} timeline
 * @param {FaultSpan} fault
 */
export const faultText = (timeline, { from, text }) =>
  timeline?.landmarks.find((l) => l.t === from && l.kind !== 'leader')?.text ?? text;

/** Roles without a bar. */
const QUIET = ['following', 'waiting', 'down', 'stopped'];

/**
 * Words inside a lane: what happened to the node, and when it may first acquire the Lease.
 * @param {Lane} lane @param {LaneLayout['bars']} bars
 * @param {{timeline: Timeline|null, s: Scale, live: Nanos, top: Nanos, g: Geometry,
 *   measure: (text: string, bold?: boolean) => number}} at top: remaining time at full height of the ramp
 */
function layoutNotes(lane, bars, { timeline, s, live, top, measure, g }) {
  const { laneHeight: h, lane: rows } = g;
  /** @type {LaneNote[]} */
  const notes = [];
  const end = s.x + s.w;
  let free = s.x;
  for (const f of timeline?.faults ?? []) {
    if (f.node !== lane.node || f.from > live || f.from < s.from || f.from > s.to) continue;
    const x = toX(s, f.from);
    const text = faultText(timeline, f);
    const w = measure(text) + 14;
    // A bar that continues leaves no room for a word. The row of faults shows it.
    const isCovered = bars.some((b) => QUIET.indexOf(b.role) < 0 && b.x < x + w && b.x + b.w > x + 8);
    const fits = x >= free && x + w <= end && !isCovered;
    notes.push({ kind: 'fault', x, text: fits ? text : '', align: 'left' });
    if (fits) free = x + w;
  }
  // A low lane has room only for the acts on its node.
  if (s.pps < 4 || h < 40) return notes;
  free = s.x;
  // The word must not cross the ramp. Left of the zero it has the room above the falling line, and right of it the room
  // until the countdown starts again.
  const clear = Math.max(0, (1 - (h < 64 ? 9 : 11) / rows.rampH) * top) / s.perPx;
  for (const z of zeroes(lane, s, live)) {
    const at = formatInstant(z.at);
    const x = toX(s, z.at);
    const long = z.leading ? `${lane.node} must stop at ${at}` : `${lane.node} may acquire from ${at}`;
    const words = [...(h < 64 ? [] : [long]), z.leading ? `must stop ${at}` : `may acquire ${at}`, at];
    const after = Math.min(end, z.until < live ? toX(s, z.until) : end) - x;
    /** @type {LaneNote | undefined} */
    let note;
    for (const text of words) {
      const w = measure(text) + 8;
      if (x - w >= free && w <= clear) note = { kind: 'zero', x, text, align: 'right' };
      else if (w <= after) note = { kind: 'zero', x, text, align: 'left' };
      if (note) break;
    }
    note ??= { kind: 'zero', x, text: '', align: 'right' };
    notes.push(note);
    if (note.text) free = note.align === 'left' ? x + measure(note.text) + 8 : x;
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
 * A mark's word: the longest that fits inside it, or between it and the next mark.
 * @template {{x: number, w: number}} M
 * @param {M[]} marks @param {number} i
 * @param {string[]} words longest first
 * @param {{s: Scale, measure: (text: string) => number}} at @returns {{label: string, inside: boolean}}
 */
function wordFor(marks, i, words, { s, measure }) {
  const m = marks[i];
  const right = m.x + m.w;
  const inner = Math.min(right, s.x + s.w) - Math.max(m.x, s.x) - 14;
  const free = Math.min(i + 1 < marks.length ? marks[i + 1].x : Infinity, s.x + s.w) - right - 8;
  const label = words.find((text) => measure(text) <= Math.max(inner, free)) ?? '';
  return { label, inside: label !== '' && measure(label) <= inner };
}

/**
 * @param {Band[]} bands cut at the live instant
 * @param {Scale} s @param {Selection} selection @param {(text: string, bold?: boolean) => number} measure
 * @returns {BandMark[]}
 */
function layoutBands(bands, s, selection, measure) {
  const bold = { s, measure: (/** @type {string} */ text) => measure(text, true) };
  return mergeRare(bands, s, (b) => b.kind).map((m, i, all) => {
    const b = m.item;
    // A band that has just begun has no length yet. A growing length reads as in the headline.
    const length = b.open && m.to - m.from < MS ? '' : formatSeconds(m.to - m.from, b.open ? 1 : 3);
    const withLength = (/** @type {string} */ text) => (length ? `${text}, ${length}` : text);
    const words =
      m.count > 1
        ? [`×${m.count}`]
        : b.kind === 'two'
          ? [...pausedWords(b, length), withLength('2 active leaders'), `2${length && ` · ${length}`}`, '2']
          : b.kind === 'idle'
            ? [withLength('leader paused, no work'), withLength('paused'), 'paused']
            : [length, length && formatSeconds(m.to - m.from, 1)];
    // The row's name does not mention gaps, so a gap with enough room says what it is.
    const whole = wordFor(all, i, [withLength('nobody leads')], bold);
    const chosenWord = b.kind === 'nobody' && m.count === 1 && whole.inside ? whole : wordFor(all, i, words, bold);
    return { ...m, ...chosenWord, selected: marksBand(selection, m) };
  });
}

/** An overlap in which one leader could not work for a time. @param {Band} band @param {string} length */
const pausedWords = ({ pausedNs = 0 }, length) =>
  pausedNs > 0 && length ? [`2 active leaders, ${length}, one paused ${formatSeconds(pausedNs)}`] : [];

/**
 * The selection marks a gap if it is the gap itself or the leader change that ended it.
 * @param {Selection} selection @param {Mark<Band>} m
 */
function marksBand(selection, m) {
  if (selection?.kind === 'change') return m.count === 1 && m.item.change >= 0 && m.item.change === selection.index;
  if (selection?.kind !== 'band' || selection.from === undefined) return false;
  return selection.from >= m.from && selection.from <= m.to;
}

/**
 * @param {Addend} a @param {{addend: number, last: boolean}} place last: of its gap
 * @param {Scale} s @param {(text: string) => number} measure
 */
function cutBracket(a, { addend, last }, s, measure) {
  const x0 = toX(s, a.from);
  const x1 = Math.max(x0 + 2, toX(s, a.to));
  if (x1 < s.x || x0 > s.x + s.w) return [];
  const left = Math.max(x0, s.x);
  const right = Math.min(x1, s.x + s.w);
  const all = [`${a.shown} s ${a.text}`, `${a.shown} s`].map((text) => ({ text, w: measure(text) }));
  const variants = all.filter((v) => v.w <= right - left - 4);
  return [
    {
      addend,
      x0,
      x1,
      left,
      right,
      last,
      fits: variants.length > 0,
      words: variants.length > 0 ? variants : all.slice(-1),
    },
  ];
}

/** Where the marks of other gaps with brackets begin. @param {BandMark} m */
const hasBrackets = (m) => m.count === 1 && m.kind === 'nobody' && m.w >= 24;

/**
 * The addends of a gap as brackets under it. A word goes under its bracket, or beside it with a line that ties it, as
 * far as the neighboring gaps allow. If not even the lengths fit, the shortest parts get no words, because the tip and
 * the headline name them.
 * @param {BandMark[]} bands @param {Scale} s
 * @param {{marked: number|null, change: number}} addend change: the leader change that the headline explains; the page
 *   can mark only its addends
 * @param {(text: string, bold?: boolean) => number} measure @returns {Bracket[]}
 */
function layoutBrackets(bands, s, { marked, change }, measure) {
  /** @type {Bracket[]} */
  const out = [];
  let free = s.x - 2;
  const gaps = bands.filter(hasBrackets);
  gaps.forEach((m, n) => {
    const { addends } = m.item;
    const cuts = addends.flatMap((a, i) => cutBracket(a, { addend: i, last: i === addends.length - 1 }, s, measure));
    const end = Math.min(
      s.x + s.w + 2,
      gaps[n + 1]?.item.addends.length ? gaps[n + 1].x - WORDS_APART : Number.POSITIVE_INFINITY,
    );
    const words = placeWords(cuts, free, end);
    for (const k of cuts) {
      const word = words.get(k);
      out.push({
        x0: k.x0,
        x1: k.x1,
        text: word?.text ?? '',
        textX: word?.x ?? k.left,
        tie: word ? tieOf(k, word) : null,
        addend: k.addend,
        change: m.item.change,
        marked: marked === k.addend && m.item.change === change,
      });
      free = Math.max(free, (word ? word.x + word.w : k.right) + WORDS_APART);
    }
  });
  return out;
}

/** @typedef {ReturnType<typeof cutBracket>[0]} Cut */
/** @typedef {{text: string, w: number, x: number}} PartWord */

const WORDS_APART = 8;

/**
 * Where the line that ties a word to its bracket ends; null if the word is below its bracket.
 * @param {Cut} k
 * @param {PartWord} word
 */
function tieOf(k, { x, w }) {
  if (x >= k.right) return x + 4;
  return x + w <= k.left ? x + w - 4 : null;
}

/** A word and its preferred place. @param {Cut} k @param {Cut['words'][0]} word */
function wantedPlace(k, { text, w }) {
  const { left, right, fits, last } = k;
  const nearly = !fits && (right - left) * 3 >= w; // a slightly too long word may begin before its bracket
  const outside = last ? right + WORDS_APART : left;
  const x = fits ? Math.max(left + 2, (left + right - w) / 2) : nearly ? right - w - 4 : outside;
  return { k, text, w, x, least: fits ? left + 2 : x };
}

/**
 * The words of brackets, each with its left end. They are the longest words that fit in order between two ends.
 * @param {Cut[]} cuts @param {number} from @param {number} to @returns {Map<Cut, PartWord>}
 */
function placeWords(cuts, from, to) {
  const short = new Set();
  for (let cut = cuts; ; ) {
    const words = cut.map((k) => wantedPlace(k, k.words[short.has(k) ? k.words.length - 1 : 0]));
    const fit = inOrder(words, from, to);
    const long = words.filter(({ k }) => k.words.length > 1 && !short.has(k));
    const tight = fit ? long.filter(({ k, x, w }) => x < k.left || x + w > k.right) : long;
    if (fit && tight.length === 0) return new Map(words.map((word) => [word.k, word]));
    for (const { k } of tight) short.add(k);
    const shortest = Math.min(...cut.map(({ x0, x1 }) => x1 - x0));
    if (tight.length === 0) cut = cut.filter(({ x0, x1 }) => x1 - x0 > shortest);
  }
}

/**
 * Moves words apart, but no further than necessary, and reports whether they fit. A word may move inside its bracket to
 * make room for the next.
 * @param {ReturnType<typeof wantedPlace>[]} words @param {number} from @param {number} to
 */
function inOrder(words, from, to) {
  let limit = Number.POSITIVE_INFINITY;
  for (const word of words.toReversed()) {
    word.x = Math.min(word.x, Math.max(word.least, limit - word.w));
    limit = word.x - WORDS_APART;
  }
  let free = from;
  for (const word of words) {
    word.x = Math.max(word.x, free);
    free = word.x + word.w + WORDS_APART;
  }
  limit = to;
  for (const word of words.toReversed()) {
    word.x = Math.min(word.x, limit - word.w);
    limit = word.x - WORDS_APART;
  }
  return words.length === 0 || words[0].x >= from;
}

/**
 * @param {Timeline|null} timeline @param {{s: Scale, live: Nanos}} at @param {Selection} selection
 * @param {(text: string) => number} measure @returns {FaultMark[]}
 */
function layoutFaults(timeline, { s, live }, selection, measure) {
  const items = (timeline?.faults ?? [])
    .map((f) => (f.to > live ? { ...f, to: live, open: true } : f))
    .filter(isShown(s, live));
  const levels = stack(items);
  return levels.flatMap((faults, level) =>
    mergeRare(faults, s, () => 'fault').map((m, i, all) => ({
      ...m,
      level,
      ...wordFor(all, i, [m.count > 1 ? `×${m.count}` : m.item.text], { s, measure }),
      selected:
        selection?.kind === 'fault' &&
        selection.from === m.item.from &&
        (selection.node === undefined || selection.node === m.item.node),
    })),
  );
}

/** Faults that overlap in time stack, as far as the row has room. */
const MOST_LEVELS = 3;

/**
 * @template {{from: number, to: number}} T
 * @param {T[]} spans sorted by from
 * @returns {T[][]} by level, at least one
 */
export function stack(spans) {
  /** @type {T[][]} */
  const levels = [[]];
  const ends = [Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    let level = ends.findIndex((end) => span.from >= end);
    if (level < 0) level = Math.min(levels.length, MOST_LEVELS - 1);
    levels[level] ??= [];
    levels[level].push(span);
    ends[level] = Math.max(ends[level] ?? span.to, span.to);
  }
  return levels;
}

/**
 * @param {Timeline|null} timeline @param {{s: Scale, live: Nanos}} at @param {Selection} selection
 * @param {(text: string) => number} measure @returns {ViolationBar[]}
 */
function layoutViolations(timeline, { s, live }, selection, measure) {
  const items = (timeline?.violations ?? [])
    .map((v) => (v.to > live ? { ...v, to: live } : v))
    .filter(isShown(s, live));
  return mergeRare(items, s, () => 'violation').map((m, i, all) => ({
    ...m,
    ...wordFor(all, i, m.count > 1 ? [`×${m.count}`] : [m.item.rule, 'violation'], { s, measure }),
    selected:
      selection?.kind === 'violation' &&
      selection.from === m.item.from &&
      (selection.rule === undefined || selection.rule === m.item.rule),
  }));
}

/**
 * The whole run so far on one strip: its right end is live, so it reveals nothing of the future.
 * @param {Input} input @param {Geometry} g @param {Nanos} live @returns {OverviewLayout}
 */
function layoutOverview(input, g, live) {
  const data = upToLive(input.overview ?? input.timeline, input.view);
  const scale = makeScale({ from: 0, to: Math.max(live, 1) }, g.gutter, g.width - g.gutter - g.right);
  const x = (/** @type {number} */ t) => toX(scale, t);
  const bars = leaderBars(input, scale);
  const bands = (data?.bands ?? []).filter((b) => b.from < live).map((b) => cutBand(b, live));
  const rare = [
    ...(data?.faults ?? []).filter((f) => f.from <= live).map((f) => ({ from: f.from, to: f.from, kind: 'fault' })),
    ...(data?.violations ?? [])
      .filter((v) => v.from <= live)
      .map((v) => ({ from: v.from, to: v.from, kind: 'violation' })),
  ].sort((a, b) => a.from - b.from);
  const clampX = (/** @type {number} */ t) => Math.min(scale.x + scale.w, Math.max(scale.x, x(t)));
  const left = clampX(input.viewport.from);
  return {
    scale,
    bars,
    bands: mergeRare(bands, scale, (b) => b.kind),
    marks: mergeRare(rare, scale, (m) => m.kind),
    window: { x: Math.min(left, scale.x + scale.w - 3), w: Math.max(3, clampX(input.viewport.to) - left) },
  };
}

/**
 * The leaders as bars on the strip. The Lease alone would also show a leader that is down.
 * @param {Input} input @param {Scale} scale
 */
function leaderBars(input, scale) {
  const data = input.overview ?? input.timeline;
  const live = input.view.live.t;
  const spans = [];
  for (const lane of data?.lanes ?? []) {
    if (lane.server) continue;
    for (const { from, to, role, active } of laneUpToLive(lane, data, input.view).spans)
      if (from < live && (role === 'leading' || role === 'lost' || active)) spans.push({ from, to, index: lane.index });
  }
  spans.sort((a, b) => a.from - b.from);
  /** @type {OverviewLayout['bars']} */
  const bars = [];
  for (const { from, to, index } of spans) {
    const x0 = toX(scale, from);
    const x1 = toX(scale, Math.min(to, live));
    const last = bars[bars.length - 1];
    const touches = last && x0 - last.x - last.w < 1;
    if (touches && (last.index === index || x1 - x0 < 1)) last.w = Math.max(last.w, x1 - last.x);
    else bars.push({ x: x0, w: x1 - x0, index });
  }
  return bars;
}

/** @param {View} view @param {number} [room] in pixels @param {(text: string) => number} [measure] */
export function totalsLine(view, room = Number.POSITIVE_INFINITY, measure = roughly) {
  const { leaders, leaderlessNs, doubleNs, violations } = view.totals;
  const parts = [`${plural(leaders, 'leader')} so far`, `${formatSeconds(leaderlessNs)} leaderless`];
  if (doubleNs > 0) parts.push(`${formatSeconds(doubleNs)} with two`);
  parts.push(violations === 0 ? 'no violations' : plural(violations, 'violation'));
  // The last part is the most important, so the totals lose parts from the front until they fit.
  while (parts.length > 1 && measure(parts.join(' · ')) > room) parts.shift();
  return parts.join(' · ');
}
