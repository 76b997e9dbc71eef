/** The values of an axis: round values around the setting's own, typed or chosen with sliders. */
import { formatDuration, MINUTE, SECOND } from '../../lib/format.js';
import { parseInstant } from '../../lib/share.js';

/** @import { Field } from '../../protocol.js' */
/** @import { MapProps, Named } from './map.js' */

/** Compares two values, also lengths in different forms: 1m20s is 80s. @param {string} a @param {string} b */
export const isSame = (a, b) => a === b || (parseInstant(a) ?? a) === (parseInstant(b) ?? b);

/** A value in words: 15 s. @param {string} value */
export function valueText(value) {
  const ns = /[a-zµ]$/.test(value) ? parseInstant(value) : undefined;
  // Two lengths compare at a glance in the same unit.
  if (ns !== undefined && ns >= SECOND && ns <= 10 * MINUTE) return `${ns / SECOND} s`;
  return ns === undefined ? value : formatDuration(ns);
}

/** Values in words, with the unit said once: "10, 15, 20 s". @param {string[]} values */
export function valuesText(values) {
  const words = values.map(valueText);
  const unit = words[0]?.split(' ')[1];
  const parts = words.map((word) => word.split(' '));
  if (unit && parts.every((part) => part.length === 2 && part[1] === unit))
    return `${parts.map(([number]) => number).join(', ')} ${unit}`;
  return words.join(', ');
}

/**
 * At most n values, evenly from a list. The value that the run has is among them.
 * @param {string[]} list @param {string} now @param {number} n
 */
export function pick(list, now, n) {
  if (list.length <= n) return list;
  const chosen = Array.from({ length: n }, (_, i) => Math.round((i * (list.length - 1)) / (n - 1)));
  const own = list.indexOf(now);
  if (own >= 0 && !chosen.includes(own)) {
    const [nearest] = chosen.map((_, i) => i).sort((a, b) => Math.abs(chosen[a] - own) - Math.abs(chosen[b] - own));
    chosen[nearest] = own;
  }
  return chosen.map((i) => list[i]);
}

/** How many values each axis has: of the first map, and of a finer one. */
export const COARSE = 6;
export const FINE = 10;

/**
 * The values of a field's first map: from a little below its own value to some times that.
 * @param {Field} field @param {number} below how many of the field's values below its own
 */
export function usualValues({ values, now }, below) {
  const own = Math.max(0, values.indexOf(now));
  return pick(values.slice(Math.max(0, own - below), own + 7), now, COARSE).join(',');
}

/**
 * The part of a field's list that typed values cover: the positions of the first and the last.
 * @param {Field} field @param {string} text @returns {[from: number, to: number]}
 */
export function coverOf({ values }, text) {
  const typed = text.split(/,|\.\./).map((value) => value.split('/')[0]);
  const at = (/** @type {string | undefined} */ value, /** @type {number} */ otherwise) => {
    const found = values.findIndex((one) => isSame(one, value ?? ''));
    return found < 0 ? otherwise : found;
  };
  return [at(typed[0], 0), at(typed.at(-1), values.length - 1)];
}

/** Short phrases for the settings that decide. @type {Record<string, string>} */
const PHRASES = {
  'elector.leaseDuration': 'Lease',
  'elector.renewDeadline': 'give up after',
  'elector.retryPeriod': 'look every',
};

/** "Lease 30 s", "Requests take 5 ms". @param {Named} field @param {string} value */
export const phraseOf = ({ path, label }, value) => `${PHRASES[path] ?? label} ${valueText(value)}`;

/** "Lease 30 s, give up after 10 s". @param {Pick<MapProps, "plan" | "fields">} shown @param {number} cell */
export function placeOf({ plan, fields }, cell) {
  const columns = plan.x.length;
  const [x, y] = [plan.x[cell % columns], plan.y[Math.floor(cell / columns)]];
  const text = `${phraseOf(fields.x, x)}, ${phraseOf(fields.y, y)}`;
  return text[0].toUpperCase() + text.slice(1);
}
