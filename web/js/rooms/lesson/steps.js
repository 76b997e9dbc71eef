/** The path through a lesson: begins it, goes from step to step, leaves and resumes it. */
import { batch } from '@preact/signals-core';
import { waitUntil } from '../../lib/until.js';
import { advance, asksAct, curtainOf, progressAt, stepOf, waitReason } from './progress.js';
import { AT_ONCE } from './run.js';
import { sentence, strayedText } from './words.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { View } from '../../protocol.js' */
/** @import { Act, Lesson, Visit } from './lessons.js' */
/** @import { LessonEvent, Place, Progress } from './progress.js' */
/** @import { LessonRun } from './run.js' */
/** @import { LessonState } from './state.js' */

/**
 * The functions of the page that the path needs.
 * @typedef {object} StepPorts
 * @property {Signal<"opening" | "ready" | "failed">} phase of the engine
 * @property {() => string} failure
 * @property {() => void} pause
 * @property {(lesson: Lesson) => Promise<boolean>} open opens the lesson's run; false on failure
 * @property {(act: Act) => Promise<unknown>} act does what the lesson asks the visitor to do
 * @property {(visits: Visit) => Promise<unknown>} visit opens another run at an instant
 * @property {() => unknown} explain called when the page has shown the outcome
 * @property {(lesson: Lesson) => void} onStart starts the guard and the marks
 * @property {(lesson: Lesson) => void} onEnd ends the guard and the marks
 * @property {() => void} frame shows the part of the run that the lesson is about
 * @property {() => void} showPanel
 * @property {() => void} unmark removes the marks of the previous step
 * @property {() => void} unselect
 * @property {() => void} focusHeading
 * @property {() => void} showRun shows the panel in place of the lesson
 * @property {(sentence: string) => void} say
 */

/**
 * The instant to which the run must move for a step. An act happens a nanosecond after the instant that it waits for,
 * so the page moves past that instant to show a finished act.
 * @param {Lesson} lesson @param {Progress} now @param {Pick<View, "branch" | "live">} view
 * @returns {{t: number, speed?: number} | null} no speed: move at once; null: do not move
 */
export function destination(lesson, now, { branch, live }) {
  if (branch !== 0) return null;
  const { until, speed = 0 } = stepOf(lesson, now);
  if (lesson.run.acts.slice(0, now.acted).some(({ at }) => at === until)) return { t: Math.min(live.t, until + 1) };
  return { t: until, speed };
}

/** Index of the bet. @param {Lesson} lesson */
const betOf = (lesson) => lesson.steps.findIndex(({ kind }) => kind === 'bet');

export class Steps {
  /** @param {LessonState} lesson @param {LessonRun} run @param {StepPorts} ports */
  constructor(lesson, run, ports) {
    this.lesson = lesson;
    this.run = run;
    this.ports = ports;
  }

  /** @param {LessonEvent} event @param {boolean} [aloud] */
  tell(event, aloud = false) {
    const { on, progress } = this.lesson;
    const lesson = on.peek();
    if (!lesson) return;
    const next = advance(lesson, progress.peek(), event);
    progress.value = next;
    if (!aloud) return;
    const step = stepOf(lesson, next);
    const done = step.kind === 'act' ? (step.done ?? '') : '';
    const sentence = event.type === 'acted' ? done : strayedText(lesson, next);
    // Announce this after the page's own message about the act.
    setTimeout(() => this.ports.say(sentence));
  }

  /** Shows the visitor's step and moves the run there. @param {Lesson} lesson */
  enter(lesson) {
    const now = this.lesson.progress.value;
    this.ports.showPanel();
    this.ports.unmark();
    this.ports.frame();
    this.ports.focusHeading();
    if (asksAct(stepOf(lesson, now), now)) this.ports.unselect();
    this.#moveRun(lesson, now);
  }

  /** @param {Lesson} lesson @param {Progress} now */
  async #moveRun(lesson, now) {
    const { visits } = stepOf(lesson, now);
    if (visits) {
      this.lesson.visiting = visits.scenario;
      await this.run.passGuard(() => this.ports.visit(visits));
    } else if (this.lesson.visiting) {
      await this.#open(lesson, now);
      this.lesson.visiting = '';
    }
    if (this.lesson.on.value !== lesson) return;
    if (visits || this.lesson.progress.value !== now) return this.ports.frame();
    const to = destination(lesson, now, this.run.view.value);
    if (to?.speed !== undefined) this.run.reach(to.t, to.speed);
    else if (to) this.run.jump(to.t);
  }

  /** @param {1 | -1} direction */
  go(direction) {
    const lesson = this.lesson.on.value;
    if (!lesson) return;
    const now = this.lesson.progress.value;
    const waits = direction > 0 ? waitReason(lesson, now) : '';
    if (waits) {
      this.ports.showPanel();
      this.ports.say(waits);
      // The button Next also skips the part of the run that the visitor has not watched yet.
      const step = stepOf(lesson, now);
      if (step.kind === 'see' && this.run.view.value.branch === 0) this.run.reach(step.until, AT_ONCE);
      return;
    }
    this.tell({ type: direction > 0 ? 'next' : 'back' });
    if (this.lesson.progress.value.step !== now.step) this.enter(lesson);
  }

  /** A lesson about the open run. @param {Lesson} lesson */
  take(lesson) {
    this.leave(false);
    this.lesson.runs = [this.run.view.value.run];
    this.lesson.start(lesson);
    this.#start(lesson);
  }

  /** @param {Lesson} lesson @param {Place} [place] */
  async begin(lesson, place) {
    this.leave(false);
    this.ports.showPanel();
    if (!(await this.#engine())) return;
    const now = progressAt(lesson, place);
    if (!(await this.#open(lesson, now))) return;
    this.lesson.start(lesson, now);
    this.#start(lesson);
    if (now.placed && now.step > betOf(lesson) + 1) this.ports.explain();
  }

  /**
   * Opens the lesson's run at the start of a step: with the acts so far, and shown up to the end of the previous step.
   * @param {Lesson} lesson @param {Progress} now @returns {Promise<boolean>} false on failure
   */
  async #open(lesson, now) {
    this.lesson.runs = [];
    if (!(await this.run.passGuard(() => this.ports.open(lesson)))) return false;
    const runs = [this.run.view.value.run];
    for (const act of lesson.run.acts.slice(0, now.acted)) {
      await this.run.jump(act.at);
      await this.run.passGuard(() => this.ports.act(act));
      runs.push(this.run.view.value.run);
    }
    if (now.step > 0) await this.run.jump(lesson.steps[now.step - 1].until + (now.acted > 0 ? 1 : 0));
    this.lesson.runs = runs;
    return true;
  }

  /** Waits for the engine, and tells the visitor. @returns {Promise<boolean>} false: the engine will not load */
  async #engine() {
    const { phase, failure } = this.ports;
    const { wait } = this.lesson;
    if (phase.value === 'opening') {
      wait.value = sentence('waitsEngine');
      if (this.run.view.value.playing) this.ports.pause();
      await waitUntil(() => phase.value !== 'opening');
    }
    wait.value = phase.value === 'failed' ? failure() : '';
    return wait.value === '';
  }

  /** @param {Lesson} lesson */
  #start(lesson) {
    this.ports.onStart(lesson);
    this.enter(lesson);
  }

  /**
   * Ends the lesson but keeps the run.
   * @param {boolean} aloud the visitor asked @returns {boolean} a lesson was open
   */
  leave(aloud) {
    const { on, left, transfer } = this.lesson;
    const lesson = on.peek();
    if (!lesson) return false;
    if (aloud && lesson.curtained && !this.lesson.progress.peek().placed) {
      this.ports.say(sentence('waitsBetMust'));
      return true;
    }
    batch(() => {
      left.value = lesson;
      on.value = null;
      this.lesson.visiting = '';
      transfer.value = { ...transfer.peek(), running: null };
    });
    this.ports.onEnd(lesson);
    if (!aloud) return true;
    this.ports.showRun();
    this.ports.say(sentence('left'));
    return true;
  }

  /** Ends the lesson because another run has replaced its run. */
  close() {
    this.leave(false);
    this.lesson.left.value = null;
  }

  /**
   * Whether the visitor can resume: the run has not changed since then, and it shows nothing that the lesson still
   * hides.
   */
  canResume() {
    const lesson = this.lesson.left.value;
    const { view } = this.run;
    if (!lesson || !this.lesson.isOurs(view.value, lesson)) return false;
    const now = this.lesson.progress.value;
    const { branch, run, live } = view.value;
    const whole = branch === 0 && this.lesson.runs.includes(run);
    return now.seen || (whole && live.t <= curtainOf(lesson, now) + 1);
  }

  resume() {
    const lesson = this.lesson.left.value;
    if (!lesson || !this.canResume()) return;
    batch(() => {
      this.lesson.left.value = null;
      this.lesson.on.value = lesson;
    });
    this.#start(lesson);
  }
}
