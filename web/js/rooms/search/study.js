/**
 * A study that runs in one worker of the pool: an adviser, a hunt, a shrink, or a search of every schedule. It advances
 * slice by slice. An adviser or a hunt gives parts of its work to the other workers.
 */
import { batch, signal } from '@preact/signals-core';
import { Stopped } from './pool.js';

/** @import { ErrorReply, Filled, Form, Part, PartResult, Report, StudyKind, StudySpec } from '../../protocol.js' */
/** @import { Status } from './heat.js' */
/** @import { OwnWorker, Pool } from './pool.js' */

/** How long a slice takes, in ms. The panel redraws after each slice. */
const SLICE_MS = 150;
/**
 * The page measures the pace over this many ms. Until then it shows no pace, because the first slices may only plan, or
 * shrink an early finding.
 */
const PACE_MS = 10_000;
const PACE_AFTER_MS = 1_000;
/** Studies that give parts of their work to other workers. @type {StudyKind[]} */
const SHARED = ['advise', 'hunt'];

export class Study {
  /** @type {OwnWorker | undefined} */
  #worker;
  /** The subject of the study. @type {{scenario: object, values: Filled[]} | undefined} */
  #spec;
  #generation = 0;
  /** The generation whose slices are in progress; 0: none. */
  #going = 0;
  /** What the visitor has filled in, by field name. @type {Record<string, string>} */
  #filled = {};
  /**
   * Parts in progress, and results that the study has yet to receive.
   * @type {{making: Set<Promise<unknown>>, results: PartResult[]}}
   */
  #parts = { making: new Set(), results: [] };
  /** Whether the next slice starts the study over. */
  #isBeginning = false;
  /**
   * The answer of the previous start, until this start has one.
   * @type {{spec: {scenario: object, values: Filled[]} | undefined, report: Report | null} | undefined}
   */
  #before;
  /**
   * Progress over the last seconds: the amount of finished work at each time. @type {{tookMs: number, done: number}[]}
   */
  #late = [];

  /** @param {Pick<Pool, "ask" | "reserve" | "size">} pool @param {StudyKind} kind @param {() => number} [now] in ms */
  constructor(pool, kind, now = () => performance.now()) {
    this.pool = pool;
    this.kind = kind;
    this.now = now;
    this.form = signal(/** @type {Form | null} */ (null));
    /** What the fields show. */
    this.values = signal(/** @type {Record<string, string>} */ ({}));
    this.report = signal(/** @type {Report | null} */ (null));
    this.status = signal(/** @type {Status} */ (''));
    this.error = signal(/** @type {{message: string, path: string} | null} */ (null));
    /** The chosen finding, and the order of the list. */
    this.chosen = signal(0);
    this.order = signal(/** @type {"simplest" | "longest"} */ ('simplest'));
    /** The fields into which the visitor types, instead of choosing. */
    this.typing = signal(/** @type {Record<string, boolean>} */ ({}));
    /** The time that the runs took so far, without pauses. */
    this.tookMs = 0;
  }

  /** @param {string} name of the field @param {string} value */
  fill(name, value) {
    this.#filled[name] = value;
    this.values.value = { ...this.values.value, [name]: value };
  }

  /** Asks for the form of a scenario and keeps the visitor's entries. @param {object} scenario */
  async ask(scenario) {
    try {
      const form = await this.pool.ask('studyForm', { kind: this.kind, scenario });
      batch(() => {
        const usual = Object.fromEntries(form.fields.map(({ name, value }) => [name, value]));
        this.values.value = { ...usual, ...this.#filled };
        this.form.value = form;
      });
    } catch (error) {
      this.#tellFailure(error);
    }
  }

  /** @param {object} scenario */
  async start(scenario) {
    this.stop();
    this.#free();
    this.#before = { spec: this.#spec, report: this.report.peek() };
    this.#late = [];
    this.#parts = { making: new Set(), results: [] };
    const values = (this.form.value?.fields ?? []).map(({ name }) => ({ name, value: this.values.value[name] ?? '' }));
    this.#spec = { scenario, values };
    this.#isBeginning = true;
    this.tookMs = 0;
    batch(() => {
      this.report.value = this.error.value = null;
      this.chosen.value = 0;
      this.status.value = 'planning';
    });
    const mine = ++this.#generation;
    try {
      const worker = await this.pool.reserve();
      if (mine !== this.#generation) return worker.free();
      this.#worker = worker;
    } catch (error) {
      if (mine === this.#generation) this.#tellFailure(error);
      return;
    }
    if (mine === this.#generation) await this.#go();
  }

  /** The subject of the answer; undefined before the first start. */
  get spec() {
    return this.#spec;
  }

  /** @returns {StudySpec} */
  get #study() {
    return { kind: this.kind, ...(this.#spec ?? { scenario: {}, values: [] }) };
  }

  /** Runs the next slice. Other workers make the parts that the slice returns. @param {boolean} quiet */
  async #next(quiet) {
    const { making, results } = this.#parts;
    const { size } = this.pool;
    const shared = SHARED.includes(this.kind) && size > 1;
    if (shared && making.size >= 2 * size) await Promise.race(making);
    const parts = shared ? { parts: 2 * size - making.size, results: results.splice(0) } : {};
    const begin = this.#isBeginning ? { begin: true } : {};
    this.#isBeginning = false;
    const worker = /** @type {OwnWorker} */ (this.#worker);
    const params = { study: this.#study, ms: SLICE_MS, took: Math.round(this.tookMs), quiet, ...parts, ...begin };
    const answer = await worker.ask('studyGo', params);
    for (const part of answer.parts) this.#make(part);
    if (shared && !answer.over && results.length === 0 && making.size > 0) await Promise.race(making);
    return answer;
  }

  /** @param {Part} part */
  #make(part) {
    const { making, results } = this.#parts;
    const reply = this.pool
      .ask('studyMake', { study: this.#study, part })
      .then((result) => results.push(result))
      .finally(() => making.delete(reply));
    reply.catch(() => {}); // the slice that waits for it reports the failure
    making.add(reply);
  }

  async #go() {
    const mine = this.#generation;
    this.status.value = 'running';
    // The slice from before the pause has not answered yet, so that slice continues.
    if (this.#going === mine) return;
    this.#going = mine;
    await this.#slices(mine);
    if (this.#going === mine) this.#going = 0;
  }

  /** @param {number} mine */
  async #slices(mine) {
    let from = this.now();
    let drawnAt = Number.NEGATIVE_INFINITY;
    while (mine === this.#generation && this.status.peek() === 'running' && this.#worker) {
      try {
        const { over, report } = await this.#next(from - drawnAt < SLICE_MS);
        if (mine !== this.#generation) return;
        const now = this.now();
        this.tookMs += now - from;
        from = now;
        if (report) {
          drawnAt = now;
          this.#before = undefined;
          this.#pace(report.done);
        }
        batch(() => {
          if (report) this.report.value = report;
          if (over) this.#end('done');
        });
      } catch (error) {
        if (mine === this.#generation) this.#tellFailure(error);
        return;
      }
    }
  }

  /** @param {number} done */
  #pace(done) {
    this.#late.push({ tookMs: this.tookMs, done });
    while (this.#late.length > 2 && this.tookMs - this.#late[1].tookMs >= PACE_MS) this.#late.shift();
  }

  /** Shows the answer of the previous start again. */
  #back() {
    if (!this.#before) return;
    this.#spec = this.#before.spec;
    this.report.value = this.#before.report;
    this.#before = undefined;
  }

  /** @param {unknown} error */
  #tellFailure(error) {
    if (error instanceof Stopped) return;
    const { message, reply } = /** @type {Error & {reply?: ErrorReply}} */ (error);
    batch(() => {
      this.error.value = { message, path: reply?.path ?? '' };
      this.#back();
      this.#end('');
    });
  }

  /** @param {Status} status */
  #end(status) {
    this.#free();
    this.status.value = status;
  }

  #free() {
    this.#worker?.free();
    this.#worker = undefined;
  }

  pause() {
    if (this.status.peek() === 'running') this.status.value = 'paused';
  }

  async resume() {
    if (this.status.peek() === 'paused') await this.#go();
  }

  /** Ends the study and keeps its results. */
  stop() {
    if (!['planning', 'running', 'paused'].includes(this.status.peek())) return;
    this.#generation++;
    batch(() => {
      this.#end(this.report.peek() ? 'stopped' : '');
      this.#back();
    });
  }

  get #rate() {
    const [from, to] = [this.#late[0], this.#late.at(-1)];
    const ms = from && to ? to.tookMs - from.tookMs : 0;
    return from && to && ms >= PACE_AFTER_MS ? (1000 * (to.done - from.done)) / ms : 0;
  }

  /** The progress: how much of the total is done, and the pace. */
  get progress() {
    const { done = 0, of = 0, unit = 'runs', progress = '' } = this.report.value ?? {};
    const rate = this.status.value === 'done' ? (1000 * done) / Math.max(1, this.tookMs) : this.#rate;
    return { done, of, unit, more: progress, rate, left: of > 0 && rate > 0 ? (of - done) / rate : Number.NaN };
  }
}
