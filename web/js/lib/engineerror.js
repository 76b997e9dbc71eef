/** @import { ErrorReply } from '../protocol.js' */

/** An error reply, as an exception. Its message is a whole sentence for the reader. */
export class EngineError extends Error {
  /** @param {ErrorReply} reply */
  constructor(reply) {
    super(reply.message);
    this.name = 'EngineError';
    this.reply = reply;
  }
}
