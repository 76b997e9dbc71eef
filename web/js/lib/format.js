/**
 * Formats numbers as text. Instants round half up. All input is integer nanoseconds of virtual time.
 */

/** @import { Nanos } from '../protocol.js' */

export const US = 1e3;
export const MS = 1e6;
export const SECOND = 1e9;
export const MINUTE = 60 * SECOND;
export const HOUR = 3600 * SECOND;

/**
 * Rounds half up to a whole number of units. The result is exact for every integer below 2^53, because the function
 * takes one remainder and does not multiply.
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
 * An instant on the ruler's clock with the given number of decimals: 00:34.039, or 01:02:03.456 after the first hour.
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

/** An instant or a length in the engine's syntax, exact: 34.039s. @param {Nanos} ns */
export const engineText = (ns) => `${secondsText(ns, 9).replace(/\.?0+$/, '')}s`;

/** A length with its unit: 14.039 s. @param {Nanos} ns @param {number} [digits] */
export function formatSeconds(ns, digits = 3) {
  return `${secondsText(ns, digits)} s`;
}

/**
 * A countdown with one decimal. It rounds down, so it never shows more time than remains. It is never below zero.
 * @param {Nanos} ns
 */
export function formatCountdown(ns) {
  const tenths = Math.max(0, Math.floor(ns / 1e8));
  return `${Math.floor(tenths / 10)}.${tenths % 10} s`;
}

/**
 * The exact value of a knob or another length of any size, in the largest unit that needs at most nine decimals: 15 s,
 * 5 ms, 250 µs, 1 h 30 min.
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

/**
 * Converts a length from the form that people write to the engine's syntax: "15 s" → "15s". A bare number means
 * seconds.
 * @param {string} text
 */
export function durationOf(text) {
  const bare = text.trim().replaceAll(' ', '').replaceAll('min', 'm').replace('−', '-');
  return /^-?\d+(\.\d+)?$/.test(bare) ? `${bare}s` : bare;
}

/** @param {number} ns @param {number} unit @param {number} digits */
function trim(ns, unit, digits) {
  const fraction = ns % unit;
  const whole = (ns - fraction) / unit;
  if (fraction === 0) return String(whole);
  return `${whole}.${pad(fraction, digits).replace(/0+$/, '')}`;
}

/** 12345 → 12,345. @param {number} n */
export function formatCount(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** 1 leader, 2 leaders. @param {number} n @param {string} one @param {string} [many] */
export function plural(n, one, many = `${one}s`) {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}
