/**
 * A heat map in progress: which cells come next, the results, and the progress. This class distributes the runs to
 * workers.
 */
import { batch, signal } from '@preact/signals-core';
import { Stopped } from './pool.js';

/** @import { Detail, ErrorReply, HeatCell, HeatPlan, HeatStudy } from '../../protocol.js' */
/** @import { Pool } from './pool.js' */

/** How many runs of each cell the first drawing of the map needs. */
const PREVIEW_SEEDS = 2;
/** How long a request should take, in ms. New results arrive at this interval, too. */
const SLICE_MS = 80;
/** The shortest time between two drawings of the map, in ms. */
const DRAW_MS = 120;

/** @typedef {"" | "planning" | "running" | "paused" | "done" | "stopped"} Status */
/** Cells with runs to make. @typedef {{cells: number[], seeds: number}} Batch */

export class Heat {
  /**
   * @param {Pick<Pool, "ask" | "stop" | "size">} pool
   * @param {(plan: HeatPlan) => number} [first] the first cell to draw; -1: any
   * @param {() => number} [now] in ms
   */
  constructor(pool, first = () => -1, now = () => performance.now()) {
    this.pool = pool;
    this.first = first;
    this.now = now;
    /** @type {HeatStudy | undefined} */
    this.study = undefined;
    this.plan = signal(/** @type {HeatPlan | null} */ (null));
    /** The cells by number. Cells without runs are missing. @type {(HeatCell | undefined)[]} */
    this.cells = [];
    /** Counts the drawings, because cells is not a signal. */
    this.version = signal(0);
    this.status = signal(/** @type {Status} */ (''));
    this.error = signal(/** @type {{message: string, path: string} | null} */ (null));
    this.detail = signal(/** @type {{cell: number, runs: number, detail: Detail | null} | null} */ (null));
    /** Finished runs, and the time that they took without pauses. */
    this.runs = 0;
    this.tookMs = 0;
    /** When the last reply came. */
    this.at = 0;
    /** @type {Set<number>} */
    this.refused = new Set();
    /** Cells with runs to make, by pass. @type {{cells: number[], seeds: number}[]} */
    this.passes = [];
    /** The number of requests in progress. */
    this.busy = 0;
    this.generation = 0;
    this.drawnAt = 0;
    /** Called when the study is done or stopped. */
    this.onEnd = () => {};
  }

  /** The scenario of the study; empty before the first start. */
  get scenario() {
    return /** @type {object} */ (this.study?.scenario ?? {});
  }

  /** How many runs the study has. */
  get total() {
    const { plan, study, refused } = this;
    return plan.value && study ? (plan.value.x.length * plan.value.y.length - refused.size) * study.seeds : 0;
  }

  /** The progress: how many of the runs are done, and the pace. */
  get progress() {
    const { runs: done, total: of } = this;
    const rate = this.tookMs > 0 ? (1000 * done) / this.tookMs : 0;
    return { done, of, unit: 'runs', more: '', rate, left: rate > 0 ? (of - done) / rate : Number.NaN };
  }

  /** Begins a study. @param {HeatStudy} study */
  async start(study) {
    this.stop();
    const mine = ++this.generation;
    batch(() => {
      this.status.value = 'planning';
      this.error.value = this.detail.value = null;
    });
    try {
      const plan = await this.pool.ask('heatPlan', { study }, this);
      if (mine !== this.generation) return;
      this.study = study;
      this.cells = [];
      this.runs = this.tookMs = this.busy = 0;
      this.refused = new Set(plan.refused.map(({ cell }) => cell));
      const all = Array.from({ length: plan.x.length * plan.y.length }, (_, i) => i).filter(
        (i) => !this.refused.has(i),
      );
      const first = this.first(plan);
      all.sort((a, b) => Number(b === first) - Number(a === first));
      this.passes = [{ cells: [...all], seeds: study.seeds }];
      if (study.seeds > 2 * PREVIEW_SEEDS) this.passes.unshift({ cells: [...all], seeds: PREVIEW_SEEDS });
      batch(() => {
        this.plan.value = plan;
        this.status.value = 'running';
        this.version.value++;
      });
      await this.#work(mine);
    } catch (error) {
      this.#tellFailure(error, mine);
    }
  }

  /** @param {unknown} error @param {number} mine */
  #tellFailure(error, mine) {
    if (mine !== this.generation || error instanceof Stopped) return;
    const { message, reply } = /** @type {Error & {reply?: ErrorReply}} */ (error);
    batch(() => {
      this.error.value = { message, path: reply?.path ?? '' };
      this.status.value = this.runs === 0 ? '' : this.runs < this.total ? 'stopped' : 'done';
    });
  }

  /**
   * Sends one request at a time to each worker. Requests that began before a pause continue after it. @param {number}
   * mine
   */
  async #work(mine) {
    this.at = this.now();
    const loop = async () => {
      for (;;) {
        if (mine !== this.generation || this.status.peek() !== 'running') return;
        const next = this.#take();
        if (!next) return;
        this.busy++;
        const { cells } = await this.pool.ask(
          'heatCells',
          { study: /** @type {HeatStudy} */ (this.study), ...next },
          this,
        );
        if (mine !== this.generation) return;
        this.busy--;
        this.#put(cells, next.seeds);
      }
    };
    await Promise.all(Array.from({ length: this.pool.size - this.busy }, loop));
    if (mine !== this.generation || this.passes.length > 0 || this.busy > 0 || this.status.peek() !== 'running') return;
    batch(() => {
      this.status.value = 'done';
      this.version.value++;
    });
    this.onEnd();
  }

  /** The cells of the next request. @returns {Batch | undefined} */
  #take() {
    while (this.passes[0]?.cells.length === 0) this.passes.shift();
    const [pass] = this.passes;
    if (!pass) return undefined;
    const { rate } = this.progress;
    const preview = pass.seeds < (this.study?.seeds ?? 0);
    const some = preview ? 16 : Math.round(((rate / this.pool.size) * SLICE_MS) / 1000 / pass.seeds);
    return { cells: pass.cells.splice(0, Math.min(64, Math.max(1, some))), seeds: pass.seeds };
  }

  /** @param {HeatCell[]} cells @param {number} seeds */
  #put(cells, seeds) {
    const now = this.now();
    for (const cell of cells) if ((this.cells[cell.cell]?.runs ?? 0) < cell.runs) this.cells[cell.cell] = cell;
    if (seeds === this.study?.seeds) {
      this.runs += cells.reduce((sum, { runs }) => sum + runs, 0);
      this.tookMs += now - this.at;
    }
    this.at = now;
    if (now - this.drawnAt < DRAW_MS) return;
    this.drawnAt = now;
    this.version.value++;
  }

  pause() {
    if (this.status.peek() === 'running') this.status.value = 'paused';
  }

  async resume() {
    if (this.status.peek() !== 'paused') return;
    this.status.value = 'running';
    const mine = this.generation;
    await this.#work(mine).catch((error) => this.#tellFailure(error, mine));
  }

  /** Ends the study and keeps its results. */
  stop() {
    if (!['planning', 'running', 'paused'].includes(this.status.peek())) return;
    this.generation++;
    this.pool.stop(this);
    batch(() => {
      this.status.value = this.plan.peek() ? 'stopped' : '';
      this.version.value++;
    });
    this.onEnd();
  }

  /** The runs of a cell, the worst by a measure first. @param {number} cell @param {string} measure */
  async show(cell, measure) {
    const runs = this.cells[cell]?.runs ?? 0;
    this.detail.value = { cell, runs, detail: null };
    const study = this.study;
    if (!study || runs === 0) return;
    const current = this.detail.value;
    try {
      const detail = await this.pool.ask('heatRuns', { study, cell, seeds: runs, measure });
      if (this.detail.value === current) this.detail.value = { cell, runs, detail };
    } catch (error) {
      this.#tellFailure(error, this.generation);
    }
  }
}
