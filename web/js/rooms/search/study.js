/** A study that a worker of the pool keeps: an adviser, a hunt, a shrink, a search of every schedule. It goes on slice by slice. */
import { batch, signal } from '@preact/signals-core';
import { Stopped } from './pool.js';

/** @import { Filled, Form, Report, StudyKind } from '../../protocol.js' */
/** @import { Status } from './heat.js' */
/** @import { Owned, Pool } from './pool.js' */

/** How long a slice takes: the panel is drawn this often. */
const SLICE_MS = 150;

export class Study {
  /** @type {Owned | undefined} */
  #worker;
  /** What is studied. @type {{scenario: object, values: Filled[]} | undefined} */
  #spec;
  #generation = 0;

  /** @param {Pick<Pool, "ask" | "own">} pool @param {StudyKind} kind @param {() => number} [now] in ms */
  constructor(pool, kind, now = () => performance.now()) {
    this.pool = pool;
    this.kind = kind;
    this.now = now;
    this.form = signal(/** @type {Form | null} */ (null));
    /** What a visitor has filled in, by the names of the fields. */
    this.values = signal(/** @type {Record<string, string>} */ ({}));
    this.report = signal(/** @type {Report | null} */ (null));
    this.status = signal(/** @type {Status} */ (''));
    this.error = signal(/** @type {{message: string, path: string} | null} */ (null));
    /** What the runs so far took, without pauses. */
    this.tookMs = 0;
  }

  /** Asks for the form of a scenario, and keeps what was filled in. @param {object} scenario */
  async ask(scenario) {
    try {
      const form = await this.pool.ask('studyForm', { kind: this.kind, scenario });
      batch(() => {
        const usual = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
        this.values.value = { ...usual, ...this.values.value };
        this.form.value = form;
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  /** @param {object} scenario */
  async start(scenario) {
    this.stop();
    const values = (this.form.value?.fields ?? []).map(({ name }) => ({ name, value: this.values.value[name] ?? '' }));
    this.#spec = { scenario, values };
    this.tookMs = 0;
    batch(() => {
      this.report.value = this.error.value = null;
      this.status.value = 'planning';
    });
    const mine = ++this.#generation;
    const worker = await this.pool.own();
    if (mine !== this.#generation) {
      worker.free();
      return;
    }
    this.#worker = worker;
    await this.#go();
  }

  async #go() {
    const mine = this.#generation;
    this.status.value = 'running';
    while (mine === this.#generation && this.status.peek() === 'running' && this.#worker && this.#spec) {
      const from = this.now();
      try {
        const study = { kind: this.kind, ...this.#spec };
        const { over, report } = await this.#worker.ask('studyGo', { study, ms: SLICE_MS });
        if (mine !== this.#generation) return;
        this.tookMs += this.now() - from;
        batch(() => {
          this.report.value = report;
          if (over) this.#end('done');
        });
      } catch (error) {
        if (mine === this.#generation) this.#failed(error);
        return;
      }
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof Stopped) return;
    const { message, path = '' } = /** @type {Error & {path?: string}} */ (error);
    batch(() => {
      this.error.value = { message, path };
      this.#end('');
    });
  }

  /** @param {Status} status */
  #end(status) {
    this.#worker?.free();
    this.#worker = undefined;
    this.status.value = status;
  }

  pause() {
    if (this.status.peek() === 'running') this.status.value = 'paused';
  }

  async resume() {
    if (this.status.peek() === 'paused') await this.#go();
  }

  /** Ends the study, and keeps what was found. */
  stop() {
    if (!['planning', 'running', 'paused'].includes(this.status.peek())) return;
    this.#generation++;
    this.#end(this.report.peek() ? 'stopped' : '');
  }

  /** What is done of how much, at which pace. */
  get progress() {
    const { done = 0, of = 0, unit = 'runs', progress = '' } = this.report.value ?? {};
    const rate = this.tookMs > 0 ? (1000 * done) / this.tookMs : 0;
    return { done, of, unit, more: progress, rate, left: of > 0 && rate > 0 ? (of - done) / rate : Number.NaN };
  }
}
