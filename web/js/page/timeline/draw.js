/**
 * Draws a layout on a canvas. It knows shapes and colors but no data, because the layout holds everything it needs.
 */
import { drawLane } from './drawlane.js';
import { idColor } from './palette.js';
import { box, clip, cross, cutAround, font, shape, write } from './pen.js';

/** @import { Layout } from './layout.js' */
/** @import { Brush } from './pen.js' */

/** The handle of the cursor, from the foot of the ruler. */
// biome-ignore format: a shape in a line
const HANDLE = [[-8, -9], [8, -9], [0, 1]];

/** @param {Brush} b @param {Layout} l */
export function draw(b, l) {
  const { ctx, p } = b;
  wipe(b);
  drawRows(b, l);
  drawOverview(b, l);
  font(b, 12);
  ctx.fillStyle = p.soft;
  ctx.textAlign = 'right';
  ctx.fillText(l.totals, l.g.width - Math.max(l.g.right, 6), l.g.totals.y + l.g.totals.h / 2);
}

/** Clears everything, because the previous picture may have been taller. @param {Brush} b */
function wipe({ ctx }) {
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
}

/** The rows from the ruler to the violations. @param {Brush} b @param {Layout} l */
export function drawRows(b, l) {
  const { ctx } = b;
  ctx.textBaseline = 'middle';
  l.words.length = 0;
  drawRuler(b, l);
  // Two extra pixels on both sides, so that outlines and marks at the ends stay whole.
  const bottom = l.g.violations.y + l.g.violations.h;
  clip(ctx, { x: l.scale.x - 2, y: l.g.holder.y, w: l.scale.w + 4, h: bottom - l.g.holder.y });
  if (l.span) drawSpan(b, l);
  drawHolder(b, l);
  clip(ctx, { x: 0, y: l.g.lanes.y, w: l.g.width, h: l.g.lanes.h });
  for (const lane of l.lanes) drawLane(b, l, lane);
  ctx.restore();
  drawBands(b, l);
  drawBrackets(b, l);
  drawFaults(b, l);
  drawViolations(b, l);
  ctx.restore();
  if (l.g.laneTotal > l.g.lanes.h) drawScroll(b, l);
}

/** @param {Brush} b @param {Layout} l */
function drawRuler(b, l) {
  const { ctx, p } = b;
  const bottom = l.g.violations.y + l.g.violations.h;
  ctx.strokeStyle = p.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const t of l.ruler) {
    const x = Math.round(t.x) + 0.5;
    ctx.moveTo(x, l.g.ruler.h - 4);
    ctx.lineTo(x, bottom);
  }
  ctx.stroke();
  font(b, 12);
  ctx.fillStyle = p.soft;
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
  const y = l.g.holder.y;
  const h = l.g.violations.y + l.g.violations.h - y;
  ctx.fillStyle = p.chip;
  ctx.fillRect(l.span.x, y, Math.max(1, l.span.w), h);
  ctx.strokeStyle = p.ink;
  ctx.lineWidth = 1;
  ctx.strokeRect(l.span.x + 0.5, y - 0.5, Math.max(1, l.span.w - 1), h + 1);
}

/** @param {Brush} b @param {Layout} l */
function drawHolder(b, l) {
  const { ctx, p } = b;
  const h = l.g.holder.h - 12;
  const y = l.g.holder.y + 4;
  for (const bar of l.holder) {
    const color = idColor(p, bar.index);
    // Two pixels between neighbors, so that adjacent bars stay distinct.
    const w = Math.max(1.5, bar.w - 2);
    const stale = bar.kind === 'stale';
    if (stale) {
      box(ctx, { x: bar.x + 0.75, y: y + 0.75, w: Math.max(1, w - 1.5), h: h - 1.5 });
      ctx.fillStyle = p.panel;
      ctx.fill();
      ctx.strokeStyle = color;
      ctx.lineWidth = 1.5;
      ctx.stroke();
    } else {
      box(ctx, { x: bar.x, y, w, h });
      ctx.fillStyle = color;
      ctx.fill();
    }
    if (!bar.label) continue;
    font(b, 12, bar.bold);
    ctx.fillStyle = stale ? p.ink : p.on;
    ctx.textAlign = 'center';
    // A name stays visible while its bar is wider than the screen.
    const from = Math.max(bar.x, l.scale.x);
    const to = Math.min(bar.x + w, l.scale.x + l.scale.w);
    write(b, l.words, { text: bar.label, x: (from + to) / 2, y: y + h / 2 + 0.5 });
  }
}

/**
 * The fill of a band: dense hatches for an overlap, wide ones for a gap, and for a paused leader the pairs of bars that
 * mark a pause in the lanes. @param {Brush} b @param {string} kind
 */
function pattern({ ctx, p, hatches, dpr }, kind) {
  if (kind === 'idle') return hatches.pairs(ctx, p.soft, dpr);
  const two = { color: p.bad, gap: 4, line: 1.1, dpr };
  return hatches.get(ctx, kind === 'two' ? two : { color: p.none, gap: 7, line: 1, dpr });
}

/** @param {Brush['p']} p @param {string} kind */
const bandColor = (p, kind) => (kind === 'two' ? p.bad : kind === 'idle' ? p.soft : p.none);

/** @param {Brush} b @param {Layout} l */
function drawBands(b, l) {
  const { ctx, p } = b;
  const h = l.g.bandHeight - 2;
  const y = l.g.bands.y + 1;
  for (const band of l.bands) {
    const two = band.kind === 'two';
    const color = bandColor(p, band.kind);
    const { x, w } = cut(l, band);
    if (w < 6) {
      ctx.fillStyle = color;
      ctx.fillRect(x, y, w, h);
      if (band.selected) {
        ctx.strokeStyle = p.ink;
        ctx.lineWidth = 1.5;
        ctx.strokeRect(x - 2, y - 0.5, w + 4, h + 1);
      }
    } else {
      box(ctx, { x: x + 1, y: y + 1, w: w - 2, h: h - 2 });
      ctx.fillStyle = p.panel;
      ctx.fill();
      ctx.fillStyle = pattern(b, band.kind);
      ctx.fill();
      ctx.strokeStyle = band.selected ? p.ink : color;
      ctx.lineWidth = band.selected ? 2 : two ? 2 : 1.25;
      ctx.stroke();
    }
    if (!band.label) continue;
    font(b, 12, true);
    drawWord(b, l, band, { y: y + h / 2, color: two ? p.bad : p.ink });
  }
}

/**
 * A word on a patterned bar gets a background. A word that does not fit goes beside its mark.
 * @param {Brush} b @param {Layout} l @param {{x: number, w: number, label: string, inside: boolean}} m
 * @param {{y: number, color: string}} how
 */
function drawWord(b, l, m, { y, color }) {
  const { ctx, p } = b;
  const tw = ctx.measureText(m.label).width;
  const from = Math.max(m.x, l.scale.x);
  const to = Math.min(m.x + m.w, l.scale.x + l.scale.w);
  const left = m.inside ? (from + to - tw) / 2 : to + 6;
  if (m.inside) {
    ctx.fillStyle = p.panel;
    ctx.fillRect(left - 5, y - 8, tw + 10, 16);
  }
  ctx.fillStyle = color;
  ctx.textAlign = 'left';
  write(b, l.words, { text: m.label, x: left, y: y + 0.5 });
}

/** @param {Brush} b @param {Layout} l */
function drawBrackets(b, l) {
  const { ctx, p } = b;
  const y = l.g.bands.y + l.g.bandHeight + 3;
  ctx.textAlign = 'left';
  for (const k of l.brackets) {
    ctx.strokeStyle = p.ink;
    ctx.lineWidth = k.marked ? 3 : 1.25;
    const x0 = k.x0 + 0.75;
    const x1 = Math.max(x0 + 1, k.x1 - 0.75);
    ctx.beginPath();
    ctx.moveTo(x0, y);
    ctx.lineTo(x0, y + 5);
    ctx.lineTo(x1, y + 5);
    ctx.lineTo(x1, y);
    if (k.tie !== null) {
      ctx.moveTo((x0 + x1) / 2, y + 5);
      ctx.lineTo((x0 + x1) / 2, y + 9);
      ctx.lineTo(k.tie, y + 9);
    }
    ctx.stroke();
  }
  // Words come after all lines, each with a background outline, so that no line crosses a word.
  for (const k of l.brackets) {
    font(b, 12, k.marked);
    ctx.strokeStyle = p.panel;
    ctx.lineWidth = 3;
    ctx.strokeText(k.text, k.textX, y + 15);
    ctx.fillStyle = p.ink;
    if (k.text) write(b, l.words, { text: k.text, x: k.textX, y: y + 15 });
  }
}

/** @param {Brush} b @param {Layout} l */
function drawFaults(b, l) {
  const { ctx, p } = b;
  const h = l.g.faultHeight;
  font(b, 12);
  for (const f of l.faults) {
    const y = l.g.faults.y + 3 + f.level * (h + 2);
    const { x, w } = cut(l, f);
    if (w < 6) {
      ctx.fillStyle = f.selected ? p.ink : p.fault;
      ctx.fillRect(x, y, w, h);
    } else {
      box(ctx, { x: x + 0.75, y: y + 0.75, w: w - 1.5, h: h - 1.5 });
      ctx.globalAlpha = 0.14;
      ctx.fillStyle = p.fault;
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.strokeStyle = f.selected ? p.ink : p.fault;
      ctx.lineWidth = f.selected ? 2 : 1.5;
      ctx.stroke();
    }
    if (!f.label) continue;
    ctx.fillStyle = p.ink;
    ctx.textAlign = 'left';
    const at = f.inside ? Math.max(x, l.scale.x) + 8 : x + w + 6;
    write(b, l.words, { text: f.label, x: at, y: y + h / 2 + 0.5 });
  }
}

/**
 * A mark clipped to slightly more than the plot, so that a bar of a whole day is not a million pixels wide.
 * @param {Layout} l @param {{x: number, w: number}} m
 */
function cut(l, m) {
  const x = Math.max(m.x, l.scale.x - 8);
  return { x, w: Math.min(m.x + m.w, l.scale.x + l.scale.w + 8) - x };
}

/** @param {Brush} b @param {Layout} l */
function drawViolations(b, l) {
  const { ctx, p } = b;
  const y = l.g.violations.y + 3;
  const h = l.g.violations.h - 8;
  font(b, 12);
  ctx.textAlign = 'left';
  if (l.empty) {
    ctx.fillStyle = p.soft;
    write(b, l.words, { text: l.empty, x: l.scale.x + (l.g.narrow ? 72 : 4), y: y + h / 2 + 0.5 });
    return;
  }
  for (const v of l.violations) {
    const { x, w } = cut(l, v);
    ctx.fillStyle = p.bad;
    box(ctx, { x, y, w, h });
    ctx.fill();
    if (v.selected) {
      ctx.strokeStyle = p.ink;
      ctx.lineWidth = 2;
      ctx.stroke();
    }
    if (!v.label) continue;
    ctx.fillStyle = v.inside ? p.on : p.bad;
    const at = v.inside ? Math.max(x, l.scale.x) + 8 : x + w + 6;
    write(b, l.words, { text: v.label, x: at, y: y + h / 2 + 0.5 });
  }
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

/** @param {Brush} b @param {Layout} l */
function drawOverview(b, l) {
  const { ctx, p } = b;
  const { overview: o, g } = l;
  const { y, h } = g.strip;
  ctx.fillStyle = p.paper;
  box(ctx, { x: o.scale.x, y, w: o.scale.w, h });
  ctx.fill();
  ctx.strokeStyle = p.line;
  ctx.lineWidth = 1;
  ctx.stroke();
  clip(ctx, { x: o.scale.x, y, w: o.scale.w, h });
  const barY = y + Math.max(3, h * 0.2);
  const barH = Math.max(6, Math.min(12, h * 0.3));
  for (const bar of o.bars) {
    ctx.fillStyle = idColor(p, bar.index);
    ctx.fillRect(bar.x, barY, bar.w, barH);
  }
  for (const band of o.bands) {
    ctx.fillStyle = p.paper;
    ctx.fillRect(band.x, barY, band.w, barH);
    ctx.fillStyle = band.w < 6 ? bandColor(p, band.kind) : pattern(b, band.kind);
    ctx.fillRect(band.x, barY, band.w, barH);
  }
  const markY = barY + barH + Math.max(4, (y + h - barY - barH) / 2);
  for (const m of o.marks) {
    const bad = m.kind === 'violation';
    ctx.strokeStyle = bad ? p.bad : p.fault;
    ctx.lineWidth = 2;
    const x = Math.max(o.scale.x + 8, Math.min(o.scale.x + o.scale.w - 8, m.x + m.w / 2));
    cross(ctx, x, markY, bad ? 4.5 : 3.5);
    if (bad) ctx.strokeRect(x - 6, markY - 6, 12, 12);
  }
  ctx.restore();
  // A viewport that shows everything needs no frame.
  if (o.window.w >= o.scale.w - 1) return;
  ctx.strokeStyle = p.ink;
  ctx.lineWidth = 1.5;
  box(ctx, { x: o.window.x + 0.75, y: y - 2, w: Math.max(3, o.window.w - 1.5), h: h + 4 });
  ctx.stroke();
}

/**
 * The upper layer: the cursor, its handle, and the live instant. Nothing else changes while a run only plays.
 * @param {Brush} b @param {Layout} l @param {number} cursorX
 * @param {number} overviewX the cursor on the overview
 */
export function drawCursor(b, l, cursorX, overviewX) {
  const { ctx, p } = b;
  const { g, scale } = l;
  const bottom = g.violations.y + g.violations.h + 2;
  wipe(b);
  if (l.liveX !== null) {
    const x = Math.round(l.liveX) + 0.5;
    ctx.strokeStyle = p.soft;
    ctx.lineWidth = 1;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    for (const [from, to] of cutAround(l.words, x, g.ruler.h, bottom)) {
      ctx.moveTo(x, from);
      ctx.lineTo(x, to);
    }
    ctx.stroke();
    ctx.setLineDash([]);
    const right = scale.x + scale.w - x > 62;
    // At the live instant the word would only repeat the cursor. Elsewhere it marks the end of what the page has shown.
    if (Math.abs(cursorX - l.liveX) > 2 || right) {
      font(b, 12);
      ctx.fillStyle = p.soft;
      ctx.textBaseline = 'middle';
      ctx.textAlign = right ? 'left' : 'right';
      if (right) ctx.fillText('live', x + 6, g.holder.y + g.holder.h - 8);
    }
  }
  ctx.fillStyle = p.ink;
  ctx.fillRect(Math.round(overviewX) - 1, g.strip.y - 1, 2, g.strip.h + 2);
  if (cursorX < scale.x - 1 || cursorX > scale.x + scale.w + 1) return;
  const x = Math.round(cursorX);
  for (const [from, to] of cutAround(l.words, x, g.ruler.h - 2, bottom)) ctx.fillRect(x - 1, from, 2, to - from);
  shape(ctx, x, g.ruler.h, HANDLE);
  ctx.fill();
}
