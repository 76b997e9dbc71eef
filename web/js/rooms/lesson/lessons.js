/** The lessons there are, and what a lesson is made of. */
import { aLeaderDies } from './a-leader-dies.js';

/** @import { Nanos, PatchEntry } from '../../protocol.js' */

/**
 * A step. Its kind says what it asks of the visitor: look · act · bet · see · why · transfer.
 * @typedef {object} Base
 * @property {string} title
 * @property {string[]} text paragraphs
 * @property {Nanos} until the run is shown up to here; before the bet no further
 * @property {{region: "stage" | "ticks" | "slope" | "crash", node?: string}} [look] the one thing to look at
 * @property {boolean} [note] the Lease beside the words, in three lines
 * @property {{from: Nanos, to: Nanos}} [viewport] what the plot shows; the run's own if there is none
 * @property {number} [speed] of the way there; story speed if there is none
 */
/** @typedef {Base & {kind: "look"}} LookStep */
/** @typedef {Base & {kind: "act", done: string, wrong: string}} ActStep */
/** @typedef {Base & {kind: "bet"}} BetStep */
/** @typedef {Base & {kind: "see", won: string, off: string, exact: string, thoughts: Record<Thought, string>}} SeeStep */
/** @typedef {Base & {kind: "why", sum: string, parts: string[], other: string}} WhyStep */
/** @typedef {{id: string, label: string, patch: PatchEntry[], right?: boolean}} Choice */
/**
 * @typedef {Base & {kind: "transfer", seeds: number, choices: Choice[], rightWord: string, right: string, wrong: string,
 *   keep: string, goal: string, next: string}} TransferStep
 */
/** @typedef {LookStep | ActStep | BetStep | SeeStep | WhyStep | TransferStep} Step */
/** What a bet tells of the thought behind it. @typedef {"noticed" | "gaveUp" | "checked" | "renewal" | "spotOn" | "crash" | "careful" | "none"} Thought */

/**
 * @typedef {object} Lesson
 * @property {number} number
 * @property {string} title
 * @property {number} minutes
 * @property {string} teaser
 * @property {{scenario: string, from: Nanos, actAt: Nanos, act: string, node: string, until: Nanos, viewport: {from: Nanos, to: Nanos}}} run
 *   a shipped scenario, opened at `from`; the act step asks for `act` on `node` at `actAt`
 * @property {Step[]} steps
 */

/** @type {Lesson[]} */
export const LESSONS = [aLeaderDies];
