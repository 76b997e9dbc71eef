/** The question at the end of a lesson. Each answer has its own run, and the numbers decide which is right. */

import { set } from '../../lib/control.js';
import { figureOf } from './facts.js';
import { measure, sweep } from './measures.js';
import { lengthText, runsOf } from './panel.js';
import { stepOf } from './progress.js';
import { fill, plainText, sentence } from './words.js';

/** @import { SweepParams, Swept } from '../../protocol.js' */
/** @import { Figure } from './facts.js' */
/** @import { Choice, Lesson, Measured, TransferStep } from './lessons.js' */
/** @import { MeasurePorts } from './measures.js' */
/** @import { LessonEvent } from './progress.js' */
/** @import { LessonState } from './state.js' */

/**
 * @typedef {MeasurePorts & {gapNs: () => number | undefined, values: () => Record<string, string>, sweep: (params:
 *   SweepParams) => Promise<Swept>, tell: (event: LessonEvent) => void, say: (sentence: string) => void, fail:
 *   (message: string) => void, showResult: () => void, focusSubmit: () => void}} QuestionPorts values: the values of
 *   the lesson's own run
 */

/**
 * The result of a choice's run: the gap over many seeds, or the number that the question asks for.
 * @typedef {{swept: Swept} | {figure: Figure}} Result
 */

export class Question {
  /** Counts re-runs, so that a stopped re-run reports nothing more. */
  #turn = 0;

  /** @param {LessonState} lesson @param {QuestionPorts} ports */
  constructor(lesson, ports) {
    this.lesson = lesson;
    this.ports = ports;
  }

  /** Another answer has no verdict yet. @param {string} choice */
  choose(choice) {
    const { transfer } = this.lesson;
    const verdict = choice === transfer.value.chosen ? {} : { result: '', right: false };
    transfer.value = { ...transfer.value, ...verdict, chosen: choice };
  }

  /**
   * Runs the scenario of the answer. @param {boolean} asked the visitor answered; otherwise the page shows the right
   * answer
   */
  async answer(asked) {
    const { transfer } = this.lesson;
    const lesson = this.lesson.on.value;
    if (transfer.value.running || !lesson) return;
    const step = /** @type {TransferStep} */ (stepOf(lesson, this.lesson.progress.value));
    const chosen = step.choices.find(({ name }) => name === (asked ? transfer.value.chosen : step.rightChoice));
    if (!chosen) return this.ports.say(sentence('chooseFirst'));
    const right = chosen.name === step.rightChoice;
    const wanted = right ? step.choices : [chosen];
    const seeds = runsOf(step, lesson);
    transfer.value = { chosen: chosen.name, running: { done: 0, of: wanted.length * seeds }, result: '', right: false };
    this.ports.say(seeds === 1 ? sentence('running') : sentence('runningSeeds', { seeds }));
    const turn = ++this.#turn;
    const outcomes = await this.#runAll(wanted, step, lesson, turn);
    if (turn !== this.#turn) return;
    transfer.value = { ...transfer.value, running: null };
    if (!outcomes) return;
    const values = { ...this.ports.values(), ...valuesOf(step, chosen, outcomes, this) };
    const result = (right && asked ? `${step.right} ` : '') + fill(step.answers[chosen.name], values);
    transfer.value = { ...transfer.value, result, right };
    this.ports.tell({ type: 'answered', choice: chosen.name });
    this.ports.say(plainText(result));
    this.ports.showResult();
  }

  /**
   * @param {Choice[]} wanted
   * @param {TransferStep} step
   * @param {Lesson} lesson
   * @param {number} turn
   * @returns {Promise<Record<string, Result> | undefined>} undefined: a run stopped or failed
   */
  async #runAll(wanted, step, lesson, turn) {
    const { transfer } = this.lesson;
    /** @type {Record<string, Result>} */
    const outcomes = {};
    const seeds = runsOf(step, lesson);
    const isStopped = () => turn !== this.#turn;
    for (const [i, choice] of wanted.entries()) {
      const tell = (/** @type {number} */ done) =>
        set(transfer, { ...transfer.value, running: { done: i * seeds + done, of: wanted.length * seeds } });
      try {
        const outcome = await this.#run(choice, step, lesson, { isStopped, tell });
        if (!outcome) return undefined;
        outcomes[choice.name] = outcome;
      } catch (error) {
        if (!isStopped()) this.ports.fail(/** @type {Error} */ (error).message);
        return undefined;
      }
    }
    return outcomes;
  }

  /**
   * @param {Choice} choice @param {TransferStep} step @param {Lesson} lesson
   * @param {{isStopped: () => boolean, tell: (done: number) => void}} on @returns {Promise<Result | undefined>}
   */
  async #run(choice, step, lesson, { isStopped, tell }) {
    if (step.number !== 'gap') {
      const figure = await measure(lesson, numberOf(step, lesson), this.ports, { choice, isStopped, tell });
      return figure && { figure };
    }
    const params = { patch: choice.set ?? [], after: Math.max(0, lesson.run.actAt), first: 1, count: step.seeds };
    const swept = await sweep(this.ports.sweep, params, { isStopped, tell: ({ done }) => tell(done) });
    return swept && { swept };
  }

  /** Stops silently, because the lesson is over. */
  cancel() {
    this.#turn++;
  }

  stop() {
    this.#turn++;
    const { transfer } = this.lesson;
    transfer.value = { ...transfer.value, running: null };
    this.ports.focusSubmit();
    this.ports.say(sentence('stopped'));
  }
}

/** @param {TransferStep} step @param {Lesson} lesson */
const numberOf = (step, lesson) => /** @type {Measured} */ (lesson.numbers.find(({ name }) => name === step.number));

/**
 * Compares two lengths in their printed form.
 * @param {number | undefined} ns
 * @param {number | undefined} than
 */
function compareLengths(ns, than) {
  if (lengthText(ns) === lengthText(than)) return sentence('same');
  const less = (ns ?? Number.POSITIVE_INFINITY) < (than ?? Number.POSITIVE_INFINITY);
  return less ? sentence('shorter') : sentence('longer');
}

/**
 * The values that the sentence about a choice may mention, besides the lesson's values.
 * @param {TransferStep} step @param {Choice} chosen @param {Record<string, Result>} outcomes @param {Question} of
 * @returns {Record<string, string>}
 */
function valuesOf(step, { name: chosen, label: choice }, outcomes, { ports, lesson: { measured } }) {
  /** @type {Record<string, string>} */
  const values = { choice };
  const text = (/** @type {Figure} */ { length, value, text: as }) => (length ? lengthText(value) : as);
  for (const [name, one] of Object.entries(outcomes)) {
    values[`${name}.here`] = 'swept' in one ? lengthText(one.swept.hereNs) : text(one.figure);
    if ('swept' in one) values[`${name}.median`] = lengthText(one.swept.medianNs);
  }
  const mine = outcomes[chosen];
  if ('figure' in mine) {
    const own = measured.value[step.number] ?? figureOf('');
    return {
      ...values,
      here: text(mine.figure),
      plain: text(own),
      change: compareLengths(mine.figure.value, own.value),
    };
  }
  const { hereNs, medianNs, plainMedianNs, of } = mine.swept;
  return {
    ...values,
    ...{ here: lengthText(hereNs), median: lengthText(medianNs), plain: lengthText(plainMedianNs), seeds: String(of) },
    ...{ change: compareLengths(hereNs, ports.gapNs()), medianChange: compareLengths(medianNs, plainMedianNs) },
  };
}
