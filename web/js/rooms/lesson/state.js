/** What a lesson room knows: the lesson that is on, where the visitor stands, and which runs are the lesson's. */
import { batch, signal } from '@preact/signals-core';
import { newProgress } from './progress.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Why } from '../../protocol.js' */
/** @import { Figure } from './facts.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */

/**
 * What stands in the field of the prediction, and how the page reads it.
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
    /** The numbers of the lesson that are already measured. */
    this.measured = signal(/** @type {Record<string, Figure>} */ ({}));
    /** What the engine says about the goal, "". */
    this.goal = signal('');
    this.reached = signal(false);
    this.field = signal(NO_FIELD);
    this.transfer = signal(NO_ANSWER);
    /** Why no lesson can begin yet, "". */
    this.wait = signal('');
    /** A lesson that the visitor left, and can resume while its run is there. @type {Signal<Lesson | null>} */
    this.left = signal(null);
    /** The scenario that a step shows in place of the lesson's run, "". */
    this.visiting = '';
    /** Numbers of the lesson's run: as it opened, and after each act that the lesson asks for. @type {number[]} */
    this.runs = [];
  }

  /**
   * A lesson begins. All of it changes at once: where the visitor stood in the lesson before may be no step of this
   * one.
   * @param {Lesson} lesson @param {Progress} [progress] where the visitor stands
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

  /** Whether a run is the one that a lesson has opened. @param {{scenario: string}} view @param {Lesson} lesson */
  isOurs({ scenario }, lesson) {
    return scenario === lesson.run.scenario && this.runs.length > 0;
  }
}
