/** Offers to let a run last longer when the visitor wants something after its end. */
import { formatInstant } from '../lib/format.js';

/** @import { Nanos } from '../protocol.js' */
/** @import { Lab } from './lab.js' */

/** How much longer a run lasts when the visitor wants to act after its end. */
export const LONGER = 60e9;

/**
 * Says that the run is over, and offers to let it last longer.
 * @param {Pick<Lab, 'change' | 'notifier'>} lab @param {string} sentence
 * @param {Nanos} end the new one @param {() => unknown} goOn what to do after that
 */
export function offerLonger(lab, sentence, end, goOn) {
  const value = `${Math.ceil(end / 1e9)}s`;
  const run = async () => {
    const view = await lab.change('edit', { path: 'duration', value, mode: 'now' }, 'The run will last longer');
    if (view) await goOn();
  };
  lab.notifier.notify(sentence, { action: { label: `Let it run until ${formatInstant(end, 0)}`, run } });
}
