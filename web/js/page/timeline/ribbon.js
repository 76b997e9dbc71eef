/**
 * Who works: the active leaders as bars, and over them what is unusual: nobody leads, two lead, the leader pauses.
 * Pure.
 */
import { formatSeconds, MS } from '../../lib/format.js';
import { mergeRare } from './merge.js';
import { laneUpToLive } from './reach.js';
import { toX } from './viewport.js';

/** @import { Band, Nanos, Timeline, View } from '../../protocol.js' */
/** @import { Selection } from '../state.js' */
/** @import { Measure, WordedMark } from './layout.js' */
/** @import { Mark } from './merge.js' */
/** @import { Scale } from './viewport.js' */

/** @typedef {{index: number, name: string}} Who */
/** A stretch of time with the same active leaders. @typedef {{from: Nanos, to: Nanos, who: Who[]}} Term */
/** @typedef {{x: number, w: number, who: Who[], label: string, middle: number}} RibbonBar middle: of the label */
/** @typedef {Omit<WordedMark<Band>, "inside">} BandMark */

/**
 * The active leaders between two instants. The Lease alone would also show a leader that is down.
 * @param {Timeline|null} data @param {View} view
 * @param {{from: Nanos, to: Nanos}} window
 */
export function activeTerms(data, view, window) {
  const end = Math.min(view.live.t, window.to);
  /** @type {{from: Nanos, to: Nanos, who: Who}[]} */
  const spans = [];
  for (const lane of data?.lanes ?? []) {
    if (lane.server) continue;
    const who = { index: lane.index, name: lane.node };
    for (const { from, to, role, active } of laneUpToLive(lane, data, view).spans)
      if (from < end && to > window.from && (role === 'leading' || role === 'lost' || active))
        spans.push({ from, to: Math.min(to, end), who });
  }
  spans.sort((a, b) => a.from - b.from || a.who.index - b.who.index);
  const edges = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  /** @type {Term[]} */
  const terms = [];
  let next = 0;
  /** @type {typeof spans} */
  let active = [];
  for (const [i, from] of edges.entries()) {
    active = active.filter(({ to }) => to > from);
    for (; next < spans.length && spans[next].from <= from; next++) active.push(spans[next]);
    if (active.length === 0) continue;
    const who = active.map((span) => span.who).sort((a, b) => a.index - b.index);
    const last = terms[terms.length - 1];
    const same =
      last && last.to === from && last.who.map(({ index }) => index).join() === who.map(({ index }) => index).join();
    if (same) last.to = edges[i + 1];
    else terms.push({ from, to: edges[i + 1], who });
  }
  return terms;
}

/** The size of a name on its bar. */
export const NAME_PX = 15;

/**
 * The bars of the ribbon. A name stands in the widest part of its bar that is on screen and that no band covers.
 * @param {Term[]} terms @param {Scale} s @param {Measure} measure @param {BandMark[]} [bands] over the bars
 * @returns {RibbonBar[]}
 */
export function layoutTerms(terms, s, measure, bands = []) {
  /** @type {RibbonBar[]} */
  const bars = [];
  const left = s.x - 4;
  const right = s.x + s.w + 4;
  for (const { from, to, who } of terms) {
    if (to < s.from || from > s.to) continue;
    const x = Math.max(left, toX(s, from));
    const w = Math.min(right, toX(s, to)) - x;
    const last = bars[bars.length - 1];
    const touches = last && x - last.x - last.w < 1;
    if (touches && w < 1) last.w = Math.max(last.w, x + w - last.x);
    else {
      const room = who.length === 1 ? measure(who[0].name, true, NAME_PX) + 8 : Number.POSITIVE_INFINITY;
      const free = room <= w ? freePart(x, x + w, s, bands) : null;
      const label = free && room <= free.w ? who[0].name : '';
      bars.push({ x, w: Math.max(w, 1.5), who, label, middle: free ? free.x + free.w / 2 : x });
    }
  }
  return bars;
}

/**
 * @param {number} from @param {number} to @param {Scale} s
 * @param {{x: number, w: number}[]} bands from left to right
 */
function freePart(from, to, s, bands) {
  const end = Math.min(to, s.x + s.w);
  let x = Math.max(from, s.x);
  let best = { x, w: 0 };
  for (const band of [...bands, { x: end, w: 0 }]) {
    const w = Math.min(band.x, end) - x;
    if (w > best.w) best = { x, w };
    x = Math.max(x, band.x + band.w);
  }
  return best;
}

/** @param {Scale} s @param {Nanos} live */
export function isShown(s, live) {
  return (/** @type {{from: number, to: number}} */ p) => p.from <= live && p.from <= s.to && p.to >= s.from;
}

/**
 * A gap that ends after the live instant is still open, because its length and its explanation lie in the future.
 * @param {Band} b @param {Nanos} live @returns {Band}
 */
export function cutBand(b, live) {
  return b.to <= live ? b : { ...b, to: live, open: true, change: -1, addends: [] };
}

/**
 * A mark's word: the longest that fits inside it, or between it and the next mark.
 * @template {{x: number, w: number}} M
 * @param {M[]} marks @param {number} i
 * @param {string[]} words longest first
 * @param {{s: Scale, measure: (text: string) => number}} at @returns {{label: string, inside: boolean}}
 */
export function wordFor(marks, i, words, { s, measure }) {
  const m = marks[i];
  const right = m.x + m.w;
  const end = Math.min(i + 1 < marks.length ? marks[i + 1].x : Number.POSITIVE_INFINITY, s.x + s.w);
  const inner = Math.min(right, end) - Math.max(m.x, s.x) - 16;
  const free = end - right - 8;
  const label = words.find((text) => measure(text) <= Math.max(inner, free)) ?? '';
  return { label, inside: label !== '' && measure(label) <= inner };
}

/**
 * The words of a band stay inside it, because the bars beside it have their own.
 * @param {Band[]} bands cut at the live instant
 * @param {Scale} s @param {Selection} selection @param {Measure} measure @returns {BandMark[]}
 */
export function layoutBands(bands, s, selection, measure) {
  return mergeRare(bands, s, (b) => b.kind).map((m) => {
    const words = m.count > 1 ? [`×${m.count}`] : wordsOf(m.item, m.to - m.from);
    const label = words.find((text) => measure(text, true) <= innerWidth(m, s)) ?? '';
    return { ...m, label, selected: marksBand(selection, m) };
  });
}

/** @param {{x: number, w: number}} m @param {Scale} s */
const innerWidth = (m, s) => Math.min(m.x + m.w, s.x + s.w) - Math.max(m.x, s.x) - 16;

/** @param {Band} b @param {Nanos} ns so far */
function wordsOf(b, ns) {
  // A band that has just begun has no length yet. A growing length reads as in the headline.
  const length = b.open && ns < MS ? '' : formatSeconds(ns, b.open ? 1 : 3);
  const withLength = (/** @type {string} */ text) => (length ? `${text}, ${length}` : text);
  switch (b.kind) {
    case 'two':
      return [...pausedWords(b, length), withLength('two lead'), length, '2'];
    case 'idle':
      return [withLength('leader paused, no work'), withLength('paused'), 'paused'];
    default:
      return [withLength('nobody'), length, length && formatSeconds(ns, 1)];
  }
}

/** An overlap in which one leader could not work for a time. @param {Band} band @param {string} length */
const pausedWords = ({ pausedNs = 0 }, length) =>
  pausedNs > 0 && length ? [`two lead, ${length}, one paused ${formatSeconds(pausedNs)}`] : [];

/**
 * The selection marks a gap if it is the gap itself or the leader change that ended it.
 * @param {Selection} selection @param {Mark<Band>} m
 */
function marksBand(selection, m) {
  if (selection?.kind === 'change') return m.count === 1 && m.item.change >= 0 && m.item.change === selection.index;
  if (selection?.kind !== 'band' || selection.from === undefined) return false;
  return selection.from >= m.from && selection.from <= m.to;
}
