/**
 * The page's way to the API server of the run: requests wait for the engine, watches are polled while anybody follows
 * them, and a write that stores something shows the run it made. Every exchange of this visit is kept, the last ones.
 */

import { effect, signal } from '@preact/signals-core';
import { followers } from '../engine/following.js';

/** @import { RestAnswer, Nanos } from '../../protocol.js' */

/** @typedef {{method: string, target: string, headers: string[], body: string, atCursor?: boolean}} Ask */
/**
 * One request of this visit and what came back.
 * @typedef {object} Sent
 * @property {number} id
 * @property {"console" | "fetch"} by
 * @property {Ask} ask
 * @property {Nanos} at the instant that was shown when it was sent
 * @property {number} ms wall time until the answer
 * @property {number} status 0 while there is no answer
 * @property {string[]} headers of the answer
 * @property {string} answer
 * @property {boolean} changed it is an act of the scenario now
 * @property {number} watch its number, 0 for what streams nothing
 * @property {boolean} open the watch is still followed
 * @property {number} frames how many came so far
 */
/**
 * Who follows a watch.
 * @typedef {object} Follower
 * @property {number} restarts of the engine when the watch was opened: another engine knows nothing of it
 * @property {() => boolean} wants whether it would take frames now
 * @property {(frames: string[]) => void} tell
 * @property {() => void} end
 */

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** What a recorded write says about its sender: the rest names this browser, and nobody else's business is kept in links. */
const KEPT_HEADERS = /^(accept|content-type|user-agent):/i;
/** A watch also has news of its own: its end, bookmarks. */
const POLL_MS = 90;
const KEPT = 100;
const KEPT_FRAMES = 500;

/** @param {import('./index.js').Page} page */
export function openClient({ state, lab, announcer }) {
  /** The exchanges of this visit, newest last. @type {import('@preact/signals-core').Signal<Sent[]>} */
  const sent = signal([]);
  let lastId = 0;

  /** @param {number} id @param {Partial<Sent>} change */
  function note(id, change) {
    sent.value = sent.value.map((one) => (one.id === id ? { ...one, ...change } : one));
  }

  /** Resolves when the engine is here. @returns {Promise<void>} */
  function engine() {
    return new Promise((resolve, reject) => {
      const stop = effect(() => {
        const phase = state.phase.value;
        if (phase === 'opening') return;
        queueMicrotask(() => stop());
        if (phase === 'ready') resolve();
        else reject(new Error(state.failure.value));
      });
    });
  }

  /**
   * Sends a request. It never fails: what the engine cannot answer comes back as a Status.
   * @param {Ask} ask
   * @param {"console" | "fetch"} by
   * @returns {Promise<Sent>}
   */
  async function send(ask, by) {
    const id = ++lastId;
    const at = state.view.value.cursor.t;
    /** @type {Sent} */
    const begun = {
      id,
      by,
      ask,
      at,
      ms: 0,
      status: 0,
      headers: [],
      answer: '',
      changed: false,
      watch: 0,
      open: false,
      frames: 0,
    };
    sent.value = [...sent.value.slice(1 - KEPT), begun];
    const before = performance.now();
    const answer = await asked(ask);
    const change = {
      ms: performance.now() - before,
      status: answer.status,
      headers: answer.headers,
      answer: answer.body,
      changed: answer.changed ?? false,
      watch: answer.watch ?? 0,
      open: answer.watch !== undefined,
    };
    note(id, change);
    return { ...begun, ...change };
  }

  /** @param {Ask} ask @returns {Promise<RestAnswer>} */
  async function asked(ask) {
    const writes = WRITES.has(ask.method);
    try {
      await engine();
      const { refusal } = (writes && (await lab.guard?.('rest', ask))) || {};
      if (refusal) return failure(403, 'Forbidden', refusal);
      const headers = writes ? ask.headers.filter((header) => KEPT_HEADERS.test(header)) : ask.headers;
      /** @type {RestAnswer} */
      const answer = await lab.ask('rest', { ...ask, headers });
      if (answer.view) {
        lab.touch();
        state.pinnedVersion.value = 0;
        lab.receive(answer.view);
        announcer.act(`${ask.method}: ${answer.status}.`);
      }
      return answer;
    } catch (error) {
      return failure(503, 'ServiceUnavailable', /** @type {Error} */ (error).message);
    }
  }

  /* ---- watches ---- */

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let busy = false;
  let again = false;

  const restarts = () => /** @type {any} */ (lab.source).restarts ?? -1;

  /**
   * Follows a watch until it ends or is closed.
   * @param {Sent} one
   * @param {{wants?: () => boolean, tell: (frames: string[]) => void, end: () => void}} on
   */
  function follow(one, { wants = () => true, tell, end }) {
    let count = 0;
    /** @type {string[]} */
    let kept = [];
    followers.set(one.watch, {
      restarts: restarts(),
      wants,
      tell: (frames) => {
        count += frames.length;
        kept = [...kept, ...frames].slice(-KEPT_FRAMES);
        note(one.id, { frames: count, answer: kept.join('') });
        tell(frames);
      },
      end: () => {
        note(one.id, { open: false });
        end();
      },
    });
    poll();
  }

  /** The client of a watch went away. @param {number} watch */
  function close(watch) {
    const follower = followers.get(watch);
    if (!follower) return;
    followers.delete(watch);
    if (follower.restarts === restarts()) lab.ask('restClose', { watch }).catch(() => {});
    follower.end();
  }

  async function poll() {
    again = true;
    if (busy) return;
    busy = true;
    clearTimeout(timer);
    while (again) {
      again = false;
      for (const [watch, follower] of followers) await pollOne(watch, follower);
    }
    busy = false;
    if (followers.size > 0) timer = setTimeout(poll, POLL_MS);
  }

  /** @param {number} watch @param {Follower} follower */
  async function pollOne(watch, follower) {
    let over = follower.restarts !== restarts();
    if (!over) {
      if (!follower.wants()) return;
      /** @type {import('../../protocol.js').RestFrames} */
      const news = await lab.ask('restPoll', { watch }).catch(() => ({ frames: [], ended: true }));
      if (!followers.has(watch)) return; // closed meanwhile
      if (news.frames.length > 0) follower.tell(news.frames);
      over = news.ended;
    }
    if (!over) return;
    followers.delete(watch);
    follower.end();
  }

  effect(() => {
    void state.view.value;
    if (followers.size > 0) poll();
  });

  return { sent, send, follow, close, poll, engine };
}

/** @typedef {ReturnType<typeof openClient>} Client */

/**
 * A Status of the page's own: it stands in for a server that cannot be asked.
 * @param {number} code
 * @param {string} reason
 * @param {string} message
 * @returns {RestAnswer}
 */
function failure(code, reason, message) {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { status: code, headers: ['content-type: application/json'], body: `${JSON.stringify(status)}\n` };
}
