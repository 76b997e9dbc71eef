/**
 * The page's client of the run's API server. Requests wait for the engine, and watches stream. After a write that
 * stores something, the page shows the run that the write made. The client keeps the last exchanges of this visit.
 */
import { effect, signal } from '@preact/signals-core';
import { waitUntil } from '../../lib/until.js';
import { Watches } from './watches.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Nanos, RestAnswer } from '../../protocol.js' */
/** @import { Page } from './index.js' */

/** @typedef {{method: string, target: string, headers: string[], body: string}} Ask */
/**
 * A request of this visit and its response.
 * @typedef {object} SentRequest
 * @property {number} id
 * @property {"console" | "fetch"} by
 * @property {Ask} ask
 * @property {Nanos} at the cursor at the time of sending
 * @property {number} ms wall time until the answer
 * @property {number} status 0 until the answer arrives
 * @property {string[]} headers of the answer
 * @property {string} answer
 * @property {boolean} changed the request is now an act of the scenario
 * @property {number} watch its number; 0 if the answer does not stream
 * @property {boolean} open the page still follows the watch
 * @property {number} frames the number of frames so far
 */

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** The headers that a recorded write keeps. Other headers could identify this browser, which a link must not do. */
const KEPT_HEADERS = /^(accept|content-type|user-agent):/i;
const KEPT = 100;
const KEPT_FRAMES = 500;

export class Client {
  /** The exchanges of this visit, newest last. @type {Signal<SentRequest[]>} */
  sent = signal([]);
  #lastId = 0;

  /** @param {Pick<Page, "state" | "lab" | "notifier">} page */
  constructor({ state, lab, notifier }) {
    this.state = state;
    this.lab = lab;
    this.notifier = notifier;
    this.watches = new Watches({
      ask: (op, ...given) => lab.ask(op, ...given),
      restarts: () => ('restarts' in lab.source ? lab.source.restarts : -1),
    });
    // After each new view, every watch may have new frames.
    effect(() => {
      if (state.view.value) this.watches.poll();
    });
  }

  /** @param {number} id @param {Partial<SentRequest>} change */
  #note(id, change) {
    this.sent.value = this.sent.value.map((one) => (one.id === id ? { ...one, ...change } : one));
  }

  /**
   * Sends a request. It never throws: an error of the engine comes back as a Status.
   * @param {Ask} ask @param {"console" | "fetch"} by @returns {Promise<SentRequest>}
   */
  async send(ask, by) {
    const id = ++this.#lastId;
    const at = this.state.view.value.cursor.t;
    const nothing = { ms: 0, status: 0, headers: [], answer: '', changed: false, watch: 0, open: false, frames: 0 };
    const entry = { id, by, ask, at, ...nothing };
    this.sent.value = [...this.sent.value.slice(1 - KEPT), entry];
    const before = performance.now();
    const { status, headers, body, changed = false, watch } = await this.#answerFor(ask);
    const ms = performance.now() - before;
    const change = { ms, status, headers, answer: body, changed, watch: watch ?? 0, open: watch !== undefined };
    this.#note(id, change);
    return { ...entry, ...change };
  }

  /** @param {Ask} ask @returns {Promise<RestAnswer>} */
  async #answerFor(ask) {
    const { state, lab, notifier } = this;
    const writes = WRITES.has(ask.method);
    try {
      await waitUntil(() => state.phase.value !== 'opening');
      if (state.phase.value === 'failed') throw new Error(state.failure.value);
      const { refusal } = (writes && (await lab.guard?.('rest', ask))) || {};
      if (refusal) return failure(403, 'Forbidden', refusal);
      const headers = writes ? ask.headers.filter((header) => KEPT_HEADERS.test(header)) : ask.headers;
      const answer = await lab.ask('rest', { ...ask, headers });
      if (answer.view) {
        lab.touch();
        state.pinnedVersion.value = 0;
        lab.receive(answer.view);
        notifier.say(`${ask.method}: ${answer.status}.`);
      }
      return answer;
    } catch (error) {
      return failure(503, 'ServiceUnavailable', /** @type {Error} */ (error).message);
    }
  }

  /**
   * Follows the watch that an answer opened, until it ends or the reader closes it.
   * @param {SentRequest} sent @param {{wants?: () => boolean, tell: (frames: string[]) => void, end: () => void}} on
   */
  follow({ id, watch }, { wants = () => true, tell, end }) {
    let count = 0;
    /** @type {string[]} */
    let heldFrames = [];
    this.watches.follow(watch, {
      wants,
      tell: (frames) => {
        count += frames.length;
        heldFrames = [...heldFrames, ...frames].slice(-KEPT_FRAMES);
        this.#note(id, { frames: count, answer: heldFrames.join('') });
        tell(frames);
      },
      end: () => {
        this.#note(id, { open: false });
        end();
      },
    });
  }

  /** Call this when the reader of a watch has left. @param {number} watch */
  close(watch) {
    this.watches.close(watch);
  }

  /** Call this when a reader has room for more frames. */
  poll() {
    this.watches.poll();
  }
}

/**
 * A Status that the page makes itself when it cannot ask the server.
 * @param {number} code @param {string} reason @param {string} message @returns {RestAnswer}
 */
function failure(code, reason, message) {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { status: code, headers: ['content-type: application/json'], body: `${JSON.stringify(status)}\n` };
}
