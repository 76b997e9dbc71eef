/** Differences on the canvas: a dashed line across the picture, with its own number and shape at its head. */
import { toX } from '../../page/timeline/viewport.js';

/** @import { Layout } from '../../page/timeline/layout.js' */
/** @import { Brush } from '../../page/timeline/pen.js' */
/** @import { Difference } from '../../protocol.js' */

/** A shape for each kind, filled if the difference concerns one run only. @param {Difference} difference */
export function glyphOf({ kind, in: where }) {
  if (kind === 'first') return '◆';
  if (kind === 'violation') return '■';
  return where === 'both' ? '△' : '▲';
}

/** If two differences are closer than this (px), the later one has a line but no number. */
const APART = 16;

/**
 * @param {"a" | "b"} which run the picture shows
 * @param {() => Difference[]} differences @param {() => number} chosen @returns {(brush: Brush, l: Layout) => void}
 */
export function markDifferences(which, differences, chosen) {
  return ({ ctx, p }, { scale, g }) => {
    const top = g.ribbon.y;
    const { bottom } = g;
    let free = Number.NEGATIVE_INFINITY;
    ctx.save();
    ctx.font = `600 11px ${p.font}`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    differences().forEach((one, k) => {
      if (one.in !== 'both' && one.in !== which) return;
      const x = Math.round(toX(scale, one.t)) + 0.5;
      if (x < scale.x - 1 || x > scale.x + scale.w + 1) return;
      ctx.strokeStyle = p.ink;
      ctx.lineWidth = k === chosen() ? 2.5 : 1;
      ctx.setLineDash(k === chosen() ? [] : [3, 3]);
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x, bottom);
      ctx.stroke();
      if (x - free < APART && k !== chosen()) return;
      free = x;
      ctx.setLineDash([]);
      ctx.fillStyle = p.card;
      // Draw between the ruler's words and the first row, because the rows below have words, too.
      ctx.fillRect(x - 10, top - 10, 20, 11);
      ctx.fillStyle = p.ink;
      ctx.fillText(`${glyphOf(one)}${k + 1}`, x, top - 4);
    });
    ctx.restore();
  };
}
