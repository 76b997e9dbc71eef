/**
 * The picture of a run as SVG text, for the build and for the live figures: a row for each copy, a slope for the time
 * that it still waits, hatching where nobody leads, and red where two do.
 */
import { formatSeconds, MS, SECOND } from '../lib/format.js';

/** @import { Timeline } from '../protocol.js' */
/**
 * A stretch of a row: a role, its beginning and end, the node's index if the row has several, and words inside it.
 * @typedef {[role: string, from: number, to: number, index?: number, words?: string]} Span
 */
/**
 * Instants in milliseconds. slopes: from, to, and the shares of the countdown that remain at both; marks: instants
 * by kind. bands: kind, from, to, and the words below; at: a line across the rows; row: the height of a row.
 * @typedef {{index: number, name?: string, spans: Span[], slopes?: number[][], marks?: Record<string, number[]>}} Row
 * @typedef {{from?: number, to: number, rows: Row[], bands?: [string, number, number, string?][], faults?: [number,
 *   string][], at?: number, row?: number, axis?: boolean}} Picture
 */

/** The seconds between two numbers of the axis: the first step that needs at most seven numbers. */
const STEPS = [5, 10, 20, 30, 60];
/** The room above the rows for the names of faults. */
const TOP = 16;
/**
 * Lines in a box of height 1: a renewal, a write, a stale write that got in, and a cross where one bounced.
 * @type {Record<string, string>}
 */
const LINES = { renewal: 'v1', write: 'v.5', stale: 'v1', refused: 'm-.4 .1l.8 .8m0-.8l-.8 .8' };

/** The picture of a timeline. @param {Timeline} timeline @param {number} full the longest countdown, in ns */
export function pictureOf({ to, lanes, bands, faults, resource }, full) {
  const ms = (/** @type {number} */ ns) => ns / MS;
  /** @param {number} index @param {string} kind */
  const writes = (index, kind) =>
    (resource?.writes ?? [])
      .filter((one) => one.index === index)
      .filter(({ outcome, stale }) => (outcome === 'refused' ? outcome : stale ? 'stale' : 'write') === kind)
      .map(({ t }) => ms(t));
  const rows = lanes
    .filter(({ server }) => !server)
    .map(({ node, index, spans, ramp, ticks }) => ({
      ...{ index, name: node, spans: spans.map((one) => /** @type {Span} */ ([one.role, ms(one.from), ms(one.to)])) },
      slopes: ramp.flatMap(({ t, zeroAt, leading }, i) => {
        const until = Math.min(ramp[i + 1]?.t ?? to, zeroAt);
        return leading || until <= t ? [] : [[ms(t), ms(until), (zeroAt - t) / full, (zeroAt - until) / full]];
      }),
      marks: {
        renewal: ticks.filter(({ write, outcome }) => write && outcome === 'ok').map(({ end }) => ms(end)),
        ...Object.fromEntries(['write', 'stale', 'refused'].map((kind) => [kind, writes(index, kind)])),
      },
    }));
  const shown = bands.filter(({ kind, from, to }) => kind !== 'idle' && to - from > SECOND / 20);
  return /** @type {Picture} */ ({
    ...{ to: ms(to), axis: true, row: 30, rows },
    // The first leader starts at the beginning, which needs no words.
    bands: shown.map(({ kind, from, to }) => {
      const words = from > 0 ? `${kind === 'two' ? 'more than one' : kind}: ${formatSeconds(to - from, 1)}` : '';
      return [kind, ms(from), ms(to), words];
    }),
    faults: faults.flatMap(({ from, to, open, kind, text }) => [
      [ms(from), text],
      ...(kind === 'down' && !open ? [[ms(to), 'back']] : []),
    ]),
  });
}

/** @param {Picture} picture @param {string} says what the picture shows */
export function draw({ from = 0, to, rows, bands = [], faults = [], at, row = 14, axis }, says) {
  const top = axis ? TOP : 4;
  const bottom = top + rows.length * row;
  const x = (/** @type {number} */ ms) => (100 * (Math.min(Math.max(ms, from), to) - from)) / (to - from);
  const round = (/** @type {number} */ n) => Number(n.toFixed(2));
  /** @param {Span} span @param {number} y @param {number} high */
  const box = ([kind, a, b, index, words], y, high) => {
    if (b < from || a > to || kind === 'following') return '';
    const node = index === undefined ? '' : ` data-index="${index}"`;
    const place = `x="${round(x(a))}%" width="${Math.max(round(x(b) - x(a)), 0.3)}%" y="${y}" height="${high}"`;
    const rect = `<rect class="${kind}"${node} ${words ? 'width="100%" height="100%"' : place}/>`;
    return words ? `<svg ${place}>${rect}${text(50, high - 5, words, 'inside')}</svg>` : rect;
  };
  const text = (/** @type {number} */ place, /** @type {number} */ y, /** @type {string} */ words, kind = '') => {
    // On a narrow screen, half of a letter is one percent.
    const anchor = place > 100 - words.length ? 'end' : place < words.length ? 'start' : 'middle';
    return `<text class="${kind}" x="${round(place)}%" y="${y}" text-anchor="${anchor}">${words}</text>`;
  };
  const beside = (/** @type {number} */ place, /** @type {string} */ words) =>
    `<text class="fault" x="${round(place)}%" y="10" dx="5">${words}</text>`;
  /** @param {string} kind @param {string} d across a box of 100 by 1 @param {number} y @param {number} high */
  const path = (kind, d, y, high) => {
    const shape = `y="${y}" height="${high}" viewBox="0 0 100 1" preserveAspectRatio="none"`;
    return d && `<svg ${shape}><path class="${kind}" d="${d}"/></svg>`;
  };
  const lines = rows.map(({ index, name, spans, slopes = [], marks = {} }, i) => {
    const y = top + i * row;
    const [bar, high] = [y + row * 0.2, row * 0.5];
    const sloped = slopes.map((one) => {
      const [a, b, first, last] = [x(one[0]), x(one[1]), 1 - one[2], 1 - one[3]].map(round);
      return `M${a} 1V${first}L${b} ${last}V1`;
    });
    const marked = Object.entries(marks).map(([kind, all]) => {
      const d = all.map((t) => `M${round(x(t))} 0${LINES[kind]}`).join('');
      return kind === 'renewal' ? path(kind, d, bar, high) : path(kind, d, bar + high + 1, row * 0.3 - 2);
    });
    const parts = [path('slope', sloped.join(''), y, row - 3), ...spans.map((one) => box(one, bar, high)), ...marked];
    const label = name ? `<text class="name" x="-13" y="${y + row / 2 + 3}">${name}</text>` : '';
    return `<g data-index="${index}">${parts.join('')}${label}</g>`;
  });
  const parts = [
    ...bands.map(([kind, a, b]) => box([kind, a, b], top - 4, bottom - top + 8)),
    ...lines,
    ...faults.map(([t, words]) => box(['fault', t, t], 0, bottom + 4) + beside(x(t), words)),
    ...bands.map(([kind, a, b, words]) => (words ? text((x(a) + x(b)) / 2, bottom + 16, words, kind) : '')),
    ...(at === undefined ? [] : [box(['at', at, at], 0, bottom + 4)]),
    ...(axis ? axisOf() : []),
  ];
  return `<svg class="run" height="${bottom + (axis ? 32 : 4)}" role="img" aria-label="${says}"><rect class="ground"
width="100%" y="${top - 4}" height="${bottom - top + 8}" rx="4"/>${parts.join('')}</svg>`;

  function axisOf() {
    const step = (SECOND / MS) * (STEPS.find((one) => (to - from) / 1000 / one <= 7) ?? 120);
    const marks = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
    return marks.map((t) => text(x(t), bottom + 30, `${t / 1000} s`));
  }
}
