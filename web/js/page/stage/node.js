/** One node of the ring: letter, role as word and as shape, the countdown as an arc, and its link to the API server. */

import { isLit, placeOf } from './flight.js';
import { arcPath, link } from './geometry.js';
import { hasLetterInside, setGlyph } from './glyph.js';
import { attr, svg, text } from './svg.js';
import { clockLine, cutWords, sentence, shortStatus, statusLine } from './words.js';

/** @import { Flight, Nanos, NodeView } from '../../protocol.js' */
/** @import { Point, StageGeometry } from './geometry.js' */

/** Widths by text, its digits made alike: a countdown is measured once, not at every tenth of a second. */
const widths = new Map();
/** @type {CanvasRenderingContext2D|null} */
let ruler = null;

/** @param {string} words @param {Element} like whose font it is @returns {number} */
function textWidth(words, like) {
  const key = words.replace(/\d/g, '0');
  let w = widths.get(key);
  if (w === undefined) {
    ruler ??= document.createElement('canvas').getContext('2d');
    if (!ruler) return key.length * 6.5;
    ruler.font = `12px ${getComputedStyle(like).fontFamily}`;
    w = ruler.measureText(key).width;
    widths.set(key, w);
  }
  return w;
}

export class NodeMark {
  constructor() {
    this.link = svg('line', { class: 'stage-link' });
    this.flights = svg('g', { class: 'stage-flights' });
    this.cut = svg('path', { class: 'stage-cut' });
    this.wire = svg('g', {}, [this.link, this.flights, this.cut]);
    this.track = svg('circle', { class: 'stage-track' });
    this.arc = svg('path', { class: 'stage-arc' });
    this.glyph = svg('g', { class: 'stage-glyph' });
    this.letter = svg('text', { class: 'stage-letter' });
    this.words = svg('g', {}, [svg('text', { class: 'stage-role' })]);
    this.halo = svg('circle', { class: 'stage-halo' });
    this.el = svg('g', { class: 'stage-node', role: 'button', tabindex: 0 }, [
      this.halo,
      this.track,
      this.arc,
      this.glyph,
      this.letter,
      this.words,
    ]);
  }

  /**
   * @param {NodeView} n @param {StageGeometry} g
   * @param {number} i its place
   * @param {{now: Nanos, selected: boolean, compact: boolean}} at
   */
  update(n, g, i, { now, selected, compact }) {
    const { x, y } = g.nodes[i];
    const { r } = g;
    attr(this.el, 'data-index', n.index);
    attr(this.wire, 'data-index', n.index);
    attr(this.el, 'data-role', n.role);
    attr(this.el, 'data-node', n.name);
    attr(this.el, 'aria-pressed', String(selected));
    attr(this.el, 'aria-label', sentence(n, now));
    for (const c of [this.track, this.halo]) {
      attr(c, 'cx', x);
      attr(c, 'cy', y);
    }
    attr(this.track, 'r', r);
    attr(this.halo, 'r', r + 6);
    const left = n.countdown ? Math.max(0, n.countdown.zeroAt - now) / n.countdown.fromNs : 0;
    attr(this.arc, 'd', arcPath(x, y, r, Math.min(1, left)));
    setGlyph(this.glyph, n.role);
    attr(this.glyph, 'transform', `translate(${x} ${y}) scale(${r / 11})`);
    this.#letter(n, x, y, r);
    this.#words(n, g, i, now, compact);
    this.#link(n, g, i);
  }

  /** @param {NodeView} n @param {number} x @param {number} y @param {number} r */
  #letter(n, x, y, r) {
    const inside = hasLetterInside(n.role);
    // A long name keeps its beginning; the whole of it is in the accessible name.
    text(this.letter, n.name.length < 4 ? n.name : (/\d{1,3}$/.exec(n.name)?.[0] ?? `${n.name.slice(0, 2)}…`));
    attr(this.letter, 'data-inside', inside ? '' : null);
    attr(this.letter, 'x', inside ? x : x + r * 0.86);
    attr(this.letter, 'y', inside ? y : y - r * 0.82);
  }

  /** @param {NodeView} n @param {StageGeometry} g @param {number} i @param {Nanos} now @param {boolean} compact */
  #words(n, g, i, now, compact) {
    const { x, y } = g.nodes[i];
    const right = g.labels[i] === 'right';
    const wx = right ? x + g.r + 22 : x;
    const wy = right ? y - 4 : y + g.r + 19;
    attr(this.el, 'data-words', g.labels[i]);
    const like = /** @type {Element} */ (this.words.firstChild);
    const room = right ? g.width - wx - 4 : g.labelWidth;
    /** Two short lines where a long one would run into the neighbour. @param {string} kind @param {string[]} parts */
    const lines = (kind, parts) => {
      /** @type {[string, string][]} */
      const out = [];
      for (const part of parts.filter(Boolean)) {
        const joined = `${out[out.length - 1]?.[1]} ${part}`;
        if (out.length > 0 && textWidth(joined, like) <= room) out[out.length - 1][1] = joined;
        else out.push([kind, part]);
      }
      return out;
    };
    const cut = compact ? '' : cutWords(n);
    const shown = [
      ...lines('role', cut ? [`${n.roleWord},`, cut] : [n.roleWord]),
      ...lines('status', compact ? [shortStatus(n, now)] : statusLine(n, now).split(/ (?=in )/)),
      ...lines('clock', compact ? [] : clockLine(n).split(/ (?!.*\(.* )/)),
    ];
    while (this.words.childNodes.length > shown.length) this.words.lastChild?.remove();
    while (this.words.childNodes.length < shown.length) this.words.append(svg('text'));
    shown.forEach(([kind, line], k) => {
      const el = /** @type {SVGElement} */ (this.words.childNodes[k]);
      attr(el, 'class', `stage-${kind}`);
      attr(el, 'x', wx);
      attr(el, 'y', wy + k * 15);
      text(el, line);
    });
  }

  /** @param {NodeView} n @param {StageGeometry} g @param {number} i */
  #link(n, g, i) {
    const { from, to } = link(g, i);
    attr(this.link, 'x1', from.x.toFixed(1));
    attr(this.link, 'y1', from.y.toFixed(1));
    attr(this.link, 'x2', to.x.toFixed(1));
    attr(this.link, 'y2', to.y.toFixed(1));
    attr(this.wire, 'data-role', n.role);
    attr(this.wire, 'data-cut', n.cut === '' ? null : n.cut);
    attr(this.cut, 'd', n.cut === '' ? null : cutPath(from, to, n.cut));
  }

  /**
   * @param {Flight[]} flights of this node
   * @param {StageGeometry} g @param {number} i @param {{now: Nanos, speed: number, show: boolean}} at
   */
  updateFlights(flights, g, i, { now, speed, show }) {
    const lit = show ? flights.filter((f) => isLit(f, now, speed)) : [];
    attr(this.wire, 'data-lit', lit.length > 0 ? '' : null);
    const { from, to } = link(g, i);
    while (this.flights.childNodes.length > lit.length) this.flights.lastChild?.remove();
    while (this.flights.childNodes.length < lit.length) this.flights.append(svg('path', { class: 'stage-flight' }));
    lit.forEach((f, k) => {
      const el = /** @type {SVGElement} */ (this.flights.childNodes[k]);
      const place = placeOf(f, now);
      if (!place || place.leg === 'done') {
        attr(el, 'd', '');
        return;
      }
      const x = from.x + (to.x - from.x) * place.at;
      const y = from.y + (to.y - from.y) * place.at;
      attr(el, 'd', flightShape(f, place.leg));
      attr(
        el,
        'data-outcome',
        place.leg === 'stopped' ? 'lost' : f.hangs && place.leg === 'server' ? 'hangs' : f.outcome,
      );
      attr(el, 'data-verb', f.verb);
      attr(el, 'transform', `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    });
  }
}

/**
 * Two bars across the link where messages stop; an arrow-like pair when only one direction is cut.
 * @param {Point} from @param {Point} to @param {string} cut
 */
function cutPath(from, to, cut) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const ux = (to.x - from.x) / length;
  const uy = (to.y - from.y) / length;
  const bar = (/** @type {number} */ along, /** @type {number} */ a, /** @type {number} */ b) => {
    const x = (from.x + to.x) / 2 + ux * along;
    const y = (from.y + to.y) / 2 + uy * along;
    return `M${(x - uy * a).toFixed(1)} ${(y + ux * a).toFixed(1)}L${(x - uy * b).toFixed(1)} ${(y + ux * b).toFixed(1)}`;
  };
  if (cut === 'both') return bar(-3, -8, 8) + bar(3, -8, 8);
  // One direction only: one bar, and the arrow head of the cut direction points at it.
  const head = cut === 'up' ? -1 : 1;
  const x = (from.x + to.x) / 2 + ux * head * 3;
  const y = (from.y + to.y) / 2 + uy * head * 3;
  const back = head * 6;
  const wing = (/** @type {number} */ s) =>
    `M${x.toFixed(1)} ${y.toFixed(1)}L${(x + ux * back - uy * 4 * s).toFixed(1)} ${(y + uy * back + ux * 4 * s).toFixed(1)}`;
  return bar(0, -8, 8) + wing(1) + wing(-1);
}

/**
 * A message by its outcome: a full block for a write, a dot for a read, hollow for a conflict, "!" for an error, an open
 * end for a lost message.
 * @param {Flight} f @param {string} leg
 */
function flightShape(f, leg) {
  if (leg === 'stopped' || f.outcome === 'lost') return 'M-5 -5L0 0L-5 5M5 -5L5 5';
  if (f.outcome === 'conflict') return 'M-5 -5H5V5H-5Z';
  if (f.outcome === 'error') return 'M0 -6V2M0 4.5V6';
  if (f.verb === 'get') return 'M-3.5 0A3.5 3.5 0 1 0 3.5 0A3.5 3.5 0 1 0 -3.5 0Z';
  return 'M-5 -5H5V5H-5Z';
}
