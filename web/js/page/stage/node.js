/** One node of the ring: letter, role as word and as shape, the countdown as an arc, and its link to the API server. */
import { nothing, svg } from 'lit-html';
import { isLit, messageName, placeOf } from './flight.js';
import { arcPath } from './geometry.js';
import { glyph, hasLetterInside } from './glyph.js';
import { clockLine, cutWords, sentence, shortStatus, statusLine } from './words.js';

/** @import { Flight, Nanos, NodeView } from '../../protocol.js' */
/** @import { Place } from './flight.js' */
/** @import { Point, StageGeometry } from './geometry.js' */

/** Widths by text with all digits made alike, so a countdown needs one measurement, not one every tenth of a second. */
const widths = new Map();
/** @type {CanvasRenderingContext2D|null} */
let ruler = null;

/** @param {string} words @param {string} font */
function textWidth(words, font) {
  const key = `${font} ${words.replace(/\d/g, '0')}`;
  let w = widths.get(key);
  if (w === undefined) {
    ruler ??= document.createElement('canvas').getContext('2d');
    if (!ruler) return words.length * 6.5;
    ruler.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
    w = ruler.measureText(key.slice(font.length + 1)).width;
    widths.set(key, w);
  }
  return w;
}

/**
 * @param {NodeView} n @param {StageGeometry} g
 * @param {number} i its place
 * @param {{now: Nanos, selected: boolean, compact: boolean}} at
 */
export function nodeTemplate(n, g, i, { now, selected, compact }) {
  const { x, y } = g.nodes[i];
  const { r } = g;
  const left = n.countdown ? Math.max(0, n.countdown.zeroAt - now) / n.countdown.fromNs : 0;
  const place = hasLetterInside(n.role) ? 'inside' : compact ? 'shoulder' : 'left';
  const [dx, dy] = { inside: [0, 0], shoulder: [0.71 * (r + 11), -0.71 * (r + 11)], left: [-r - 10, 0] }[place];
  const right = g.labels[i] === 'right';
  const wx = right ? x + r + 22 : x;
  const wy = right ? y - 4 : y + r + 19;
  const lines = linesOf(n, now, compact, right ? g.width - wx - 4 : g.labelWidth);
  // Here a long name becomes its number or a letter. The lanes and the accessible name have the whole name.
  const letter = n.name.length < 3 ? n.name : (/\d{1,3}$|(?<=[-_.])[a-z]$/i.exec(n.name)?.[0] ?? n.name[0]);
  return svg`<g class="stage-node" role="button" tabindex="0" data-index=${n.index} data-role=${n.role}
    data-node=${n.name}
    data-words=${g.labels[i]} aria-pressed=${selected ? 'true' : 'false'} aria-label=${sentence(n, now)}>
    <circle class="stage-halo" cx=${x} cy=${y} r=${r + 6} />
    <circle class="stage-track" cx=${x} cy=${y} r=${r} />
    <path class="stage-arc" d=${arcPath(x, y, r, Math.min(1, left))} />
    ${glyph(n.role, `translate(${x} ${y}) scale(${r / 11})`)}
    <text class="stage-letter" data-place=${place} x=${x + dx} y=${y + dy}>${letter}</text>
    <g>${lines.map(
      ([kind, line], k) => svg`<text class=${`stage-${kind}`} x=${wx} y=${wy + k * 15}>${line}</text>`,
    )}</g>
  </g>`;
}

/**
 * The words of a node, as two short lines where a long one would run into its neighbor.
 * @param {NodeView} n @param {Nanos} now @param {boolean} compact @param {number} room in pixels
 */
function linesOf(n, now, compact, room) {
  const cut = compact ? '' : cutWords(n);
  const lines = (/** @type {string} */ kind, /** @type {string[]} */ parts) => {
    /** @type {[string, string][]} */
    const out = [];
    for (const part of parts.filter(Boolean)) {
      const joined = `${out[out.length - 1]?.[1]} ${part}`;
      if (out.length > 0 && textWidth(joined, kind === 'role' ? '600 13px' : '12px') <= room)
        out[out.length - 1][1] = joined;
      else out.push([kind, part]);
    }
    return out;
  };
  return [
    ...lines('role', cut ? [`${n.roleWord},`, cut] : n.role === 'paused' ? n.roleWord.split(' ') : [n.roleWord]),
    ...lines('status', compact ? [shortStatus(n, now)] : statusLine(n, now).split(/ (?=in )/)),
    ...lines('clock', compact ? [] : clockLine(n).split(/ (?!.*\(.* )/)),
  ];
}

/**
 * The link of a node, the messages on it, and the cut.
 * @param {NodeView} n
 * @param {Flight[]} flights of this node
 * @param {{from: Point, to: Point}} wire @param {{now: Nanos, speed: number, show: boolean}} at
 */
export function wireTemplate(n, flights, { from, to }, { now, speed, show }) {
  const lit = show ? flights.filter((f) => f.message !== 'resource' && isLit(f, now, speed)) : [];
  return svg`<g data-index=${n.index} data-role=${n.role} data-cut=${n.cut || nothing}
    data-lit=${lit.length > 0 ? '' : nothing}>
    <line class="stage-link" x1=${from.x.toFixed(1)} y1=${from.y.toFixed(1)} x2=${to.x.toFixed(1)}
      y2=${to.y.toFixed(1)} />
    <g class="stage-flights">${lit.map((f) => flightTemplate(n, f, placeOf(f, now), { from, to }))}</g>
    <path class="stage-cut" d=${n.cut ? cutPath(from, to, n.cut) : nothing} />
  </g>`;
}

/** @param {NodeView} n @param {Flight} f @param {Place | null} place @param {{from: Point, to: Point}} wire */
function flightTemplate(n, f, place, { from, to }) {
  if (!place || place.leg === 'done') return nothing;
  const x = from.x + (to.x - from.x) * place.at;
  const y = from.y + (to.y - from.y) * place.at;
  const outcome =
    place.leg === 'stopped' ? (f.held ? 'held' : 'lost') : f.hangs && place.leg === 'server' ? 'hangs' : f.outcome;
  const shape = svg`<path class="stage-flight" d=${flightShape(f, place.leg)} data-outcome=${outcome}
    data-verb=${f.verb}
    transform=${`translate(${x.toFixed(2)} ${y.toFixed(2)})`} />`;
  if (!f.canBeStopped && !f.held) return shape;
  const what = `${f.served === undefined ? '' : 'answer to '}${messageName(f)}`;
  return svg`<g class="stage-message" role="button" tabindex="0" data-node=${n.name} data-seq=${f.seq}
    data-message=${f.message ?? nothing}
    aria-label=${`${n.name}: ${what}, ${f.held ? 'held' : 'on its way'}. Stop it…`}>
    <circle class="stage-reach" cx=${x.toFixed(2)} cy=${y.toFixed(2)} r="14" />${shape}</g>`;
}

/** A place in a path. @param {number} x @param {number} y */
const pointText = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/**
 * Two bars across the link where messages stop; a bar and an arrow head for a cut in one direction.
 * @param {Point} from @param {Point} to @param {string} cut
 */
function cutPath(from, to, cut) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const ux = (to.x - from.x) / length;
  const uy = (to.y - from.y) / length;
  const bar = (/** @type {number} */ along, /** @type {number} */ a, /** @type {number} */ b) => {
    const x = (from.x + to.x) / 2 + ux * along;
    const y = (from.y + to.y) / 2 + uy * along;
    return `M${pointText(x - uy * a, y + ux * a)}L${pointText(x - uy * b, y + ux * b)}`;
  };
  if (cut === 'both') return bar(-3, -8, 8) + bar(3, -8, 8);
  // One direction only: one bar, and an arrow head in the cut direction that points at it.
  const head = cut === 'up' ? -1 : 1;
  const x = (from.x + to.x) / 2 + ux * head * 3;
  const y = (from.y + to.y) / 2 + uy * head * 3;
  const back = head * 6;
  const wing = (/** @type {number} */ s) =>
    `M${pointText(x, y)}L${pointText(x + ux * back - uy * 4 * s, y + uy * back + ux * 4 * s)}`;
  return bar(0, -8, 8) + wing(1) + wing(-1);
}

/**
 * A message by its outcome: a full block for a write, a dot for a read, hollow for a conflict, "!" for an error, an
 * open end for a lost message.
 * @param {Flight} f @param {string} leg
 */
function flightShape(f, leg) {
  if (f.held) return 'M-4 -5H-1.5V5H-4ZM1.5 -5H4V5H1.5Z';
  if (leg === 'stopped' || f.outcome === 'lost') return 'M-5 -5L0 0L-5 5M5 -5L5 5';
  if (f.outcome === 'conflict') return 'M-5 -5H5V5H-5Z';
  if (f.outcome === 'error') return 'M0 -6V2M0 4.5V6';
  if (f.verb === 'get') return 'M-3.5 0A3.5 3.5 0 1 0 3.5 0A3.5 3.5 0 1 0 -3.5 0Z';
  return 'M-5 -5H5V5H-5Z';
}
