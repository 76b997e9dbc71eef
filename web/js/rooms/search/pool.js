/**
 * The workers that make the runs of a study. The first one fetches the module. The other workers get the compiled
 * module, so they need no download. A worker processes one request at a time.
 *
 * Guarantee: each request gets exactly one result or error, however a worker ends. Non-guarantee: a worker's data about
 * a study ends with the worker, so each request contains the whole study.
 */
import { EngineError } from '../../lib/engineerror.js';

/** @import { ErrorReply, Op, Ops, Reply } from '../../protocol.js' */

/**
 * A request; "" asks for a separate worker. of: the study that may stop the request.
 * @typedef {{op: Op | '', params: unknown, of?: object, resolve: (result: any) => void, reject: (error: Error) =>
 *   void}} Task
 */
/**
 * kept: the worker belongs to one study, and later requests of that study wait for this worker.
 * @typedef {{worker: Worker, task?: Task, waiting: Task[], ready: boolean, kept?: boolean}} Member
 */

/**
 * @typedef {{ask: <O extends Op>(op: O, params: Ops[O]['params']) => Promise<Ops[O]['result']>, free: () => void}}
 *   OwnWorker
 */

/** The number of workers: one for every core. The page needs only a small part of one core, and the browser gives
 * priority to its frames. */
export const poolSize = (cores = navigator.hardwareConcurrency) => cores || 2;

/** The visitor stopped the study during the request. */
export class Stopped extends Error {}

export class Pool {
  /** The compiled module, once a worker has it. @type {WebAssembly.Module | undefined} */
  #compiled;
  /** @type {Member[]} */
  #members = [];
  /** @type {Task[]} */
  #queue = [];
  /** @type {Promise<object[]> | undefined} */
  #scenarios;

  /**
   * @param {typeof __ASSETS__} assets
   * @param {{size?: number, makeWorker?: (url: string) => Worker, fetchScenarios?: () => Promise<object[]>}} [how]
   */
  constructor(assets, { size = poolSize(), makeWorker = (url) => new Worker(url), fetchScenarios } = {}) {
    this.assets = assets;
    this.size = size;
    this.makeWorker = makeWorker;
    this.fetchScenarios = fetchScenarios ?? (async () => (await fetch(assets.scenarios)).json());
    /** Called while the module loads, with its loaded share from 0 to 1. @type {(share: number) => void} */
    this.onProgress = () => {};
  }

  /**
   * Sends a request to a worker, once one is free.
   * @template {Op} O @param {O} op @param {Ops[O]['params']} params @param {object} [of] the study that may stop it
   * @returns {Promise<Ops[O]['result']>}
   */
  ask(op, params, of) {
    return new Promise((resolve, reject) => {
      this.#queue.push({ op, params, of, resolve, reject });
      this.#next();
    });
  }

  /**
   * A separate worker, for a study that lives in one worker between requests. The caller must free it.
   * @returns {Promise<OwnWorker>}
   */
  reserve() {
    return new Promise((resolve, reject) => {
      this.#queue.push({ op: '', params: undefined, resolve, reject });
      this.#next();
    });
  }

  /** @param {Member} member @returns {OwnWorker} */
  #lend(member) {
    member.kept = true;
    let mine = true;
    return {
      ask: (op, params) =>
        new Promise((resolve, reject) => {
          const task = { op, params, resolve, reject };
          if (!mine) reject(new Stopped('Stopped.'));
          else if (!this.#members.includes(member))
            reject(new Error('The worker of this study has ended. Start it again.'));
          else if (member.task) member.waiting.push(task);
          else this.#post(member, task);
        }),
      free: () => {
        if (!mine) return;
        mine = false;
        if (member.task) this.#end(member, new Stopped('Stopped.'));
        member.kept = false;
        if (this.#members.filter(({ kept }) => !kept).length > this.size) this.#end(member, new Stopped('Stopped.'));
        this.#next();
      },
    };
  }

  /**
   * Drops the waiting requests of a study and ends the workers that are busy with the study. The study's requests fail
   * with Stopped. Other studies continue.
   * @param {object} of
   */
  stop(of) {
    const dropped = this.#queue.filter((task) => task.of === of);
    this.#queue = this.#queue.filter((task) => task.of !== of);
    for (const task of dropped) task.reject(new Stopped('Stopped.'));
    for (const member of this.#members.filter(({ task }) => task?.of === of))
      this.#end(member, new Stopped('Stopped.'));
    this.#next();
  }

  #next() {
    while (this.#queue.length > 0) {
      const free = this.#members.find((one) => one.ready && !one.task && !one.kept);
      if (!free) return this.#grow();
      const task = /** @type {Task} */ (this.#queue.shift());
      if (task.op === '') task.resolve(this.#lend(free));
      else this.#post(free, task);
    }
  }

  /** Adds a worker, unless the pool is full or the first one is still loading the module. */
  #grow() {
    const first = this.#members.length === 0;
    const shared = this.#members.filter(({ kept }) => !kept);
    if (shared.length >= this.size || (!first && !this.#compiled)) return;
    this.#begin().catch((error) => {
      for (const task of this.#queue.splice(0)) task.reject(error);
    });
  }

  async #begin() {
    /** @type {Member} */
    const member = { worker: this.makeWorker(this.assets.worker), waiting: [], ready: false };
    this.#members.push(member);
    try {
      await this.#start(member);
    } catch (error) {
      this.#end(member, /** @type {Error} */ (error));
      throw error;
    }
    member.ready = true;
    // The queue may hold enough work for more workers.
    this.#next();
  }

  /** @param {Member} member */
  async #start(member) {
    const { exec, tools } = this.assets;
    const { worker } = member;
    const fail = (/** @type {string} */ message) =>
      this.#end(member, new Error(`The simulator stopped: ${message}. Start the study again.`));
    /** @type {Promise<void>} */
    const ready = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if (data.type === 'ready') {
          this.#compiled = data.compiled;
          resolve();
        } else if (data.type === 'progress') this.onProgress(data.loaded / Math.max(1, data.total));
        else if (data.type === 'reply') this.#settle(member, data.reply);
        else if (data.type === 'failed') {
          reject(new EngineError({ code: 'state', message: data.message }));
          fail(data.message);
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        const message = event.message || 'The worker of a study did not load.';
        reject(new EngineError({ code: 'state', message }));
        fail(message);
      };
    });
    const wasm = new URL(tools.wasm, document.baseURI).href;
    worker.postMessage({ type: 'start', exec, wasm, module: tools.module, passing: true, compiled: this.#compiled });
    this.#scenarios ??= this.fetchScenarios().catch((error) => {
      this.#scenarios = undefined;
      throw new EngineError({
        code: 'state',
        message: `The shipped scenarios could not be loaded (${error.message}). Try again.`,
      });
    });
    const [scenarios] = await Promise.all([this.#scenarios, ready]);
    await new Promise((resolve, reject) => this.#post(member, { op: 'hello', params: { scenarios }, resolve, reject }));
  }

  /** @param {Member} member @param {Task} task */
  #post(member, task) {
    member.task = task;
    member.worker.postMessage({ type: 'request', request: { id: 1, op: task.op, params: task.params } });
  }

  /** @param {Member} member @param {Reply} reply */
  #settle(member, { ok, result, error }) {
    const { task } = member;
    member.task = undefined;
    if (ok) task?.resolve(result ?? {});
    else task?.reject(new EngineError(error ?? { code: 'unknown', message: 'The simulator gave no reason.' }));
    if (error?.code === 'panic') this.#end(member, new Stopped('Stopped.'));
    const next = member.waiting.shift();
    if (next) this.#post(member, next);
    this.#next();
  }

  /** @param {Member} member @param {Error} why */
  #end(member, why) {
    member.worker.terminate();
    this.#members = this.#members.filter((one) => one !== member);
    for (const task of [member.task, ...member.waiting.splice(0)]) task?.reject(why);
    member.task = undefined;
  }
}
