/**
 * Faults and violations. A fault of a node is a pin on its lane; a fault of the API or of all nodes has a row; a
 * violation is a red pin under the ribbon. Pure.
 */
import { mergeRare } from './merge.js';
import { isShown, wordFor } from './ribbon.js';

/** @import { FaultSpan, Lane, Nanos, Timeline, ViolationMark } from '../../protocol.js' */
/** @import { Icon } from '../../lib/icons.js' */
/** @import { Selection } from '../state.js' */
/** @import { LaneBar } from './lanelayout.js' */
/** @import { Measure, WordedMark } from './layout.js' */
/** @import { Mark } from './merge.js' */
/** @import { Scale } from './viewport.js' */

/** @typedef {Mark<FaultSpan> & {label: string, hasPin: boolean, selected: boolean}} LanePin */
/** @typedef {WordedMark<FaultSpan> & {level: number}} FaultMark */
/** @typedef {Mark<ViolationMark> & {hasPin: boolean, selected: boolean}} ViolationBar */

/** The radius of a pin. Pins that would touch share one. */
export const PIN = 9;
const APART = 2 * PIN + 3;

/** @type {Record<FaultSpan['kind'], Icon>} */
export const FAULT_ICONS = {
  down: 'crash',
  paused: 'pause',
  cut: 'cut',
  resource: 'cut',
  errors: 'errors',
  slow: 'slow',
  held: 'hold',
  lost: 'cut',
};

/** @param {Nanos} live */
const cutAt = (live) => (/** @type {FaultSpan} */ f) => (f.to > live ? { ...f, to: live, open: true } : f);

/** @param {Selection} selection @param {FaultSpan} fault */
const isSelected = (selection, { from, node }) =>
  selection?.kind === 'fault' && selection.from === from && (selection.node === undefined || selection.node === node);

/**
 * The words for the begin of a fault: "a crashes", not "a is down".
 * @param {Timeline|null} timeline
 * @param {FaultSpan} fault
 */
export const faultText = (timeline, { from, text }) =>
  timeline?.landmarks.find((l) => l.t === from && l.kind !== 'leader')?.text ?? text;

/**
 * The pins of a lane. A word stands right of its pin, over the base, as far as the next pin.
 * @param {Lane} lane
 * @param {{timeline: Timeline|null, s: Scale, live: Nanos, selection: Selection, measure: Measure}} at
 * @returns {LanePin[]}
 */
export function layoutPins(lane, { timeline, s, live, selection, measure }) {
  const items = (timeline?.faults ?? [])
    .filter((f) => f.node === lane.node)
    .map(cutAt(live))
    .filter(isShown(s, live));
  let last = Number.NEGATIVE_INFINITY;
  return mergeRare(items, s, () => 'fault').map((m, i, all) => {
    const hasPin = m.x >= s.x - 1 && m.x - last >= APART;
    if (hasPin) last = m.x;
    const end = Math.min(s.x + s.w, i + 1 < all.length ? all[i + 1].x - PIN : Number.POSITIVE_INFINITY);
    const text = m.count > 1 ? `×${m.count}` : faultText(timeline, m.item);
    const fits = hasPin && m.x + PIN + 6 + measure(text, true) <= end;
    return { ...m, label: fits ? text : '', hasPin, selected: isSelected(selection, m.item) };
  });
}

/**
 * The faults that no lane shows.
 * @param {Timeline|null} timeline @param {Set<string>} nodes the nodes with a lane
 */
export const networkFaults = (timeline, nodes) => (timeline?.faults ?? []).filter(({ node }) => !nodes.has(node));

/**
 * @param {FaultSpan[]} faults that no lane shows
 * @param {{s: Scale, live: Nanos}} at @param {Selection} selection @param {Measure} measure @returns {FaultMark[]}
 */
export function layoutNetwork(faults, { s, live }, selection, measure) {
  const items = faults.map(cutAt(live)).filter(isShown(s, live));
  return stack(items).flatMap((level, k) =>
    mergeRare(level, s, () => 'fault').map((m, i, all) => ({
      ...m,
      level: k,
      ...wordFor(all, i, [m.count > 1 ? `×${m.count}` : m.item.text], { s, measure }),
      selected: isSelected(selection, m.item),
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
 * @returns {ViolationBar[]}
 */
export function layoutViolations(timeline, { s, live }, selection) {
  const items = (timeline?.violations ?? [])
    .map((v) => (v.to > live ? { ...v, to: live } : v))
    .filter(isShown(s, live));
  let last = Number.NEGATIVE_INFINITY;
  return mergeRare(items, s, () => 'violation').map((m) => {
    const hasPin = m.x >= s.x - 1 && m.x - last >= APART;
    if (hasPin) last = m.x;
    const selected =
      selection?.kind === 'violation' &&
      selection.from === m.item.from &&
      (selection.rule === undefined || selection.rule === m.item.rule);
    return { ...m, hasPin, selected };
  });
}
