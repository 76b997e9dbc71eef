/**
 * A visitor's place in a lesson as a value, and the functions that compute the next place. These functions never ask
 * the engine or change the page. A wrong bet, a wrong answer or a stray act never blocks the visitor: the lesson
 * records it and continues.
 */

import { sentence } from './words.js';

/** @import { Nanos } from '../../protocol.js' */
/** @import { Prediction } from './facts.js' */
/** @import { Lesson, Step } from './lessons.js' */

/**
 * @typedef {object} Progress
 * @property {number} step index of the step
 * @property {number} acted how many of the lesson's acts the visitor has done
 * @property {string} strayed the act that the visitor did instead; "" while the run is the lesson's
 * @property {Prediction} bet
 * @property {"" | "bet" | "none"} placed whether the bet counts, or the visitor asked for the answer
 * @property {boolean} seen the page has shown the outcome
 * @property {string[]} answered the choices that the visitor tried, in order
 */

/**
 * Where to begin: a step, counted from 0, and an earlier prediction.
 * @typedef {{step?: number, bet?: Prediction}} Place
 */
/**
 * @typedef {{type: "next"} | {type: "back"} | {type: "acted", acts: number} | {type: "undone", acts: number} |
 *   {type: "strayed", verb: string} | {type: "returned"} | {type: "bet", at: Prediction} | {type: "place"} | {type:
 *   "show"} | {type: "seen"} | {type: "answered", choice: string}} LessonEvent
 */

/** @returns {Progress} */
export const newProgress = () => ({ step: 0, acted: 0, strayed: '', bet: null, placed: '', seen: false, answered: [] });

/**
 * The progress of a visitor who comes to a step through a link, or returns to it: the earlier acts count as done, and
 * the prediction as made or skipped.
 * @param {Lesson} lesson @param {Place} [place] @returns {Progress}
 */
export function progressAt(lesson, { step = 0, bet = null } = {}) {
  const at = Math.min(Math.max(0, step), lesson.steps.length - 1);
  const stepsBefore = (/** @type {Step['kind']} */ kind) =>
    lesson.steps.slice(0, at).filter((one) => one.kind === kind);
  const now = { ...newProgress(), step: at, acted: stepsBefore('act').length };
  return stepsBefore('bet').length > 0 ? { ...now, bet, placed: bet === null ? 'none' : 'bet' } : now;
}

/** @param {Lesson} lesson @param {Progress} now @returns {Step} */
export const stepOf = (lesson, now) => lesson.steps[now.step];

/** Whether the visitor has yet to do the act of a step. @param {Step} step @param {Progress} now */
export const asksAct = (step, { acted }) => step.kind === 'act' && acted <= step.index;

/** Why the next step has to wait; "" if it does not. @param {Lesson} lesson @param {Progress} now */
export function waitReason(lesson, now) {
  const step = stepOf(lesson, now);
  if (now.strayed && !now.seen) return sentence('waitsRun');
  if (step.kind === 'act' && asksAct(step, now))
    return sentence('waitsAct', { act: step.act.act, node: step.act.node });
  if (step.kind === 'bet' && !now.placed) return sentence(lesson.curtained ? 'waitsBetMust' : 'waitsBet');
  if (step.kind === 'see' && !now.seen) return sentence('waitsSee');
  if (now.step === lesson.steps.length - 1) return sentence('lastStep');
  return '';
}

/** @typedef {"doIt" | "place" | "show" | "showAnswer" | "next"} Click */

/**
 * What a click on Next does in a presentation. A clicker has one button, so the click also does what the step asks for.
 * @param {Step} step @param {Progress} now @returns {Click}
 */
export function clickOf(step, now) {
  const { kind } = step;
  const { placed, bet, answered } = now;
  if (asksAct(step, now)) return 'doIt';
  if (kind === 'bet' && !placed) return bet === null ? 'show' : 'place';
  return kind === 'transfer' && answered.length === 0 ? 'showAnswer' : 'next';
}

/**
 * The instant up to which the page may show the run. Before the bet, the page shows nothing of the future.
 * @param {Lesson} lesson @param {Progress} now @returns {Nanos}
 */
export function curtainOf(lesson, now) {
  if (now.placed) return Number.POSITIVE_INFINITY;
  const furthest = lesson.steps.slice(0, now.step + 1).map((step) => step.until);
  return Math.max(...furthest);
}

/** @param {Lesson} lesson @param {Progress} now @param {LessonEvent} event @returns {Progress} */
export function advance(lesson, now, event) {
  switch (event.type) {
    case 'next':
      return waitReason(lesson, now) ? now : { ...now, step: now.step + 1 };
    case 'back':
      return { ...now, step: Math.max(0, now.step - 1) };
    case 'acted':
      return { ...now, acted: event.acts, strayed: '' };
    case 'undone':
      return now.seen ? now : { ...now, ...returnToAct(lesson, now, event.acts) };
    case 'strayed':
      return now.seen ? now : { ...now, strayed: event.verb };
    case 'returned':
      return { ...now, strayed: '' };
    case 'bet':
      return now.placed ? now : { ...now, bet: event.at };
    case 'place':
      return now.bet === null || now.placed ? now : goToOutcome(now, 'bet');
    case 'show':
      return now.placed ? now : goToOutcome({ ...now, bet: null }, 'none');
    case 'seen':
      return { ...now, seen: true };
    case 'answered':
      return now.answered.includes(event.choice) ? now : { ...now, answered: [...now.answered, event.choice] };
  }
}

/** Goes from the bet to its outcome. @param {Progress} now @param {"bet" | "none"} placed @returns {Progress} */
const goToOutcome = (now, placed) => ({ ...now, placed, step: now.step + 1 });

/**
 * The visitor has undone an act, so the lesson asks again for the act and for the bet.
 * @param {Lesson} lesson
 * @param {Progress} now
 * @param {number} acts that remain
 */
function returnToAct(lesson, now, acts) {
  const act = lesson.steps.findIndex((step) => step.kind === 'act' && step.index === acts);
  return { acted: acts, strayed: '', bet: null, placed: /** @type {const} */ (''), step: Math.min(now.step, act) };
}
