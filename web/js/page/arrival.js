/** What the page says about a link until its run is open, so that the first headline is about the link. */
import { isText } from '../lib/shape.js';

/** @import { Linked } from '../lib/share.js' */

/** @typedef {{title: string, line: string}} Arrival line: what the run is about, in one sentence */
/** @typedef {{name: string, title?: string, summary?: string}} Described a scenario */

/** The first sentence of a summary. @param {string} [summary] */
export const firstSentence = (summary = '') => /^.*?[.?!](?= |$)/s.exec(summary)?.[0] ?? summary;

/** @param {Linked} linked @param {Described[]} scenarios the shipped ones @returns {Arrival} */
export function arrivalOf({ lesson, scenario }, scenarios) {
  if (lesson) return { title: 'Your lesson opens in a moment.', line: '' };
  const own = /** @type {{title?: string, name?: string, summary?: string}} */ (isText(scenario) ? {} : scenario);
  const { title, summary } = scenarios.find(({ name }) => name === scenario) ?? own;
  const name = isText(scenario) ? scenario.replaceAll('-', ' ') : (own.name ?? 'a run');
  return { title: title ?? name[0].toUpperCase() + name.slice(1), line: firstSentence(summary) };
}
