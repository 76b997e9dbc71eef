/**
 * Draws a span of the timeline with its names and its small print on a canvas, for the picture and the frames of the
 * clip. The drawing is the page's with its overlays; what the page has beside its canvas is added. The strip "So far"
 * stays in the page.
 */
import { plural } from '../../lib/format.js';
import { drawRows } from '../../page/timeline/draw.js';
import { roleAt, SPANS } from '../../page/timeline/lanelayout.js';
import { layout, rampTop } from '../../page/timeline/layout.js';
import { Hatches, readPalette } from '../../page/timeline/palette.js';
import { font } from '../../page/timeline/pen.js';
import { toX } from '../../page/timeline/viewport.js';
import { drawLanes, handOversOf } from '../desk/panels/coordinated/marks.js';
import { drawObservations } from '../desk/panels/observations.js';
import { drawReadiness } from '../desk/panels/readiness.js';
import { drawRow, writeMarks } from '../desk/panels/resource.js';
import { layoutArrows } from '../messages/arrows.js';
import { drawServer } from '../messages/drawing.js';

/** @import { Nanos, Timeline, View } from '../../protocol.js' */
/** @import { Layout } from '../../page/timeline/layout.js' */
/** @import { Palette } from '../../page/timeline/palette.js' */
/** @import { Brush } from '../../page/timeline/pen.js' */
/** @import { Viewport } from '../../page/timeline/viewport.js' */

/**
 * @typedef {object} Picture
 * @property {View} view
 * @property {Timeline} timeline covers the span
 * @property {Viewport} viewport the span
 * @property {Palette} palette
 * @property {string} title
 * @property {string[]} print lines of small print
 */

export const WIDTH = 1200;
const HEAD = 34;
const MARGIN = 16;
const LINE = 15;
/** So many lanes make a picture; the others are left out. */
const MOST_LANES = 60;
/** Pixels of the canvas per pixel of the drawing. */
const SHARP = 2;
/** A link longer than its lines is cut. */
const LINK_LINES = 6;

/** The colours of a theme, whichever the page has. @param {'light' | 'dark'} theme @returns {Palette} */
export function paletteOf(theme) {
  const { dataset } = document.documentElement;
  const { theme: chosen, projector } = dataset;
  delete dataset.projector;
  dataset.theme = theme;
  const palette = readPalette(document.body);
  if (chosen === undefined) delete dataset.theme;
  else dataset.theme = chosen;
  if (projector !== undefined) dataset.projector = projector;
  return palette;
}

/**
 * What gives the run again, and the link on as many lines as it takes.
 * @param {Pick<View, 'scenario' | 'title' | 'seed'>} view
 * @param {{engine: number, span: string, link: string, lanes?: number}} of span: as the page writes it; lanes: of the
 *   run, as a picture says how many it leaves out
 */
export function smallPrint({ scenario, title, seed }, { engine, span, link, lanes = 0 }) {
  const name = scenario && scenario !== title ? `${scenario} · ` : '';
  const more = lanes - MOST_LANES;
  return [
    ...(more > 0 ? [`and ${plural(more, 'more node')}`] : []),
    `${name}seed ${seed} · engine ${engine} · ${span} · leaselab`,
    ...(link.match(/.{1,180}/g) ?? []).slice(0, LINK_LINES),
  ];
}

/**
 * The places of everything, at each instant up to live.
 * @param {Picture} picture @param {(text: string, bold?: boolean) => number} measure
 */
function arrange({ view, timeline, viewport, print }, measure) {
  const lanes = timeline.lanes.slice(0, MOST_LANES);
  const laneHeight = lanes.length <= 5 ? 56 : lanes.length <= 12 ? 40 : 24;
  const resource = timeline.resource !== undefined;
  const top = rampTop(timeline, view, 0);
  const placed = (/** @type {Nanos} */ t, /** @type {boolean} */ server) =>
    layout({
      view: { ...view, cursor: { t, n: -1 }, live: { t, n: -1 }, totals: { ...view.totals, violations: 0 } },
      timeline,
      lanes,
      viewport,
      width: WIDTH,
      height: 270 + lanes.length * laneHeight + (resource ? 30 : 0) + (server ? 34 : 0),
      resource,
      server,
      rampTop: top,
      measure,
    });
  // The API server has a lane where there is room for arrows.
  const server = placed(view.live.t, false).lod === SPANS;
  const at = (/** @type {Nanos} */ t) => placed(t, server);
  const { g } = at(view.live.t);
  return { at, height: HEAD + g.overview.y + 4 + LINE * print.length + 12 };
}

/**
 * @param {Brush} b @param {string} text
 * @param {{x: number, y: number, colour?: string, size?: number, bold?: boolean}} how
 */
function word(b, text, { x, y, colour = b.p.ink, size = 12, bold = false }) {
  font(b, size, bold);
  b.ctx.textAlign = 'left';
  b.ctx.fillStyle = colour;
  b.ctx.fillText(text, x, y, WIDTH - x - MARGIN);
}

/** What only some runs have. @param {Brush} b @param {Layout} l @param {Picture} picture @param {Nanos} t */
function overlays(b, l, picture, t) {
  const { timeline } = picture;
  const live = { t, n: -1 };
  const view = { ...picture.view, cursor: live, live };
  const notes = timeline.notes?.filter((note) => note.t <= t) ?? [];
  drawObservations(b, l, { timeline, view });
  drawReadiness(b, l, { timeline, view });
  if (timeline.resource && l.g.resource.h > 0) drawRow(b, l, writeMarks(timeline.resource.writes, l.scale, t));
  drawLanes(b, l, notes);
  const { y, h } = l.g.holder;
  for (const { x, note } of handOversOf(notes, l)) {
    const name = view.nodes.find(({ index }) => index === note.other)?.name ?? '?';
    word(b, `→ ${name}`, { x: x + 3, y: y + (h - 4) / 2, bold: true });
  }
  drawServer(b, l, layoutArrows(l, timeline, view));
}

/** @param {Brush} b @param {Layout} l @param {Picture} picture @param {Nanos} t */
function rows(b, l, picture, t) {
  const { view, timeline, viewport } = picture;
  const { ctx, p } = b;
  const { g } = l;
  drawRows(b, l);
  overlays(b, l, picture, t);
  b.ctx.textBaseline = 'middle';
  for (const [name, { y }, h] of /** @type {const} */ ([
    ['Lease holder', g.holder, g.holder.h - 4],
    ['API server', g.server, g.server.h],
    ['Resource', g.resource, g.resource.h],
    ['Active leaders', g.bands, g.bandHeight],
    ['Faults', g.faults, g.faults.h],
    ['Violations', g.violations, g.violations.h],
  ]))
    if (h > 0) word(b, name, { x: MARGIN, y: y + h / 2 });
  for (const [i, { node, y, h }] of l.lanes.entries()) {
    const tall = h >= 40;
    word(b, node, { x: MARGIN, y: y + h / 2 - (tall ? 8 : 0), bold: true });
    // At the cursor the view knows more words for a role than a lane has.
    const known = t === view.cursor.t && view.nodes.find(({ name }) => name === node);
    const role = known ? known.roleWord : roleAt(timeline.lanes[l.firstLane + i], t);
    if (tall) word(b, role, { x: MARGIN, y: y + h / 2 + 8, colour: p.soft });
  }
  if (t >= viewport.to) return;
  ctx.fillStyle = p.ink;
  ctx.fillRect(Math.round(toX(l.scale, t)) - 1, g.ruler.h - 2, 2, g.overview.y - g.ruler.h + 2);
}

/**
 * @param {Brush} b @param {Layout} l @param {Picture} picture @param {{t: Nanos, height: number}} how
 */
function whole(b, l, picture, { t, height }) {
  const { ctx, p } = b;
  ctx.setTransform(SHARP, 0, 0, SHARP, 0, 0);
  ctx.fillStyle = p.panel;
  ctx.fillRect(0, 0, WIDTH, height);
  ctx.textBaseline = 'middle';
  word(b, picture.title, { x: MARGIN, y: HEAD / 2 + 3, size: 15, bold: true });
  for (const [i, line] of picture.print.entries())
    word(b, line, {
      x: MARGIN,
      y: height - 8 - LINE * (picture.print.length - i - 0.5),
      colour: p.soft,
      size: 11,
    });
  ctx.setTransform(SHARP, 0, 0, SHARP, 0, HEAD * SHARP);
  rows(b, l, picture, t);
}

/** @param {CanvasRenderingContext2D} ctx @param {Palette} palette */
function ruler(ctx, { font: family }) {
  return (/** @type {string} */ text, bold = false) => {
    ctx.font = `${bold ? '600 ' : ''}12px ${family}`;
    return ctx.measureText(text).width;
  };
}

/**
 * Sizes a canvas for a picture.
 * @param {HTMLCanvasElement} canvas @param {Picture} picture
 * @returns {(t: Nanos) => void} draws what is known at an instant
 */
export function painter(canvas, picture) {
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const brush = { ctx, p: picture.palette, hatches: new Hatches(), dpr: SHARP };
  const { at, height } = arrange(picture, ruler(ctx, picture.palette));
  canvas.width = WIDTH * SHARP;
  canvas.height = height * SHARP;
  return (t) => whole(brush, at(t), picture, { t, height });
}
