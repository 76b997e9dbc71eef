/** Observations (broken rules that are no violations) as hollow diamonds in the row of violations. The list of checks explains them. */
import { toX } from '../../../page/timeline/viewport.js';

/** @import { TimelineView } from '../../../page/timeline/timeline.js' */

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
      ctx.beginPath();
      ctx.moveTo(x, y - 4);
      ctx.lineTo(x + 4, y);
      ctx.lineTo(x, y + 4);
      ctx.lineTo(x - 4, y);
      ctx.closePath();
      ctx.stroke();
    }
  });
}
