/**
 * The page's side of the engine: a request becomes a promise, and views arrive while the run plays.
 *
 * Guarantee: a worker may die at any instant and in any way, and the page loses nothing but the act that a running engine
 * died of. Requests wait while another worker starts, and are sent again in their order. It goes on from the last
 * snapshot, which comes in the same message as the answer to every change: what was answered is in it, what was not is
 * asked again. Non-guarantee: watches of the API end with the worker that held them.
 */

/** @import { View, Cursor, ErrorReply, Given, Hello, Op, Ops, OpInfo, PlayParams, Progress } from "../../protocol.js" */

/** An error reply, as an exception. Its message is a whole sentence for the reader. */
export class EngineError extends Error {
  /** @param {ErrorReply} reply */
  constructor(reply) {
    super(reply.message);
    this.name = 'EngineError';
    this.reply = reply;
  }
}

/** A worker that died while it started or opened the run again. */
class Death extends Error {
  /** @param {Ended} ended @param {boolean} loading it was not ready yet */
  constructor(ended, loading) {
    super(ended.message);
    this.ended = ended;
    this.loading = loading;
  }
}

/**
 * How a worker came to its end: its engine answered with a panic, its script threw, it was silent for too long.
 * @typedef {{how: "panic" | "thrown" | "silent", message: string, stack?: string}} Ended
 */
/**
 * What to hand to a developer after a crash. session is the snapshot it happened in.
 * @typedef {{engine: number, op: string, params: unknown, message: string, stack: string, session: unknown, cursor?: Cursor, edge?: Cursor}} BugReport
 */
/**
 * Everything another engine needs to go on: a snapshot as the engine wrote it, and where it was looked at. hash is what the
 * run was there.
 * @typedef {{text: string, cursor?: Cursor, edge?: Cursor, hash?: string}} Kept
 */
/** @typedef {{op: Op | '', params?: unknown, kept?: Kept}} Asked one request; "" is the start of a worker */
/** ends: how many workers ended with this request at the head of the queue and had not said which one they were at. */
/** @typedef {Asked & {ends?: number, resolve: (value: any) => void, reject: (error: Error) => void}} Waiting */

/** How often the worker is asked whether it is there, and how long it may be silent. */
const BEAT_MS = 1000;
const SILENT_MS = 5000;
/** How often in a row a worker may die before it has opened the run again, and how often of a panic as it opens it. */
const TRIES = 4;
const PANICS = 2;
/** A question that crashed so many engines is not asked of this run any more. */
const STRIKES = 3;
/** A request at the head of the queue when so many workers ended is what they died of. */
const ENDS_OF_ONE = 3;
/** So many workers in a row that end before they have answered anything are enough. */
const HASTY_ENDS = 10;

const TRIED_BEFORE =
  'The simulator crashed at this very step before, so it is not tried again. Do something else first.';

export class Engine {
  /** @type {(view: View) => void} */
  onView = () => {};
  /** @type {(loaded: number, total: number) => void} */
  onProgress = () => {};
  /**
   * The engine has stopped, with a sentence: a worker cannot be loaded, or every one dies of the run. Only opening another
   * run is tried from now on.
   * @type {(sentence: string, loading: boolean) => void}
   */
  onFailed = () => {};
  /** It was stopped, and another run is open. */
  onReady = () => {};
  /** A worker has died; another one is about to start. @type {(ended: Ended) => void} */
  onDeath = () => {};
  /** The run is back without the one act that is in the report, and stays paused. @type {(report: BugReport) => void} */
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
    /** @type {"starting" | "running" | "stopped"} */
    this.state = 'starting';
    /** What the page has asked and not been answered, in its order. @type {Map<number, Waiting>} */
    this.pending = new Map();
    /** The engine's own question while it starts. @type {Waiting | undefined} */
    this.own = undefined;
    this.ownId = 0;
    /** The request that the worker is at, 0 for none. */
    this.busy = 0;
    /** The last snapshot. */
    this.snapshot = '';
    /** The last view. @type {View | undefined} */
    this.view = undefined;
    /** How the run plays on. @type {PlayParams | undefined} */
    this.playing = undefined;
    /** What each operation does to the run, as the engine says it. @type {Map<string, OpInfo['kind']>} */
    this.kinds = new Map();
    /** Places where an engine crashed: a second try is refused. @type {Set<string>} */
    this.panicked = new Set();
    /** Places where a worker ended without a word, once: the next time they count as crashes. @type {Set<string>} */
    this.suspects = new Set();
    /** How often a question crashed an engine on this run. @type {Map<string, number>} */
    this.strikes = new Map();
    this.engineVersion = 0;
    /** @type {Promise<object[]> | undefined} */
    this.shipped = undefined;
    /** The module as the browser compiled it: another worker starts without the network. @type {WebAssembly.Module | undefined} */
    this.compiled = undefined;
    /** The engine's memory at the last beat. */
    this.wasmBytes = 0;
    this.restarts = 0;
    /** The worker has answered something; how many in a row have not. */
    this.answered = true;
    this.hasty = 0;
    /** @type {Ended} */
    this.ended = { how: 'thrown', message: '' };
    this.stoppedBy = '';
    /** Which request takes more than one share, since when, and how long nobody needs to be told. */
    this.computing = 0;
    this.computingSince = 0;
    this.patienceMs = 200;
    /** How long the second try to start a worker waits; the next ones wait longer. */
    this.pauseMs = 200;
    this.now = () => performance.now();
    this.beatAt = 0;
    this.silentForMs = 0;
  }

  /**
   * Starts the worker and gives the engine the shipped scenarios, which are a file of the site.
   * @returns {Promise<Hello>}
   */
  async start() {
    const hello = await this.#boot();
    this.#run();
    return hello;
  }

  /**
   * Asks the engine. What is asked while a worker starts waits for it.
   * @template {Op} O
   * @param {O} op
   * @param {Given<O>} given
   * @returns {Promise<Ops[O]['result']>}
   */
  request(op, ...[params]) {
    return this.#ask({ op, params });
  }

  /**
   * Opens what another engine was taken from.
   * @param {Kept} kept
   * @returns {Promise<View>}
   */
  open(kept) {
    return this.#ask({ op: 'open', kept });
  }

  /** What another engine goes on from, undefined before anything is open. @returns {Kept | undefined} */
  keep() {
    if (!this.snapshot) return undefined;
    const { cursor, edge, hash } = this.view ?? {};
    return { text: this.snapshot, cursor, edge, hash };
  }

  /**
   * Replaces the worker now, unseen: the run stands where it stood with its branches, undo and redo, and plays on if it
   * played; what was asked and not answered is asked again from its beginning, so something long begins anew. Nothing is
   * said, no callback but onView is called. Watches of the API end: their followers see `restarts` change.
   * @returns {Promise<boolean>} whether there is a new worker; false while one starts, or when the engine has stopped
   */
  async replace() {
    if (this.state !== 'running') return false;
    this.#dismiss();
    await this.#revive();
    return this.state === /** @type {string} */ ('running');
  }

  /* ---- requests ---- */

  /** Whether another run is there afterwards. @param {Op} op */
  changes(op) {
    return this.#changes(op) || this.kinds.get(op) === 'opens';
  }

  /** Whether it changes the run. A worker that dies of it does not get it a second time. @param {string} op */
  #changes(op) {
    const kind = this.kinds.get(op);
    return kind === 'changes' || kind === 'mayChange';
  }

  /** Whether it leads to another place. What only moves the cursor or opens a run is never refused for good. @param {string} op */
  #leads(op) {
    const kind = this.kinds.get(op);
    return this.#changes(op) || kind === 'moves' || kind === 'opens';
  }

  /** @param {Asked} asked @returns {Promise<any>} */
  #ask(asked) {
    // What is still to be done before it leads elsewhere.
    const here = ![...this.pending.values()].some(({ op }) => this.#leads(op));
    const refusal = this.#refusal(asked, here);
    if (refusal) return Promise.reject(new EngineError({ code: 'state', message: refusal }));
    const anew = this.state === 'stopped';
    const asking = new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.pending.set(id, { ...asked, resolve, reject });
      if (this.state === 'running') this.#post(id, asked);
    });
    if (!anew) return asking;
    this.snapshot = '';
    this.view = this.playing = undefined;
    this.#revive();
    return asking.then((view) => {
      this.onReady();
      return view;
    });
  }

  /** @param {Asked} asked @param {boolean} here it is done at the place that is shown */
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

  /** A question of the engine's own while it starts: nobody else's is sent. @param {Asked} asked @returns {Promise<any>} */
  #askFirst(asked) {
    return new Promise((resolve, reject) => {
      this.ownId = this.nextId++;
      this.own = { ...asked, resolve, reject };
      if (this.worker) this.#post(this.ownId, asked);
      else reject(new Death(this.ended, true));
    });
  }

  /** @param {{id: number, ok: boolean, result?: any, error?: ErrorReply}} reply @param {string} [snapshot] */
  settle(reply, snapshot) {
    const { id, ok, result } = reply;
    const own = id === this.ownId ? this.own : undefined;
    const waiting = own ?? this.pending.get(id);
    if (this.busy === id) this.busy = 0;
    if (waiting && ok && result?.done === false) {
      this.goOn(id, result);
      return;
    }
    if (id === this.computing) this.#over();
    const error = reply.error ?? { code: 'unknown', message: 'The engine gave no reason.' };
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

  /** Notes where the run is looked at, if this is a view. @param {any} view */
  #saw(view) {
    if (!view || !('nextT' in view)) return;
    this.view = view;
    if (!view.playing) this.playing = undefined;
  }

  /**
   * The next share of something long, as a message of its own: whatever else was asked meanwhile is answered before it.
   * A pause, as any change, makes the engine leave it, and what was begun then ends where the run stands.
   * @param {number} id
   * @param {Progress} progress
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

  /** A new worker, and an engine in it that knows the shipped scenarios. @returns {Promise<Hello>} */
  async #boot() {
    this.state = 'starting';
    this.shipped ??= fetch(this.assets.scenarios)
      .then((answer) => (answer.ok ? answer.json() : []))
      .catch((error) => {
        this.shipped = undefined;
        throw error;
      });
    const [scenarios] = await Promise.all([this.shipped, this.#load()]);
    /** @type {Ops['hello']['result']} */
    const { hello, ops } = await this.#askFirst({ op: 'hello', params: { scenarios } });
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
      this.own = { op: '', resolve, reject };
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
      const { exec, wasm, module } = this.assets;
      worker.postMessage({ type: 'start', exec, wasm, module, compiled: this.compiled });
      this.#listen();
    });
  }

  /** What was asked meanwhile is sent, in its order, but not what an engine has just died of at this very place. */
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
    /** @type {any} */ (this.beating).unref?.(); // of a test, which may end
  }

  /**
   * Asks the worker whether it is there. Only time counts in which the page's own timer is on time: a machine that sleeps,
   * a tab that is throttled and a page that is busy itself say nothing about the worker. A first start is not watched: it
   * is as long as the network is slow.
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

  /**
   * @param {Worker | undefined} worker
   * @param {Ended} ended
   * @param {number} [id] the request that panicked
   */
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
   * A worker may die before it says which request it is at. Then the first one that waits is the suspect, and the culprit
   * when that happens again and again.
   */
  #headThatKills() {
    const [head] = this.pending;
    if (!head) return 0;
    const [id, waiting] = head;
    waiting.ends = (waiting.ends ?? 0) + 1;
    return waiting.ends < ENDS_OF_ONE ? 0 : id;
  }

  /**
   * What the worker died of, if that is known: a request that panicked, or an act it was at. Any other question may be
   * innocent, and is asked once more.
   * @param {Ended} ended
   * @param {number} id
   * @returns {BugReport | undefined}
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
      edge: this.view?.edge,
    };
  }

  /** A new worker that goes on where the last one was, or the end. */
  async #revive() {
    this.state = 'starting';
    this.restarts++;
    for (const [id, { op, reject }] of [...this.pending]) {
      if (this.kinds.get(op) !== 'watches') continue;
      this.pending.delete(id);
      reject(new EngineError({ code: 'state', message: 'The watch ended, as the simulator started anew.' }));
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

  /** The run as it was, playing if it was playing. */
  async #reopen() {
    const kept = this.keep();
    if (!kept) return;
    const { playing } = this;
    let view = await this.#askFirst({ op: 'open', kept });
    if (playing) view = await this.#askFirst({ op: 'play', params: playing });
    this.onView(view);
  }

  /** @param {string} message @param {boolean} loading */
  #stop(message, loading) {
    this.state = 'stopped';
    this.stoppedBy = loading
      ? `The simulator could not be loaded again (${message}). Reload the page.`
      : `The simulator crashes whenever it opens this run, so it stays closed (${message.replace(/\.$/, '')}). Choose another scenario.`;
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
