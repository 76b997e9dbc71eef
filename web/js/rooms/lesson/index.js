/**
 * A lesson on the page: it moves the run where a step needs it, holds the future back until the bet, notices what the
 * visitor does to the run, and draws its panel and its marks. Where the visitor stands is a value (lesson/progress.js),
 * the words are data (lesson/lessons.js); only effects are here. A chunk of its own, fetched when somebody wants to learn.
 */
import { batch, effect, signal } from '@preact/signals-core';
import { element } from '../../lib/element.js';
import { secondsText } from '../../lib/format.js';
import { Panel } from '../../lib/panel.js';
import { parseInstant } from '../../lib/share.js';
import { actLabel } from '../../page/commands.js';
import { betText, factsOf, valuesOf } from './facts.js';
import { LESSONS } from './lessons.js';
import { LessonMarks } from './marks.js';
import { feedback, lengthText, shelfTemplate, stepTemplate } from './panel.js';
import { advance, begun, curtainOf, stepOf, waitsFor } from './progress.js';
import { sweep } from './sweeps.js';
import { fill, plain } from './words.js';

/** @import { View, Why, Swept, Nanos, Cursor } from '../../protocol.js' */
/** @import { Lesson, TransferStep, SeeStep } from './lessons.js' */
/** @import { Progress, LessonEvent } from './progress.js' */

/** As fast as the engine paces: what is to be skipped takes a frame or two. */
const AT_ONCE = 1000;

/** @param {import('../desk/index.js').Page} page */
export function open(page) {
  const { state, lab, announcer, timeline, select, mark, key, schedule, showTab } = page;
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

  /** The lesson that is on, if any. @type {import('@preact/signals-core').Signal<Lesson | null>} */
  const on = signal(null);
  /** @type {import('@preact/signals-core').Signal<Progress>} */
  const progress = signal(begun());
  /** @type {import('@preact/signals-core').Signal<Why | null>} */
  const why = signal(null);
  const field = signal({ text: '', error: '' });
  const transfer = signal(
    /** @type {{chosen: string, running: {done: number, of: number} | null, result: string, right: boolean}} */ ({
      chosen: '',
      running: null,
      result: '',
      right: false,
    }),
  );
  const wait = signal('');
  /** A lesson that was left, and can be gone on with while its run is there. @type {Lesson | null} */
  let left = null;
  /** @type {LessonMarks | null} */
  let marks = null;
  /** Numbers of the lesson's run: without the act, and with it. @type {{plain: number, acted: number}} */
  let runs = { plain: -1, acted: -1 };
  /** What was last done that the lesson did not ask for. */
  let verb = '';
  let expecting = false;
  let driving = false;
  /** Counts answers, so that a stopped re-run tells nothing any more. */
  let answers = 0;

  /* ---- the run ---- */

  /**
   * Something the lesson itself asks of the run, past its own guard.
   * @template {import('../../protocol.js').Change} O
   * @param {O} op
   * @param {import('../../protocol.js').Ops[O]['params']} [params]
   */
  function drive(op, params) {
    driving = true;
    const done = lab.change(op, params);
    driving = false;
    return done;
  }

  /** The run is still the one the lesson opened. @param {View} view @param {Lesson} lesson */
  const isOurs = (view, lesson) => view.scenario === lesson.run.scenario && runs.plain >= 0;

  /**
   * Shows the run up to an instant: what was shown before is sought, what was not is played.
   * @param {Nanos} t
   * @param {number} speed
   */
  function reach(t, speed) {
    moving = moving.then(() => move(t, speed));
    return moving;
  }
  /** One way after the other: where to go next depends on where the last one ended. */
  let moving = Promise.resolve();

  /** @param {Nanos} t @param {number} speed */
  async function move(t, speed) {
    // While it plays, what is known of the run is a moment old.
    if (state.view.value.playing) await drive('pause');
    const { cursor, edge } = state.view.value;
    if (edge.t >= t) {
      if (cursor.t !== t || cursor.n !== -1) await drive('seek', { cursor: { t, n: -1 } });
      return;
    }
    if (cursor.t < edge.t) await drive('seek', { cursor: edge });
    await drive('play', { speed: reducedMotion.matches ? AT_ONCE : speed, until: t });
  }

  /** The same, there when it returns. @param {Nanos} t */
  async function jump(t) {
    await reach(t, AT_ONCE);
    await new Promise((resolve) => {
      const stop = effect(() => {
        if (state.view.value.playing && state.view.value.cursor.t < t) return;
        // After this effect's first run, which has no way to end itself.
        queueMicrotask(() => stop());
        resolve(undefined);
      });
    });
  }

  /**
   * What the lesson allows of what is done to the run.
   * @param {string} op
   * @param {any} params
   * @returns {Promise<import('../../page/lab.js').Verdict>}
   */
  async function guard(op, params) {
    const lesson = on.value;
    if (driving || !lesson || !isOurs(state.view.value, lesson)) return {};
    if (op === 'open') {
      leave(false);
      left = null;
    }
    const now = progress.value;
    if (now.placed && now.seen) return {};
    const { cursor, edge, branch } = state.view.value;
    const atEdge = cursor.t === edge.t && cursor.n === edge.n;
    const limit = curtainOf(lesson, now);
    if (limit !== Number.POSITIVE_INFINITY) {
      const until = Math.max(limit, edge.t);
      const passes =
        op === 'runTo' ||
        (op === 'play' && cursor.t >= until) ||
        (op === 'step' && (await stepsBeyond(params, cursor, edge)));
      if (passes) return { refusal: heldBack(now) };
      if (op === 'play') return { params: { ...params, until } };
    }
    if (op === 'edit') verb = `${params.path.split('.').at(-1)} ${params.value}`;
    if (op !== 'act' && op !== 'rest') return {};
    const { act, node, actAt } = lesson.run;
    const asked = stepOf(lesson, now).kind === 'act' && !now.acted && branch === 0;
    expecting = asked && params.act === act && params.node === node;
    if (expecting) await jump(actAt);
    else {
      verb = op === 'rest' ? `a ${params.method} request` : actLabel(params.act, params.node).replace('…', '');
      // One record back: then this act is a branch, and the lesson's run stays whole.
      if (atEdge) await drive('seek', { cursor: { t: edge.t, n: 0 } });
    }
    return {};
  }

  /**
   * A step forth would show more than has been shown.
   * @param {{direction: number, unit: string}} params
   * @param {Cursor} cursor
   * @param {Cursor} edge
   */
  async function stepsBeyond({ direction, unit }, cursor, edge) {
    if (direction < 0) return false;
    if (unit === 'landmark')
      return !state.timeline.value?.landmarks.some((landmark) => landmark.t > cursor.t && landmark.t <= edge.t);
    const { at, total } = await lab.ask('events', { around: cursor, count: 1 });
    return at >= total - 1;
  }

  /** @param {Progress} now */
  function heldBack(now) {
    const lesson = /** @type {Lesson} */ (on.value);
    return stepOf(lesson, now).kind === 'bet'
      ? "The future is curtained until your bet. Place it, or choose “I don't know, show me”."
      : 'Time waits here: the lesson goes on with Next.';
  }

  /** What the run has become, after anything. @param {View} view */
  function watch(view) {
    const lesson = on.peek();
    if (!lesson || runs.plain < 0) return;
    if (view.scenario !== lesson.run.scenario) {
      leave(false);
      left = null;
      return;
    }
    const now = progress.peek();
    if (view.branch !== 0) {
      if (!now.strayed && !now.seen) tell({ type: 'strayed', verb: verb || 'another run' }, true);
      return;
    }
    if (now.strayed) tell({ type: 'returned' });
    if (expecting && view.run !== runs.plain) {
      expecting = false;
      runs = { ...runs, acted: view.run };
    }
    if (view.run === runs.acted && !now.acted) tell({ type: 'acted' }, true);
    else if (view.run === runs.plain && now.acted && !now.seen) {
      const { step } = now;
      tell({ type: 'undone' });
      if (progress.peek().step !== step) focusHeading();
    }
    if (now.placed && !now.seen && view.edge.t >= stepOf(lesson, now).until) arrive(lesson);
  }

  /** The run has been shown to where the outcome is known. @param {Lesson} lesson */
  async function arrive(lesson) {
    tell({ type: 'seen' });
    const { change } = state.view.peek();
    const places = change ? change.index : 1;
    const answer = await lab.ask('why', { change: places }).catch(() => null);
    if (on.peek() !== lesson || !answer) return;
    why.value = answer;
    const step = stepOf(lesson, progress.peek());
    if (step.kind === 'see') announcer.act(feedback(step, shown()).map(plain).join(' '));
  }

  /* ---- the steps ---- */

  /** @param {LessonEvent} event @param {boolean} [aloud] */
  function tell(event, aloud = false) {
    const lesson = on.peek();
    if (!lesson) return;
    const next = advance(lesson, progress.peek(), event);
    progress.value = next;
    if (!aloud) return;
    const act = lesson.steps.find((step) => step.kind === 'act');
    if (act?.kind !== 'act') return;
    const sentence = event.type === 'acted' ? act.done : fill(act.wrong, { verb: next.strayed });
    // After what the page itself says of the act.
    setTimeout(() => announcer.act(sentence));
  }

  /** Goes to the step the visitor stands at. @param {Lesson} lesson */
  function enter(lesson) {
    const step = stepOf(lesson, progress.value);
    showTab('lesson');
    mark(null);
    focusHeading();
    if (step.kind === 'act' && !progress.value.acted) select(null);
    const { branch, edge } = state.view.value;
    if (branch !== 0) return;
    // The act is a nanosecond after the instant it waits for: what was done is shown done.
    const done = progress.value.acted && step.until === lesson.run.actAt;
    if (done) jump(Math.min(edge.t, step.until + 1));
    else reach(step.until, step.speed ?? 0);
  }

  function focusHeading() {
    requestAnimationFrame(() => {
      panel.update();
      const heading = document.getElementById('lesson-heading');
      heading?.focus({ preventScroll: true });
      // On a phone the page scrolls, on a desk the panel does.
      heading?.closest('article')?.scrollIntoView({ block: 'nearest' });
    });
  }

  /** @param {1 | -1} direction */
  function go(direction) {
    const lesson = on.value;
    if (!lesson) return;
    const now = progress.value;
    const waits = direction > 0 ? waitsFor(lesson, now) : '';
    if (waits) {
      showTab('lesson');
      announcer.act(waits);
      // Whoever does not want to watch need not: the run goes there at once.
      if (stepOf(lesson, now).kind === 'see' && state.view.value.branch === 0)
        reach(stepOf(lesson, now).until, AT_ONCE);
      return;
    }
    tell({ type: direction > 0 ? 'next' : 'back' });
    if (progress.value.step !== now.step) enter(lesson);
  }

  /** @param {Lesson} lesson */
  async function begin(lesson) {
    leave(false);
    showTab('lesson');
    lab.touch();
    if (state.phase.value !== 'ready') {
      wait.value = state.phase.value === 'failed' ? state.failure.value : 'It begins as soon as the engine is here.';
      if (state.phase.value === 'failed') return;
      if (state.view.value.playing) lab.pause();
      await new Promise((resolve) => {
        const stop = effect(() => {
          if (state.phase.value === 'opening') return;
          queueMicrotask(() => stop());
          resolve(undefined);
        });
      });
      wait.value = state.phase.peek() === 'failed' ? state.failure.peek() : '';
      if (wait.value) return;
    }
    const { scenario, from, viewport } = lesson.run;
    const at = { t: from, n: -1 };
    runs = { plain: -1, acted: -1 };
    if (!(await lab.open({ scenario, cursor: at, edge: at }, `Lesson ${lesson.number} will open`))) return;
    runs = { plain: state.view.value.run, acted: -1 };
    batch(() => {
      // On a narrow page the names stand inside the lanes and take their first quarter.
      const names = state.layout.value === 'narrow' ? (viewport.to - viewport.from) / 3.6 : 0;
      state.viewport.value = { from: Math.max(0, Math.round(viewport.from - names)), to: viewport.to };
      on.value = lesson;
      left = null;
      progress.value = begun();
      why.value = null;
      field.value = { text: '', error: '' };
      transfer.value = { chosen: '', running: null, result: '', right: false };
    });
    start(lesson);
  }

  /** @param {Lesson} lesson */
  function start(lesson) {
    lab.guard = guard;
    marks ??= new LessonMarks(element('timeline'), timeline, place);
    enter(lesson);
  }

  /** The run stays as it is. @param {boolean} aloud */
  function leave(aloud) {
    const lesson = on.peek();
    if (!lesson) return false;
    answers++;
    left = lesson;
    on.value = null;
    transfer.value = { ...transfer.peek(), running: null };
    lab.guard = undefined;
    marks?.remove();
    marks = null;
    lookAt('');
    if (!aloud) return true;
    showTab(state.layout.value === 'wide' ? 'objects' : 'events');
    announcer.act('You left the lesson. The run stays; the Lesson tab goes on with it.');
    requestAnimationFrame(() => document.getElementById('tab-lesson')?.focus({ preventScroll: true }));
    return true;
  }

  /** The run is as it was left, and nothing was shown that the lesson keeps for later. */
  function canGoOn() {
    const view = state.view.value;
    if (!left || !isOurs(view, left)) return false;
    const now = progress.value;
    const whole = view.branch === 0 && [runs.plain, runs.acted].includes(view.run);
    return now.seen || (whole && view.edge.t <= curtainOf(left, now) + 1);
  }

  function goOn() {
    const lesson = left;
    if (!lesson || !canGoOn()) return;
    left = null;
    on.value = lesson;
    start(lesson);
  }

  /* ---- the bet ---- */

  /** A bet by pointer or button. @param {Nanos} t */
  function place(t) {
    tell({ type: 'bet', at: t });
    field.value = { text: betText(t), error: '' };
  }

  /** @param {string} text */
  function type(text) {
    const { edge, end } = state.view.value;
    const at = parseInstant(text.replace(',', '.'));
    const whole = at === undefined ? undefined : Math.round(at / 1e6) * 1e6;
    const ok = whole !== undefined && whole >= edge.t - 1e6 && whole <= end;
    tell({ type: 'bet', at: ok ? whole : null });
    field.value = { text, error: '' };
  }

  /** @param {number} seconds */
  function nudge(seconds) {
    const { edge, end } = state.view.value;
    const base = Math.round(edge.t / 1e6) * 1e6;
    const from = progress.value.bet ?? base;
    place(Math.min(end, Math.max(base, from + seconds * 1e9)));
  }

  function settle() {
    const lesson = /** @type {Lesson} */ (on.value);
    if (progress.value.bet === null) {
      const { edge, end } = state.view.value;
      const range = `a time in seconds from ${Math.round(edge.t / 1e9)} to ${Math.round(end / 1e9)}`;
      const text = field.value.text.trim();
      field.value = { ...field.value, error: text ? `“${text}” must be ${range}.` : `Your bet is ${range}.` };
      element('lesson-bet').focus();
      return;
    }
    tell({ type: 'place' });
    enter(lesson);
  }

  function show() {
    tell({ type: 'show' });
    enter(/** @type {Lesson} */ (on.value));
  }

  /* ---- the question ---- */

  /** @param {boolean} asked the visitor answered; otherwise the answer is to be shown */
  async function answer(asked) {
    if (transfer.value.running) return;
    const lesson = /** @type {Lesson} */ (on.value);
    const step = /** @type {TransferStep} */ (stepOf(lesson, progress.value));
    const right = /** @type {import('./lessons.js').Choice} */ (step.choices.find((choice) => choice.right));
    const chosen = asked ? step.choices.find(({ id }) => id === transfer.value.chosen) : right;
    if (!chosen) {
      announcer.act('Choose one first.');
      return;
    }
    const mine = ++answers;
    const wanted = chosen.right ? step.choices : [chosen];
    const of = wanted.length * step.seeds;
    transfer.value = { chosen: chosen.id, running: { done: 0, of }, result: '', right: false };
    announcer.act(`Re-running ${step.seeds} seeds.`);
    /** @type {Record<string, Swept>} */
    const outcomes = {};
    for (const [i, choice] of wanted.entries()) {
      const swept = await sweep(
        (params) => lab.ask('sweep', params),
        { patch: choice.patch, after: lesson.run.actAt, first: 1, count: step.seeds },
        {
          stopped: () => answers !== mine,
          tell: ({ done }) => {
            transfer.value = { ...transfer.value, running: { done: i * step.seeds + done, of } };
          },
        },
      ).catch((/** @type {Error} */ error) => {
        lab.toast(error.message, { tone: 'error' });
        return undefined;
      });
      if (answers !== mine) return;
      if (!swept) {
        transfer.value = { ...transfer.value, running: null };
        return;
      }
      outcomes[choice.id] = swept;
    }
    const result = chosen.right ? rightResult(step, outcomes, asked) : wrongResult(step, chosen, outcomes[chosen.id]);
    transfer.value = { ...transfer.value, running: null, result, right: chosen.right ?? false };
    tell({ type: 'answered', choice: chosen.id });
    announcer.act(plain(result));
    panel.update();
    element('lesson').querySelector('.lesson-foot')?.scrollIntoView({ block: 'nearest' });
  }

  function stop() {
    answers++;
    transfer.value = { ...transfer.value, running: null };
    /** @type {HTMLElement | null} */ (element('lesson').querySelector('.lesson-transfer [type="submit"]'))?.focus();
    announcer.act('Stopped.');
  }

  /* ---- drawing ---- */

  /** @returns {import('./panel.js').Shown} */
  function shown() {
    const lesson = /** @type {Lesson} */ (on.value);
    const now = progress.value;
    const press = key('crash');
    const known = why.value ? valuesOf(why.value, now.placed === 'bet' ? now.bet : null) : {};
    return {
      lesson,
      progress: now,
      view: state.view.value,
      waits: waitsFor(lesson, now),
      values: {
        press: press ? `press ${press}, or ` : '',
        ...(now.bet === null ? {} : { bet: betText(now.bet) }),
        ...known,
      },
      why: why.value,
      facts: why.value ? factsOf(why.value) : null,
      marked: state.markedAddend.value,
      field: field.value,
      transfer: transfer.value,
      key,
    };
  }

  const callbacks = {
    next: () => go(1),
    back: () => go(-1),
    close: () => leave(true),
    doIt: async () => {
      const { act, node } = /** @type {Lesson} */ (on.value).run;
      await drive('branch', { branch: 0 });
      await lab.act(act, node);
      focusHeading();
    },
    undo: async () => {
      await lab.undo();
      focusHeading();
    },
    comeBack: async () => {
      await drive('branch', { branch: 0 });
      const lesson = on.value;
      if (lesson) enter(lesson);
    },
    type,
    nudge,
    place: settle,
    show,
    mark,
    openPart: (/** @type {number} */ i) => {
      const part = why.value?.addends[i];
      if (part) select({ kind: 'event', cursor: part.cursor });
    },
    choose: (/** @type {string} */ choice) => {
      transfer.value = { ...transfer.value, chosen: choice };
    },
    answer: () => answer(true),
    showAnswer: () => answer(false),
    stop,
    following: () => {
      lab.toast('Lesson 2 is not here yet.');
      announcer.act('Lesson 2 is not here yet.');
    },
  };

  const panel = new Panel(
    element('lesson'),
    () => [
      on.value,
      progress.value,
      why.value,
      field.value,
      transfer.value,
      wait.value,
      state.markedAddend.value,
      state.bindings.value,
      state.keyMode.value,
      state.view.value.lease.version,
      canGoOn(),
    ],
    () => {
      if (on.value) return stepTemplate(shown(), callbacks);
      const mine = left && canGoOn() ? { lesson: left, progress: progress.value } : null;
      return shelfTemplate(LESSONS, mine, wait.value, { begin, goOn });
    },
  );

  effect(() => watch(state.view.value));
  effect(() => {
    void [on.value, progress.value, why.value, field.value, transfer.value, wait.value];
    schedule();
  });

  return {
    /** Draws the panel and the marks on the timeline. */
    update() {
      panel.update();
      const lesson = on.value;
      if (!lesson || !marks) return;
      const now = progress.value;
      const step = stepOf(lesson, now);
      const look = now.acted && step.kind === 'act' ? undefined : step.look;
      lookAt(look?.region ?? '');
      const { edge, end } = state.view.value;
      const facts = why.value && now.seen ? factsOf(why.value) : null;
      marks.update({
        look,
        betting: step.kind === 'bet' && !now.placed && !now.strayed,
        bet: now.placed === 'none' || step.kind === 'transfer' ? null : now.bet,
        truth: facts && step.kind !== 'transfer' ? { at: facts.tookAt, who: why.value?.change.to ?? '' } : null,
        edge: edge.t,
        end,
      });
    },
    isOn: () => on.value !== null,
    /** Opens a lesson, by its place on the shelf. @param {number} [number] */
    begin: (number = 1) => begin(LESSONS[number - 1]),
    forth: () => go(1),
    back: () => go(-1),
    leave: () => leave(true),
  };
}

/** The region to look at; the styles outline it. @param {string} region */
function lookAt(region) {
  const { dataset } = document.documentElement;
  if (dataset.look !== region) dataset.look = region;
}

/**
 * @param {TransferStep} step
 * @param {Record<string, Swept>} outcomes
 * @param {boolean} asked
 */
function rightResult(step, outcomes, asked) {
  /** @type {Record<string, string>} */
  const values = { right: asked ? step.rightWord : '' };
  for (const [id, { hereNs, medianNs }] of Object.entries(outcomes)) {
    const right = step.choices.some((choice) => choice.id === id && choice.right);
    values[`${id}.here`] = right && hereNs !== undefined ? secondsText(hereNs) : lengthText(hereNs);
    values[`${id}.median`] = lengthText(medianNs);
  }
  return fill(step.right, values);
}

/**
 * @param {TransferStep} step
 * @param {{label: string}} choice
 * @param {Swept} swept
 */
function wrongResult(step, { label }, { hereNs, medianNs, plainMedianNs, notShorter, of }) {
  return fill(step.wrong, {
    choice: label,
    here: lengthText(hereNs),
    median: lengthText(medianNs),
    plain: lengthText(plainMedianNs),
    seeds: String(of),
    exception: notShorter > 0 ? step.exception : '',
  });
}
