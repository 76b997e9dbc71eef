/**
 * Re-runs with other seeds, one slice after another. Each slice is a separate message, so the page stays responsive.
 */

/** @import { SweepParams, Swept } from '../../protocol.js' */

/**
 * Asks until all seeds are done, or until `isStopped` returns true.
 * @param {(params: SweepParams) => Promise<Swept>} ask @param {SweepParams} params
 * @param {{tell: (swept: Swept) => void, isStopped: () => boolean}} on
 * @returns {Promise<Swept | undefined>} undefined: the caller has stopped the measurement
 */
export async function sweep(ask, params, { tell, isStopped }) {
  while (!isStopped()) {
    const swept = await ask(params);
    if (isStopped()) break;
    tell(swept);
    if (swept.done >= swept.of) return swept;
  }
  return undefined;
}
