/** The runs to compare: the branches of the session, this run with another seed, every shipped scenario. */

import { html } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { optionsTemplate, when } from '../../lib/parts.js';
import { seedOf, seedRefusal } from '../../lib/seed.js';

/** @import { Hello, Side, View } from '../../protocol.js' */

/**
 * @param {View} view
 * @param {Hello} hello
 * @param {Side} [given]
 * @returns {{value: string, label: string, side: Side}[]}
 */
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
const nameOf = (side) => (typeof side.scenario === 'string' ? side.scenario : 'The run of the link');

/** The option that a side matches. @param {Side} side @param {Side} [given] */
export function choiceOf(side, given) {
  if (given && side === given) return 'given';
  if (side.branch !== undefined) return side.seed === undefined ? `branch ${side.branch}` : 'seed';
  return `scenario ${side.scenario}`;
}

/**
 * The initial comparison: this branch with its parent or another branch. Without another branch, this run with the same
 * run and the next seed.
 * @param {View} view
 * @returns {{a: Side, b: Side}}
 */
export function nearest({ branches, branch, seed }) {
  const visible = branches.filter((one) => !one.hidden);
  const parent = visible.find((one) => one.id === branches[branch].parent) ?? visible.find((one) => one.id !== branch);
  return parent ? { a: { branch: parent.id }, b: { branch } } : { a: { branch }, b: { branch, seed: seed + 1 } };
}

/**
 * A side of the comparison: the run, and its seed if the visitor can choose it.
 * @param {{name: "a" | "b", label: string, side: Side, given: Side | undefined, view: View, hello: Hello}} shown
 * @param {{change: (side: Side) => void, refuse: (sentence: string) => void}} on
 */
export function sideTemplate({ name, label, side, given, view, hello }, { change, refuse }) {
  const choice = choiceOf(side, given);
  const options = optionsOf(view, hello, given);
  const choose = (/** @type {string} */ value) => {
    const option = options.find((one) => one.value === value);
    if (option) change(option.side);
  };
  const setSeed = (/** @type {string} */ text) => {
    const seed = seedOf(text);
    if (seed === undefined) refuse(seedRefusal(text));
    else change({ ...side, seed });
  };
  const seeded = side.seed !== undefined && choice !== 'given';
  return html`<label>${label}
      <select name=${name} @change=${withValue(choose)}>${optionsTemplate(
        options.map(({ value, label }) => [value, label]),
        choice,
      )}</select></label>
    ${when(
      seeded,
      () => html`<label>Seed <input name=${`seed-${name}`} inputmode="numeric" size="8" autocomplete="off"
          .value=${String(side.seed)} @change=${withValue(setSeed)} /></label>`,
    )}`;
}
