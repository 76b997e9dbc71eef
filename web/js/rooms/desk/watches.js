/**
 * The watches that the page follows. The page polls them while any reader has room for frames. They end with the worker
 * that runs them.
 */
import { followers } from '../engine/following.js';

/** @import { Ask } from '../../protocol.js' */

/**
 * The reader of a watch.
 * @typedef {object} Follower
 * @property {number} restarts of the engine when the watch opened: a new engine does not know the watch
 * @property {() => boolean} wants whether it takes frames now
 * @property {(frames: string[]) => void} tell
 * @property {() => void} end
 */

/** A watch may have something new without a change of the run: a bookmark, or its end. */
const POLL_MS = 90;

export class Watches {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #busy = false;
  #again = false;

  /** @param {{ask: Ask, restarts: () => number}} engine */
  constructor({ ask, restarts }) {
    this.ask = ask;
    this.restarts = restarts;
  }

  /**
   * Follows a watch until it ends or its reader closes it.
   * @param {number} watch
   * @param {Omit<Follower, "restarts">} follower
   */
  follow(watch, follower) {
    followers.set(watch, { restarts: this.restarts(), ...follower });
    this.poll();
  }

  /** Call this when the client of a watch has left. @param {number} watch */
  close(watch) {
    const follower = followers.get(watch);
    if (!follower) return;
    followers.delete(watch);
    if (follower.restarts === this.restarts()) this.ask('restClose', { watch }).catch(() => {});
    follower.end();
  }

  /** Asks for news now, and again after a while. */
  async poll() {
    this.#again = followers.size > 0;
    if (this.#busy || !this.#again) return;
    this.#busy = true;
    clearTimeout(this.#timer);
    while (this.#again) {
      this.#again = false;
      for (const [watch, follower] of followers) await this.#pollOne(watch, follower);
    }
    this.#busy = false;
    if (followers.size > 0) this.#timer = setTimeout(() => this.poll(), POLL_MS);
  }

  /** @param {number} watch @param {Follower} follower */
  async #pollOne(watch, follower) {
    let isOver = follower.restarts !== this.restarts();
    if (!isOver) {
      if (!follower.wants()) return;
      const news = await this.ask('restPoll', { watch }).catch(() => ({ frames: [], ended: true }));
      if (!followers.has(watch)) return; // the reader closed it meanwhile
      if (news.frames.length > 0) follower.tell(news.frames);
      isOver = news.ended;
    }
    if (!isOver) return;
    followers.delete(watch);
    follower.end();
  }
}
