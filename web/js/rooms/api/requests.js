/** Sends the requests of the API tab through the client, and follows one watch at a time. */

/** @import { Ask, Client, SentRequest } from '../desk/client.js' */

/** A watch to follow. @typedef {{tell: (frames: string[]) => void, end: () => void}} WatchReader */

export class Requests {
  #watch = 0;

  /** @param {Pick<Client, "send" | "follow" | "close">} client */
  constructor(client) {
    this.client = client;
  }

  /** @param {Ask} ask @returns {Promise<SentRequest>} */
  send(ask) {
    return this.client.send(ask, 'console');
  }

  /**
   * Follows the watch that an answer opened, and stops following the previous one.
   * @param {SentRequest} sent @param {WatchReader} on
   */
  follow(sent, on) {
    this.stop();
    this.#watch = sent.watch;
    this.client.follow(sent, on);
  }

  /** Whether it follows a watch now. */
  isFollowing() {
    return this.#watch !== 0;
  }

  stop() {
    const watch = this.#watch;
    this.#watch = 0;
    if (watch) this.client.close(watch);
  }
}
