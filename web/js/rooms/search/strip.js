/** Runs as strips: a bar for each node while it leads, hatched while nobody leads, marked in red while two lead. */
import { signal } from '@preact/signals-core';
import { html, svg } from 'lit-html';
import { set } from '../../lib/control.js';
import { formatSeconds } from '../../lib/format.js';

/** @import { Pool } from './pool.js' */

/** A node leads; instants in ns. @typedef {{index: number, name: string, from: number, to: number}} Led */
/** @typedef {{from: number, to: number}} Span */
/** @typedef {{end: number, led: Led[], two: Span[], nobody: Span[]}} Strip */

/**
 * Reads the history's table of leaders.
 * @param {string} csv @param {string[]} names of the nodes, in order @param {number} end of the run, in ns
 * @returns {Strip}
 */
export function stripOf(csv, names, end) {
  const led = csv
    .split('\r\n')
    .slice(1)
    .flatMap((line) => {
      const found = /^"?(.+?)"?,([\d.]+),([\d.]*),/.exec(line);
      if (!found) return [];
      const [, name, from, to] = found;
      if (!names.includes(name)) names = [...names, name];
      return [{ name, index: names.indexOf(name), from: Number(from) * 1e9, to: to ? Number(to) * 1e9 : end }];
    });
  const edges = [...new Set([...led.flatMap(({ from, to }) => [from, to]), end])].sort((a, b) => a - b);
  /** @type {Span[]} */
  const two = [];
  /** @type {Span[]} */
  const nobody = [];
  for (const [i, from] of edges.slice(0, -1).entries()) {
    const leaders = new Set(led.filter((one) => one.from <= from && one.to > from).map(({ name }) => name)).size;
    const list = leaders === 0 ? nobody : leaders > 1 ? two : undefined;
    const last = list?.at(-1);
    if (last?.to === from) last.to = edges[i + 1];
    else list?.push({ from, to: edges[i + 1] });
  }
  return { end, led, two, nobody };
}

/** The whole length of some spans. @param {Span[]} spans */
export const lengthOf = (spans) => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** A strip in words. @param {Strip} strip */
export function stripWords({ led, two, nobody }) {
  const names = [...new Set(led.map(({ name }) => name))];
  const parts = [names.length > 0 ? `${names.join(', then ')} led` : 'nobody led'];
  if (two.length > 0) parts.push(`two at once for ${formatSeconds(lengthOf(two), 1)}`);
  if (nobody.length > 0) parts.push(`nobody for ${formatSeconds(lengthOf(nobody), 1)}`);
  return parts.join('; ');
}

const ROWS = 3;

/** @param {Strip | undefined} strip undefined while it is made */
export function stripTemplate(strip) {
  if (!strip) return html`<span class="strip" aria-hidden="true"></span>`;
  const { end, led, two, nobody } = strip;
  const nodes = [...new Set(led.map(({ index }) => index))];
  const rows = Math.min(ROWS, Math.max(2, nodes.length));
  const x = (/** @type {number} */ ns) => (400 * ns) / end;
  const hatch = (/** @type {Span} */ { from, to }) => {
    const lines = [];
    for (let at = x(from); at < x(to); at += 8) lines.push(`M${at} 24L${Math.min(at + 6, x(to))} 2`);
    return lines.join('');
  };
  return html`<svg class="strip" viewBox="0 0 400 26" preserveAspectRatio="none" role="img"
    aria-label=${stripWords(strip)}>
    ${nobody.map((span) => svg`<path class="nobody" d=${hatch(span)} />`)}
    ${two.map(
      ({ from, to }) => svg`<rect class="two" x=${x(from)} width=${x(to) - x(from)} y="0" height="26" />
        <rect class="alarm" x=${x(from)} width=${Math.max(2, x(to) - x(from))} y="0" height="2.5" />`,
    )}
    ${led.map(({ index, from, to }) => {
      const row = Math.min(rows - 1, nodes.indexOf(index));
      const height = 20 / rows;
      return svg`<rect class="led" data-index=${Math.min(7, index)} x=${x(from)} width=${Math.max(2, x(to) - x(from))}
        y=${4 + row * (height + 0.5)} height=${height - 0.5} />`;
    })}
  </svg>`;
}

/** Makes the strips of runs, each once. */
export class Strips {
  /** @param {Pick<Pool, 'ask'>} pool */
  constructor(pool) {
    this.pool = pool;
    this.version = signal(0);
    /** By the run's document. @type {Map<string, Strip | null>} */
    this.made = new Map();
  }

  /**
   * The strip of a run; undefined until it is made. Reading it in a template draws the template again then.
   * @param {{scenario: object, end: number}} run @returns {Strip | undefined}
   */
  of({ scenario, end }) {
    void this.version.value;
    const key = JSON.stringify(scenario);
    const made = this.made.get(key);
    if (made === undefined) {
      this.made.set(key, null);
      this.#make(key, scenario, end);
    }
    return made ?? undefined;
  }

  /** @param {string} key @param {object} scenario @param {number} end */
  async #make(key, scenario, end) {
    try {
      const { text } = await this.pool.ask('history', { scenario, format: 'leaders', from: 0, to: end });
      const { candidates = [] } = /** @type {{candidates?: {name: string}[]}} */ (scenario);
      this.made.set(
        key,
        stripOf(
          text,
          candidates.map(({ name }) => name),
          end,
        ),
      );
      set(this.version, this.version.peek() + 1);
    } catch {
      this.made.delete(key); // the next drawing asks again
    }
  }
}
