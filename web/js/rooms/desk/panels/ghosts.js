/** The other branches as lines on the time axis: each from the instant at which it forks to where it has been shown. */
import { line } from '../../../page/timeline/pen.js';
import { toX } from '../../../page/timeline/viewport.js';

/** @import { BranchView } from '../../../protocol.js' */
/** @import { TimelineView } from '../../../page/timeline/timeline.js' */

/** So many fit under the ruler's words. */
const MOST = 3;
const APART_PX = 3;

/**
 * The newest branches that fork at an instant, the current one left out.
 * @param {BranchView[]} branches
 * @param {number} current
 */
export function ghostsOf(branches, current) {
  const here = branches.find((branch) => branch.id === current);
  const others = branches.filter((branch) => !branch.hidden && branch.id !== current);
  return others
    .map((branch) => {
      // The branch that this one came from goes on from where this one forked.
      const parent = here?.parent === branch.id;
      return { branch, from: parent ? here.forkAt : Math.max(0, branch.forkAt) };
    })
    .slice(-MOST);
}

/** @param {TimelineView} timeline */
export function markBranches(timeline) {
  timeline.overlays.add(({ ctx, p }, l, { view }) => {
    const { scale, g } = l;
    const right = scale.x + scale.w;
    ctx.save();
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = p.edge;
    ctx.fillStyle = p.edge;
    for (const [i, { branch, from }] of ghostsOf(view.branches, view.branch).entries()) {
      const x0 = toX(scale, from);
      const x1 = Math.min(right, toX(scale, branch.live));
      if (x0 > right || x1 < scale.x) continue;
      const y = g.ruler.h - 3 - i * APART_PX;
      const begin = Math.max(scale.x, x0);
      ctx.setLineDash([]);
      if (x0 >= scale.x) {
        ctx.beginPath();
        ctx.arc(x0, y, 2.5, 0, Math.PI * 2);
        ctx.fill();
      }
      ctx.setLineDash([5, 3]);
      line(ctx, [begin, y], [Math.max(x1, begin + 6), y]);
    }
    ctx.restore();
  });
}
