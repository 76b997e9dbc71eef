/**
 * The page's side of the engine: a request becomes a promise, views arrive while the run plays, and a panic costs
 * nothing but the act that caused it. The worker is replaced and the run is opened again from its last known share.
 */

/** @import { View, Share, ErrorReply, OpenParams, Hello, Progress } from "./protocol.js" */

/** An error reply, as an exception. Its message is a whole sentence for the reader. */
export class EngineError extends Error {
  /** @param {ErrorReply} reply */
  constructor(reply) {
    super(reply.message);
    this.name = 'EngineError';
    this.reply = reply;
  }
}

/** What to hand to a developer after a panic.
 * @typedef {{engine: number, op: string, params: unknown, message: string, stack: string, share: Share | undefined}} BugReport
 */

/** Operations after which the run, or what a link would say about it, is another one. */
const CHANGES_RUN = new Set([
  'open',
  'act',
  'edit',
  'undo',
  'redo',
  'branch',
  'pause',
  'seek',
  'step',
  'runTo',
  'breakpoints',
]);

export class Engine {
  /** @type {(view: View) => void} */
  onView = () => {};
  /** @type {(loaded: number, total: number) => void} */
  onProgress = () => {};
  /** @type {(message: string) => void} */
  onFailed = () => {};
  /** @type {(report: BugReport, view: View | undefined) => void} */
  onPanic = () => {};
  /**
   * How far the engine is with something long, and how to leave it; null when it is over.
   * @type {(computing: {at: number, of: number, stop: () => void} | null) => void}
   */
  onComputing = () => {};

  /**
   * @param {{worker: string, exec: string, wasm: string, module: {bytes: number, size: number, sha256: string}, scenarios: string}} assets absolute addresses
   * @param {(url: string) => Worker} [makeWorker]
   */
  constructor(assets, makeWorker = (url) => new Worker(url)) {
    this.assets = assets;
    this.makeWorker = makeWorker;
    this.nextId = 1;
    /** @type {Map<number, {op: string, params: unknown, resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.pending = new Map();
    /** @type {Share | undefined} */
    this.lastShare = undefined;
    /** Places where the engine panicked once: a second try is refused. @type {Set<string>} */
    this.panicked = new Set();
    this.engineVersion = 0;
    /** @type {Promise<object[]> | undefined} */
    this.shipped = undefined;
    this.restarts = 0;
    /** Which request takes more than one share, since when, and how long nobody needs to be told. */
    this.computing = 0;
    this.computingSince = 0;
    this.patienceMs = 200;
  }

  /**
   * Starts the worker and gives the engine the shipped scenarios, which are a file of the site.
   * @returns {Promise<Hello>}
   */
  async start() {
    this.shipped ??= fetch(this.assets.scenarios).then((answer) => (answer.ok ? answer.json() : []));
    const [scenarios] = await Promise.all([this.shipped, this.#startWorker()]);
    return this.request('hello', { scenarios });
  }

  /** @returns {Promise<void>} */
  #startWorker() {
    return new Promise((resolve, reject) => {
      try {
        this.worker = this.makeWorker(this.assets.worker);
      } catch (error) {
        reject(error);
        return;
      }
      let ready = false;
      const fail = (/** @type {string} */ message) => {
        if (!ready) reject(new Error(message));
        else this.recover('the worker', undefined, { code: 'panic', message });
      };
      this.worker.onmessage = ({ data }) => {
        if (data.type === 'progress') this.onProgress(data.loaded, data.total);
        else if (data.type === 'view') this.onView(data.view);
        else if (data.type === 'reply') this.settle(data.reply);
        else if (data.type === 'failed') fail(data.message);
        else if (data.type === 'ready') {
          ready = true;
          resolve();
        }
      };
      this.worker.onerror = (event) => {
        event.preventDefault();
        fail(event.message || 'the worker could not be loaded');
      };
      const { exec, wasm, module } = this.assets;
      this.worker.postMessage({ type: 'start', exec, wasm, module });
    });
  }

  /**
   * @param {string} op
   * @param {any} [params]
   * @returns {Promise<any>}
   */
  request(op, params) {
    if (this.panicked.has(placeOf(op, params, this.lastShare))) {
      const message =
        'The simulator crashed at this very step before, so it is not tried again. Do something else first.';
      return Promise.reject(new EngineError({ code: 'state', message }));
    }
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.pending.set(id, { op, params, resolve, reject });
      this.worker?.postMessage({ type: 'request', request: params === undefined ? { id, op } : { id, op, params } });
    });
  }

  /** @param {{id: number, ok: boolean, result?: any, error?: ErrorReply}} reply */
  settle(reply) {
    const waiting = this.pending.get(reply.id);
    if (waiting && reply.ok && reply.result?.done === false) {
      this.goOn(reply.id, reply.result);
      return;
    }
    this.pending.delete(reply.id);
    if (reply.id === this.computing) {
      this.computing = 0;
      this.onComputing(null);
    }
    const error = reply.error ?? { code: 'unknown', message: 'The engine gave no reason.' };
    if (reply.ok) {
      waiting?.resolve(reply.result ?? {});
      if (waiting && (CHANGES_RUN.has(waiting.op) || reply.result?.changed)) this.remember();
      return;
    }
    waiting?.reject(new EngineError(error));
    if (error.code === 'panic') this.recover(waiting?.op ?? 'tick', waiting?.params, error);
  }

  /**
   * The next share of something long, as a message of its own: whatever else was asked meanwhile is answered before it.
   * A pause, as any change, makes the engine leave it, and what was begun then ends where the run stands.
   * @param {number} id
   * @param {Progress} progress
   */
  goOn(id, { at, of }) {
    const now = performance.now();
    if (this.computing !== id) this.computingSince = now;
    this.computing = id;
    this.worker?.postMessage({ type: 'request', request: { id, op: 'goOn' } });
    if (now - this.computingSince >= this.patienceMs) this.onComputing({ at, of, stop: () => this.request('pause') });
  }

  /** Keeps what is needed to open this very run again. */
  remember() {
    this.request('share', { whole: true }).then(
      (share) => {
        this.lastShare = share;
        this.engineVersion = share.engine;
      },
      () => {},
    );
  }

  /**
   * A new worker, the same run, without the act that broke it.
   * @param {string} op
   * @param {unknown} params
   * @param {ErrorReply} error
   */
  async recover(op, params, error) {
    const share = this.lastShare;
    const report = { engine: this.engineVersion, op, params, message: error.message, stack: error.stack ?? '', share };
    this.panicked.add(placeOf(op, params, share));
    this.worker?.terminate();
    for (const waiting of this.pending.values())
      waiting.reject(new EngineError({ code: 'panic', message: error.message }));
    this.pending.clear();
    this.computing = 0;
    this.onComputing(null);
    this.restarts++;
    if (this.restarts > 20 || op === 'open') {
      this.onFailed(error.message);
      return;
    }
    try {
      await this.start();
      const view = share ? await this.request('open', openParams(share)) : undefined;
      this.onPanic(report, view);
    } catch (failure) {
      this.onFailed(failure instanceof Error ? failure.message : String(failure));
    }
  }
}

/** @param {Share} share @returns {OpenParams} */
export function openParams({ scenario, patch, actions, seed, cursor, edge, breakpoints }) {
  return { scenario, patch, actions, seed, cursor, edge, ...(breakpoints ? { breakpoints } : {}) };
}

/** @param {string} op @param {unknown} params @param {Share | undefined} share */
function placeOf(op, params, share) {
  const plays = op === 'play' || op === 'tick';
  return JSON.stringify([
    plays ? 'play' : op,
    plays ? null : (params ?? null),
    share?.hash ?? '',
    share?.cursor ?? null,
  ]);
}
