/**
 * The page's side of the engine: a request becomes a promise, and views arrive while the run plays.
 *
 * Guarantee: a worker may die at any instant and in any way, and the page loses no request. Another worker starts,
 * continues from the last snapshot, and gets the requests without an answer in the same order. The page refuses only a
 * request that panics or kills a second worker. After three crashes without an answer the engine stops. Every answer to
 * a change has a snapshot, so the last snapshot contains every answered change, and no other. Non-guarantee: watches of
 * the API end with their worker.
 */
import { EngineError } from '../../lib/engineerror.js';

/**
 * @import { Cursor, Given, Hello, Op, OpInfo, Ops, PlayParams, Progress, Reply } from '../../protocol.js'
 * @import { View } from '../../protocol.js'
 */

/**
 * How a worker ended: its engine panicked, its script threw, or it was silent for too long.
 * @typedef {{how: "panic" | "thrown" | "silent", message: string, stack?: string}} Death
 */
/**
 * The data that a developer needs after a crash. session is the snapshot of the run that crashed.
 * @typedef {{engine: number, op: string, params: unknown, message: string, stack: string, session: unknown, cursor?:
 *   Cursor, live?: Cursor}} BugReport
 */
/**
 * The data that another engine needs to continue: the last engine's snapshot, the cursor and the live instant, and the
 * trace hash at that instant.
 * @typedef {{text: string, cursor?: Cursor, live?: Cursor, hash?: string}} SavedRun
 */
/** @typedef {{op: Op | '', params?: unknown, kept?: SavedRun}} Call a request; "" is the start of a worker */
/**
 * A reply. The reply to an API request contains the view, too.
 * @typedef {Omit<Reply, 'result'> & {result?: {done?: boolean, view?: View}}} EngineReply
 */
/**
 * again: the call may have killed a worker.
 * @typedef {Call & {again?: boolean, resolve: (value?: unknown) => void, reject: (error: Error) => void}} PendingCall
 */

/** How often the page pings the worker, and how long the worker may be silent. */
const BEAT_MS = 1000;
const SILENT_MS = 5000;
/** The page gives up after this many crashes without an answer. */
const DEATHS = 3;
/** How long the page waits after the first failed restart. It waits longer after each further failure. */
const PAUSE_MS = 200;

export class Engine {
  /** @type {(view: View) => void} */
  onView = () => {};
  /** @type {(loaded: number, total: number) => void} */
  onProgress = () => {};
  /**
   * The engine has stopped, for the reason in the sentence: no worker loads, or the run kills every worker. From now on
   * the page can only open another run. loading: no worker loads.
   * @type {(sentence: string, loading: boolean) => void}
   */
  onFailed = () => {};
  /** The engine works again after it had stopped, because another run is open now. */
  onReady = () => {};
  /** A worker has died; another one is about to start. @type {(ended: Death) => void} */
  onDeath = () => {};
  /**
   * The run is back without the act in the report, and it stays paused.
   * @type {(report: BugReport) => void}
   */
  onPanic = () => {};
  /**
   * The progress of a long computation and how to stop it; null when it ends.
   * @type {(computing: {at: number, of: number, stop: () => void} | null) => void}
   */
  onComputing = () => {};

  /**
   * @param {{worker: string, exec: string, wasm: string, module: {bytes: number, size: number, sha256: string},
   *   scenarios: string, passing?: boolean}} assets absolute addresses; passing: the module is not kept for the next
   *   visit
   * @param {(url: string) => Worker} [makeWorker]
   */
  constructor(assets, makeWorker = (url) => new Worker(url)) {
    this.assets = assets;
    this.makeWorker = makeWorker;
    this.nextId = 1;
    /** @type {"starting" | "running" | "stopped"} */
    this.state = 'starting';
    /** The requests without an answer, in the order in which the page sent them. @type {Map<number, PendingCall>} */
    this.pending = new Map();
    /** The request that the start of the worker needs. @type {PendingCall | undefined} */
    this.own = undefined;
    this.ownId = 0;
    /** The id of the request that the worker is processing; 0 for none. */
    this.busy = 0;
    /** The last snapshot. */
    this.snapshot = '';
    /** The last view. @type {View | undefined} */
    this.view = undefined;
    /** The request that plays the run. @type {PendingCall | undefined} */
    this.playing = undefined;
    /** What each operation does to the run, from the engine's own list. @type {Map<string, OpInfo['kind']>} */
    this.kinds = new Map();
    this.engineVersion = 0;
    /** @type {Promise<object[]> | undefined} */
    this.shipped = undefined;
    /**
     * The compiled module, so that the next worker starts without the network.
     * @type {WebAssembly.Module | undefined}
     */
    this.compiled = undefined;
    /** The engine's memory at the last ping, in bytes. */
    this.wasmBytes = 0;
    this.restarts = 0;
    /** How many workers have died since the last answer. */
    this.deaths = 0;
    /** The worker has started, so a failure from now on comes from the run. */
    this.loaded = false;
    this.lastWords = '';
    this.stoppedBy = '';
    /** The id of the request that needs more than one time slice; 0 for none. */
    this.computing = 0;
    /** When that request began, in wall time (ms). */
    this.computingSince = 0;
    /** How long the page waits before it shows the progress. */
    this.patienceMs = 200;
    /** Waits before another worker starts. @type {(ms: number) => Promise<unknown>} */
    this.pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    this.now = () => performance.now();
    this.beatAt = 0;
    this.silentForMs = 0;
  }

  /** Starts the worker and passes a file of the site to the engine: the shipped scenarios. @returns {Promise<Hello>} */
  async start() {
    const hello = await this.#boot();
    this.#run();
    return hello;
  }

  /**
   * Sends a request to the engine. While a worker starts, requests wait.
   * @template {Op} O
   * @param {O} op @param {Given<O>} given @returns {Promise<Ops[O]['result']>}
   */
  request(op, ...[params]) {
    return /** @type {Promise<Ops[O]['result']>} */ (this.#ask({ op, params }));
  }

  /** Opens the run that an earlier engine left behind. @param {SavedRun} kept @returns {Promise<View>} */
  open(kept) {
    return /** @type {Promise<View>} */ (this.#ask({ op: 'open', kept }));
  }

  /** The state that another engine continues from; undefined before a run is open. @returns {SavedRun | undefined} */
  keep() {
    if (!this.snapshot) return undefined;
    const { cursor, live, hash } = this.view ?? {};
    return { text: this.snapshot, cursor, live, hash };
  }

  /**
   * Replaces the worker without the visitor noticing. The run keeps its cursor, branches, undo and redo, and keeps
   * playing if it was playing. Unanswered requests run again from their beginning. It calls only onView. Watches of the
   * API end: their followers see `restarts` change.
   * @returns {Promise<boolean>} whether there is a new worker; false while one starts, or when the engine has stopped
   */
  async replace() {
    if (this.state !== 'running') return false;
    this.#dismiss();
    await this.#revive();
    return this.state === /** @type {string} */ ('running');
  }

  /* ---- requests ---- */

  /** Whether the operation leaves a different run. @param {Op} op */
  changes(op) {
    return ['opens', 'changes', 'mayChange'].includes(this.kinds.get(op) ?? '');
  }

  /** @param {Call} asked @returns {Promise<unknown>} */
  #ask(asked) {
    const stopped = this.state === 'stopped';
    if (stopped && asked.op !== 'open')
      return Promise.reject(new EngineError({ code: 'state', message: this.stoppedBy }));
    const asking = new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.pending.set(id, { ...asked, resolve, reject });
      if (this.state === 'running') this.#post(id, asked);
    });
    if (!stopped) return asking;
    this.snapshot = '';
    this.view = this.playing = undefined;
    this.deaths = 0;
    this.#revive();
    return asking.then((view) => {
      this.onReady();
      return view;
    });
  }

  /** @param {number} id @param {Call} asked */
  #post(id, { op, params, kept }) {
    const request = params === undefined ? { id, op } : { id, op, params };
    this.worker?.postMessage(kept ? { type: 'request', request, kept } : { type: 'request', request });
  }

  /**
   * Sends a request that the start of the worker needs. No other request goes out in the meantime.
   * @param {Call} asked
   * @returns {Promise<unknown>}
   */
  #askFirst(asked) {
    return new Promise((resolve, reject) => {
      this.ownId = this.nextId++;
      this.own = { ...asked, resolve, reject };
      if (this.worker) this.#post(this.ownId, asked);
      else reject(new Error(this.lastWords)); // it died just now
    });
  }

  /** @param {EngineReply} reply @param {string} [snapshot] */
  settle(reply, snapshot) {
    const { id, ok, result } = reply;
    const own = id === this.ownId ? this.own : undefined;
    const waiting = own ?? this.pending.get(id);
    if (this.busy === id) this.busy = 0;
    if (waiting && ok && result && 'done' in result && result.done === false) {
      this.goOn(id, /** @type {Progress} */ (result));
      return;
    }
    if (id === this.computing) this.#endComputing();
    const error = reply.error ?? { code: 'unknown', message: 'The simulator gave no reason.' };
    if (!ok && error.code === 'panic') {
      this.#endWorker(this.worker, { how: 'panic', message: error.message, stack: error.stack }, id);
      return;
    }
    if (own) this.own = undefined;
    if (this.pending.delete(id)) this.deaths = 0;
    if (snapshot) this.snapshot = snapshot;
    if (waiting?.op === 'play' && ok) this.playing = waiting;
    if (ok) this.#rememberView(result?.view ?? result);
    if (ok) waiting?.resolve(result ?? {});
    else waiting?.reject(new EngineError(error));
  }

  /** Remembers the cursor and the live instant, if the answer is a view. @param {object} [answer] */
  #rememberView(answer) {
    if (!answer || !('nextT' in answer)) return;
    const view = /** @type {View} */ (answer);
    this.view = view;
    if (!view.playing) this.playing = undefined;
  }

  /**
   * Asks for the next time slice of a long computation in a separate message, so that the engine first answers requests
   * that have arrived in the meantime. A pause, like any change, ends the computation at the point that it has reached.
   * @param {number} id @param {Progress} progress
   */
  goOn(id, { at, of }) {
    const now = this.now();
    if (this.computing !== id) this.computingSince = now;
    this.computing = id;
    this.#post(id, { op: 'goOn' });
    if (now - this.computingSince >= this.patienceMs) this.onComputing({ at, of, stop: () => this.request('pause') });
  }

  #endComputing() {
    this.computing = 0;
    this.onComputing(null);
  }

  /* ---- workers ---- */

  /** Starts a worker whose engine knows the shipped scenarios. @returns {Promise<Hello>} */
  async #boot() {
    this.state = 'starting';
    this.shipped ??= fetch(this.assets.scenarios)
      .then((answer) => (answer.ok ? answer.json() : []))
      .catch((error) => {
        this.shipped = undefined;
        throw error;
      });
    const [scenarios] = await Promise.all([this.shipped, this.#load()]);
    const greeting = await this.#askFirst({ op: 'hello', params: { scenarios } });
    const { hello, ops } = /** @type {Ops['hello']['result']} */ (greeting);
    this.kinds = new Map(ops.map(({ name, kind }) => [name, kind]));
    this.engineVersion = hello.engine;
    return hello;
  }

  /** @returns {Promise<void>} */
  #load() {
    return new Promise((resolve, reject) => {
      const worker = this.makeWorker(this.assets.worker);
      this.worker = worker;
      this.busy = 0;
      this.loaded = false;
      this.own = { op: '', resolve: () => resolve(), reject };
      this.ownId = 0;
      const onThrown = (/** @type {string} */ message) => this.#endWorker(worker, { how: 'thrown', message });
      worker.onmessage = ({ data }) => {
        if (worker !== this.worker) return;
        this.silentForMs = 0;
        if (data.type === 'busy') this.busy = data.id;
        else if (data.type === 'reply') this.settle(data.reply, data.snapshot);
        else if (data.type === 'view') {
          this.#rememberView(data.view);
          this.onView(data.view);
        } else if (data.type === 'here') this.wasmBytes = data.bytes;
        else if (data.type === 'progress') this.onProgress(data.loaded, data.total);
        else if (data.type === 'failed') onThrown(data.message);
        else if (data.type === 'ready') {
          this.compiled = data.compiled;
          this.loaded = true;
          resolve();
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        onThrown(event.message || 'the worker could not be loaded');
      };
      const { exec, wasm, module, passing } = this.assets;
      worker.postMessage({ type: 'start', exec, wasm, module, passing, compiled: this.compiled });
      this.#listen();
    });
  }

  /** Sends the waiting requests in order. */
  #run() {
    this.own = undefined;
    this.state = 'running';
    for (const [id, asked] of this.pending) this.#post(id, asked);
  }

  #dismiss() {
    this.worker?.terminate();
    this.worker = undefined;
    this.#endComputing();
  }

  /* ---- the heartbeat ---- */

  #listen() {
    this.silentForMs = 0;
    this.beatAt = this.now();
    clearInterval(this.beating);
    this.beating = setInterval(() => this.beat(), BEAT_MS);
    if (typeof this.beating === 'object') this.beating.unref(); // in Node, so that a test can end
  }

  /**
   * Pings the worker. Time counts against the worker only while the page's own timer is punctual: a sleeping machine, a
   * throttled tab or a busy page says nothing about the worker. The first start has no limit, because the network may
   * be slow.
   */
  beat() {
    const now = this.now();
    const gapMs = now - this.beatAt;
    this.beatAt = now;
    if (globalThis.document?.hidden || gapMs > 2 * BEAT_MS) this.silentForMs = 0;
    else this.silentForMs += gapMs;
    if (this.silentForMs >= SILENT_MS && (this.state === 'running' || this.restarts > 0)) {
      const message = 'the simulator did not answer for 5 s';
      this.#endWorker(this.worker, { how: 'silent', message });
    } else this.worker?.postMessage({ type: 'ping' });
  }

  /* ---- deaths ---- */

  /** @param {Worker | undefined} worker @param {Death} ended @param {number} [id] the request that panicked */
  #endWorker(worker, ended, id = this.busy) {
    if (!worker || worker !== this.worker) return;
    this.#dismiss();
    this.lastWords = ended.message;
    if (this.own) {
      this.own.reject(new Error(ended.message));
      this.own = undefined;
      return;
    }
    const report = this.#refuse(ended, id);
    this.deaths = report ? 0 : this.deaths + 1;
    this.onDeath(ended);
    this.#revive().then(() => report && this.state === 'running' && this.onPanic(report));
  }

  /**
   * Refuses a request that panicked or has killed two workers, and leaves the run paused. After one death without a
   * panic, the request or the playing run gets another try: the worker may have died of something else.
   * @param {Death} ended @param {number} id @returns {BugReport | undefined}
   */
  #refuse(ended, id) {
    const waiting = this.pending.get(id);
    const flying = waiting ?? this.playing;
    if (ended.how !== 'panic' && !flying?.again) {
      if (flying) flying.again = true;
      return undefined;
    }
    this.playing = undefined;
    this.pending.delete(id);
    waiting?.reject(new EngineError({ code: 'panic', message: ended.message }));
    return {
      engine: this.engineVersion,
      op: waiting?.op ?? 'tick',
      params: waiting?.params,
      message: ended.message,
      stack: ended.stack ?? '',
      session: this.snapshot && JSON.parse(this.snapshot),
      cursor: this.view?.cursor,
      live: this.view?.live,
    };
  }

  /** Starts a worker that continues where the last one was, or gives up. */
  async #revive() {
    this.state = 'starting';
    this.restarts++;
    for (const [id, { op, reject }] of [...this.pending]) {
      if (this.kinds.get(op) !== 'watches') continue;
      this.pending.delete(id);
      reject(new EngineError({ code: 'state', message: 'The watch ended because the simulator restarted.' }));
    }
    while (this.deaths < DEATHS) {
      try {
        await this.#boot();
        await this.#reopen();
        this.#run();
        return;
      } catch (error) {
        this.lastWords = /** @type {Error} */ (error).message;
        this.deaths++;
        this.#dismiss();
        this.own = undefined;
        if (this.deaths < DEATHS) await this.pause(PAUSE_MS * this.deaths ** 2);
      }
    }
    this.#stop(this.lastWords, !this.loaded);
  }

  /** Opens the same run again, playing if it was playing. */
  async #reopen() {
    const save = this.keep();
    if (!save) return;
    const { playing } = this;
    let view = await this.#askFirst({ op: 'open', kept: save });
    if (playing) {
      view = await this.#askFirst({ op: 'play', params: playing.params });
      if (this.playing) this.playing = playing; // this was its second try
    }
    this.onView(/** @type {View} */ (view));
  }

  /** @param {string} message @param {boolean} loading */
  #stop(message, loading) {
    this.state = 'stopped';
    this.stoppedBy = loading
      ? `The simulator could not be loaded again (${message}). Reload the page.`
      : `The simulator crashes whenever it opens this run, so it stays closed (${message.replace(/\.$/, '')}). ` +
        'Choose another scenario.';
    clearInterval(this.beating);
    const { pending } = this;
    this.pending = new Map();
    for (const { reject } of pending.values()) reject(new EngineError({ code: 'state', message: this.stoppedBy }));
    this.onFailed(this.stoppedBy, loading);
  }
}
