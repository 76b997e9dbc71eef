/** The question at the end of a lesson: every answer is re-run with other seeds, and the numbers judge it. */

import { lengthText } from './panel.js';
import { stepOf } from './progress.js';
import { sweep } from './sweeps.js';
import { fill, plain } from './words.js';

/** @import { SweepParams, Swept } from '../../protocol.js' */
/** @import { Choice, Lesson, TransferStep } from './lessons.js' */
/** @import { LessonEvent } from './progress.js' */
/** @import { LessonState } from './state.js' */

/**
 * @typedef {{gapNs: () => number | undefined, sweep: (params: SweepParams) => Promise<Swept>, tell: (event: LessonEvent) => void,
 *   say: (sentence: string) => void, fail: (message: string) => void, showResult: () => void,
 *   focusSubmit: () => void}} QuestionPorts
 */

export class Question {
  /** Counts re-runs, so that one that was stopped tells nothing any more. */
  #turn = 0;

  /** @param {LessonState} lesson @param {QuestionPorts} ports */
  constructor(lesson, ports) {
    this.lesson = lesson;
    this.ports = ports;
  }

  /** @param {string} choice */
  choose(choice) {
    const { transfer } = this.lesson;
    transfer.value = { ...transfer.value, chosen: choice };
  }

  /** Re-runs the answer. @param {boolean} asked the visitor answered; otherwise the page shows the right answer */
  async answer(asked) {
    const { transfer } = this.lesson;
    const lesson = this.lesson.on.value;
    if (transfer.value.running || !lesson) return;
    const step = /** @type {TransferStep} */ (stepOf(lesson, this.lesson.progress.value));
    const chosen = step.choices.find((choice) => (asked ? choice.id === transfer.value.chosen : choice.right));
    if (!chosen) {
      this.ports.say('Choose an answer first.');
      return;
    }
    const wanted = chosen.right ? step.choices : [chosen];
    transfer.value = {
      chosen: chosen.id,
      running: { done: 0, of: wanted.length * step.seeds },
      result: '',
      right: false,
    };
    this.ports.say(`Re-running ${step.seeds} seeds.`);
    const turn = ++this.#turn;
    const outcomes = await this.#sweepAll(wanted, step, lesson.run.actAt, turn);
    if (turn !== this.#turn) return;
    transfer.value = { ...transfer.value, running: null };
    if (!outcomes) return;
    const result = resultOf(step, chosen, outcomes, asked, this.ports.gapNs());
    transfer.value = { ...transfer.value, result, right: chosen.right ?? false };
    this.ports.tell({ type: 'answered', choice: chosen.id });
    this.ports.say(plain(result));
    this.ports.showResult();
  }

  /** @param {Choice[]} wanted @param {TransferStep} step @param {number} after @param {number} turn @returns {Promise<Record<string, Swept> | undefined>} undefined: stopped or failed */
  async #sweepAll(wanted, step, after, turn) {
    const { transfer } = this.lesson;
    /** @type {Record<string, Swept>} */
    const outcomes = {};
    const of = wanted.length * step.seeds;
    const stopped = () => turn !== this.#turn;
    for (const [i, { id, patch }] of wanted.entries()) {
      const tell = (/** @type {Swept} */ { done }) => {
        transfer.value = { ...transfer.value, running: { done: i * step.seeds + done, of } };
      };
      try {
        const swept = await sweep(this.ports.sweep, { patch, after, first: 1, count: step.seeds }, { stopped, tell });
        if (!swept) return undefined;
        outcomes[id] = swept;
      } catch (error) {
        if (!stopped()) this.ports.fail(/** @type {Error} */ (error).message);
        return undefined;
      }
    }
    return outcomes;
  }

  /** Without a word: the lesson is over. */
  cancel() {
    this.#turn++;
  }

  stop() {
    this.#turn++;
    const { transfer } = this.lesson;
    transfer.value = { ...transfer.value, running: null };
    this.ports.focusSubmit();
    this.ports.say('Stopped.');
  }
}

/**
 * @param {TransferStep} step @param {Choice} chosen @param {Record<string, Swept>} outcomes @param {boolean} asked
 * @param {number | undefined} gapNs the gap of the run on screen
 */
function resultOf(step, chosen, outcomes, asked, gapNs) {
  if (!chosen.right) return wrongResult(step, chosen, outcomes[chosen.id], gapNs);
  /** @type {Record<string, string>} */
  const values = { right: asked ? step.rightWord : '' };
  for (const [id, { hereNs, medianNs }] of Object.entries(outcomes)) {
    values[`${id}.here`] = lengthText(hereNs);
    values[`${id}.median`] = lengthText(medianNs);
  }
  return fill(step.right, values);
}

/** How a length compares with another, both as they are printed. @param {number | undefined} ns @param {number | undefined} than */
function compared(ns, than) {
  if (lengthText(ns) === lengthText(than)) return 'no different';
  return (ns ?? Number.POSITIVE_INFINITY) < (than ?? Number.POSITIVE_INFINITY) ? 'shorter' : 'longer';
}

/** @param {TransferStep} step @param {Choice} choice @param {Swept} swept @param {number | undefined} gapNs */
function wrongResult(step, { label }, { hereNs, medianNs, plainMedianNs, of }, gapNs) {
  return fill(step.wrong, {
    choice: label,
    here: lengthText(hereNs),
    median: lengthText(medianNs),
    plain: lengthText(plainMedianNs),
    seeds: String(of),
    gap: lengthText(gapNs),
    change: compared(hereNs, gapNs),
    medianChange: compared(medianNs, plainMedianNs),
  });
}
