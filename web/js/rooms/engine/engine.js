/**
 * The page's side of the engine: a request becomes a promise, and views arrive while the run plays.
 *
 * Guarantee: a worker may die at any instant and in any way, and the page loses at most the act that killed it.
 * Requests wait while another worker starts, which then gets them again in the same order. The new worker continues
 * from the last snapshot. A snapshot arrives in the same message as the answer to every change, so it holds everything
 * that was answered. Non-guarantee: watches of the API end with the worker that held them.
 */

/**
 * @import { Cursor, ErrorReply, Given, Hello, Op, OpInfo, Ops, PlayParams, Progress, Reply } from '../../protocol.js'
 * @import { View } from '../../protocol.js'
 */

/** An error reply, as an exception. Its message is a whole sentence for the reader. */
export class EngineError extends Error {
  /** @param {ErrorReply} reply */
  constructor(reply) {
    super(reply.message);
    this.name = 'EngineError';
    this.reply = reply;
  }
}

/** A worker died while it started or reopened the run. */
class Death extends Error {
  /** @param {Ended} ended @param {boolean} loading the worker was not ready yet */
  constructor(ended, loading) {
    super(ended.message);
    this.ended = ended;
    this.loading = loading;
  }
}

/**
 * How a worker ended: its engine panicked, its script threw, or it was silent for too long.
 * @typedef {{how: "panic" | "thrown" | "silent", message: string, stack?: string}} Ended
 */
/**
 * What a developer needs after a crash. session is the snapshot in which it happened.
 * @typedef {{engine: number, op: string, params: unknown, message: string, stack: string, session: unknown, cursor?:
 *   Cursor, live?: Cursor}} BugReport
 */
/**
 * What another engine needs to continue: a snapshot as the engine wrote it, the cursor and the live instant, and the
 * trace hash there.
 * @typedef {{text: string, cursor?: Cursor, live?: Cursor, hash?: string}} Kept
 */
/** @typedef {{op: Op | '', params?: unknown, kept?: Kept}} Asked a request; "" is the start of a worker */
/**
 * A reply. A request to the API server brings its view along.
 * @typedef {Omit<Reply, 'result'> & {result?: {done?: boolean, view?: View}}} Answered
 */
/** ends: how many workers ended with this request first in the queue without naming the request they were on. */
/** @typedef {Asked & {ends?: number, resolve: (value?: unknown) => void, reject: (error: Error) => void}} Waiting */

/** How often the page pings the worker, and how long the worker may be silent. */
const BEAT_MS = 1000;
const SILENT_MS = 5000;
/** How many workers in a row may die before one reopens the run, and how many may panic while reopening it. */
const TRIES = 4;
const PANICS = 2;
/** After a question has crashed this many engines, the page does not ask it of this run again. */
const STRIKES = 3;
/** A request that was first in the queue when this many workers ended is what killed them. */
const ENDS_OF_ONE = 3;
/** The page gives up after this many workers in a row end before they answer anything. */
const HASTY_ENDS = 10;

const TRIED_BEFORE = 'The simulator crashed at this step before, so it does not try again. Do something else first.';

export class Engine {
  /** @type {(view: View) => void} */
  onView = () => {};
  /** @type {(loaded: number, total: number) => void} */
  onProgress = () => {};
  /**
   * The engine has stopped, for the reason in the sentence: no worker loads, or the run kills every one. From now on
   * the page only tries to open another run.
   * @type {(sentence: string, loading: boolean) => void}
   */
  onFailed = () => {};
  /** The engine had stopped; another run is open now. */
  onReady = () => {};
  /** A worker has died; another one is about to start. @type {(ended: Ended) => void} */
  onDeath = () => {};
  /**
   * The run is back without the one act that is in the report, and stays paused.
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
    /** What the page has asked and not been answered, in its order. @type {Map<number, Waiting>} */
    this.pending = new Map();
    /** The request that starting needs. @type {Waiting | undefined} */
    this.own = undefined;
    this.ownId = 0;
    /** The id of the request that the worker is processing, 0 for none. */
    this.busy = 0;
    /** The last snapshot. */
    this.snapshot = '';
    /** The last view. @type {View | undefined} */
    this.view = undefined;
    /** How the run plays. @type {PlayParams | undefined} */
    this.playing = undefined;
    /** What each operation does to the run, by the engine's own list. @type {Map<string, OpInfo['kind']>} */
    this.kinds = new Map();
    /** Requests and places that crashed an engine: a second try is refused. @type {Set<string>} */
    this.panicked = new Set();
    /**
     * Requests and places at which a worker ended once without a reason: a second time counts as a crash.
     * @type {Set<string>}
     */
    this.suspects = new Set();
    /** How many engines a question has crashed on this run. @type {Map<string, number>} */
    this.strikes = new Map();
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
    /** Whether the worker has answered anything. */
    this.answered = true;
    /** How many workers in a row ended without an answer. */
    this.hasty = 0;
    /** @type {Ended} */
    this.ended = { how: 'thrown', message: '' };
    this.stoppedBy = '';
    /** The id of the request that takes more than one time slice, 0 for none. */
    this.computing = 0;
    /** When it began, in wall time (ms). */
    this.computingSince = 0;
    /** How long the page shows no progress for it. */
    this.patienceMs = 200;
    /** How long the page waits before it starts a worker a second time; later tries wait longer. */
    this.pauseMs = 200;
    this.now = () => performance.now();
    this.beatAt = 0;
    this.silentForMs = 0;
  }

  /** Starts the worker and hands the engine the shipped scenarios, a file of the site. @returns {Promise<Hello>} */
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

  /** Opens what an earlier engine left behind. @param {Kept} kept @returns {Promise<View>} */
  open(kept) {
    return /** @type {Promise<View>} */ (this.#ask({ op: 'open', kept }));
  }

  /** What another engine continues from; undefined before a run is open. @returns {Kept | undefined} */
  keep() {
    if (!this.snapshot) return undefined;
    const { cursor, live, hash } = this.view ?? {};
    return { text: this.snapshot, cursor, live, hash };
  }

  /**
   * Replaces the worker without the visitor noticing. The run keeps its cursor, branches, undo and redo, and keeps
   * playing if it was playing. Unanswered requests run again from their beginning. Only onView is called. Watches of
   * the API end: their followers see `restarts` change.
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
    return this.#changes(op) || this.kinds.get(op) === 'opens';
  }

  /**
   * Whether the operation changes the run. If it kills a worker, the next worker does not get it.
   * @param {string} op
   */
  #changes(op) {
    const kind = this.kinds.get(op);
    return kind === 'changes' || kind === 'mayChange';
  }

  /**
   * Whether the operation leads to another place. Moving the cursor and opening a run are never refused for good.
   * @param {string} op
   */
  #leads(op) {
    const kind = this.kinds.get(op);
    return this.#changes(op) || kind === 'moves' || kind === 'opens';
  }

  /** @param {Asked} asked @returns {Promise<unknown>} */
  #ask(asked) {
    // The requests still ahead of it lead elsewhere.
    const here = ![...this.pending.values()].some(({ op }) => this.#leads(op));
    const refusal = this.#refusal(asked, here);
    if (refusal) return Promise.reject(new EngineError({ code: 'state', message: refusal }));
    const stopped = this.state === 'stopped';
    const asking = new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.pending.set(id, { ...asked, resolve, reject });
      if (this.state === 'running') this.#post(id, asked);
    });
    if (!stopped) return asking;
    this.snapshot = '';
    this.view = this.playing = undefined;
    this.#revive();
    return asking.then((view) => {
      this.onReady();
      return view;
    });
  }

  /** @param {Asked} asked @param {boolean} here it runs at the place on screen */
  #refusal({ op, params, kept }, here) {
    if (this.state === 'stopped' && op !== 'open') return this.stoppedBy;
    const struck = (this.strikes.get(op) ?? 0) >= STRIKES;
    const crashed = here && this.panicked.size > 0 && !kept && this.panicked.has(this.#placeOf(op, params));
    return struck || crashed ? TRIED_BEFORE : '';
  }

  /** @param {number} id @param {Asked} asked */
  #post(id, { op, params, kept }) {
    const request = params === undefined ? { id, op } : { id, op, params };
    this.worker?.postMessage(kept ? { type: 'request', request, kept } : { type: 'request', request });
  }

  /**
   * A request that starting itself needs: no other request is sent meanwhile.
   * @param {Asked} asked
   * @returns {Promise<unknown>}
   */
  #askFirst(asked) {
    return new Promise((resolve, reject) => {
      this.ownId = this.nextId++;
      this.own = { ...asked, resolve, reject };
      if (this.worker) this.#post(this.ownId, asked);
      else reject(new Death(this.ended, true));
    });
  }

  /** @param {Answered} reply @param {string} [snapshot] */
  settle(reply, snapshot) {
    const { id, ok, result } = reply;
    const own = id === this.ownId ? this.own : undefined;
    const waiting = own ?? this.pending.get(id);
    if (this.busy === id) this.busy = 0;
    if (waiting && ok && result && 'done' in result && result.done === false) {
      this.goOn(id, /** @type {Progress} */ (result));
      return;
    }
    if (id === this.computing) this.#over();
    const error = reply.error ?? { code: 'unknown', message: 'The simulator gave no reason.' };
    if (!ok && error.code === 'panic') {
      this.#died(this.worker, { how: 'panic', message: error.message, stack: error.stack }, id);
      return;
    }
    if (own) this.own = undefined;
    if (this.pending.delete(id)) this.answered = true;
    if (snapshot) this.snapshot = snapshot;
    if (waiting?.op === 'play' && ok) this.playing = /** @type {PlayParams} */ (waiting.params);
    if (ok) this.#saw(result?.view ?? result);
    if (!own && waiting?.op === 'open' && ok) this.strikes.clear();
    if (ok) waiting?.resolve(result ?? {});
    else waiting?.reject(new EngineError(error));
  }

  /** Remembers the cursor and the live instant, if this is a view. @param {object} [answer] */
  #saw(answer) {
    if (!answer || !('nextT' in answer)) return;
    const view = /** @type {View} */ (answer);
    this.view = view;
    if (!view.playing) this.playing = undefined;
  }

  /**
   * Asks for the next time slice of a long computation in its own message, so that the engine first answers what was
   * asked meanwhile. A pause, like any change, ends the computation where the run is.
   * @param {number} id @param {Progress} progress
   */
  goOn(id, { at, of }) {
    const now = this.now();
    if (this.computing !== id) this.computingSince = now;
    this.computing = id;
    this.#post(id, { op: 'goOn' });
    if (now - this.computingSince >= this.patienceMs) this.onComputing({ at, of, stop: () => this.request('pause') });
  }

  #over() {
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
      this.own = { op: '', resolve: () => resolve(), reject };
      this.ownId = 0;
      const thrown = (/** @type {string} */ message) => this.#died(worker, { how: 'thrown', message });
      worker.onmessage = ({ data }) => {
        if (worker !== this.worker) return;
        this.silentForMs = 0;
        if (data.type === 'busy') this.busy = data.id;
        else if (data.type === 'reply') this.settle(data.reply, data.snapshot);
        else if (data.type === 'view') {
          this.#saw(data.view);
          this.onView(data.view);
        } else if (data.type === 'here') this.wasmBytes = data.bytes;
        else if (data.type === 'progress') this.onProgress(data.loaded, data.total);
        else if (data.type === 'failed') thrown(data.message);
        else if (data.type === 'ready') {
          this.compiled = data.compiled;
          resolve();
        }
      };
      worker.onerror = (event) => {
        event.preventDefault();
        thrown(event.message || 'the worker could not be loaded');
      };
      const { exec, wasm, module, passing } = this.assets;
      worker.postMessage({ type: 'start', exec, wasm, module, passing, compiled: this.compiled });
      this.#listen();
    });
  }

  /** Sends what was asked meanwhile, in order, except what has just killed an engine at this place. */
  #run() {
    this.own = undefined;
    this.state = 'running';
    this.answered = false;
    let here = true;
    for (const [id, asked] of [...this.pending]) {
      const refusal = this.#refusal(asked, here);
      if (refusal) {
        this.pending.delete(id);
        asked.reject(new EngineError({ code: 'state', message: refusal }));
        continue;
      }
      this.#post(id, asked);
      here &&= !this.#leads(asked.op);
    }
  }

  #dismiss() {
    this.worker?.terminate();
    this.worker = undefined;
    this.#over();
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
   * Pings the worker. Only the time in which the page's own timer is punctual counts: a sleeping machine, a throttled
   * tab or a busy page says nothing about the worker. The first start has no limit, because the network may be slow.
   */
  beat() {
    const now = this.now();
    const gapMs = now - this.beatAt;
    this.beatAt = now;
    if (globalThis.document?.hidden || gapMs > 2 * BEAT_MS) this.silentForMs = 0;
    else this.silentForMs += gapMs;
    if (this.silentForMs >= SILENT_MS && (this.state === 'running' || this.restarts > 0)) {
      const message = 'the simulator did not answer for 5 s';
      this.#died(this.worker, { how: 'silent', message });
    } else this.worker?.postMessage({ type: 'ping' });
  }

  /* ---- deaths ---- */

  /** @param {Worker | undefined} worker @param {Ended} ended @param {number} [id] the request that panicked */
  #died(worker, ended, id) {
    if (!worker || worker !== this.worker) return;
    this.#dismiss();
    this.ended = ended;
    if (this.own) {
      const { reject } = this.own;
      this.own = undefined;
      reject(new Death(ended, this.ownId === 0));
      return;
    }
    const report = this.#blame(ended, id ?? (this.busy || this.#headThatKills()));
    this.hasty = this.answered || report ? 0 : this.hasty + 1;
    if (this.hasty >= HASTY_ENDS) {
      this.#stop(ended.message, false);
      return;
    }
    this.onDeath(ended);
    this.#revive().then(() => report && this.state === 'running' && this.onPanic(report));
  }

  /**
   * A worker may die before it names the request it is on. Then the first waiting request is the suspect, and when that
   * happens repeatedly, the culprit.
   */
  #headThatKills() {
    const [head] = this.pending;
    if (!head) return 0;
    const [id, waiting] = head;
    waiting.ends = (waiting.ends ?? 0) + 1;
    return waiting.ends < ENDS_OF_ONE ? 0 : id;
  }

  /**
   * What killed the worker, if that is known: the request that panicked, or the act in progress. Any other request may
   * be innocent and is sent once more.
   * @param {Ended} ended @param {number} id @returns {BugReport | undefined}
   */
  #blame(ended, id) {
    const waiting = this.pending.get(id);
    const op = waiting?.op ?? (ended.how === 'panic' || this.playing ? 'tick' : '');
    if (!op) return undefined;
    const place = this.#placeOf(op, waiting?.params);
    if (ended.how !== 'panic' && !this.#changes(op) && !this.suspects.has(place)) {
      this.suspects.add(place);
      return undefined;
    }
    this.panicked.add(place);
    if (waiting && !this.#leads(op)) this.strikes.set(op, (this.strikes.get(op) ?? 0) + 1);
    this.playing = undefined;
    this.pending.delete(id);
    waiting?.reject(new EngineError({ code: 'panic', message: ended.message }));
    return {
      engine: this.engineVersion,
      op,
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
    for (let tries = 1, panics = 0; ; tries++) {
      try {
        await this.#boot();
        await this.#reopen();
        this.#run();
        return;
      } catch (error) {
        const loading = error instanceof Death ? error.loading : !(error instanceof EngineError);
        if (!loading && error instanceof Death && error.ended.how === 'panic') panics++;
        this.#dismiss();
        this.own = undefined;
        if (tries === TRIES || panics === PANICS || error instanceof EngineError) {
          this.#stop(/** @type {Error} */ (error).message, loading);
          return;
        }
        if (loading) this.compiled = undefined;
        await new Promise((resolve) => setTimeout(resolve, this.pauseMs * tries * tries));
      }
    }
  }

  /** Opens the run as it was, playing if it was playing. */
  async #reopen() {
    const kept = this.keep();
    if (!kept) return;
    const { playing } = this;
    let view = await this.#askFirst({ op: 'open', kept });
    if (playing) view = await this.#askFirst({ op: 'play', params: playing });
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

  /** @param {string} op @param {unknown} params */
  #placeOf(op, params) {
    if (op === 'open') return JSON.stringify([op, params]);
    const { hash, cursor } = this.view ?? {};
    const plays = op === 'play' || op === 'tick';
    return JSON.stringify(plays ? ['play', hash, cursor] : [op, params ?? null, hash, cursor]);
  }
}
