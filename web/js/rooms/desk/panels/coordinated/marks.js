/**
 * What coordinated election adds to the timeline: the shapes of API servers, pings and acks in the lanes, the time
 * during which each API server ran the controller, and a button on the Lease's row for each handover.
 */
import { html, svg } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { formatInstant } from '../../../../lib/format.js';
import { registerRole } from '../../../../page/stage/glyph.js';
import { RIBBON } from '../../../../page/timeline/geometry.js';
import { idColor } from '../../../../page/timeline/palette.js';
import { clip, cross, shape } from '../../../../page/timeline/pen.js';
import { markLayer } from '../../../../page/timeline/twin.js';
import { toX } from '../../../../page/timeline/viewport.js';

/** @import { Layout } from '../../../../page/timeline/layout.js' */
/** @import { Brush } from '../../../../page/timeline/pen.js' */
/** @import { TimelineView } from '../../../../page/timeline/timeline.js' */
/** @import { Cursor, LaneNote } from '../../../../protocol.js' */

/** A hexagon around (0, 0). @param {number} r */
const hexagon = (r) => {
  const corners = [0, 1, 2, 3, 4, 5].map((k) =>
    [Math.cos, Math.sin].map((part) => (r * part((k * Math.PI) / 3)).toFixed(2)).join(' '),
  );
  return `M${corners.join('L')}Z`;
};

/**
 * API servers are hexagons, unlike the circles and squares of candidates. A double hexagon runs the controller.
 */
export function addServerShapes() {
  const outlines = (/** @type {number[]} */ ...radii) =>
    svg`${radii.map((r) => svg`<path d=${hexagon(r)} class="glyph-line" />`)}`;
  registerRole('controller', outlines(8.4, 6), true);
  registerRole('serving', outlines(7), true);
}

/**
 * The side of its instant on which the page draws a note. A note without a side becomes a cross.
 * @type {Record<string, number | undefined>}
 */
const SIDES = { ping: -1, ack: 1 };
/** Two handovers that are closer than this (px) share a button. */
const APART = 40;

/** @param {TimelineView} timeline @param {(cursor: Cursor) => void} go */
export function markTimeline(timeline, go) {
  const { root, draw } = markLayer('tl-handovers', 'Handovers');
  root.hidden = true;
  timeline.root.append(root);

  timeline.overlays.add((b, l, props) => {
    const notes = props.timeline?.notes;
    if (!notes && root.hidden) return;
    drawLanes(b, l, notes ?? []);
    const handOvers = handOversOf(notes ?? [], l);
    const y = Math.round(l.g.ribbon.y + 2 + RIBBON / 2);
    const nameOf = (/** @type {number} */ index) => props.view.nodes.find((node) => node.index === index)?.name ?? '?';
    const button = (/** @type {HandOver} */ { x, words, note: { t, n, other } }) =>
      html`<button type="button" class="tl-handover" tabindex="-1" data-index=${other} aria-label=${words}
        title=${words}
        .style=${`transform:translate(${Math.round(x)}px, ${y}px) translate(-1px, -50%)`}
        @click=${() => go({ t, n })}>→ <b>${nameOf(other)}</b></button>`;
    const key = (/** @type {HandOver} */ { note: { t, n } }) => `${props.view.run} ${t} ${n}`;
    draw(html`${repeat(handOvers, key, button)}`);
    root.hidden = handOvers.length === 0;
  });
}

/**
 * The handovers that share a button: the button's place, its words, and the first handover.
 * @typedef {{x: number, words: string, note: LaneNote}} HandOver
 */

/** @param {LaneNote[]} notes @param {Layout} l @returns {HandOver[]} */
export function handOversOf(notes, { scale }) {
  /** @type {HandOver[]} */
  const visible = [];
  for (const note of notes) {
    const x = toX(scale, note.t);
    if (note.kind !== 'handOver' || x < scale.x || x > scale.x + scale.w) continue;
    const words = `${formatInstant(note.t)}: ${note.text}`;
    const last = visible[visible.length - 1];
    if (last && x - last.x < APART) last.words += `; ${words}`;
    else visible.push({ x, words, note });
  }
  return visible;
}

/**
 * Draws pings and acks, and the times when an API server ran the controller.
 * @param {Brush} b
 * @param {Layout} l
 * @param {LaneNote[]} notes
 */
export function drawLanes({ ctx, p }, l, notes) {
  clip(ctx, { x: l.scale.x - 2, y: l.g.lanes.y, w: l.scale.w + 4, h: l.g.lanes.h });
  const r = l.g.lane;
  for (const lane of l.lanes) {
    const color = idColor(p, lane.index);
    ctx.strokeStyle = color;
    ctx.lineWidth = 1.5;
    for (const bar of lane.bars) {
      if (bar.role !== 'controller') continue;
      // The bar is hollow, because the API server runs the controller but does not lead.
      ctx.strokeRect(bar.x + 0.75, lane.y + r.base - 8, Math.max(1, bar.w - 1.5), 7);
    }
    for (const note of notes) {
      if (note.index !== lane.index || note.kind === 'handOver') continue;
      const x = toX(l.scale, note.t);
      const y = lane.y + r.tick + r.tall / 2;
      const side = SIDES[note.kind];
      if (side === undefined) {
        cross(ctx, x, y, 4);
        continue;
      }
      // A ping comes down from the controller, and its ack goes up.
      shape(ctx, x, y, [
        [9 * side, 4 * side],
        [side, 4 * side],
        [5 * side, -4 * side],
      ]);
      ctx.fillStyle = note.kind === 'ack' ? color : p.card;
      ctx.fill();
      ctx.stroke();
    }
  }
  ctx.restore();
}
