/** The strokes that all drawing code shares. */

/** @import { Hatches, Palette } from './palette.js' */

/** @typedef {{ctx: CanvasRenderingContext2D, p: Palette, hatches: Hatches, dpr: number}} Brush */

const RADIUS = 2.5;

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} w @param {number} h */
export function box(ctx, x, y, w, h) {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, Math.min(RADIUS, w / 2));
}

/** @param {Brush} b @param {number} size @param {boolean} [bold] */
export function font(b, size, bold = false) {
  b.ctx.font = `${bold ? '600 ' : ''}${size}px ${b.p.font}`;
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
