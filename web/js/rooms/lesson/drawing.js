/** Draws the lesson's panel, and redraws it when a signal that it shows has changed. */
import { computed, effect } from '@preact/signals-core';
import { html, render } from 'lit-html';
import { actLabel } from '../../page/commands.js';
import { factsOf, pointsOf, valuesOf } from './facts.js';
import { stepTemplate } from './panel.js';
import { stepOf, waitReason } from './progress.js';
import { sentence } from './words.js';

/** @import { Page } from '../desk/index.js' */
/** @import { Bet } from './bet.js' */
/** @import { Goal } from './goal.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { LessonCallbacks, StepProps } from './panel.js' */
/** @import { Question } from './question.js' */
/** @import { LessonRun } from './run.js' */
/** @import { LessonState } from './state.js' */
/** @import { Steps } from './steps.js' */

/**
 * Collects the data that the panel needs for a step.
 * @param {Lesson} on
 * @param {LessonState} lesson
 * @param {Pick<Page, "state" | "key">} page
 * @param {Lesson[]} lessons
 * @returns {StepProps}
 */
export function shownOf(on, lesson, { state, key }, lessons) {
  const progress = lesson.progress.value;
  const why = lesson.why.value;
  const measured = lesson.measured.value;
  const press = key('crash');
  const view = state.view.peek();
  const bet = progress.placed === 'none' ? null : progress.bet;
  const step = stepOf(on, progress);
  return {
    lesson: on,
    next: lessons.find(({ number }) => number === on.number + 1) ?? null,
    progress,
    view,
    waits: waitReason(on, progress),
    values: {
      press: press ? sentence('press', { keys: press }) : '',
      ...valuesOf(on, { measured, why, bet, knobs: view.knobs }),
    },
    known: (on.explain === 0 || why !== null) && on.numbers.every(({ name }) => Object.hasOwn(measured, name)),
    points: pointsOf(on, measured, why, view.knobs),
    why,
    facts: why ? factsOf(why) : null,
    marked: state.markedAddend.value,
    field: lesson.field.value,
    transfer: lesson.transfer.value,
    goal: lesson.goal.value,
    act: step.kind === 'act' ? actLabel(state.hello.value.acts, step.act.act, step.act.node) : '',
    key,
  };
}

/**
 * @param {HTMLElement} root
 * @param {Pick<Page, "state" | "lab" | "timeline" | "run" | "select" | "mark" | "key" | "showTab" | "schedule">} page
 * @param {LessonState} lesson
 * @param {{lessons: Lesson[], steps: Steps, bet: Bet, question: Question, goal: Goal, run: LessonRun,
 *   focusHeading: () => void}} units
 */
export function drawPanel(root, page, lesson, units) {
  const { lessons, steps, bet, question, goal, run, focusHeading } = units;
  const { state, lab } = page;
  /** Runs an act in the next frame, which is when a panel in a tab appears. @param {() => void} act */
  const nextFrame = (act) => requestAnimationFrame(act);
  /** The run whose settings the visitor changes for the goal. @type {number | null} */
  let changing = null;
  // A change of settings makes another run. Once that run is open, show the goal again.
  effect(() => {
    const { run: now } = state.view.value;
    if (changing === null || now === changing) return;
    changing = null;
    if (!lesson.on.peek()) return;
    lesson.goal.value = '';
    page.showTab('story');
    // Scrolls the goal to the middle, so that the message about the new run does not cover it.
    nextFrame(() => root.querySelector('.lesson-end .lesson-row')?.scrollIntoView({ block: 'center' }));
  });
  effect(() => {
    if (lesson.goal.value) nextFrame(() => root.querySelector('.lesson-goal')?.scrollIntoView({ block: 'nearest' }));
  });
  /** Returns to the lesson's own branch. */
  const comeBack = () => run.drive('branch', { branch: 0 });
  /** @type {LessonCallbacks} */
  const callbacks = {
    next: () => steps.go(1),
    back: () => steps.go(-1),
    close: () => steps.leave(true),
    doIt: async () => {
      const step = stepOf(/** @type {Lesson} */ (lesson.on.value), lesson.progress.value);
      if (step.kind !== 'act') return;
      await comeBack();
      await lab.act(step.act.act, step.act.node);
      focusHeading();
    },
    undo: async () => {
      await lab.undo();
      focusHeading();
    },
    comeBack: async () => {
      await comeBack();
      if (lesson.on.value) steps.enter(lesson.on.value);
    },
    type: (text) => bet.type(text),
    nudge: (count) => bet.nudge(count),
    option: (name) => bet.choose(name),
    place: () => bet.place(),
    show: () => bet.giveUp(),
    mark: page.mark,
    openPart: (i) => {
      const part = lesson.why.value?.addends[i];
      if (part) page.select({ kind: 'event', cursor: part.cursor });
    },
    choose: (choice) => question.choose(choice),
    answer: () => question.answer(true),
    showAnswer: () => question.answer(false),
    stop: () => question.stop(),
    changeSettings: () => {
      changing = state.view.peek().run;
      page.run('faults', 'elector.leaseDuration');
    },
    checkGoal: () => goal.check(),
    exhibit: (id) => page.run('museum', id),
    nextLesson: () => {
      const { number } = /** @type {Lesson} */ (lesson.on.value);
      const next = lessons.find((one) => one.number === number + 1);
      if (next) steps.begin(next);
      else page.run('lessons');
    },
    present: () => page.run('present'),
    copyLink: () => page.run('copyStep'),
  };

  /**
   * The view changes with every frame. But a step shows only the view's Lease and LeaseCandidates.
   */
  const objects = computed(() => {
    const { run: at, lease, nodes } = state.view.value;
    return [at, lease.version, ...nodes.map(({ candidate }) => candidate?.emulationVersion)].join();
  });
  effect(() => {
    const on = lesson.on.value;
    if (on && objects.value) render(stepTemplate(shownOf(on, lesson, page, lessons), callbacks), root);
    else render(html`<p class="mute">${lesson.wait.value}</p>`, root);
  });
  return callbacks;
}
