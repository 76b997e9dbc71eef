/**
 * The numbers of a run that a lesson mentions, and the thought behind a prediction. Every value comes from the engine.
 */
import { secondsText } from '../../lib/format.js';
import { parseInstant } from '../../lib/share.js';
import { stepOfKind } from './lessons.js';
import { inSeconds } from './words.js';

/** @import { KnobValue, Nanos, Why } from '../../protocol.js' */
/** @import { Question, BetStep, Lesson, Point, Rule, SeeStep } from './lessons.js' */

/**
 * The result of an assertion: its text, and its value in nanoseconds or as a count (NaN for a name).
 * @typedef {{text: string, value: number, length: boolean}} Figure
 */
/**
 * A prediction: an instant or a length in nanoseconds, a count, or the name of an option. null: none.
 * @typedef {number | string | null} Prediction
 */

/**
 * The instants that decide whether a prediction is right. All instants are virtual nanoseconds of this run.
 * @typedef {object} Facts
 * @property {Nanos} actAt when the gap began
 * @property {Nanos} tookAt when the next leader started to lead
 * @property {Nanos} freeAt when the new leader's countdown ended
 * @property {Nanos} seenAt when that countdown began
 * @property {Nanos} lookedAt when the new leader began the attempt that made it leader
 */

/** @param {Why} why @returns {Facts} */
export function factsOf({ change, counts, lookedAt }) {
  const actAt = change.at - change.leaderlessNs;
  // The new leader did not have to wait for a countdown, because the Lease was free from the start of the gap.
  const { seen, until } = counts[0] ?? { seen: actAt, until: actAt };
  return { actAt, tookAt: change.at, freeAt: until, seenAt: seen, lookedAt };
}

/** Parses "14.038760558 s", "68" or "b". @param {string} measured @returns {Figure} */
export function figureOf(measured) {
  const length = /^\d+(?:\.\d+)? s$/.test(measured);
  const value = length
    ? (parseInstant(measured) ?? Number.NaN)
    : /^[\d.]+$/.test(measured)
      ? Number(measured)
      : Number.NaN;
  return { text: measured, value, length };
}

/** A figure for a sentence, which supplies the unit. @param {Figure} figure */
const figureText = ({ text, value, length }) => (length ? secondsText(value) : text);

/** The settings that every sentence may mention, in seconds. */
const SETTINGS = ['leaseDuration', 'renewDeadline', 'retryPeriod', 'requestTimeout'];

/**
 * The values that a rule may mention.
 * @param {Lesson} lesson @param {Record<string, Figure>} measured @param {Why | null} why @param {KnobValue[]} knobs
 * @returns {Record<string, number>}
 */
export function pointsOf(lesson, measured, why, knobs) {
  /** @type {Record<string, number>} */
  const points = Object.fromEntries(Object.entries(measured).map(([name, { value }]) => [name, value]));
  for (const name of SETTINGS) points[name] = settingOf(knobs, name);
  if (lesson.run.actAt >= 0) points.act = lesson.run.actAt + 1;
  if (why) {
    const { actAt, tookAt, freeAt } = factsOf(why);
    Object.assign(points, { tookAt, freeAt, gap: tookAt - actAt });
  }
  return points;
}

/** @param {KnobValue[]} knobs @param {string} name @returns {Nanos} */
const settingOf = (knobs, name) =>
  parseInstant(knobs.find(({ path }) => path === `elector.${name}`)?.value ?? '') ?? Number.NaN;

/**
 * Rounds to a tenth of a second, so that the boundary between two thoughts is a value that a visitor can predict.
 * @param {number} ns
 */
const tenths = (ns) => Math.floor(ns / 1e8 + 0.5) * 1e8;

/**
 * The first thought whose rule fits a prediction. sim/lesson/testdata/thoughts.json holds cases for this function and
 * for its counterpart in Go.
 * @param {Prediction} bet @param {Rule[]} rules @param {Record<string, number>} points @param {Question['kind']} kind
 */
export function thoughtOf(bet, rules, points, kind) {
  if (bet === null) return 'none';
  if (typeof bet === 'string') return bet;
  const edge = kind === 'count' ? (/** @type {number} */ n) => n : tenths;
  const value = (/** @type {string | number} */ one) => (typeof one === 'string' ? points[one] : one);
  const sum = (/** @type {Point} */ point) => point.reduce((all, one) => /** @type {number} */ (all) + value(one), 0);
  for (const { name, near, within, before } of rules) {
    if (near && within !== undefined) {
      const at = Number(sum(near));
      if (bet >= edge(at - value(within)) && bet <= edge(at + value(within))) return name;
    } else if (!before || bet < edge(Number(sum(before)))) return name;
  }
  return 'none';
}

/**
 * How far a prediction is from the answer, as the sentences print it.
 * @param {number} off
 * @param {Question['kind']} kind
 */
const distance = (off, kind) => (kind === 'count' ? String(Math.abs(off)) : secondsText(Math.abs(off)));

/** The right answer in the unit of the prediction. @param {Question} asked @param {Record<string, number>} points */
const answerOf = ({ answer }, points) => points[answer];

/**
 * Chooses one of three sentences as the first line of the feedback.
 * @param {SeeStep} step @param {Prediction} bet @param {Question} asked @param {Record<string, number>} points
 */
export function outcomeOf(step, bet, asked, points) {
  if (typeof bet !== 'number') return step.outcome;
  return Number(distance(bet - answerOf(asked, points), asked.kind)) === 0 ? step.exact : step.missed;
}

/** A prediction as typed: 30, 33.5, 34.039. @param {Nanos} ns */
export const betText = (ns) => secondsText(ns).replace(/\.?0+$/, '');

/** Any prediction in words. @param {Prediction} bet @param {BetStep} step */
export function predictionText(bet, { bet: { kind }, options }) {
  if (typeof bet !== 'number') return bet === null ? '' : options[bet];
  return kind === 'count' ? String(bet) : inSeconds(betText(bet));
}

/**
 * The known facts of the run.
 * @typedef {{measured: Record<string, Figure>, why: Why | null, bet: Prediction, knobs: KnobValue[]}} RunFacts
 */

/**
 * Every value that a sentence may mention.
 * @param {Lesson} lesson @param {RunFacts} known @returns {Record<string, string>}
 */
export function valuesOf(lesson, known) {
  const { measured, why, knobs } = known;
  const numbers = lesson.numbers.map(({ name }) => [name, measured[name] ? figureText(measured[name]) : '…']);
  return {
    ...Object.fromEntries(numbers),
    ...Object.fromEntries(SETTINGS.map((name) => [name, betText(settingOf(knobs, name))])),
    ...(why ? whyValues(why) : lesson.explain ? UNEXPLAINED : {}),
    ...predictionValues(lesson, known),
  };
}

/** The values of a change that the engine is still explaining: a visitor may already read a later step. */
const UNEXPLAINED = Object.fromEntries(
  ['actor', 'winner', 'tookAt', 'gap', 'freeAt', 'lookedAt', 'head'].map((name) => [name, '…']),
);

/** @param {Why} why @returns {Record<string, string>} */
function whyValues(why) {
  const facts = factsOf(why);
  const other = why.counts[1];
  return {
    actor: why.change.from,
    winner: why.change.to,
    tookAt: secondsText(facts.tookAt),
    gap: secondsText(facts.tookAt - facts.actAt),
    freeAt: secondsText(facts.freeAt),
    lookedAt: secondsText(facts.lookedAt),
    head: secondsText(facts.actAt - facts.seenAt),
    ...(other ? { other: other.node, otherSeen: secondsText(other.seen), otherFree: secondsText(other.until) } : {}),
  };
}

/** @param {Lesson} lesson @param {RunFacts} known @returns {Record<string, string>} */
function predictionValues(lesson, { measured, why, bet, knobs }) {
  const step = stepOfKind(lesson, 'bet');
  const see = stepOfKind(lesson, 'see');
  if (typeof bet !== 'number' || !step || !see) return {};
  const { kind } = step.bet;
  const points = pointsOf(lesson, measured, why, knobs);
  const off = bet - answerOf(step.bet, points);
  return {
    bet: kind === 'count' ? String(bet) : betText(bet),
    ...(Number.isNaN(off) ? {} : { off: distance(off, kind), side: see.sides[off < 0 ? 0 : 1] }),
    ...(why ? { left: secondsText(Math.max(0, factsOf(why).freeAt - bet)) } : {}),
  };
}
