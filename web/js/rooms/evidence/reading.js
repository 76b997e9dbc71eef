/**
 * The page's side of the worker that reads evidence. A worker serves one set of files. Canceling, or reading other
 * files, ends the worker.
 *
 * Guarantee: the bytes of the files go to that worker and nowhere else.
 */

/** @import { EvidenceBeginParams, EvidenceFound, Given, Op, Ops, Reply } from '../../protocol.js' */
/** @import { Line } from './stream.js' */
/** @import { NamedFile } from './worker.js' */

/**
 * The worker's findings, and notes about what it could not read.
 * @typedef {{found: EvidenceFound, notes: string[]}} Findings
 */

/** The visitor cancelled the reading or chose other files. */
export class Cancelled extends Error {}

export class Reading {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #pending = new Map();
  #id = 0;
  #hasScenarios = false;
  /** Takes the worker's messages about the reading in progress. @type {(message: any) => void} */
  #tell = () => {};

  /**
   * @param {typeof __ASSETS__} assets
   * @param {{makeWorker?: (url: string) => Worker, fetchScenarios?: () => Promise<object[]>}} [how]
   */
  constructor(
    assets,
    { makeWorker = (url) => new Worker(url), fetchScenarios = async () => (await fetch(assets.scenarios)).json() } = {},
  ) {
    this.assets = assets;
    this.makeWorker = makeWorker;
    this.fetchScenarios = fetchScenarios;
  }

  /**
   * Reads files. If the page reads other files in the meantime, the promise fails with Cancelled.
   * @param {NamedFile[]} files @param {EvidenceBeginParams} params
   * @param {(bytes: number, of: number) => void} progress
   * @returns {Promise<Findings>}
   */
  read(files, params, progress) {
    this.cancel();
    const { exec, tools } = this.assets;
    const worker = this.makeWorker(__EVIDENCE__);
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      const fail = (/** @type {Error} */ error) => {
        reject(error);
        this.#end(error);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        fail(new Error(event.message || 'The worker that reads files could not be loaded.'));
      };
      worker.onmessage = ({ data }) => {
        if (data.type === 'ready') worker.postMessage({ type: 'read', files, params });
        else if (data.type === 'read') progress(data.bytes, data.of);
        else if (data.type === 'found') resolve(data);
        else if (data.type === 'reply') this.#settle(data.reply);
        else if (data.type === 'failed') fail(new Error(data.message));
      };
      this.#tell = reject;
      const wasm = new URL(tools.wasm, document.baseURI).href;
      worker.postMessage({ type: 'start', exec, wasm, module: tools.module, passing: true });
    });
  }

  /** Ends the worker and fails its open requests. */
  cancel() {
    this.#tell(new Cancelled('Cancelled.'));
    this.#end(new Cancelled('Cancelled.'));
  }

  /**
   * Asks a question about the files.
   * @template {Op} O
   * @param {O} op
   * @param {Given<O>} given
   * @returns {Promise<Ops[O]['result']>}
   */
  ask(op, ...given) {
    return this.#post((id) => ({ type: 'request', request: { id, op, params: given[0] } }));
  }

  /**
   * A line of a file, or of an archive's member, with its neighbors.
   * @param {NamedFile} file @param {string} member @param {number} line @returns {Promise<Line[]>}
   */
  lines({ name, file }, member, line) {
    return this.#post((id) => ({ type: 'lines', id, name, file, member, line }));
  }

  /** The scenario of what happened to a Lease. @param {string} lease */
  async scenarioOf(lease, cause = '') {
    if (!this.#hasScenarios) await this.ask('hello', { scenarios: await this.fetchScenarios() });
    this.#hasScenarios = true;
    return this.ask('evidenceAgain', { lease, cause });
  }

  /** @param {(id: number) => object} message @returns {Promise<any>} */
  #post(message) {
    return new Promise((resolve, reject) => {
      if (!this.#worker) return reject(new Error('The page has closed these files. Drop them again.'));
      const id = ++this.#id;
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage(message(id));
    });
  }

  /** @param {Reply} reply */
  #settle({ id, ok, result, error }) {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    if (ok) request?.resolve(result);
    else request?.reject(new Error(error?.message ?? 'The worker gave no reason.'));
  }

  /** @param {Error} why */
  #end(why) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#hasScenarios = false;
    for (const { reject } of this.#pending.values()) reject(why);
    this.#pending.clear();
  }
}
