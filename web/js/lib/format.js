/**
 * Numbers as words. Instants round half up; parts of a sum round by largest remainder, so that the parts on screen
 * always add up to the total on screen. All input is integer nanoseconds of virtual time.
 */

/** @import { Nanos } from '../protocol.js' */

export const US = 1e3;
export const MS = 1e6;
export const SECOND = 1e9;
export const MINUTE = 60 * SECOND;
export const HOUR = 3600 * SECOND;

/**
 * Half up to a whole number of units. Exact for every integer below 2^53: no product, only one remainder.
 * @param {Nanos} ns @param {number} unit
 */
export function roundUnits(ns, unit) {
  const rest = ((ns % unit) + unit) % unit;
  const floor = (ns - rest) / unit;
  return rest * 2 >= unit ? floor + 1 : floor;
}

/** @param {number} n @param {number} width */
function pad(n, width) {
  return String(n).padStart(width, '0');
}

/**
 * An instant on the ruler's clock with the given number of decimals: 00:34.039, over an hour 01:02:03.456.
 * @param {Nanos} ns
 * @param {number} [digits] 0…9
 * @returns {string}
 */
export function formatInstant(ns, digits = 3) {
  const unit = 10 ** (9 - digits);
  const units = roundUnits(ns, unit);
  if (units < 0) return `−${formatInstant(-units * unit, digits)}`;
  const perSecond = 10 ** digits;
  const fraction = units % perSecond;
  const seconds = (units - fraction) / perSecond;
  const tail = digits > 0 ? `.${pad(fraction, digits)}` : '';
  const s = pad(seconds % 60, 2);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${pad(minutes, 2)}:${s}${tail}`;
  return `${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}:${s}${tail}`;
}

/** The instant to the nanosecond, in groups of three: 00:34.038 760 571. @param {Nanos} ns */
export function formatInstantNs(ns) {
  const text = formatInstant(ns, 9);
  const dot = text.length - 9;
  return `${text.slice(0, dot + 3)} ${text.slice(dot + 3, dot + 6)} ${text.slice(dot + 6)}`;
}

/** A length in seconds, without its unit: 14.039. @param {Nanos} ns @param {number} [digits] 0…9 */
export function secondsText(ns, digits = 3) {
  const unit = 10 ** (9 - digits);
  const units = roundUnits(ns, unit);
  const sign = units < 0 ? '−' : '';
  const whole = Math.abs(units);
  const perSecond = 10 ** digits;
  const fraction = whole % perSecond;
  const seconds = (whole - fraction) / perSecond;
  return digits > 0 ? `${sign}${seconds}.${pad(fraction, digits)}` : `${sign}${seconds}`;
}

/** A length with its unit: 14.039 s. @param {Nanos} ns @param {number} [digits] */
export function formatSeconds(ns, digits = 3) {
  return `${secondsText(ns, digits)} s`;
}

/**
 * A countdown: one decimal, rounded down so that it never shows more time than is left, and never below zero.
 * @param {Nanos} ns
 */
export function formatCountdown(ns) {
  const tenths = Math.max(0, Math.floor(ns / 1e8));
  return `${Math.floor(tenths / 10)}.${tenths % 10} s`;
}

/**
 * A knob's value or another length of any size, exact, in the largest unit that leaves no more than nine decimals: 15 s, 5 ms,
 * 250 µs, 1 h 30 min.
 * @param {Nanos} ns @returns {string}
 */
export function formatDuration(ns) {
  if (ns === 0) return '0 s';
  if (ns < 0) return `−${formatDuration(-ns)}`;
  if (ns < US) return `${ns} ns`;
  if (ns < MS) return `${trim(ns, US, 3)} µs`;
  if (ns < SECOND) return `${trim(ns, MS, 6)} ms`;
  if (ns < MINUTE || ns % SECOND !== 0) return `${trim(ns, SECOND, 9)} s`;
  const hours = Math.floor(ns / HOUR);
  const minutes = Math.floor((ns % HOUR) / MINUTE);
  const seconds = (ns % MINUTE) / SECOND;
  const parts = [];
  if (hours > 0) parts.push(`${hours} h`);
  if (minutes > 0) parts.push(`${minutes} min`);
  if (seconds > 0) parts.push(`${seconds} s`);
  return parts.join(' ');
}

/** @param {number} ns @param {number} unit @param {number} digits */
function trim(ns, unit, digits) {
  const fraction = ns % unit;
  const whole = (ns - fraction) / unit;
  if (fraction === 0) return String(whole);
  return `${whole}.${pad(fraction, digits).replace(/0+$/, '')}`;
}

/**
 * Shares `total` whole units among the parts in proportion: every part gets its floor, and the units left over go to the
 * largest remainders, the earlier part winning a tie. The result always sums to `total`.
 * @param {number[]} parts non-negative
 * @param {number} total integer
 * @returns {number[]}
 */
export function largestRemainder(parts, total) {
  const sum = parts.reduce((a, b) => a + b, 0);
  if (sum === 0) return parts.map((_, i) => (i === 0 ? total : 0));
  // A half-way case differs from its neighbour by far more than a float's error, except when parts tie exactly; then
  // the index decides, so the outcome does not depend on rounding.
  const exact = parts.map((p) => (p / sum) * total);
  const shares = exact.map(Math.floor);
  const left = total - shares.reduce((a, b) => a + b, 0);
  const order = parts.map((_, i) => i).sort((i, j) => exact[j] - shares[j] - (exact[i] - shares[i]) || i - j);
  for (let k = 0; k < left; k++) shares[order[k % order.length]]++;
  return shares;
}

/**
 * Parts of a sum as texts whose numbers add up to the text of their total.
 * @param {Nanos[]} parts @param {number} [digits]
 */
export function shownParts(parts, digits = 3) {
  const unit = 10 ** (9 - digits);
  const total = parts.reduce((a, b) => a + b, 0);
  return largestRemainder(parts, roundUnits(total, unit)).map((units) => secondsText(units * unit, digits));
}

/** 12345 → 12,345. @param {number} n */
export function formatCount(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** 1 leader, 2 leaders. @param {number} n @param {string} one @param {string} [many] */
export function plural(n, one, many = `${one}s`) {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}
