/** The strips of runs that a study finds. */
import { signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { set } from '../../lib/control.js';
import { stripTemplate } from '../../lib/strip.js';

/** @import { Strip } from '../../lib/strip.js' */
/** @import { Pool } from './pool.js' */

/**
 * Reads the history's table of leaders.
 * @param {string} csv @param {string[]} names of the nodes, in order @param {number} end of the run, in ms
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
      return [[names.indexOf(name), Number(from) * 1e3, to ? Number(to) * 1e3 : end]];
    });
  const edges = [...new Set([0, ...led.flatMap(([, from, to]) => [from, to]), end])].sort((a, b) => a - b);
  const bands = edges.slice(0, -1).flatMap((from, i) => {
    const leaders = new Set(led.filter((one) => one[1] <= from && one[2] > from).map(([node]) => node)).size;
    return leaders === 1 ? [] : [[from, edges[i + 1], Math.min(2, leaders)]];
  });
  return { end, led, bands };
}

/** A strip, or room for one that is still to come. @param {Strip | undefined} strip @param {number} [bar] */
export const stripRoom = (strip, bar) =>
  strip ? stripTemplate(strip, { bar }) : html`<span class="run-strip strip-room" aria-hidden="true"></span>`;

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
   * The strip of a run; undefined until the engine has made it. Reading it in a template draws the template again then.
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
      const names = candidates.map(({ name }) => name);
      this.made.set(key, stripOf(text, names, end / 1e6));
      set(this.version, this.version.peek() + 1);
    } catch {
      this.made.delete(key); // the next drawing asks again
    }
  }
}
