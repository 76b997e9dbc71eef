/** Links from the documentation to its own runs. */
import { encodeLink } from '../lib/share.js';

/** What follows # in the link that opens a scenario at its beginning. @param {object} scenario */
export function scenarioLink(scenario) {
  const begin = { t: 0, n: -1 };
  return encodeLink({ scenario, patch: [], actions: [], cursor: begin, live: begin, engine: 0, hash: '' });
}
