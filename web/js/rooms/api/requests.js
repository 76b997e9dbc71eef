/** Requests of the API tab: what is sent goes through the client, and of the watches one is followed at a time. */

/** @import { Signal } from '@preact/signals-core' */
/** @import { Ask, Client, Sent } from '../desk/client.js' */

export const READ_ONLY = 'You can only read at the cursor. Switch “at cursor” off to write.';

/** @param {{method: string}} ask */
const reads = ({ method }) => method === 'GET';

/** A watch to follow. @typedef {{tell: (frames: string[]) => void, end: () => void}} Following */

export class Requests {
  #followed = 0;

  /**
   * @param {Pick<Client, "send" | "follow" | "close">} client
   * @param {Signal<boolean>} atCursor reads see the API as it was at the cursor, and nothing is written
   */
  constructor(client, atCursor) {
    this.client = client;
    this.atCursor = atCursor;
  }

  /** Whether a request may be sent now. @param {{method: string}} ask */
  allows(ask) {
    return reads(ask) || !this.atCursor.value;
  }

  /** @param {Ask} ask @returns {Promise<Sent>} */
  send(ask) {
    return this.client.send(reads(ask) && this.atCursor.value ? { ...ask, atCursor: true } : ask, 'console');
  }

  /** Follows the watch that an answer has opened, and no other any more. @param {Sent} sent @param {Following} on */
  follow(sent, on) {
    this.stop();
    this.#followed = sent.watch;
    this.client.follow(sent, on);
  }

  /** A watch is followed. */
  following() {
    return this.#followed !== 0;
  }

  stop() {
    const watch = this.#followed;
    this.#followed = 0;
    if (watch) this.client.close(watch);
  }
}
