/** One lane on the canvas: ramp, requests under its base, faults, words. */
import { FAULT_ICONS, PIN } from './faults.js';
import { COLUMN, ERROR, HOLLOW, LOST, OPEN, SHORT, TALL } from './lanelayout.js';
import { idColor } from './palette.js';
import { clip, cut, drawPin, font, line, write } from './pen.js';

/** @import { LaneLayout } from './lanelayout.js' */
/** @import { Layout } from './layout.js' */
/** @import { Brush } from './pen.js' */

/** Half the height of a word, px. */
const HALF_WORD = 7;

/** @param {Brush} b @param {Layout} l @param {LaneLayout} lane */
export function drawLane(b, l, lane) {
  const { ctx, p } = b;
  const { scale, rampTop, g } = l;
  const r = g.lane;
  const color = idColor(p, lane.index);
  const right = scale.x + scale.w;
  if (lane.selected) {
    ctx.fillStyle = p.sunk;
    ctx.fillRect(scale.x - 2, lane.y, scale.w + 4, lane.h - 2);
  }
  const place = { y: lane.y + r.ramp, h: r.rampH, left: scale.x };
  clip(ctx, { x: scale.x - 2, y: lane.y, w: scale.w + 4, h: lane.h });
  drawGrounds(b, l, lane, place);
  drawRamp(b, lane, { ...place, color, right: l.liveX === null ? right : Math.min(right, l.liveX) });
  drawDensity(b, lane, { color, left: scale.x, y: lane.y + r.tick, h: r.tall });
  drawTicks(b, lane, { color, y: lane.y + r.tick, tall: r.tall, short: r.short });
  drawCalls(b, lane, color, lane.y + r.tick);
  ctx.restore();
  if (!g.narrow || lane.node.length < 3)
    drawAxis(b, rampTop, { x: scale.x - 6, top: place.y, base: place.y + r.rampH });
  drawNotes(b, l, lane, r);
}

/**
 * Full height and zero of the ramps.
 * @param {Brush} b @param {number} topNs @param {{x: number, top: number, base: number}} at
 */
function drawAxis(b, topNs, { x, top, base }) {
  const { ctx, p } = b;
  font(b, 11);
  ctx.fillStyle = p.mute;
  ctx.textAlign = 'right';
  ctx.fillText(String(Math.round(topNs / 1e8) / 10), x, top + 1);
  ctx.fillText('0 s', x, base);
}

/**
 * The grounds of a lane: amber while a fault lasts or the process pauses, red while the node works without the
 * Lease.
 * @param {Brush} b @param {Layout} l @param {LaneLayout} lane @param {{y: number, h: number}} place
 */
function drawGrounds({ ctx, p }, l, lane, { y, h }) {
  ctx.fillStyle = p.faultbg;
  for (const pin of lane.pins) {
    const { x, w } = cut(l.scale, pin);
    if (pin.item.kind !== 'down' && pin.item.kind !== 'lost') ctx.fillRect(x, y, w, h);
  }
  for (const { x, w, role } of lane.bars) {
    if (role !== 'lost') continue;
    ctx.fillStyle = p.badbg;
    ctx.fillRect(x, y, w, h);
  }
}

/** The pins of a lane, over all lanes. @param {Brush} b @param {Layout} l @param {LaneLayout} lane */
export function drawPins(b, l, lane) {
  const { ctx, p } = b;
  const y = lane.y + l.g.lane.base;
  for (const { x, hasPin, item, label, selected } of lane.pins) {
    if (!hasPin) {
      if (x < l.scale.x - 1) continue;
      ctx.fillStyle = p.fault;
      ctx.fillRect(x, y - 7, 2, 14);
      continue;
    }
    drawPin(b, { x, y, r: PIN, color: p.fault, icon: FAULT_ICONS[item.kind], selected });
    if (!label) continue;
    font(b, 13, true);
    ctx.textAlign = 'left';
    word(b, l, label, { x: x + PIN + 6, y: y - 9, ground: lane.selected ? p.sunk : p.card, color: p.fault });
  }
}

/**
 * @param {Brush} b @param {LaneLayout} lane
 * @param {{color: string, y: number, h: number, left: number, right: number}} how right: where the known part of the
 *   run ends
 */
function drawRamp({ ctx, p }, lane, { color, y, h, left, right }) {
  const base = y + h;
  ctx.strokeStyle = p.hatch;
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
  ctx.lineWidth = 1.75;
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

/** @param {Brush} b @param {LaneLayout} lane @param {{color: string, y: number, tall: number, short: number}} how */
function drawTicks(b, lane, { color, y, tall, short }) {
  const { ctx, p } = b;
  const { x, w, shape } = lane.ticks;
  const n = x.length;
  if (n === 0) return;
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  // Plain ticks share a path: nearly all ticks are plain.
  /** @param {number} plain @param {number} h @param {number} wide */
  const strokeAll = (plain, h, wide) => {
    ctx.lineWidth = wide;
    ctx.beginPath();
    for (let i = 0; i < n; i++) {
      if (shape[i] !== plain) continue;
      ctx.moveTo(x[i], y);
      ctx.lineTo(x[i], y + h);
    }
    ctx.stroke();
  };
  strokeAll(SHORT, short, 1.5);
  strokeAll(TALL, tall, 2);
  ctx.lineWidth = 1.5;
  for (let i = 0; i < n; i++) {
    if (w[i] > 0) {
      ctx.globalAlpha = 0.25;
      ctx.fillRect(x[i], y, w[i], short);
      ctx.globalAlpha = 1;
      ctx.fillRect(x[i] + w[i] - 1, y, 1.5, short);
    }
    if (shape[i] > TALL) drawOutcome(b, shape[i], { color, x: x[i], y, h: tall });
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
      ctx.fillStyle = p.card;
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
  const ground = lane.selected ? p.sunk : p.card;
  const color = idColor(p, lane.index);
  font(b, 13, true);
  for (const n of lane.notes) {
    const base = lane.y + r.base;
    ctx.strokeStyle = color;
    ctx.lineWidth = 1;
    line(ctx, [n.x, lane.y + r.ramp + 8], [n.x, base]);
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.arc(n.x, base, 4, 0, Math.PI * 2);
    ctx.fill();
    ctx.textAlign = n.align;
    const x = n.x + (n.align === 'left' ? 6 : -6);
    if (n.text) word(b, l, n.text, { x, y: lane.y + r.ramp + 8, ground, color });
  }
}

/**
 * Words over lines get a background outline, so that no gridline crosses a letter. A word at the end of the lanes that
 * are on screen would be cut through.
 * @param {Brush} b @param {Layout} l @param {string} text
 * @param {{x: number, y: number, ground: string, color: string}} at
 */
function word(b, l, text, { x, y, ground, color }) {
  const { ctx } = b;
  const { lanes } = l.g;
  if (y - HALF_WORD < lanes.y || y + HALF_WORD > lanes.y + lanes.h) return;
  ctx.strokeStyle = ground;
  ctx.lineWidth = 4;
  ctx.lineJoin = 'round';
  ctx.strokeText(text, x, y);
  ctx.fillStyle = color;
  write(b, l.words, { text, x, y });
}
