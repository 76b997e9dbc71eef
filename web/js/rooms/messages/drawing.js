/** Draws the lane of the API server and the arrows. This module handles shapes and colors but not data. */
import { idColor } from '../../page/timeline/palette.js';
import { clip, font, line, shape } from '../../page/timeline/pen.js';
import { serverLine } from './arrows.js';

/** @import { Layout } from '../../page/timeline/layout.js' */
/** @import { Brush } from '../../page/timeline/pen.js' */
/** @import { Arrow, Point } from './arrows.js' */

const HEAD_PX = 5;

/** @param {Brush} b @param {Layout} l @param {Arrow[]} arrows */
export function drawServer(b, l, arrows) {
  const { ctx, p } = b;
  const { g, scale } = l;
  if (g.server.h === 0) return;
  const y = serverLine(l);
  clip(ctx, { x: scale.x - 2, y: g.server.y, w: scale.w + 4, h: g.server.h + g.lanes.h + g.resource.h });
  ctx.strokeStyle = p.edge;
  ctx.lineWidth = 1;
  line(ctx, [scale.x, y + 0.5], [Math.min(scale.x + scale.w, l.liveX ?? scale.x + scale.w), y + 0.5]);
  for (const arrow of arrows) drawArrow(b, arrow);
  for (const { mark, index } of arrows) if (mark) drawMark(b, idColor(p, index), mark, y);
  drawVersions(b, l, arrows, y);
  ctx.restore();
}

/** @param {Brush} b @param {Arrow} arrow */
function drawArrow({ ctx, p }, { index, legs, holds, stops }) {
  ctx.strokeStyle = ctx.fillStyle = idColor(p, index);
  ctx.lineWidth = 1.25;
  for (const [k, points] of legs.entries()) {
    ctx.beginPath();
    for (const { x, y } of points) ctx.lineTo(x, y);
    ctx.stroke();
    if (k < legs.length - stops.length) head(ctx, points[points.length - 2], points[points.length - 1]);
  }
  ctx.lineWidth = 4;
  for (const { x0, x1, y } of holds) {
    line(ctx, [x0, y], [x1, y]);
  }
  ctx.lineWidth = 1.75;
  const [from, to] = legs.at(-1)?.slice(-2) ?? [];
  for (const stop of stops) drawStop(ctx, stop, from && to && to.y < from.y ? -1 : 1);
}

/** @param {CanvasRenderingContext2D} ctx @param {Point} from @param {Point} to */
function head(ctx, from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length < HEAD_PX * 2) return;
  const ux = ((to.x - from.x) / length) * HEAD_PX;
  const uy = ((to.y - from.y) / length) * HEAD_PX;
  shape(ctx, to.x, to.y, [
    [0, 0],
    [-ux - uy * 0.6, ux * 0.6 - uy],
    [uy * 0.6 - ux, -uy - ux * 0.6],
  ]);
  ctx.fill();
}

/**
 * The end of a message that did not arrive: open for a lost one, bars for a held one, a ring for one that waits at the
 * server.
 * @param {CanvasRenderingContext2D} ctx @param {Arrow['stops'][number]} stop @param {number} way -1: it was going up
 */
function drawStop(ctx, { x, y, kind }, way) {
  ctx.beginPath();
  switch (kind) {
    case 'held':
      ctx.rect(x - 4, y - 5, 2.5, 10);
      ctx.rect(x + 1.5, y - 5, 2.5, 10);
      ctx.fill();
      return;
    case 'waits':
      ctx.arc(x, y, 3.5, 0, Math.PI * 2);
      ctx.stroke();
      return;
    default:
      line(ctx, [x - 4, y + 6 * way], [x, y], [x + 4, y + 6 * way]);
  }
}

/** @param {Brush} b @param {string} color @param {NonNullable<Arrow['mark']>} mark @param {number} y */
function drawMark(b, color, { x, kind }, y) {
  const { ctx, p } = b;
  ctx.fillStyle = ctx.strokeStyle = color;
  ctx.lineWidth = 1.5;
  switch (kind) {
    case 'write':
      ctx.fillRect(x - 2.5, y - 11, 5, 14);
      return;
    case 'read':
      ctx.fillRect(x - 1, y - 5, 2, 8);
      return;
    case 'conflict':
      ctx.fillStyle = p.card;
      ctx.fillRect(x - 3, y - 10, 6, 13);
      ctx.strokeRect(x - 3, y - 10, 6, 13);
      return;
    default:
      font(b, 13, true);
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      ctx.fillText('!', x, y - 6);
  }
}

/**
 * The version that each write made, if there is room for the text.
 * @param {Brush} b
 * @param {Layout} l
 * @param {Arrow[]} arrows
 * @param {number} y
 */
function drawVersions(b, l, arrows, y) {
  const { ctx, p } = b;
  const marks = arrows.flatMap(({ mark }) => (mark ? [mark] : [])).sort((one, other) => one.x - other.x);
  font(b, 11);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = p.ink;
  for (const [k, mark] of marks.entries()) {
    const text = mark.kind === 'conflict' ? '409' : mark.version > 0 ? `v${mark.version}` : '';
    const room = (marks[k + 1]?.x ?? l.scale.x + l.scale.w) - mark.x - 10;
    if (text && ctx.measureText(text).width <= room) ctx.fillText(text, mark.x + 6, y - 9);
  }
}
