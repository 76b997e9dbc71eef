/** The strips of runs that a study finds. */
import { signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { set } from '../../lib/control.js';
import { stripTemplate } from '../../lib/strip.js';

/** @import { Signal } from '@preact/signals-core' */
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
  /** By the run's document. @type {Map<string, Signal<Strip | undefined>>} */
  #made = new Map();

  /** @param {Pick<Pool, 'ask'>} pool */
  constructor(pool) {
    this.pool = pool;
  }

  /**
   * The strip of a run; undefined until the engine has made it. Reading it in a template draws the template again then.
   * @param {{scenario: object, end: number}} run @returns {Strip | undefined}
   */
  of({ scenario, end }) {
    const key = JSON.stringify(scenario);
    const made = this.#made.get(key) ?? signal(undefined);
    if (!this.#made.has(key)) {
      this.#made.set(key, made);
      this.#make(scenario, end).then(
        (strip) => set(made, strip),
        () => this.#made.delete(key), // the next drawing asks again
      );
    }
    return made.value;
  }

  /** @param {object} scenario @param {number} end */
  async #make(scenario, end) {
    const { text } = await this.pool.ask('history', { scenario, format: 'leaders', from: 0, to: end });
    const { candidates = [] } = /** @type {{candidates?: {name: string}[]}} */ (scenario);
    const names = candidates.map(({ name }) => name);
    return stripOf(text, names, end / 1e6);
  }
}
