/** One lane on the canvas: role bar, requests, ramp, words. */
import { COLUMN, ERROR, HOLLOW, LOST, OPEN, SHORT, TALL } from './lanelayout.js';
import { idColor } from './palette.js';
import { cross, font, line, write } from './pen.js';

/** @import { LaneLayout } from './lanelayout.js' */
/** @import { Layout } from './layout.js' */
/** @import { Brush } from './pen.js' */

/** @param {Brush} b @param {Layout} l @param {LaneLayout} lane */
export function drawLane(b, l, lane) {
  const { ctx, p } = b;
  const r = l.g.lane;
  const color = idColor(p, lane.index);
  const right = l.scale.x + l.scale.w;
  if (lane.selected) {
    ctx.fillStyle = p.chip;
    ctx.fillRect(l.scale.x - 2, lane.y, l.scale.w + 4, lane.h - 2);
  }
  const left = l.scale.x;
  const liveX = l.liveX === null ? right : Math.min(right, l.liveX);
  drawRamp(b, lane, { color, y: lane.y + r.ramp, h: r.rampH, left, right: liveX });
  drawDensity(b, lane, { color, left, y: lane.y + r.tick, h: r.tall });
  drawBars(b, lane, { color, y: lane.y + r.bar, h: r.barH, base: lane.y + r.ramp + r.rampH });
  drawTicks(b, lane, { color, y: lane.y + r.tick, tall: r.tall, short: r.short });
  drawCalls(b, lane, color, lane.y + r.tick);
  drawNotes(b, l, lane, r);
}

/**
 * @param {Brush} b @param {LaneLayout} lane
 * @param {{color: string, y: number, h: number, left: number, right: number}} how right: where the known part of the
 *   run ends
 */
function drawRamp({ ctx, p }, lane, { color, y, h, left, right }) {
  const base = y + h;
  ctx.strokeStyle = p.line;
  ctx.lineWidth = 1;
  line(ctx, [left, Math.round(base) + 0.5], [right, Math.round(base) + 0.5]);
  const { points, breaks } = lane.ramp;
  if (points.length === 0) return;
  // First the area, all pieces in one path, then its edge in full color: at fourteen percent the area alone would be
  // too faint to read a value from.
  ctx.beginPath();
  for (const [k, from] of breaks.entries()) {
    const to = breaks[k + 1] ?? points.length;
    ctx.moveTo(points[from], base);
    for (let i = from; i < to; i += 2) ctx.lineTo(points[i], base - points[i + 1] * h);
    ctx.lineTo(points[to - 2], base);
    ctx.closePath();
  }
  ctx.globalAlpha = 0.14;
  ctx.fillStyle = color;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.beginPath();
  for (const [k, from] of breaks.entries()) {
    const to = breaks[k + 1] ?? points.length;
    for (let i = from; i < to; i += 2) {
      // A reset is not a value, so the line ends and another one starts higher up.
      const jump = i > from && points[i] - points[i - 2] < 0.01 && points[i + 1] > points[i - 1];
      if (i === from || jump) ctx.moveTo(points[i], base - points[i + 1] * h);
      else ctx.lineTo(points[i], base - points[i + 1] * h);
    }
  }
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5;
  ctx.lineJoin = 'round';
  ctx.stroke();
}

/** @param {Brush} b @param {LaneLayout} lane @param {{color: string, left: number, y: number, h: number}} how */
function drawDensity({ ctx }, lane, { color, left, y, h }) {
  const { density } = lane;
  if (density.length === 0) return;
  ctx.fillStyle = color;
  ctx.beginPath();
  for (let c = 0; c < density.length; c++) {
    if (density[c] === 0) continue;
    const height = Math.max(2, density[c] * h);
    ctx.rect(left + c * COLUMN, y + h - height, COLUMN - 1, height);
  }
  ctx.fill();
}

/**
 * @param {Brush} b @param {LaneLayout} lane
 * @param {{color: string, y: number, h: number, base: number}} how base: where the ramp's zero is
 */
function drawBars(b, lane, { color, y, h, base }) {
  const { ctx, p } = b;
  for (const bar of lane.bars) {
    switch (bar.role) {
      case 'leading':
        ctx.fillStyle = color;
        ctx.fillRect(bar.x, y, bar.w, h);
        break;
      case 'lost':
        ctx.fillStyle = b.hatches.get(ctx, { color, gap: 5, line: 1.6, dpr: b.dpr });
        ctx.fillRect(bar.x, y, bar.w, h);
        ctx.strokeStyle = color;
        ctx.lineWidth = 1;
        ctx.strokeRect(bar.x + 0.5, y + 0.5, Math.max(1, bar.w - 1), h - 1);
        break;
      case 'paused': {
        if (bar.active) {
          ctx.strokeStyle = color;
          ctx.lineWidth = 1;
          ctx.strokeRect(bar.x + 0.5, y + 0.5, Math.max(1, bar.w - 1), h - 1);
        }
        ctx.fillStyle = color;
        for (let x = bar.x + 3; x < bar.x + bar.w - 6 || x === bar.x + 3; x += 22) {
          ctx.fillRect(x, y, 2.5, h);
          ctx.fillRect(x + 5, y, 2.5, h);
        }
        break;
      }
      case 'down':
      case 'stopped':
        ctx.strokeStyle = p.none;
        ctx.lineWidth = 1.5;
        ctx.setLineDash([1.5, 4]);
        line(ctx, [bar.x + 2, Math.round(base) + 0.5], [bar.x + bar.w, Math.round(base) + 0.5]);
        ctx.setLineDash([]);
        break;
      default:
    }
  }
}

/** @param {Brush} b @param {LaneLayout} lane @param {{color: string, y: number, tall: number, short: number}} how */
function drawTicks(b, lane, { color, y, tall, short }) {
  const { ctx, p } = b;
  const { x, w, shape } = lane.ticks;
  const n = x.length;
  if (n === 0) return;
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  // Plain ticks share a path: nearly all ticks are plain.
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (let i = 0; i < n; i++) {
    if (shape[i] !== SHORT) continue;
    ctx.moveTo(x[i], y + tall - short);
    ctx.lineTo(x[i], y + tall);
  }
  ctx.stroke();
  ctx.lineWidth = 2.25;
  ctx.beginPath();
  for (let i = 0; i < n; i++) {
    if (shape[i] !== TALL) continue;
    ctx.moveTo(x[i], y);
    ctx.lineTo(x[i], y + tall);
  }
  ctx.stroke();
  ctx.lineWidth = 1.5;
  for (let i = 0; i < n; i++) {
    if (w[i] > 0) {
      ctx.globalAlpha = 0.25;
      ctx.fillRect(x[i], y + tall - short, w[i], short);
      ctx.globalAlpha = 1;
      ctx.fillRect(x[i] + w[i] - 1, y + tall - short, 1.5, short);
    }
    if (shape[i] > TALL) drawOutcome(b, shape[i], { color, x: x[i], y: y + tall - short, h: short });
  }
  const k = lane.selectedTick;
  if (k >= 0) {
    ctx.strokeStyle = p.ink;
    ctx.lineWidth = 2;
    ctx.strokeRect(x[k] - 5, y - 3, Math.max(10, w[k] + 10), tall + 6);
  }
}

/**
 * A bracket over the requests of each call that the client repeated.
 * @param {Brush} b @param {LaneLayout} lane @param {string} color @param {number} y
 */
function drawCalls({ ctx }, lane, color, y) {
  if (lane.ticks.calls.length === 0) return;
  ctx.strokeStyle = color;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const { x, w } of lane.ticks.calls) {
    ctx.moveTo(x, y + 2);
    ctx.lineTo(x, y - 1.5);
    ctx.lineTo(x + w, y - 1.5);
    ctx.lineTo(x + w, y + 2);
  }
  ctx.stroke();
}

/**
 * The outcome of a failed request, as a shape.
 * @param {Brush} b @param {number} shape @param {{color: string, x: number, y: number, h: number}} how
 */
function drawOutcome(b, shape, { color, x, y, h }) {
  const { ctx, p } = b;
  switch (shape) {
    case HOLLOW:
      ctx.fillStyle = p.panel;
      ctx.fillRect(x - 2.5, y, 5, h);
      ctx.strokeRect(x - 2.5, y + 0.5, 5, h - 1);
      ctx.fillStyle = color;
      break;
    case ERROR:
      font(b, Math.max(11, Math.min(15, h + 2)), true);
      ctx.textAlign = 'center';
      ctx.fillText('!', x, y + h / 2 + 0.5);
      break;
    case LOST:
      // Open at the far end, because nothing came back.
      line(ctx, [x, y + h], [x, y + h * 0.45], [x - 3.5, y]);
      line(ctx, [x, y + h * 0.45], [x + 3.5, y]);
      break;
    case OPEN:
      ctx.beginPath();
      ctx.arc(x, y + h - 3, 2.5, 0, Math.PI * 2);
      ctx.moveTo(x, y + h - 6);
      ctx.lineTo(x, y);
      ctx.stroke();
      break;
    default:
  }
}

/** @param {Brush} b @param {Layout} l @param {LaneLayout} lane @param {Layout['g']['lane']} r */
function drawNotes(b, l, lane, r) {
  const { ctx, p } = b;
  const ground = lane.selected ? p.chip : p.panel;
  font(b, 12);
  for (const n of lane.notes) {
    if (n.kind === 'fault') {
      const y = lane.y + r.bar + r.barH / 2;
      ctx.strokeStyle = p.fault;
      ctx.lineWidth = 2.5;
      cross(ctx, n.x, y, 5);
      if (!n.text) continue;
      ctx.textAlign = 'left';
      word(b, l, n.text, { x: n.x + 14, y: y + 1, ground });
      continue;
    }
    const base = lane.y + r.ramp + r.rampH;
    ctx.strokeStyle = p.ink;
    ctx.lineWidth = 1.25;
    ctx.setLineDash([1.5, 2.5]);
    line(ctx, [n.x, lane.y + r.ramp], [n.x, base]);
    ctx.setLineDash([]);
    ctx.textAlign = n.align;
    const x = n.x + (n.align === 'left' ? 5 : -5);
    if (n.text) word(b, l, n.text, { x, y: lane.y + r.ramp + (lane.h < 64 ? 7 : 5), ground });
  }
}

/**
 * Words over lines get a background outline, so that no gridline crosses a letter.
 * @param {Brush} b @param {Layout} l @param {string} text @param {{x: number, y: number, ground: string}} at
 */
function word(b, l, text, { x, y, ground }) {
  const { ctx, p } = b;
  ctx.strokeStyle = ground;
  ctx.lineWidth = 3;
  ctx.lineJoin = 'round';
  ctx.strokeText(text, x, y);
  ctx.fillStyle = p.ink;
  write(b, l.words, { text, x, y });
}
