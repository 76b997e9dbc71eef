/** Requests of the API tab: what is sent goes through the client, and of the watches one is followed at a time. */

/** @import { Ask, Client, Sent } from '../desk/client.js' */

/** A watch to follow. @typedef {{tell: (frames: string[]) => void, end: () => void}} Following */

export class Requests {
  #turn = 0;

  /** @param {Pick<Client, "send" | "follow" | "close">} client */
  constructor(client) {
    this.client = client;
  }

  /** @param {Ask} ask @returns {Promise<Sent>} */
  send(ask) {
    return this.client.send(ask, 'console');
  }

  /** Follows the watch that an answer has opened, and no other any more. @param {Sent} sent @param {Following} on */
  follow(sent, on) {
    this.stop();
    this.#turn = sent.watch;
    this.client.follow(sent, on);
  }

  /** A watch is followed. */
  following() {
    return this.#turn !== 0;
  }

  stop() {
    const watch = this.#turn;
    this.#turn = 0;
    if (watch) this.client.close(watch);
  }
}
