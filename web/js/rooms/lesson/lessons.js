/**
 * The lessons for the player, from the documents of the site's lessons.json.
 * Lessons contain no code. progress.js and steps.js define what each kind of step means.
 */

/** @import { Nanos, PatchEntry } from '../../protocol.js' */

/** Another run to open at an instant. @typedef {{scenario: string, at: Nanos}} Visit */
/**
 * A step. Its kind says what the visitor must do: look · act · bet · see · why · transfer. Braces in its sentences
 * stand for values of the run (facts.js).
 * @typedef {object} Base
 * @property {string} name
 * @property {string} title
 * @property {string[]} text paragraphs
 * @property {Nanos} until the page shows the run up to this instant, and no further before the bet
 * @property {{region: "stage" | "ticks" | "slope" | "crash" | "resource", node?: string}} [look] the one thing to look
 *   at
 * @property {boolean} [lease] the Lease beside the words, in three lines
 * @property {boolean} [candidates] the LeaseCandidates beside the words
 * @property {Visit} [visits] another run that the step shows
 * @property {string} [notes] for the teacher
 * @property {{from: Nanos, to: Nanos}} [shows] what the plot shows; default: the lesson's own span
 * @property {number} [speed] at which the run gets to `until`; default: story speed
 */
/** @typedef {Base & {kind: "look"}} LookStep */
/** What the visitor does. @typedef {{act: string, node: string, at: Nanos}} Act */
/**
 * index: its place among the acts of the lesson.
 * @typedef {Base & {kind: "act", act: Act, index: number, done?: string, wrong?: string}} ActStep
 */
/** @typedef {Base & {kind: "bet", bet: Question, options: Record<string, string>}} BetStep */
/**
 * @typedef {Base & {kind: "see", outcome: string, missed: string, exact: string, sides: string[],
 *   rules: Rule[], thoughts: Record<string, string>}} SeeStep
 */
/** @typedef {Base & {kind: "why", sum: string, parts: string[], other: string}} WhyStep */
/**
 * A choice, with the run that shows whether the choice is right.
 * @typedef {{name: string, label: string, scenario?: string, set?: PatchEntry[]}} Choice
 */
/**
 * @typedef {Base & {kind: "transfer", number: string, seeds: number, choices: Choice[], rightChoice: string,
 *   right: string, answers: Record<string, string>}} TransferStep
 */
/** @typedef {LookStep | ActStep | BetStep | SeeStep | WhyStep | TransferStep} Step */
/**
 * The prediction. answer names the right number; for a choice, it names several numbers, with spaces between them.
 * @typedef {{kind: "marker" | "seconds" | "count" | "choice", answer: string, most?: number, options?: {name: string,
 *   is: string}[]}} Question
 */
/**
 * A rule that guesses the thought behind a prediction. A point is a list of addends: names of values, nanoseconds, or
 * counts.
 * @typedef {{name: string, near?: Point, within?: string | number, before?: Point}} Rule
 */
/** @typedef {(string | number)[]} Point */
/**
 * A figure of a run: the value that an assertion measures.
 * @typedef {{name: string, scenario?: string, set?: PatchEntry[], seeds?: number, expect: object}} Measured
 */

/**
 * @typedef {object} Lesson
 * @property {number} number its place in the course; 0: a teacher's own lesson
 * @property {string} name
 * @property {string} title
 * @property {string} question what the page of lessons asks, with the line below it in teaser
 * @property {string} teaser
 * @property {{scenario: string, whole?: object, seed?: number, from: Nanos, acts: Act[], actAt: Nanos,
 *   viewport: {from: Nanos, to: Nanos}}} run a shipped scenario, or a whole one, opened at `from`; the steps of kind
 *   act ask for `acts`, the last of them at `actAt`; -1: there is none
 * @property {number} explain the leader change that the lesson explains; 0: none
 * @property {Measured[]} numbers
 * @property {Step[]} steps
 * @property {string} takeaway
 * @property {{text: string, expect: object[]}} goal
 * @property {{id: string, title: string}[]} exhibits of the museum
 * @property {boolean} [curtained] the visitor must make a prediction before anything else
 */

/** @param {any} one a document of the site's lessons.json @returns {Lesson} */
export function lessonFrom(one) {
  const { number = 0, name, scenario, opens: from, shows: viewport, explain = 0, numbers = [], exhibits } = one;
  const { title, question, teaser, takeaway } = one;
  /** @type {Act[]} */
  const acts = one.steps.flatMap((/** @type {any} */ step) => (step.kind === 'act' ? [step.act ?? one.act] : []));
  return {
    ...{ number, name, explain, numbers, exhibits },
    ...{ title, question, teaser, takeaway },
    goal: { text: one.goal.says, expect: one.goal.expect ?? [] },
    run: {
      ...(typeof scenario === 'object' ? { scenario: scenario.name, whole: scenario } : { scenario }),
      ...(one.seed ? { seed: one.seed } : {}),
      from,
      viewport,
      acts,
      actAt: acts.at(-1)?.at ?? -1,
    },
    steps: numberActs(
      one.steps.map((/** @type {any} */ step) =>
        stepFrom({ ...(step.kind === 'act' ? { act: one.act } : {}), ...step }),
      ),
    ),
  };
}

/** @param {any} step @returns {Step} */
function stepFrom({ thoughts: rules, question, says: { text = [], ...said }, ...step }) {
  const whole = { ...step, ...said, text };
  if (step.kind === 'see') return { ...whole, rules: rules ?? [] };
  if (!question) return whole;
  const choices = question.choices.map((/** @type {any} */ one) => ({ ...one, label: said.choices[one.name] }));
  return { ...whole, number: question.number, seeds: question.seeds ?? 0, rightChoice: question.right, choices };
}

/** Numbers the steps that ask for an act. @param {Step[]} steps */
function numberActs(steps) {
  let acts = 0;
  for (const step of steps) if (step.kind === 'act') step.index = acts++;
  return steps;
}

/** A lesson's one step of a kind. @template {Step['kind']} K @param {Lesson} lesson @param {K} kind */
export const stepOfKind = (lesson, kind) =>
  /** @type {Extract<Step, {kind: K}> | undefined} */ (lesson.steps.find((step) => step.kind === kind));
