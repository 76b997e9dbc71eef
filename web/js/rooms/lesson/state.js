/** The state of the lesson room: the open lesson, the visitor's place, and the runs that belong to the lesson. */
import { batch, signal } from '@preact/signals-core';
import { newProgress } from './progress.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Why } from '../../protocol.js' */
/** @import { Figure } from './facts.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */

/**
 * The text in the field of the prediction, and how the page interprets it.
 * @typedef {{text: string, error: string, read: string}} Field
 */
/**
 * The answer to the question.
 * @typedef {{chosen: string, running: {done: number, of: number} | null, result: string, right: boolean}} Answer
 */

/** @type {Field} */
const NO_FIELD = { text: '', error: '', read: '' };
/** @type {Answer} */
const NO_ANSWER = { chosen: '', running: null, result: '', right: false };

export class LessonState {
  constructor() {
    this.on = /** @type {Signal<Lesson | null>} */ (signal(null));
    this.progress = /** @type {Signal<Progress>} */ (signal(newProgress()));
    this.why = /** @type {Signal<Why | null>} */ (signal(null));
    /** The lesson's numbers that the page has measured. */
    this.measured = signal(/** @type {Record<string, Figure>} */ ({}));
    /** The engine's verdict on the goal, or "". */
    this.goal = signal('');
    this.reached = signal(false);
    this.field = signal(NO_FIELD);
    this.transfer = signal(NO_ANSWER);
    /** Why no lesson can begin yet, or "". */
    this.wait = signal('');
    /** A lesson that the visitor left and can resume while its run exists. @type {Signal<Lesson | null>} */
    this.left = signal(null);
    /** The scenario that a step shows in place of the lesson's run, or "". */
    this.visiting = '';
    /**
     * The numbers of the lesson's runs: the run as it opened, and the run after each act that the lesson asks for.
     * @type {number[]}
     */
    this.runs = [];
  }

  /**
   * Begins a lesson. All signals change in one batch, because the place in the previous lesson may not exist in this
   * lesson.
   * @param {Lesson} lesson @param {Progress} [progress] the visitor's place
   */
  start(lesson, progress = newProgress()) {
    batch(() => {
      this.on.value = lesson;
      this.left.value = null;
      this.progress.value = progress;
      this.why.value = null;
      this.measured.value = {};
      this.goal.value = '';
      this.reached.value = false;
      this.field.value = NO_FIELD;
      this.transfer.value = NO_ANSWER;
    });
  }

  /** Whether a run is the one that the lesson opened. @param {{scenario: string}} view @param {Lesson} lesson */
  isOurs({ scenario }, lesson) {
    return scenario === lesson.run.scenario && this.runs.length > 0;
  }
}
