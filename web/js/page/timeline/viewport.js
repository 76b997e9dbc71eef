/**
 * Which span of virtual time is on screen, and how it maps to pixels. Pure: every function returns a new value. A
 * viewport holds whole nanoseconds, because the page also sends it to the engine.
 */

/** @import { Nanos } from '../../protocol.js' */

/** @typedef {{from: Nanos, to: Nanos}} Viewport */
/**
 * @typedef {{from: Nanos, to: Nanos, x: number, w: number, perPx: number, pps: number}} Scale time ↔ pixels;
 *   pps: pixels per virtual second
 */

export const MIN_WIDTH = 1e3; // 1 µs
export const MAX_WIDTH = 24 * 3600e9;

/** @param {Viewport} v @param {number} x left end of the plot @param {number} w its width @returns {Scale} */
export function makeScale(v, x, w) {
  const width = Math.max(1, w);
  const perPx = (v.to - v.from) / width;
  return { from: v.from, to: v.to, x, w: width, perPx, pps: 1e9 / perPx };
}

/** @param {Scale} s @param {Nanos} t */
export function toX(s, t) {
  return s.x + (t - s.from) / s.perPx;
}

/** @param {Scale} s @param {number} x @returns {Nanos} */
export function toTime(s, x) {
  return Math.round(s.from + (x - s.x) * s.perPx);
}

/**
 * Keeps a viewport within bounds. It does not begin before 0, and the run's end never leaves the screen on the left.
 * @param {Viewport} v @param {Nanos} end @returns {Viewport}
 */
export function clampViewport(v, end) {
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(v.to - v.from)));
  const last = Math.max(0, Math.round(end - width * 0.1));
  const from = Math.min(last, Math.max(0, Math.round(v.from)));
  return { from, to: from + width };
}

/**
 * factor > 1 shows less time. The instant at aboutT stays on its pixel, except when the left end would pass 0.
 * @param {Viewport} v @param {number} factor @param {Nanos} aboutT @param {Nanos} end
 */
export function zoomViewport(v, factor, aboutT, end) {
  const before = v.to - v.from;
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(before / factor)));
  const share = (aboutT - v.from) / before;
  const from = Math.round(aboutT - share * width);
  return clampViewport({ from, to: from + width }, end);
}

/** @param {Viewport} v @param {number} fraction of the width; positive looks later @param {Nanos} end */
export function panViewport(v, fraction, end) {
  const by = Math.round((v.to - v.from) * fraction);
  return clampViewport({ from: v.from + by, to: v.to + by }, end);
}

/**
 * Everything shown so far, with some room after live. It ends on a round instant, so that the ruler reads well.
 * @param {Nanos} live @param {Nanos} end
 */
export function fitAll(live, end) {
  const wantedWidth = Math.max(live * 1.06, 1e9);
  const step = niceStep(wantedWidth / 8);
  return clampViewport({ from: 0, to: Math.ceil(wantedWidth / step) * step }, end);
}

/** @param {Nanos} from @param {Nanos} to @param {Nanos} end */
export function fitSpan(from, to, end) {
  const pad = Math.max(MIN_WIDTH, (to - from) * 0.12);
  return clampViewport({ from: from - pad, to: to + pad }, end);
}

/**
 * Keeps the cursor on screen while a run plays. Returns the same viewport, or a shifted one with the cursor at 90 % of
 * its width.
 * @param {Viewport} v @param {Nanos} now @param {Nanos} end
 */
export function followViewport(v, now, end) {
  const width = v.to - v.from;
  if (now <= v.from + width * 0.9) return v;
  const from = Math.round(now - width * 0.9);
  return clampViewport({ from, to: from + width }, end);
}

/**
 * The window to request from the engine. It is larger than the screen and the same for many viewports. So a pan or zoom
 * draws from data that is already here, and the next window arrives in time.
 * @param {Viewport} v
 * @param {number} px width of the plot
 * @returns {Viewport & {widthPx: number}}
 */
export function askedWindow(v, px) {
  // Half octaves: the screen covers between two fifths and four sevenths of the window.
  const step = Math.ceil(2 ** (Math.ceil(2 * Math.log2(v.to - v.from)) / 2 - 2));
  const from = (Math.floor(v.from / step) - 1) * step;
  return { from: Math.max(0, from), to: from + 7 * step, widthPx: Math.round((px * 7) / 3) };
}

const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400].map(
  (s) => s * 1e9,
);

/** The smallest clock-like step that is at least `atLeast`. @param {Nanos} atLeast */
export function niceStep(atLeast) {
  if (atLeast >= 1e9) return SECONDS.find((s) => s >= atLeast) ?? SECONDS[SECONDS.length - 1];
  let unit = 1;
  while (unit * 10 <= atLeast) unit *= 10;
  const factor = [1, 2, 5, 10].find((f) => f * unit >= atLeast) ?? 10;
  return factor * unit;
}

/** @param {Nanos} step @returns {number} decimals that distinguish an instant from its neighbor */
export function digitsFor(step) {
  let digits = 0;
  for (let unit = 1e9; unit > step && digits < 9; unit /= 10) digits++;
  return digits;
}

/**
 * @template T
 * @param {ArrayLike<T>} list sorted by key
 * @param {(item: T) => number} key @param {number} value
 * @returns {number} index of the first item whose key is ≥ value
 */
export function lowerBound(list, key, value) {
  let lo = 0;
  let hi = list.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (key(list[mid]) < value) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
