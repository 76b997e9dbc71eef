/** What the page says about a link until its run is open, so that the first headline is about the link. */
import { isText, textOf } from '../lib/shape.js';

/** @import { Linked } from '../lib/share.js' */

/** @typedef {{title: string, line: string}} Arrival line: what the run is about, in one sentence */
/** A scenario, maybe of a link. @typedef {{name?: unknown, title?: unknown, summary?: unknown}} Described */

/** The first sentence of a summary. @param {string} [summary] */
export const firstSentence = (summary = '') => /^.*?[.?!](?= |$)/s.exec(summary)?.[0] ?? summary;

/** @param {Linked} linked @param {Described[]} scenarios the shipped ones @returns {Arrival} */
export function arrivalOf({ lesson, scenario }, scenarios) {
  if (lesson) return { title: 'Your lesson opens in a moment.', line: '' };
  /** @type {Described} */
  const own = isText(scenario) ? { name: scenario.replaceAll('-', ' ') } : scenario;
  const { title, summary } = scenarios.find(({ name }) => name === scenario) ?? own;
  const name = textOf(own.name, 'a run');
  return { title: textOf(title, name[0].toUpperCase() + name.slice(1)), line: firstSentence(textOf(summary)) };
}
