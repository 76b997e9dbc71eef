/**
 * A lesson on the page: it moves the run where a step needs it, holds the future back until the bet, notices what the
 * visitor does to the run, and draws its panel and its marks. Where the visitor stands is a value (progress.js), the
 * words are data (lessons.js). A chunk of its own, loaded for the first lesson.
 */
import { computed, effect, untracked } from '@preact/signals-core';
import { element } from '../../lib/element.js';
import { actLabel } from '../../page/commands.js';
import { show } from '../../page/timeline/shown.js';
import { Bet } from './bet.js';
import { drawPanel, shownOf } from './drawing.js';
import { Guard } from './guard.js';
import { LESSONS } from './lessons.js';
import { LessonMarks, lookAt, marksOf } from './marks.js';
import { feedback } from './panel.js';
import { stepOf } from './progress.js';
import { Question } from './question.js';
import { LessonRun } from './run.js';
import { LessonState } from './state.js';
import { Steps } from './steps.js';
import { plain } from './words.js';

/** @import { Page } from '../desk/index.js' */
/** @import { Lesson } from './lessons.js' */

/** @param {Pick<Page, "state" | "lab" | "notifier" | "timeline" | "select" | "mark" | "key" | "showTab" | "schedule">} page */
export function open(page) {
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
    });
  }

  /* ---- the units ---- */

  const steps = new Steps(lesson, run, {
    phase: state.phase,
    failure: () => state.failure.value,
    pause: () => lab.pause(),
    open: ({ number, run: { scenario, from } }) => {
      lab.touch();
      const at = { t: from, n: -1 };
      return lab.open({ scenario, cursor: at, live: at }, `Lesson ${number} will open`);
    },
    started: () => {
      lab.guard = (...request) => guard.judge(...request);
      marks ??= new LessonMarks(element('timeline'), page.timeline, (t) => bet.put(t));
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
      show(state, stepOf(on, lesson.progress.value).viewport ?? on.run.viewport);
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
    sweep: (params) => lab.ask('sweep', params),
    gapNs: () => lesson.why.value?.change.leaderlessNs,
    tell: (event) => steps.tell(event),
    say,
    fail: (message) => notifier.notify(message, { tone: 'error' }),
    showResult: () => root.querySelector('.lesson-foot')?.scrollIntoView({ block: 'nearest' }),
    focusSubmit: () =>
      /** @type {HTMLElement | null} */ (root.querySelector('.lesson-transfer [type="submit"]'))?.focus(),
  });

  /** The run has been shown to where the outcome is known: why it came so is asked once. */
  async function explain() {
    const on = lesson.on.peek();
    steps.tell({ type: 'seen' });
    const { change } = state.view.peek();
    const why = await lab.ask('why', { change: change ? change.index : 1 }).catch(() => null);
    if (lesson.on.peek() !== on || !on || !why) return;
    lesson.why.value = why;
    const step = stepOf(on, lesson.progress.peek());
    if (step.kind === 'see')
      say(
        feedback(step, shownOf(on, lesson, page))
          .map(plain)
          .join(' '),
      );
  }

  effect(() => {
    const view = state.view.value;
    // What it does changes signals that it reads: it depends on the view alone.
    if (untracked(() => guard.watch(view))) untracked(explain);
  });

  drawPanel(root, page, lesson, { steps, bet, question, run, focusHeading });

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
    /** Opens a lesson, by its place on the shelf. @param {number} [number] */
    begin: (number = 1) => steps.begin(LESSONS[number - 1]),
    forth: () => steps.go(1),
    back: () => steps.go(-1),
    leave: () => steps.leave(true),
  };
}
