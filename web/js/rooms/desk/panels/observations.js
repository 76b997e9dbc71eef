/**
 * Draws observations (broken rules that do not count as violations) as hollow diamonds at the foot of the
 * lanes. Their tips and the list of checks explain them.
 */
import { shape } from '../../../page/timeline/pen.js';
import { toX } from '../../../page/timeline/viewport.js';

/** @import { Layout } from '../../../page/timeline/layout.js' */
/** @import { Brush } from '../../../page/timeline/pen.js' */
/** @import { Props, TimelineView } from '../../../page/timeline/timeline.js' */

// biome-ignore format: the shape fits on one line
const DIAMOND = [[0, -4], [4, 0], [0, 4], [-4, 0]];

/** The vertical middle of the diamonds: below the lanes, over the whole run. @param {Pick<Layout, 'g'>} l */
export const diamondY = ({ g }) => g.bottom - 5;

/** @param {TimelineView} timeline */
export const markObservations = (timeline) => timeline.overlays.add(drawObservations);

/** @param {Brush} b @param {Layout} l @param {Pick<Props, 'timeline' | 'view'>} props */
export function drawObservations({ ctx, p }, l, { timeline, view: { live } }) {
  const { scale } = l;
  const y = diamondY(l);
  ctx.strokeStyle = p.mute;
  ctx.lineWidth = 1.5;
  let last = Number.NEGATIVE_INFINITY;
  for (const { from } of timeline?.observations ?? []) {
    const x = toX(scale, from);
    if (from > live.t || x < scale.x || x > scale.x + scale.w || x - last < 6) continue;
    last = x;
    shape(ctx, x, y, DIAMOND);
    ctx.stroke();
  }
}
