/** What can be compared: the branches of the session, this run with another seed, every shipped scenario. */

/** @import { Side, View, Hello } from '../../protocol.js' */

/** @param {View} view @param {Hello} hello @param {Side} [given] @returns {{value: string, label: string, side: Side}[]} */
export function optionsOf(view, hello, given) {
  const branches = view.branches
    .filter((branch) => !branch.hidden)
    .map((branch) => ({ value: `branch ${branch.id}`, label: branch.name, side: { branch: branch.id } }));
  const seed = {
    value: 'seed',
    label: 'This run with another seed',
    side: { branch: view.branch, seed: view.seed + 1 },
  };
  const scenarios = hello.scenarios.map((one) => ({
    value: `scenario ${one.name}`,
    label: `Scenario: ${one.title}`,
    side: { scenario: one.name },
  }));
  const own = given ? [{ value: 'given', label: given.title ?? nameOf(given), side: given }] : [];
  return [...own, ...branches, seed, ...scenarios];
}

/** @param {Side} side */
function nameOf(side) {
  return typeof side.scenario === 'string' ? side.scenario : 'The run of the link';
}

/** The option a side is. @param {Side} side @param {Side} [given] */
export function choiceOf(side, given) {
  if (given && side === given) return 'given';
  if (side.branch !== undefined) return side.seed === undefined ? `branch ${side.branch}` : 'seed';
  return `scenario ${side.scenario}`;
}
