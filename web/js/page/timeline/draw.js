/**
 * Draws a layout on a canvas. It knows shapes and colors but no data, because the layout holds everything it needs.
 */
import { drawLane, drawPins } from './drawlane.js';
import { PIN } from './faults.js';
import { LEVEL, RIBBON, violationY } from './geometry.js';
import { idColor } from './palette.js';
import { box, clip, cut, cutAround, dashes, drawPin, font, shape, write } from './pen.js';
import { NAME_PX } from './ribbon.js';

/** @import { Layout } from './layout.js' */
/** @import { Brush } from './pen.js' */
/** @import { RibbonBar } from './ribbon.js' */

/** The handle of the cursor, from the foot of the ruler. */
// biome-ignore format: a shape in a line
const HANDLE = [[-8, -9], [8, -9], [0, 1]];
/** With more pins than this, their lines stay inside the lane. */
const MOST_LINES = 8;

/** @param {Brush} b @param {Layout} l */
export function draw(b, l) {
  wipe(b);
  drawRows(b, l);
  drawOverview(b, l);
}

/** Clears everything, because the previous picture may have been taller. @param {Brush} b */
function wipe({ ctx }) {
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
}

/** The rows from the ruler to the lanes. @param {Brush} b @param {Layout} l */
export function drawRows(b, l) {
  const { ctx } = b;
  const { g, scale } = l;
  ctx.textBaseline = 'middle';
  l.words.length = 0;
  drawRuler(b, l);
  // Two extra pixels on both sides, so that outlines and marks at the ends stay whole.
  clip(ctx, { x: scale.x - 2, y: g.ruler.h - 2, w: scale.w + 4, h: g.bottom - g.ruler.h + 2 });
  if (l.span) drawSpan(b, l);
  drawLines(b, l);
  drawRibbon(b, l);
  drawLease(b, l);
  drawNetwork(b, l);
  ctx.restore();
  clip(ctx, { x: 0, y: g.lanes.y, w: g.width, h: g.lanes.h });
  for (const lane of l.lanes) drawLane(b, l, lane);
  for (const lane of l.lanes) drawPins(b, l, lane);
  ctx.restore();
  drawViolations(b, l);
  if (g.laneTotal > g.lanes.h) drawScroll(b, l);
}

/** @param {Brush} b @param {Layout} l */
function drawRuler(b, l) {
  const { ctx, p } = b;
  ctx.strokeStyle = p.sunk;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const t of l.ruler) {
    const x = Math.round(t.x) + 0.5;
    ctx.moveTo(x, l.g.ruler.h - 4);
    ctx.lineTo(x, l.g.bottom);
  }
  ctx.stroke();
  font(b, 11);
  ctx.fillStyle = p.mute;
  ctx.textAlign = 'center';
  for (const t of l.ruler) {
    const half = ctx.measureText(t.label).width / 2;
    const x = Math.min(l.g.width - half - 1, Math.max(half + 1, t.x));
    ctx.fillText(t.label, x, l.g.ruler.h / 2 - 3);
  }
}

/** @param {Brush} b @param {Layout} l */
function drawSpan({ ctx, p }, l) {
  if (!l.span) return;
  const y = l.g.ribbon.y;
  const h = l.g.bottom - y;
  ctx.fillStyle = p.sunk;
  ctx.fillRect(l.span.x, y, Math.max(1, l.span.w), h);
  ctx.strokeStyle = p.ink;
  ctx.lineWidth = 1;
  ctx.strokeRect(l.span.x + 0.5, y + 0.5, Math.max(1, l.span.w - 1), h - 1);
}

/** A few faults and violations have a line through all rows. @param {Brush} b @param {Layout} l */
function drawLines({ ctx, p }, { lanes, violations, g }) {
  const pins = lanes.flatMap((lane) => lane.pins.filter(({ hasPin }) => hasPin));
  if (pins.length + violations.length > MOST_LINES) return;
  const at = { from: g.ribbon.y - 4, to: g.bottom };
  for (const { x } of pins) dashes(ctx, { ...at, x, color: p.fault });
  for (const { x } of violations) dashes(ctx, { ...at, x, color: p.bad });
}

/** @param {Brush} b @param {RibbonBar} bar @param {{y: number, h: number, r: number}} at r: radius of the corners */
function drawTerm({ ctx, p }, { x, w, who }, { y, h, r }) {
  const rows = who.length;
  who.forEach(({ index }, k) => {
    const top = y + Math.round((h * k) / rows);
    const foot = y + Math.round((h * (k + 1)) / rows) - (k + 1 < rows ? 1 : 0);
    ctx.fillStyle = idColor(p, index);
    box(ctx, { x, y: top, w, h: foot - top }, rows > 1 ? r / 2 : r);
    ctx.fill();
  });
}

/** @param {Brush} b @param {Layout} l */
function drawRibbon(b, l) {
  const { ctx, p } = b;
  const y = l.g.ribbon.y + 2;
  const middle = y + RIBBON / 2 + 0.5;
  for (const bar of l.terms) {
    // A pixel between neighbors, so that adjacent bars stay distinct.
    const w = Math.max(1.5, bar.w - 1);
    drawTerm(b, { ...bar, w }, { y, h: RIBBON, r: 6 });
    if (!bar.label) continue;
    font(b, NAME_PX, true);
    ctx.fillStyle = p.on;
    ctx.textAlign = 'center';
    write(b, l.words, { text: bar.label, x: bar.middle, y: middle });
  }
  for (const band of l.bands) {
    drawBand(b, band.kind, cut(l.scale, band), { y, h: RIBBON, selected: band.selected });
    if (!band.label) continue;
    font(b, 13, true);
    drawWord(b, l, band, { y: middle, color: band.kind === 'two' ? p.bad : p.ink });
  }
}

/**
 * A gap has hatching, an overlap has a red ring around both leaders, and a paused leader has the bars of a pause.
 * @param {Brush} b @param {string} kind @param {{x: number, w: number}} at
 * @param {{y: number, h: number, selected?: boolean}} row
 */
function drawBand(b, kind, { x, w }, { y, h, selected = false }) {
  const { ctx, p, hatches, dpr } = b;
  const color = kind === 'two' ? p.bad : kind === 'idle' ? p.mute : p.hatch;
  ctx.strokeStyle = selected ? p.ink : color;
  if (w < 6) {
    ctx.fillStyle = selected ? p.ink : color;
    ctx.fillRect(x, y, w, h);
    return;
  }
  if (kind === 'two') {
    box(ctx, { x: x + 0.25, y: y - 1, w: w - 0.5, h: h + 2 }, 7);
    ctx.lineWidth = 2.5;
    ctx.stroke();
    return;
  }
  box(ctx, { x: x + 0.5, y: y + 0.5, w: w - 1, h: h - 1 }, 6);
  if (kind !== 'idle') {
    ctx.fillStyle = p.card;
    ctx.fill();
  }
  ctx.fillStyle =
    kind === 'idle' ? hatches.pairs(ctx, p.on, dpr) : hatches.get(ctx, { color: p.hatch, gap: 8, line: 1.1, dpr });
  ctx.fill();
  ctx.lineWidth = selected ? 2 : 1;
  ctx.stroke();
}

/** Whom the Lease names: a line, hollow once the holder no longer renews. @param {Brush} b @param {Layout} l */
function drawLease({ ctx, p }, l) {
  if (l.g.lease.h === 0) return;
  const y = Math.round(l.g.lease.y + l.g.lease.h / 2) - 2;
  for (const bar of l.lease) {
    const w = Math.max(1.5, bar.w - 1);
    const stale = bar.kind === 'stale';
    if (stale) box(ctx, { x: bar.x + 0.5, y: y + 0.5, w: Math.max(1, w - 1), h: 3 }, 2);
    else box(ctx, { x: bar.x, y, w, h: 4 }, 2);
    ctx.fillStyle = stale ? p.card : idColor(p, bar.index);
    ctx.fill();
    if (!stale) continue;
    ctx.strokeStyle = idColor(p, bar.index);
    ctx.lineWidth = 1;
    ctx.stroke();
  }
}

/**
 * The word of a band. It gets a background, because the bar is patterned.
 * @param {Brush} b @param {Layout} l @param {{x: number, w: number, label: string}} m
 * @param {{y: number, color: string}} how
 */
function drawWord(b, l, m, { y, color }) {
  const { ctx, p } = b;
  const tw = ctx.measureText(m.label).width;
  const { x, w } = cut(l.scale, m, 0);
  const left = x + (w - tw) / 2;
  ctx.fillStyle = p.card;
  box(ctx, { x: left - 6, y: y - 11, w: tw + 12, h: 22 }, 5);
  ctx.fill();
  ctx.fillStyle = color;
  ctx.textAlign = 'left';
  write(b, l.words, { text: m.label, x: left, y: y + 0.5 });
}

/** Faults of the API and of all nodes. @param {Brush} b @param {Layout} l */
function drawNetwork(b, l) {
  const { ctx, p } = b;
  const h = LEVEL - 3;
  font(b, 11);
  for (const f of l.network) {
    const y = l.g.network.y + f.level * LEVEL;
    const { x, w } = cut(l.scale, f);
    box(ctx, { x: x + 0.5, y: y + 0.5, w: Math.max(2, w - 1), h: h - 1 });
    ctx.fillStyle = p.faultbg;
    ctx.fill();
    ctx.strokeStyle = f.selected ? p.ink : p.fault;
    ctx.lineWidth = f.selected ? 2 : 1.25;
    ctx.stroke();
    if (!f.label) continue;
    ctx.fillStyle = p.fault;
    ctx.textAlign = 'left';
    const at = f.inside ? Math.max(x, l.scale.x) + 8 : x + w + 6;
    write(b, l.words, { text: f.label, x: at, y: y + h / 2 + 0.5 });
  }
}

/** @param {Brush} b @param {Layout} l */
function drawViolations(b, l) {
  const { ctx, p } = b;
  const y = violationY(l.g);
  for (const v of l.violations) {
    const { x, w } = cut(l.scale, v, 0);
    ctx.fillStyle = p.bad;
    ctx.fillRect(x, y - 1.5, w, 3);
  }
  for (const { x, item, hasPin, selected } of l.violations)
    if (hasPin) drawPin(b, { x, y, r: PIN, color: p.bad, icon: item.kind === 'safety' ? 'two' : 'errors', selected });
}

/** @param {Brush} b @param {Layout} l */
function drawScroll({ ctx, p }, l) {
  const { lanes, laneTotal, laneHeight, width } = l.g;
  const scrollY = l.lanes.length > 0 ? lanes.y + l.firstLane * laneHeight - l.lanes[0].y : 0;
  const h = Math.max(16, (lanes.h * lanes.h) / laneTotal);
  const y = lanes.y + ((lanes.h - h) * scrollY) / Math.max(1, laneTotal - lanes.h);
  ctx.fillStyle = p.edge;
  ctx.beginPath();
  ctx.roundRect(width - 6, y, 4, h, 2);
  ctx.fill();
}

/** The whole run on one strip. @param {Brush} b @param {Layout} l */
function drawOverview(b, l) {
  const { ctx, p } = b;
  const { overview: o, g } = l;
  const { y, h } = g.strip;
  if (h === 0) return;
  ctx.fillStyle = p.sunk;
  box(ctx, { x: o.scale.x, y, w: o.scale.w, h }, 4);
  ctx.fill();
  clip(ctx, { x: o.scale.x, y: y - 5, w: o.scale.w, h: h + 5 });
  for (const bar of o.terms) drawTerm(b, bar, { y, h, r: 0 });
  for (const { kind, x, w } of o.bands) {
    if (kind === 'two') {
      ctx.fillStyle = p.bad;
      ctx.fillRect(x, y - 3, w, 3);
    } else drawBand(b, kind, { x, w }, { y, h });
  }
  for (const m of o.marks) {
    const x = Math.round(m.x + m.w / 2);
    ctx.fillStyle = m.kind === 'violation' ? p.bad : p.fault;
    shape(ctx, Math.max(o.scale.x + 4, Math.min(o.scale.x + o.scale.w - 4, x)), y - 1, TIP);
    ctx.fill();
  }
  ctx.restore();
  // A viewport that shows everything needs no frame.
  if (o.window.w >= o.scale.w - 1) return;
  ctx.strokeStyle = p.ink;
  ctx.lineWidth = 1.5;
  box(ctx, { x: o.window.x + 0.75, y: y - 1, w: Math.max(3, o.window.w - 1.5), h: h + 2 }, 5);
  ctx.stroke();
}

/** A mark over the whole run. */
// biome-ignore format: a shape in a line
const TIP = [[-4, -5], [4, -5], [0, 0]];

/**
 * The upper layer: the cursor, its handle, and the live instant. Nothing else changes while a run only plays.
 * @param {Brush} b @param {Layout} l @param {number} cursorX
 * @param {number} overviewX the cursor on the overview
 */
export function drawCursor(b, l, cursorX, overviewX) {
  const { ctx, p } = b;
  const { g, scale } = l;
  wipe(b);
  if (l.liveX !== null) {
    const x = Math.round(l.liveX) + 0.5;
    ctx.strokeStyle = p.mute;
    ctx.lineWidth = 1;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    for (const [from, to] of cutAround(l.words, x, g.ruler.h, g.bottom)) {
      ctx.moveTo(x, from);
      ctx.lineTo(x, to);
    }
    ctx.stroke();
    ctx.setLineDash([]);
    // At the live instant the word would only repeat the cursor. Elsewhere it marks the end of what the page has shown.
    if (Math.abs(cursorX - l.liveX) > 2 && scale.x + scale.w - x > 62) {
      font(b, 11);
      ctx.fillStyle = p.mute;
      ctx.textBaseline = 'middle';
      ctx.textAlign = 'left';
      ctx.fillText('live', x + 6, g.ribbon.y + 8);
    }
  }
  ctx.fillStyle = p.ink;
  if (g.strip.h > 0) ctx.fillRect(Math.round(overviewX) - 1, g.strip.y - 2, 2, g.strip.h + 4);
  if (cursorX < scale.x - 1 || cursorX > scale.x + scale.w + 1) return;
  const x = Math.round(cursorX);
  for (const [from, to] of cutAround(l.words, x, g.ruler.h - 2, g.bottom)) ctx.fillRect(x - 1, from, 2, to - from);
  shape(ctx, x, g.ruler.h, HANDLE);
  ctx.fill();
}
