/**
 * A lesson on the page: it moves the run where a step needs it, holds the future back until the bet, notices what the
 * visitor does to the run, and draws its panel and its marks. Where the visitor stands is a value (progress.js), each
 * lesson is data (sim/lesson, lessons.js). A chunk of its own, loaded for the first lesson.
 */
import { computed, effect, untracked } from '@preact/signals-core';
import { element } from '../../lib/element.js';
import { actLabel } from '../../page/commands.js';
import { show } from '../../page/timeline/shown.js';
import { Bet } from './bet.js';
import { drawPanel, shownOf } from './drawing.js';
import { Goal } from './goal.js';
import { Guard } from './guard.js';
import { lessonsFrom, stepOfKind } from './lessons.js';
import { LessonMarks, lookAt, marksOf } from './marks.js';
import { measureAll } from './measures.js';
import { feedback } from './panel.js';
import { stepOf } from './progress.js';
import { Question } from './question.js';
import { LessonRun } from './run.js';
import { LessonState } from './state.js';
import { Steps } from './steps.js';
import { plain } from './words.js';

/** @import { Page } from '../desk/index.js' */
/** @import { BetStep, Lesson } from './lessons.js' */
/** @import { MeasurePorts } from './measures.js' */

/** @typedef {Pick<Page, "state" | "lab" | "notifier" | "timeline" | "run" | "select" | "mark" | "key" | "showTab" | "schedule">} Ports */

/** @param {Ports} page */
export async function open(page) {
  const documents = await (await fetch(page.lab.assets.lessons)).json();
  /** The file of scenarios that the engine loaded: it is in the browser's cache. @type {Promise<any[]> | undefined} */
  let shipped;
  const scenario = async (/** @type {string} */ name) => {
    shipped ??= fetch(page.lab.assets.scenarios).then((answer) => answer.json());
    return (await shipped).find((one) => one.name === name);
  };
  return room(page, lessonsFrom(documents, navigator.languages), scenario);
}

/** @param {Ports} page @param {Lesson[]} lessons @param {MeasurePorts["scenario"]} scenario */
export function room(page, lessons, scenario) {
  const { state, lab, notifier } = page;
  const say = (/** @type {string} */ sentence) => notifier.say(sentence);
  const nextFrame = (/** @type {() => void} */ act) => requestAnimationFrame(act);
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  const root = element('lesson');

  const lesson = new LessonState();
  const run = new LessonRun({
    view: state.view,
    change: (op, params) => lab.change(op, params),
    reducedMotion: () => reducedMotion.matches,
  });
  /** @type {LessonMarks | null} */
  let marks = null;

  function focusHeading() {
    nextFrame(() => {
      const heading = document.getElementById('lesson-heading');
      heading?.focus({ preventScroll: true });
      // On a phone the page scrolls, on a desk the panel does.
      heading?.closest('article')?.scrollIntoView({ block: 'nearest' });
      // A marker is placed on the plot: that has to be in view.
      if (marked.value?.betting) element('timeline').scrollIntoView?.({ block: 'nearest' });
    });
  }

  /** @type {MeasurePorts} */
  const measuring = {
    scenario,
    expect: async (document) => (await lab.ask('expect', { scenario: document })).outcomes,
  };

  /* ---- the units ---- */

  const steps = new Steps(lesson, run, {
    phase: state.phase,
    failure: () => state.failure.value,
    pause: () => lab.pause(),
    open: ({ number, run: { scenario, whole, seed, from } }) => {
      lab.touch();
      const at = { t: from, n: -1 };
      return lab.open(
        { scenario: whole ?? scenario, ...(seed ? { seed } : {}), cursor: at, live: at },
        number ? `Lesson ${number} will open` : 'The lesson will open',
      );
    },
    started: (on) => {
      lab.guard = (...request) => guard.judge(...request);
      marks ??= new LessonMarks(element('timeline'), page.timeline, (t) => bet.put(t));
      measureAll(on, lesson, measuring).catch((error) => notifier.notify(error.message, { tone: 'error' }));
    },
    ended: () => {
      question.cancel();
      lab.guard = undefined;
      marks?.remove();
      marks = null;
      lookAt('');
    },
    frame: () => {
      const on = /** @type {Lesson} */ (lesson.on.value);
      show(state, stepOf(on, lesson.progress.value).shows ?? on.run.viewport);
    },
    showPanel: () => page.showTab('lesson'),
    unmark: () => page.mark(null),
    unselect: () => page.select(null),
    focusHeading,
    showRun: () => {
      page.showTab(state.layout.value === 'wide' ? 'objects' : 'events');
      nextFrame(() => document.getElementById('tab-lesson')?.focus({ preventScroll: true }));
    },
    say,
  });

  const guard = new Guard(lesson, run, {
    timeline: () => state.timeline.value,
    place: () => lab.ask('events', { around: state.view.value.cursor, count: 1 }),
    actLabel: (act, node) => actLabel(state.hello.value.acts, act, node),
    tell: (event, aloud) => steps.tell(event, aloud),
    close: () => steps.close(),
    focusHeading,
  });

  const bet = new Bet(lesson, {
    asked: () => /** @type {BetStep} */ (stepOfKind(/** @type {Lesson} */ (lesson.on.value), 'bet')).bet,
    range: () => ({
      from: state.view.value.live.t,
      to: state.view.value.end,
      actAt: /** @type {Lesson} */ (lesson.on.value).run.actAt,
    }),
    tell: (event) => steps.tell(event),
    focusField: () => element('lesson-bet').focus(),
    shown: () => steps.enter(/** @type {Lesson} */ (lesson.on.value)),
  });

  const question = new Question(lesson, {
    ...measuring,
    values: () => shownOf(/** @type {Lesson} */ (lesson.on.value), lesson, page, lessons).values,
    sweep: (params) => lab.ask('sweep', params),
    gapNs: () => lesson.why.value?.change.leaderlessNs,
    tell: (event) => steps.tell(event),
    say,
    fail: (message) => notifier.notify(message, { tone: 'error' }),
    showResult: () => root.querySelector('.lesson-foot')?.scrollIntoView({ block: 'nearest' }),
    focusSubmit: () =>
      /** @type {HTMLElement | null} */ (root.querySelector('.lesson-transfer [type="submit"]'))?.focus(),
  });

  follow(page, lesson, lessons, steps, guard);

  const goal = new Goal(lesson, {
    save: () => lab.ask('save'),
    expect: measuring.expect,
    say,
    fail: (message) => notifier.notify(message, { tone: 'error' }),
  });
  drawPanel(root, page, lesson, lessons, { steps, bet, question, goal, run, focusHeading });

  effect(() => {
    const on = lesson.on.value;
    const now = lesson.progress.value;
    state.betting.value = on !== null && stepOf(on, now).kind === 'bet' && !now.placed;
  });

  const marked = computed(() => {
    const on = lesson.on.value;
    return on ? marksOf(on, lesson.progress.value, lesson.why.value, state.view.value) : null;
  });
  effect(() => {
    if (marked.value) page.schedule();
  });

  return {
    /** Draws the marks, with the timeline they lie on. */
    update() {
      if (!marked.value) return;
      lookAt(marked.value.look?.region ?? '');
      marks?.update(marked.value);
    },
    isOn: () => lesson.on.value !== null,
    /** Opens a lesson, by its number. @param {number} [number] */
    begin: (number = 1) => steps.begin(lessons.find((one) => one.number === number) ?? lessons[0]),
    forth: () => steps.go(1),
    back: () => steps.go(-1),
    leave: () => steps.leave(true),
  };
}

/**
 * Follows the run of a lesson: asks why it came so once its outcome has been shown, and says once what happened.
 * @param {Ports} page @param {LessonState} lesson @param {Lesson[]} lessons @param {Steps} steps @param {Guard} guard
 */
function follow(page, lesson, lessons, steps, guard) {
  const { state, lab, notifier } = page;

  /** The run has been shown to where the outcome is known: why it came so is asked once. */
  async function explain() {
    const on = lesson.on.peek();
    steps.tell({ type: 'seen' });
    if (!on?.explain) return;
    const why = await lab.ask('why', { change: on.explain }).catch(() => null);
    if (lesson.on.peek() === on && why) lesson.why.value = why;
  }

  /** What happened is said once, when everything that the sentences name is known. */
  const outcome = computed(() => {
    const on = lesson.on.value;
    if (!on || !lesson.progress.value.seen) return '';
    const step = stepOf(on, lesson.progress.value);
    const shown = shownOf(on, lesson, page, lessons);
    return step.kind === 'see' && shown.known ? feedback(step, shown).map(plain).join(' ') : '';
  });
  effect(() => {
    if (outcome.value) untracked(() => notifier.say(outcome.value));
  });

  effect(() => {
    const view = state.view.value;
    // What it does changes signals that it reads: it depends on the view alone.
    if (untracked(() => guard.watch(view))) untracked(explain);
  });
}
