/** Strokes that all drawing code shares. */

import { ICONS } from '../../lib/icons.js';

/** @import { Icon } from '../../lib/icons.js' */
/** @import { Hatches, Palette } from './palette.js' */

/** @typedef {{ctx: CanvasRenderingContext2D, p: Palette, hatches: Hatches, dpr: number}} Brush */

/**
 * @param {CanvasRenderingContext2D} ctx @param {{x: number, y: number, w: number, h: number}} place
 * @param {number} [r] radius of the corners
 */
export function box(ctx, { x, y, w, h }, r = 3) {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, Math.min(r, w / 2, h / 2));
}

/** Icons as the canvas draws them. @type {Map<Icon, Path2D>} */
const paths = new Map();

/**
 * A pin: an icon in a circle.
 * @param {Brush} b @param {{x: number, y: number, r: number, color: string, icon: Icon, selected?: boolean}} pin
 */
export function drawPin({ ctx, p }, { x, y, r, color, icon, selected = false }) {
  ctx.fillStyle = p.card;
  ctx.strokeStyle = selected ? p.ink : color;
  ctx.lineWidth = selected ? 2.5 : 1.75;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, Math.PI * 2);
  ctx.fill();
  ctx.stroke();
  const path = paths.get(icon) ?? new Path2D(ICONS[icon]);
  paths.set(icon, path);
  ctx.save();
  ctx.translate(x - r * 0.62, y - r * 0.62);
  ctx.scale((r * 1.24) / 16, (r * 1.24) / 16);
  ctx.strokeStyle = color;
  ctx.lineWidth = 2.4;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  ctx.stroke(path);
  ctx.restore();
}

/**
 * An upright dashed line.
 * @param {CanvasRenderingContext2D} ctx @param {{x: number, from: number, to: number, color: string}} at
 */
export function dashes(ctx, { x, from, to, color }) {
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.25;
  ctx.setLineDash([4, 3]);
  line(ctx, [Math.round(x) + 0.5, from], [Math.round(x) + 0.5, to]);
  ctx.setLineDash([]);
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

/**
 * The part of a mark on the plot and slightly beyond, so that a bar of a whole day is not a million pixels wide.
 * @param {{x: number, w: number}} plot @param {{x: number, w: number}} mark @param {number} [beyond] px
 */
export function cut(plot, mark, beyond = 8) {
  const x = Math.max(mark.x, plot.x - beyond);
  return { x, w: Math.min(mark.x + mark.w, plot.x + plot.w + beyond) - x };
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
