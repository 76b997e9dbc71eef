/**
 * A lesson on the page. The room moves the run to the instant that a step needs, hides the future until the bet,
 * watches what the visitor does to the run, and draws the lesson's panel and marks. The visitor's place is a value
 * (progress.js), and each lesson is data (sim/lesson, lessons.js). The room is a separate chunk, which loads for the
 * first lesson.
 */
import { computed, effect, untracked } from '@preact/signals-core';
import { html } from 'lit-html';
import { element } from '../../lib/element.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { loadStrips } from '../../lib/strip.js';
import { actLabel } from '../../page/commands.js';
import { show } from '../../page/timeline/shown.js';
import { Bet } from './bet.js';
import { Course } from './course.js';
import { drawPanel, shownOf } from './drawing.js';
import { Goal } from './goal.js';
import { Guard } from './guard.js';
import { lessonFrom, stepOfKind } from './lessons.js';
import { LessonMarks, lookAt, marksOf } from './marks.js';
import { baseOf, measureAll } from './measures.js';
import { feedback } from './panel.js';
import { linkTo, placeOf } from './place.js';
import { predictionLesson } from './prediction.js';
import { clickOf, stepOf } from './progress.js';
import { Question } from './question.js';
import { LessonRun } from './run.js';
import { shelfTemplate } from './shelf.js';
import { LessonState } from './state.js';
import { Steps } from './steps.js';
import { plainText, sentence } from './words.js';

/** @import { Page } from '../desk/index.js' */
/** @import { BetStep, Lesson } from './lessons.js' */
/** @import { Strips } from '../../lib/strip.js' */
/** @import { LessonLink, Predict } from '../../lib/share.js' */
/** @import { MeasurePorts } from './measures.js' */
/** @import { LessonCallbacks } from './panel.js' */

/**
 * @typedef {Pick<Page, "state" | "lab" | "notifier" | "timeline" | "run" | "select" | "mark" | "key" | "showTab" |
 *   "schedule" | "pages">} Ports
 */

/** @param {Ports} page */
export async function open(page) {
  const { lessons, strips } = page.lab.assets;
  const [documents, pictures] = await Promise.all([fetch(lessons).then((answer) => answer.json()), loadStrips(strips)]);
  /**
   * The file of scenarios, which the browser has cached because the engine loaded it.
   * @type {Promise<any[]> | undefined}
   */
  let shipped;
  const scenario = async (/** @type {string} */ name) => {
    shipped ??= fetch(page.lab.assets.scenarios).then((answer) => answer.json());
    return (await shipped).find((one) => one.name === name);
  };
  return room(page, documents.map(lessonFrom), scenario, pictures);
}

/**
 * @param {Ports} page @param {Lesson[]} lessons @param {MeasurePorts["scenario"]} scenario @param {Strips} [strips]
 */
export function room(page, lessons, scenario, strips = {}) {
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

  /** Scrolls to the step: on a desktop the panel, and on a phone the page, until the step begins under the chart. */
  function reveal() {
    element('lesson')
      .querySelector('article')
      ?.scrollIntoView({ block: state.layout.value === 'narrow' ? 'start' : 'nearest' });
  }

  function focusHeading() {
    const before = document.activeElement;
    nextFrame(() => {
      // If the visitor has already moved to a control of the step by keyboard, the focus stays there.
      const now = document.activeElement;
      if (now === before || !element('lesson').contains(now))
        document.getElementById('lesson-heading')?.focus({ preventScroll: true });
      reveal();
      // The visitor places a marker on the plot, so the plot must be in view.
      if (marksProps.value?.betting) element('timeline').scrollIntoView?.({ block: 'nearest' });
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
      // From now on, an act leaves the lesson's run at the act's instant.
      lab.guard = judge;
      const at = { t: from, n: -1 };
      return lab.open(
        { scenario: whole ?? scenario, ...(seed ? { seed } : {}), cursor: at, live: at },
        number ? sentence('willOpen', { number }) : sentence('ownWillOpen'),
      );
    },
    act: ({ act, node }) => lab.change('act', { act, node }),
    visit: ({ scenario, at: t }) => lab.open({ scenario, cursor: { t, n: -1 }, live: { t, n: -1 } }, ''),
    explain: () => runFollower.explain(),
    onStart: (on) => {
      lab.guard = judge;
      marks ??= new LessonMarks(element('timeline'), page.timeline, (t) => bet.put(t));
      measureAll(on, lesson, measuring).catch((error) => notifier.notify(error.message, { tone: 'error' }));
    },
    onEnd: () => {
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
    showPanel() {
      page.pages.close();
      page.showTab('story');
    },
    unmark: () => page.mark(null),
    unselect: () => page.select(null),
    focusHeading,
    showRun: () => {
      page.showTab(state.layout.value === 'wide' ? 'story' : 'events');
      nextFrame(() => document.getElementById('tab-story')?.focus({ preventScroll: true }));
    },
    say,
  });

  /** @type {NonNullable<typeof lab.guard>} */
  const judge = (...request) => guard.judge(...request);
  const guard = new Guard(lesson, run, {
    timeline: () => state.timeline.value,
    place: () => lab.ask('events', { around: state.view.value.cursor, count: 1 }),
    actLabel: (act, node) => actLabel(state.hello.value.acts, act, node),
    tell: (event, aloud) => steps.tell(event, aloud),
    close: () => steps.close(),
    focusHeading,
  });

  const bet = betOf(page, lesson, steps);
  const question = questionOf(page, lesson, { lessons, steps, measuring });
  const runFollower = follow(page, lesson, { lessons, steps, guard, reveal: () => nextFrame(reveal) });

  const goal = new Goal(lesson, {
    save: () => lab.ask('save'),
    marginNs: () => state.view.value.marginNs,
    expect: measuring.expect,
    baseDocument: (on) => baseOf(on, {}, measuring),
    showRun: () => page.run('toEnd'),
    say,
    fail: (message) => notifier.notify(message, { tone: 'error' }),
  });
  const { course, nextClass } = openCourse(notifier, lesson, steps);
  const shelf = openShelf(page, lesson, { lessons, steps, course, nextClass, strips });
  const callbacks = drawPanel(root, page, lesson, { lessons, steps, bet, question, goal, run, focusHeading });

  effect(() => {
    const isOn = lesson.on.value !== null;
    state.learning.value = isOn;
    document.documentElement.toggleAttribute('data-learning', isOn || lesson.wait.value !== '');
  });

  effect(() => {
    const on = lesson.on.value;
    const now = lesson.progress.value;
    state.betting.value = on !== null && stepOf(on, now).kind === 'bet' && !now.placed;
  });

  const marksProps = computed(() => {
    const on = lesson.on.value;
    return on ? marksOf(on, lesson.progress.value, lesson.why.value, state.view.value) : null;
  });
  effect(() => {
    if (marksProps.value) page.schedule();
  });

  return {
    /** Draws the marks together with the timeline under them. */
    update() {
      if (!marksProps.value) return;
      lookAt(marksProps.value.look?.region ?? '');
      marks?.update(marksProps.value);
    },
    isOn: () => lesson.on.value !== null,
    shelf,
    ...lessonDoors(page, steps, lessons),
    nextClass,
    ...presentation(lesson, callbacks),
    forth: () => steps.go(1),
    back: () => steps.go(-1),
    leave: () => steps.leave(true),
  };
}

/**
 * The bet of the open lesson, which is about the rest of the lesson's run.
 * @param {Ports} page
 * @param {LessonState} lesson
 * @param {Steps} steps
 */
function betOf({ state }, lesson, steps) {
  const on = () => /** @type {Lesson} */ (lesson.on.value);
  return new Bet(lesson, {
    currentBet: () => /** @type {BetStep} */ (stepOfKind(on(), 'bet')).bet,
    range: () => ({
      from: state.view.value.live.t,
      to: state.view.value.end,
      actAt: on().run.actAt,
      act: on().run.acts.at(-1)?.act ?? '',
    }),
    tell: (event) => steps.tell(event),
    focusField: () => element('lesson-bet').focus(),
    onShown: () => steps.enter(on()),
  });
}

/**
 * The question at the end of the open lesson. The answer comes from another run.
 * @param {Ports} page @param {LessonState} lesson
 * @param {{lessons: Lesson[], steps: Steps, measuring: MeasurePorts}} units
 */
function questionOf(page, lesson, { lessons, steps, measuring }) {
  const { lab, notifier } = page;
  const root = element('lesson');
  return new Question(lesson, {
    ...measuring,
    values: () => shownOf(/** @type {Lesson} */ (lesson.on.value), lesson, page, lessons).values,
    sweep: (params) => lab.ask('sweep', params),
    gapNs: () => lesson.why.value?.change.leaderlessNs,
    tell: (event) => steps.tell(event),
    say: (sentence) => notifier.say(sentence),
    fail: (message) => notifier.notify(message, { tone: 'error' }),
    showResult: () => element('lesson-heading').scrollIntoView({ block: 'start' }),
    focusSubmit: () =>
      /** @type {HTMLElement | null} */ (root.querySelector('.lesson-transfer [type="submit"]'))?.focus(),
  });
}

/** The functions that open a lesson. @param {Ports} page @param {Steps} steps @param {Lesson[]} lessons */
const lessonDoors = ({ state, lab, notifier, run }, steps, lessons) => ({
  /** Opens a lesson, by its number. @param {number} [number] */
  begin: (number = 1) => steps.begin(lessons.find((one) => one.number === number) ?? lessons[0]),
  /** Opens the lesson that a link names. @param {LessonLink} link */
  follow(link) {
    const { lesson: found, place, refusal } = placeOf(link, lessons);
    if (refusal) notifier.notify(refusal, { tone: 'error' });
    return found ? steps.begin(found, place) : run('lessons');
  },
  /** Asks for a prediction about the open run. @param {Predict} predict */
  async predict(predict) {
    const { scenario: whole } = await lab.ask('save');
    steps.take(predictionLesson(predict, state.view.peek(), whole));
  },
  /**
   * Plays a lesson from the engine's checker.
   * @param {any} document
   * @param {number} step
   * @returns {Promise<unknown>}
   */
  play: (document, step) => steps.begin(lessonFrom(document), { step }),
});

/**
 * The functions of a lesson that the presenter and links need. @param {LessonState} lesson @param {LessonCallbacks}
 * callbacks
 */
function presentation({ on, progress }, callbacks) {
  return {
    /** The visitor's place; null without a lesson. An effect that reads it runs again when the place changes. */
    place: () => (on.value ? { lesson: on.value, progress: progress.value } : null),
    /** The fragment of a link to this step; "" without a lesson of the course. */
    link: () => (on.value?.number ? linkTo(on.value, progress.value) : ''),
    linkWords: () => sentence('stepLink', { step: progress.value.step + 1, number: on.value?.number ?? 0 }),
    /** The action of a clicker's only button: Next, or whatever the step asks for. */
    click() {
      if (!on.value) return;
      const does = clickOf(stepOf(on.value, progress.value), progress.value);
      callbacks[does]();
    },
  };
}

/**
 * Keeps the visitor's progress, and asks for confirmation before it clears all progress of this class.
 * @param {Ports["notifier"]} notifier
 * @param {LessonState} lesson
 * @param {Steps} steps
 */
function openCourse(notifier, lesson, steps) {
  const course = new Course(notifier);
  effect(() => course.note(lesson));
  const startAgain = async () => {
    const again = lesson.on.peek() ?? lesson.left.peek();
    steps.close();
    course.forget();
    if (again) await steps.begin(again);
    notifier.notify(sentence('nextClassDone'));
  };
  const title = sentence('nextClassTitle');
  const dialog = modal(newDialog('next-class', title), () => {
    const agree = () => {
      dialog.close();
      startAgain();
    };
    return html`${dialogHead(title, dialog.close)}
      <p>${sentence('nextClassWords')}</p>
      <div class="dialog-foot">
        <button type="button" class="primary" @click=${agree}>${sentence('nextClassAgree')}</button>
        <button type="button" @click=${dialog.close}>${sentence('cancel')}</button>
      </div>`;
  });
  return { course, nextClass: dialog.show };
}

/**
 * The page of lessons. @returns {() => void} shows it
 * @param {Ports} page @param {LessonState} lesson
 * @param {{lessons: Lesson[], steps: Steps, course: Course, nextClass: () => void, strips: Strips}} units
 */
function openShelf({ pages, run }, lesson, { lessons, steps, course, nextClass, strips }) {
  const left = computed(() => (steps.canResume() ? lesson.left.value : null));
  const on = {
    open: (/** @type {Lesson} */ one) => {
      const came = course.kept.peek()[one.name];
      if (left.peek() === one) steps.resume();
      else if (came && !came.done) steps.begin(one, came);
      else steps.begin(one);
    },
    begin: (/** @type {Lesson} */ one) => steps.begin(one),
    clear: (/** @type {Lesson} */ one) => course.clear(one),
    clearAll: () => course.clear(),
    nextClass,
    write() {
      pages.close();
      run('author');
    },
  };
  return modal(
    newDialog('lessons', sentence('lessons')),
    () => {
      const resumes = left.value && { lesson: left.value, progress: lesson.progress.value };
      return shelfTemplate(lessons, { left: resumes, kept: course.kept.value, strips }, on);
    },
    { pages },
  ).show;
}

/**
 * Follows the run of a lesson. When the page has shown the outcome, follow asks once for the causes and announces once
 * what happened.
 * @param {Ports} page @param {LessonState} lesson
 * @param {{lessons: Lesson[], steps: Steps, guard: Guard, reveal: () => void}} units reveal: scrolls to the step, which
 *   has become longer
 */
function follow(page, lesson, { lessons, steps, guard, reveal }) {
  const { state, lab, notifier } = page;

  /** The page has shown the run up to its outcome, so this asks once for the causes. */
  async function explain() {
    const on = lesson.on.peek();
    steps.tell({ type: 'seen' });
    if (!on?.explain) return;
    const why = await lab.ask('why', { change: on.explain }).catch(() => null);
    if (lesson.on.peek() === on && why) lesson.why.value = why;
  }

  /** Announces what happened, once, as soon as the page knows every value in the sentences. */
  const outcome = computed(() => {
    const on = lesson.on.value;
    if (!on || !lesson.progress.value.seen) return '';
    const step = stepOf(on, lesson.progress.value);
    const shown = shownOf(on, lesson, page, lessons);
    return step.kind === 'see' && shown.known ? feedback(step, shown).map(plainText).join(' ') : '';
  });
  effect(() => {
    if (!outcome.value) return;
    untracked(() => notifier.say(outcome.value));
    reveal();
  });

  effect(() => {
    const view = state.view.value;
    // The guard changes signals that it also reads, so this effect depends only on the view.
    if (untracked(() => guard.watch(view))) untracked(explain);
  });
  return { explain };
}
