/** The groups of the chooser, with one sentence about what to watch in each scenario. Pure. */
import watched from './watched.json' with { type: 'json' };

/** @import { ScenarioInfo } from '../../protocol.js' */

/**
 * The groups: each has a heading and, by name, its scenarios with what to watch. @type {[string, Record<string,
 * string>][]}
 */
export const GROUPS = /** @type {any} */ (watched);

/** Extra search words for events that a scenario's own words do not mention. @type {Record<string, string[]>} */
const ALSO = { 'two leaders': ['paused-leader', 'clock-rate', 'same-name', 'leader-clock-behind'] };

/**
 * Groups the scenarios. Scenarios without a group come last.
 * @param {ScenarioInfo[]} scenarios
 * @returns {{heading: string, scenarios: ScenarioInfo[]}[]}
 */
export function groupScenarios(scenarios) {
  const byName = new Map(scenarios.map((one) => [one.name, one]));
  const groups = GROUPS.map(([heading, watch]) => ({
    heading,
    scenarios: Object.keys(watch).flatMap((name) => byName.get(name) ?? []),
  }));
  const known = new Set(groups.flatMap((group) => group.scenarios));
  const others = scenarios.filter((one) => !known.has(one));
  return [...groups, { heading: 'Others', scenarios: others }].filter((group) => group.scenarios.length > 0);
}

/**
 * The scenarios whose title, line, heading, sentence or extra words contain every typed word.
 * @param {ScenarioInfo[]} scenarios
 * @param {string} text
 */
export function filterScenarios(scenarios, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const searchText = (/** @type {ScenarioInfo} */ { name, title, summary }) => {
    const heading = GROUPS.find(([, watch]) => name in watch)?.[0] ?? '';
    const also = Object.keys(ALSO).filter((words) => ALSO[words].includes(name));
    return `${name} ${title} ${summary} ${heading} ${watchOf(name)} ${also.join(' ')}`.toLowerCase();
  };
  return scenarios.filter((one) => words.every((word) => searchText(one).includes(word)));
}

/** What to watch in a scenario; "" if it is not in the menu. @param {string} name */
export const watchOf = (name) => GROUPS.find(([, watch]) => name in watch)?.[1][name] ?? '';
