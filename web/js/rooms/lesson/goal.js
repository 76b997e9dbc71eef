/**
 * The goal at the end of a lesson. The engine runs the scenario on screen with its settings and acts, and checks the
 * goal's assertions.
 */

import { formatSeconds } from '../../lib/format.js';
import { figureOf } from './facts.js';
import { sentence } from './words.js';

/** @import { Outcome, Saved } from '../../protocol.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { LessonState } from './state.js' */

/**
 * The cost of a run. The page shows the cost beside the goal. The cost is not part of the goal, so any bound will do.
 */
const PRICE = { measure: 'requestsPerSecond', atMost: 1_000_000 };

/**
 * @typedef {object} GoalPorts
 * @property {() => Promise<Saved>} save the run on screen, as a scenario
 * @property {() => number} marginNs the safety margin of the run on screen
 * @property {(scenario: object) => Promise<Outcome[]>} expect
 * @property {(lesson: Lesson) => Promise<object>} baseDocument the lesson's own run, as a scenario
 * @property {() => void} showRun shows the whole run, because the engine checked all of it
 * @property {(sentence: string) => void} say
 * @property {(message: string) => void} fail
 */

export class Goal {
  /** @param {LessonState} lesson @param {GoalPorts} ports */
  constructor(lesson, ports) {
    this.lesson = lesson;
    this.ports = ports;
  }

  async check() {
    const lesson = this.lesson.on.value;
    if (!lesson) return;
    try {
      const { scenario } = await this.ports.save();
      const outcomes = await this.ports.expect({ ...scenario, expect: [...lesson.goal.expect, PRICE] });
      const [before] = await this.ports.expect({ ...(await this.ports.baseDocument(lesson)), expect: [PRICE] });
      if (this.lesson.on.value !== lesson) return;
      const price = /** @type {Outcome} */ (outcomes.pop());
      const paid = sentence('goalPrice', { here: price.measured, plain: before.measured });
      const marginNs = this.ports.marginNs();
      this.lesson.goal.value = `${goalText(outcomes, marginNs)} ${paid}`;
      this.lesson.reached.value = marginNs >= 0 && outcomes.every(({ met }) => met);
      this.ports.say(this.lesson.goal.value);
      this.ports.showRun();
    } catch (error) {
      this.ports.fail(/** @type {Error} */ (error).message);
    }
  }
}

/** Rounds a measured length to the millisecond and leaves anything else unchanged. @param {string} measured */
function roundMeasured(measured) {
  const figure = figureOf(measured);
  return /\.\d{4,} s$/.test(measured) ? formatSeconds(figure.value) : measured;
}

/** Writes "at most 5s" the way the page writes lengths. @param {string} clause */
const spaceUnits = (clause) => clause.replace(/(\d)((?:ms|s|m|h)\b)/g, '$1 $2');

/** Settings with which two may lead do not reach a goal. @param {Outcome[]} outcomes @param {number} marginNs */
export function goalText(outcomes, marginNs) {
  const valuesOf = (/** @type {Outcome[]} */ some) => ({
    measured: some
      .map(({ clause, measured }) =>
        sentence('goalMeasured', { clause: spaceUnits(clause), measured: roundMeasured(measured) }),
      )
      .join('; '),
  });
  const unmet = outcomes.filter(({ met }) => !met);
  if (unmet.length > 0) return sentence('goalNotYet', valuesOf(unmet));
  if (marginNs < 0) return sentence('goalUnsafe', { margin: formatSeconds(marginNs) });
  return sentence('goalReached', valuesOf(outcomes));
}
