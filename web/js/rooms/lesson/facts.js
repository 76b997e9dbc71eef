/** The numbers of a run that a lesson speaks of, and the thought behind a bet. Pure; every value is the engine's. */
import { secondsText } from '../../lib/format.js';

/** @import { Nanos, Why } from '../../protocol.js' */
/** @import { SeeStep, Thought } from './lessons.js' */

/**
 * What decides a bet. All instants are virtual nanoseconds of this run.
 * @typedef {object} Facts
 * @property {Nanos} actAt when the leader died
 * @property {Nanos} tookAt when the next leader led
 * @property {Nanos} freeAt when the new leader's countdown ended
 * @property {Nanos} seenAt when that countdown began
 * @property {Nanos} lookedAt when the new leader began the look that made it leader
 * @property {Nanos} leaseNs
 * @property {Nanos} renewDeadlineNs
 * @property {Nanos} retryPeriodNs
 */

/** @param {Why} why @returns {Facts} */
export function factsOf(why) {
  const { change, counts, rules, lookedAt } = why;
  const actAt = change.at - change.leaderlessNs;
  // Nobody waited for a countdown: it was free from the beginning of the gap.
  const { seen, until } = counts[0] ?? { seen: actAt, until: actAt };
  return { actAt, tookAt: change.at, freeAt: until, seenAt: seen, lookedAt, ...rules };
}

/** How near a bet must be to count as an answer to a thought, in retry periods: half the spread of a look, and less. */
const SPOT_ON = 0.17;
const NEAR = 0.32;

/** To a tenth of a second: the edges between two thoughts are bets a visitor can make. @param {number} ns */
const tenths = (ns) => Math.round(ns / 1e8) * 1e8;

/**
 * The thought nearest to a bet. Nothing here knows a number of lesson 1: with its run the edges come out at 22, 29, 31,
 * 32.5, 33.7, 34.4 and 35.6 s.
 * @param {Nanos | null} bet null: none was made
 * @param {Facts} facts @returns {Thought}
 */
export function thoughtOf(bet, { actAt, tookAt, freeAt, leaseNs, renewDeadlineNs, retryPeriodNs }) {
  if (bet === null) return 'none';
  const spot = retryPeriodNs * SPOT_ON;
  const near = retryPeriodNs * NEAR;
  // As the visitor sees it: to the millisecond, like every instant on the page.
  const from = (/** @type {number} */ ns) => bet >= tenths(ns);
  const to = (/** @type {number} */ ns) => bet <= tenths(ns);
  if (from(tookAt - spot) && to(tookAt + spot)) return 'spotOn';
  if (!from(actAt + retryPeriodNs)) return 'noticed';
  const gaveUp = actAt + renewDeadlineNs;
  const margin = renewDeadlineNs / 10;
  if (gaveUp + margin < freeAt - near && from(gaveUp - margin) && to(gaveUp + margin)) return 'gaveUp';
  const counted = actAt + leaseNs;
  if (from(counted - near) && to(counted + near)) return 'crash';
  if (!from(freeAt - near)) return 'checked';
  if (bet < tookAt) return 'renewal';
  return to(counted + near) ? 'crash' : 'careful';
}

/**
 * The first line of the feedback: which template, and the numbers of the bet in it.
 * @param {SeeStep} step @param {Nanos | null} bet @param {Facts} facts
 */
export function outcomeOf(step, bet, { tookAt }) {
  if (bet === null) return step.won;
  return secondsText(Math.abs(tookAt - bet)) === '0.000' ? step.exact : step.off;
}

/** A bet as it was made: 30, 33.5, 34.039. @param {Nanos} ns */
export function betText(ns) {
  return secondsText(ns).replace(/\.?0+$/, '');
}

/** Every value a template may name. @param {Why} why @param {Nanos | null} bet @returns {Record<string, string>} */
export function valuesOf(why, bet) {
  const facts = factsOf(why);
  const other = why.counts[1];
  const whole = (/** @type {number} */ ns) => betText(ns);
  return {
    actor: why.change.from,
    winner: why.change.to,
    tookAt: secondsText(facts.tookAt),
    gap: secondsText(facts.tookAt - facts.actAt),
    freeAt: secondsText(facts.freeAt),
    lookedAt: secondsText(facts.lookedAt),
    head: secondsText(facts.actAt - facts.seenAt),
    lease: whole(facts.leaseNs),
    renewDeadline: whole(facts.renewDeadlineNs),
    ...(other ? { other: other.node, otherSeen: secondsText(other.seen), otherFree: secondsText(other.until) } : {}),
    ...(bet === null
      ? {}
      : {
          bet: betText(bet),
          off: secondsText(Math.abs(facts.tookAt - bet)),
          side: bet < facts.tookAt ? 'early' : 'late',
          left: secondsText(Math.max(0, facts.freeAt - bet)),
        }),
  };
}
