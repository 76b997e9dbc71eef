/**
 * A strip: a run as a small picture. It shows who led in two rows, red where two led, hatching where nobody did, and an
 * outline where a node led although the Lease named another. A curtain hides what a lesson asks about. The build
 * computes the strips from the runs: `leaselab stills`.
 */
import { html, nothing, render, svg } from 'lit-html';
import { secondsText } from './format.js';

/**
 * Instants in milliseconds. led: the node's index, from, to, and 1 if the Lease named another; bands: from, to, and how
 * many led; bars: for each second, requests or nodes with a wrong verdict, in place of the leaders.
 * @typedef {{end: number, led: number[][], bands: number[][], bars?: number[], counts?: Record<string, number>}} Strip
 */
/** The strips by scenario, and by step of a lesson. @typedef {Record<string, Strip>} Strips */

/** The patterns that all strips of the document share. */
const PATTERNS = html`<svg class="strip-patterns" aria-hidden="true"><pattern id="strip-hatch" width="7" height="7"
    patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" /><path
    d="M1 0v7" /></pattern><pattern id="strip-veil" width="9" height="9"
    patternUnits="userSpaceOnUse"><rect width="9" height="9" /><path
    d="M2 0v9" /></pattern></svg>`;

/** Puts the patterns into the document, once. */
export function placePatterns() {
  if (document.querySelector('.strip-patterns')) return;
  const place = document.createElement('div');
  document.body.append(place);
  render(PATTERNS, place);
}

/** @param {string} url @returns {Promise<Strips>} */
export async function loadStrips(url) {
  const strips = await (await fetch(url)).json();
  placePatterns();
  return strips;
}

/**
 * For how long two led, and nobody did after the first leader, in milliseconds. @param {Strip} strip
 */
export function totalsOf({ bands }) {
  const total = (/** @type {number} */ count) =>
    bands.reduce((sum, [from, to, led]) => (led === count && (led || from > 0) ? sum + to - from : sum), 0);
  return { two: total(2), nobody: total(0) };
}

/** @param {number} ms */
export const lengthOf = (ms) => `${secondsText(ms * 1e6, ms < 50 ? 2 : 1)} s`;

/** What a strip shows, in a sentence. @param {Strip} strip */
export function stripWords(strip) {
  const { two, nobody } = totalsOf(strip);
  if (two > 0) return `Two led for ${lengthOf(two)}.`;
  return nobody > 0 ? `Nobody led for ${lengthOf(nobody)}.` : 'One led all the time.';
}

/**
 * The row of each span: a node stays in its row, and moves only where another is in it.
 * @param {number[][]} led in order of their starts
 */
function rowsOf(led) {
  /** @type {Map<number, number>} */
  const own = new Map();
  /** @type {number[][]} the node in each row, and until when */
  const busy = [];
  return led.map(([node, from, to]) => {
    const isFree = (/** @type {number} */ row) => !busy[row] || busy[row][0] === node || busy[row][1] <= from;
    const wanted = own.get(node) ?? (own.size === 0 ? 0 : 1);
    const row = isFree(wanted) ? wanted : isFree(1 - wanted) ? 1 - wanted : 1;
    own.set(node, row);
    busy[row] = [node, to];
    return row;
  });
}

/**
 * Adds a span, or lets the last one of the same node go on. @param {number[][]} spans @param {number[]} span
 */
export function joined(spans, span) {
  const [node, from, to, lost] = span;
  const before = spans.findLastIndex((one) => one[0] === node);
  if (spans[before]?.[2] === from && spans[before][3] === lost) spans[before] = [node, spans[before][1], to, lost];
  else spans.push(span);
  return spans;
}

const PAD = 4;
const GAP = 3;

/**
 * @param {Strip} strip
 * @param {{bar?: number, curtain?: number, most?: number, label?: string}} [how] bar: height of a row; curtain: the
 *   instant after which the run stays hidden; most: the highest bar, of two strips that one compares; label: "" for a
 *   strip beside its words
 */
export function stripTemplate(strip, { bar = 7, curtain, most, label } = {}) {
  const { end, bars } = strip;
  const height = 2 * PAD + 2 * bar + GAP;
  const at = (/** @type {number} */ ms) => `${((100 * Math.min(ms, end)) / Math.max(1, end)).toFixed(2)}%`;
  const box = (/** @type {string} */ name, /** @type {number[]} */ [from, to], y = 0, h = height) =>
    svg`<rect class=${name} x=${at(from)} width=${at(Math.max(to - from, end / 200))} y=${y} height=${h} />`;
  const led = [...strip.led].sort((a, b) => a[1] - b[1]).reduce(joined, /** @type {number[][]} */ ([]));
  const rows = rowsOf(led);
  const said = curtain === undefined ? (label ?? stripWords(strip)) : 'Hidden until you have guessed.';
  return html`<svg class="run-strip" height=${height} role=${said ? 'img' : nothing} aria-label=${said || nothing}
    aria-hidden=${said ? nothing : 'true'}>
    <rect class="ground" width="100%" height=${height} rx="4" />
    ${bars ? barsTemplate(bars, most ?? Math.max(...bars), end, height) : spans()}
    ${
      curtain === undefined
        ? nothing
        : svg`<svg x=${at(curtain)} width=${at(end - curtain)} height=${height}><rect class="veil" width="100%"
            height=${height} /><rect class="edge" width="2" height=${height} /><text x="50%"
            y=${height / 2 + 5}>?</text></svg>`
    }
  </svg>`;

  function spans() {
    const bands = strip.bands.map((band) => {
      if (band[2] === 2) return [box('two', band), box('two-line', band, 0, 2)];
      // The first leader starts within the first pixels.
      return band[1] > end / 50 ? box('nobody', band, PAD, height - 2 * PAD) : nothing;
    });
    const lines = led.map((span, i) => {
      const y = PAD + rows[i] * (bar + GAP);
      const shape = span[3] ? box('lost', span.slice(1), y + 0.75, bar - 1.5) : box('led', span.slice(1), y, bar);
      return svg`<g data-index=${Math.min(span[0], 7)}>${shape}</g>`;
    });
    return [bands, lines];
  }
}

/** @param {number[]} bars @param {number} most @param {number} end @param {number} height */
function barsTemplate(bars, most, end, height) {
  const width = 100000 / Math.max(1000, end);
  const base = svg`<rect class="base" width="100%" y=${height - 1} height="1" />`;
  const all = bars.map((count, second) => {
    const tall = ((height - PAD) * count) / Math.max(1, most);
    return count > 0
      ? svg`<rect class="bar" x=${`${(second * width).toFixed(2)}%`} width=${`${(width * 0.8).toFixed(2)}%`}
          y=${height - tall} height=${tall} />`
      : nothing;
  });
  return [base, all];
}
