/** The files of a visitor, the findings in these files, and which part of the findings is on screen. */

import { computed, signal } from '@preact/signals-core';
import { set } from '../../lib/control.js';
import { Cancelled } from './reading.js';
import { STEPS, zoomSpan } from './timeline.js';

/** @import { Chart, Moment } from '../../protocol.js' */
/** @import { Findings, Reading } from './reading.js' */
/** @import { Options, LineProps } from './templates.js' */
/** @import { Span } from './timeline.js' */

/** The initial options: read everything. @returns {Options} */
const allOptions = () => ({ lease: '', around: '', nodes: {} });

export class Inquiry {
  /** The files, by unique names. @type {Map<string, File>} */
  files = new Map();
  options = signal(allOptions());
  progress = signal(/** @type {{bytes: number, of: number, seconds: number} | null} */ (null));
  read = signal(/** @type {Findings | null} */ (null));
  error = signal('');
  /** The name of the Lease on screen. */
  chosen = signal('');
  lease = computed(() => this.read.value?.found.leases.find(({ name }) => name === this.chosen.value));
  span = signal(/** @type {Span} */ ({ from: 0, to: 0 }));
  chart = signal(/** @type {Chart | null} */ (null));
  moment = signal(/** @type {Moment | undefined} */ (undefined));
  /** Whether the list shows every moment. */
  every = signal(false);
  shown = signal(/** @type {LineProps | null} */ (null));

  /** @param {Reading} reading @param {(sentence: string) => void} say announces the findings to the reader */
  constructor(reading, say) {
    this.reading = reading;
    this.say = say;
  }

  /** @param {File[]} more */
  add(more) {
    for (const file of more) {
      let { name } = file;
      for (let n = 2; this.files.has(name); n++) name = `${file.name} (${n})`;
      this.files.set(name, file);
    }
    if (more.length > 0) return this.start();
  }

  /** @param {string} name */
  remove(name) {
    this.files.delete(name);
    if (this.files.size > 0) return this.start();
    this.forget();
  }

  /** Reads all files. */
  async start() {
    const startedAt = performance.now();
    const { lease, around, nodes } = this.options.value;
    const files = [...this.files].map(([name, file]) => ({ name, file }));
    this.progress.value = { bytes: 0, of: files.reduce((sum, { file }) => sum + file.size, 0), seconds: 0 };
    this.error.value = '';
    const params = {
      ...(lease && { lease }),
      ...(around && { around }),
      year: new Date().getFullYear(),
      nodes: Object.entries(nodes).map(([file, node]) => ({ file, node })),
    };
    try {
      const answer = await this.reading.read(files, params, (bytes, of) =>
        set(this.progress, { bytes, of, seconds: (performance.now() - startedAt) / 1000 }),
      );
      this.read.value = answer;
      this.progress.value = null;
      this.choose(answer.found.leases[0]?.name ?? '');
      this.say(this.lease.value?.headline ?? 'These files name no Lease.');
    } catch (failure) {
      if (failure instanceof Cancelled) return;
      this.progress.value = null;
      this.error.value = /** @type {Error} */ (failure).message;
    }
  }

  /** Ends the reading and forgets the files. */
  forget() {
    this.reading.cancel();
    this.files = new Map();
    this.read.value = this.progress.value = null;
    this.error.value = '';
    this.options.value = allOptions();
  }

  /** @param {string} name of a Lease */
  choose(name) {
    this.chosen.value = name;
    this.moment.value = undefined;
    this.shown.value = this.chart.value = null;
    this.every.value = false;
    const lease = this.lease.value;
    if (!lease) return;
    this.lookAtAll();
    // The worst moment comes first: two leaders, or else the last leader change.
    const { moments } = lease;
    const first = moments.find(({ kind }) => kind === 'overlap') ?? moments.findLast(({ kind }) => kind === 'leader');
    if (first) this.pick(first);
  }

  /** Draws the whole timeline. */
  lookAtAll() {
    return this.look({ from: 0, to: Math.max(this.lease.value?.length ?? 0, 1) });
  }

  /** Draws a window of the timeline. @param {Span} to */
  async look(to) {
    this.span.value = to;
    try {
      const drawn = await this.reading.ask('evidenceChart', { lease: this.chosen.value, ...to, steps: STEPS });
      if (this.span.value === to) this.chart.value = drawn;
    } catch (failure) {
      this.tellFailure(failure);
    }
  }

  /** Zooms around the chosen moment if that moment is on screen, or else around the middle. @param {number} factor */
  zoom(factor) {
    const { from, to } = this.span.value;
    const moment = this.moment.value;
    const at = moment ? (moment.from + moment.to) / 2 : from;
    const about = at > from && at < to ? at : (from + to) / 2;
    return this.look(zoomSpan(this.span.value, factor, about, this.lease.value?.length ?? to));
  }

  /** Shows a moment and its lines. @param {Moment} moment */
  pick(moment) {
    this.moment.value = moment;
    this.lines(moment.lines);
    const { from, to } = this.span.value;
    if (moment.to < from || moment.from > to)
      this.look(zoomSpan(this.span.value, 1, moment.from, this.lease.value?.length ?? to));
  }

  /** @param {string[]} places */
  lines(places) {
    if (places.length > 0) return this.line(places[0], places);
    this.shown.value = null;
  }

  /**
   * Shows a line of a file. @param {string} place file:line @param {string[]} [places] the other lines to choose from
   */
  async line(place, places) {
    const others = this.shown.value?.places ?? [];
    const wanted = { places: places ?? (others.includes(place) ? others : [place]), place };
    this.shown.value = wanted;
    const colon = place.lastIndexOf(':');
    const member = place.slice(0, colon);
    // The members of an archive are called archive/path.
    const [name, file] = [...this.files].find(([name]) => member === name || member.startsWith(`${name}/`)) ?? [];
    /** @type {Partial<LineProps>} */
    let answer;
    try {
      if (!name || !file) throw new Error(`${member} is not among the files anymore.`);
      answer = { lines: await this.reading.lines({ name, file }, member, Number(place.slice(colon + 1))) };
    } catch (failure) {
      answer = { error: /** @type {Error} */ (failure).message };
    }
    if (this.shown.value === wanted) this.shown.value = { ...wanted, ...answer };
  }

  /** @param {unknown} failure */
  tellFailure(failure) {
    if (!(failure instanceof Cancelled)) this.error.value = /** @type {Error} */ (failure).message;
  }
}
