/** Re-runs with other seeds: one slice after the other, each in its own message, so that the page stays alive. */

/** @import { SweepParams, Swept } from '../../protocol.js' */

/**
 * Asks until all seeds are done, or until `stopped` says so.
 * @param {(params: SweepParams) => Promise<Swept>} ask @param {SweepParams} params
 * @param {{tell: (swept: Swept) => void, stopped: () => boolean}} on
 * @returns {Promise<Swept | undefined>} undefined when it was stopped
 */
export async function sweep(ask, params, { tell, stopped }) {
  while (!stopped()) {
    const swept = await ask(params);
    if (stopped()) break;
    tell(swept);
    if (swept.done >= swept.of) return swept;
  }
  return undefined;
}
