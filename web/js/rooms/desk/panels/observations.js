/** Observations (broken rules that are no violations) as hollow diamonds in the row of violations. The list of checks explains them. */
import { shape } from '../../../page/timeline/pen.js';
import { toX } from '../../../page/timeline/viewport.js';

/** @import { TimelineView } from '../../../page/timeline/timeline.js' */

// biome-ignore format: a shape in a line
const DIAMOND = [[0, -4], [4, 0], [0, 4], [-4, 0]];

/** @param {TimelineView} timeline */
export function markObservations(timeline) {
  timeline.overlays.add((b, l, props) => {
    const { ctx, p } = b;
    const { scale, g } = l;
    const y = g.violations.y + g.violations.h - 9;
    ctx.strokeStyle = p.soft;
    ctx.lineWidth = 1.5;
    let last = Number.NEGATIVE_INFINITY;
    for (const { from } of props.timeline?.observations ?? []) {
      const x = toX(scale, from);
      if (x < scale.x || x > scale.x + scale.w || x - last < 6) continue;
      last = x;
      shape(ctx, x, y, DIAMOND);
      ctx.stroke();
    }
  });
}
