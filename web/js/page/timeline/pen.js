/** Strokes that all drawing code shares. */

/** @import { Hatches, Palette } from './palette.js' */

/** @typedef {{ctx: CanvasRenderingContext2D, p: Palette, hatches: Hatches, dpr: number}} Brush */

const RADIUS = 2.5;

/** @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, w: number, h: number}} place */
export function box(ctx, { x, y, w, h }) {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, Math.min(RADIUS, w / 2));
}

/**
 * Clips all drawing to a place until the next restore().
 * @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, w: number, h: number}} place
 */
export function clip(ctx, { x, y, w, h }) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.clip();
}

/** @typedef {[x: number, y: number]} Point */

/** @param {CanvasRenderingContext2D} ctx @param {Point} from @param {...Point} points */
export function line(ctx, from, ...points) {
  ctx.beginPath();
  ctx.moveTo(...from);
  for (const point of points) ctx.lineTo(...point);
  ctx.stroke();
}

/** @param {Brush} b @param {number} size @param {boolean} [bold] */
export function font(b, size, bold = false) {
  b.ctx.font = `${bold ? '600 ' : ''}${size}px ${b.p.font}`;
}

/** Where a word stands: its left end, its middle, its width. @typedef {{x: number, y: number, w: number}} Word */

/**
 * Writes a word and remembers its place, so that no line crosses it.
 * @param {Brush} b @param {Word[]} words @param {{text: string, x: number, y: number}} word
 */
export function write({ ctx }, words, { text, x, y }) {
  ctx.fillText(text, x, y);
  const w = ctx.measureText(text).width;
  words.push({ x: ctx.textAlign === 'center' ? x - w / 2 : ctx.textAlign === 'right' ? x - w : x, y, w });
}

/** Half the height of a line of words, with a little air. */
const HALF_LINE = 9;

/**
 * Cuts an upright line around the words in its way.
 * @param {Word[]} words
 * @param {number} x
 * @param {number} from
 * @param {number} to
 * @returns {[number, number][]} from top to bottom
 */
export function cutAround(words, x, from, to) {
  const crossed = words.filter((word) => x > word.x - 3 && x < word.x + word.w + 3).sort((a, b) => a.y - b.y);
  /** @type {[number, number][]} */
  const pieces = [];
  let top = from;
  for (const { y } of crossed) {
    if (y - HALF_LINE > top) pieces.push([top, Math.min(to, y - HALF_LINE)]);
    top = Math.max(top, y + HALF_LINE);
  }
  if (top < to) pieces.push([top, to]);
  return pieces;
}

/**
 * The path of a shape around a place.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x
 * @param {number} y
 * @param {number[][]} corners
 */
export function shape(ctx, x, y, corners) {
  ctx.beginPath();
  for (const [dx, dy] of corners) ctx.lineTo(x + dx, y + dy);
  ctx.closePath();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r */
export function cross(ctx, x, y, r) {
  ctx.beginPath();
  ctx.moveTo(x - r, y - r);
  ctx.lineTo(x + r, y + r);
  ctx.moveTo(x + r, y - r);
  ctx.lineTo(x - r, y + r);
  ctx.stroke();
}
