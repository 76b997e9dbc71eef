/**
 * The monitors' verdict on each node, in the lanes of the nodes that send heartbeats: a line means ready, a hatched box
 * not ready.
 */
import { clip } from '../../../page/timeline/pen.js';
import { toX } from '../../../page/timeline/viewport.js';

/** @import { Layout } from '../../../page/timeline/layout.js' */
/** @import { Brush } from '../../../page/timeline/pen.js' */
/** @import { Props, TimelineView } from '../../../page/timeline/timeline.js' */

/** @type {Record<string, string>} */
const WORDS = { notReady: 'considered dead', disputed: 'the monitors disagree', ready: 'ready' };

/** @param {TimelineView} timeline */
export const markReadiness = (timeline) => timeline.overlays.add(drawReadiness);

/** @param {Brush} b @param {Layout} l @param {Pick<Props, 'timeline' | 'view'>} props */
export function drawReadiness(b, l, { timeline, view: { live } }) {
  const spans = new Map(timeline?.lanes.map((lane) => [lane.index, lane.ready ?? []]));
  const { ctx, p } = b;
  const { scale, g } = l;
  const right = scale.x + scale.w;
  clip(ctx, { x: scale.x - 2, y: g.lanes.y, w: scale.w + 4, h: g.lanes.h });
  ctx.lineWidth = 1;
  ctx.font = `11px ${p.font}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const { tick, tall, ramp } = g.lane;
  for (const lane of l.lanes) {
    const y = Math.round(lane.y + tick) + 0.5;
    for (const { from, to, role } of spans.get(lane.index) ?? []) {
      const x0 = Math.max(scale.x - 1, toX(scale, from));
      const x1 = Math.min(right + 1, toX(scale, Math.min(to, live.t)));
      if (x1 < x0 || from > live.t) continue;
      const w = Math.max(2, x1 - x0);
      ctx.fillStyle = ctx.strokeStyle = role === 'ready' ? p.mute : p.bad;
      // Shapes, not only colors: a line for ready, a hatched box for not ready, and a box of half the height if the
      // monitors disagree.
      if (role === 'ready') {
        ctx.fillRect(x0, y + tall - 2, w, 2);
      } else {
        const h = role === 'disputed' ? tall / 2 : tall;
        ctx.fillStyle = b.hatches.get(ctx, { color: p.bad, gap: 5, line: 1.6, dpr: b.dpr });
        ctx.fillRect(x0, y + tall - h, w, h);
        ctx.strokeRect(x0, y + tall - h, w, h);
      }
      const words = WORDS[role];
      // Under the box begins the next lane, so the words stand over the ramp, if there is room.
      if (ramp < 14 || ctx.measureText(words).width + 8 > w) continue;
      const middle = lane.y + ramp / 2;
      ctx.strokeStyle = p.card;
      ctx.fillStyle = role === 'ready' ? p.mute : p.bad;
      ctx.lineWidth = 3;
      ctx.strokeText(words, x0 + 4, middle);
      ctx.fillText(words, x0 + 4, middle);
      ctx.lineWidth = 1;
    }
  }
  ctx.restore();
}
