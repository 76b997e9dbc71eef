/**
 * Decides what a lesson allows. It hides the future until the bet, turns acts that the lesson did not ask for into a
 * branch, and watches the lesson's run.
 */
import { asksAct, curtainOf, stepOf } from './progress.js';
import { sentence } from './words.js';

/** @import { Judged, Verdict } from '../../page/lab.js' */
/** @import { Cursor, StepParams, Timeline, View } from '../../protocol.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { LessonEvent, Progress } from './progress.js' */
/** @import { LessonRun } from './run.js' */
/** @import { LessonState } from './state.js' */

/**
 * @typedef {object} GuardPorts
 * @property {() => Timeline | null} timeline
 * @property {() => Promise<{at: number, total: number}>} place of the cursor among all events
 * @property {(act: string, node: string) => string} actLabel
 * @property {(event: LessonEvent, aloud?: boolean) => void} tell
 * @property {() => void} close closes the lesson, which the visitor cannot resume
 * @property {() => void} focusHeading
 */

export class Guard {
  /** The visitor's last act that the lesson did not ask for. */
  #verb = '';
  /** Whether the act that the lesson asked for is in progress. */
  #isExpecting = false;

  /** @param {LessonState} lesson @param {LessonRun} run @param {GuardPorts} ports */
  constructor(lesson, run, ports) {
    this.lesson = lesson;
    this.run = run;
    this.ports = ports;
  }

  /**
   * Decides whether to allow a change that the page requests.
   * @param {Judged} request @returns {Promise<Verdict>}
   */
  async judge(...request) {
    const [op, params] = request;
    const lesson = this.lesson.on.value;
    const view = this.run.view.value;
    if (this.run.isDriving || !lesson || !this.lesson.isOurs(view, lesson)) return {};
    if (op === 'open') this.ports.close();
    const now = this.lesson.progress.value;
    if (now.placed && now.seen) return {};
    const limit = curtainOf(lesson, now);
    if (limit !== Number.POSITIVE_INFINITY) {
      const until = Math.max(limit, view.live.t);
      if (await this.#passes(request, until, view)) return { refusal: holdReason(lesson, now) };
      if (op === 'play') return { params: { ...params, until } };
    }
    if (op === 'edit') {
      const { path, value } = params.changes?.[0] ?? params;
      this.#verb = `${path.split('.').at(-1)} ${value}`;
    }
    if (op === 'act' || op === 'rest') await this.#prepare(request, lesson, view);
    return {};
  }

  /**
   * Whether a request would show more than the lesson allows.
   * @param {Judged} request
   * @param {number} until
   * @param {View} view
   */
  async #passes([op, params], until, { cursor, live }) {
    if (op === 'runTo') return true;
    if (op === 'play') return cursor.t >= until;
    return op === 'step' && (await this.#stepsBeyond(params, cursor, live));
  }

  /**
   * Whether a step forward would show something new.
   * @param {StepParams} params @param {Cursor} cursor @param {Cursor} live
   */
  async #stepsBeyond({ direction, unit }, cursor, live) {
    if (direction < 0) return false;
    if (unit === 'landmark')
      return !this.ports.timeline()?.landmarks.some((landmark) => landmark.t > cursor.t && landmark.t <= live.t);
    const { at, total } = await this.ports.place();
    return at >= total - 1;
  }

  /**
   * Moves the run to where an act belongs: the lesson's own act at its instant, any other act on a branch.
   * @param {Judged} request
   * @param {Lesson} lesson
   * @param {View} view
   */
  async #prepare([op, params], lesson, { cursor, live, branch }) {
    const now = this.lesson.progress.value;
    const step = stepOf(lesson, now);
    const wantedAct = step.kind === 'act' && asksAct(step, now) && branch === 0 ? step.act : undefined;
    this.#isExpecting = op === 'act' && params.act === wantedAct?.act && params.node === wantedAct?.node;
    if (wantedAct && this.#isExpecting) return this.run.jump(wantedAct.at);
    if (op === 'rest') this.#verb = sentence('strayedRequest', { method: params.method });
    else if (op === 'act') this.#verb = this.ports.actLabel(params.act, params.node ?? '').replace('…', '');
    // Go back by one record, so that this act becomes a branch and the lesson's run stays complete.
    if (cursor.t === live.t && cursor.n === live.n) await this.run.drive('seek', { cursor: { t: live.t, n: 0 } });
  }

  /**
   * Checks the run after any change.
   * @param {View} view
   * @returns {boolean} the page shows the outcome for the first time
   */
  watch(view) {
    const { lesson, ports } = this;
    const on = lesson.on.peek();
    const { runs } = lesson;
    if (!on || runs.length === 0) return false;
    if (view.scenario !== on.run.scenario) {
      if (view.scenario !== lesson.visiting) ports.close();
      return false;
    }
    const now = lesson.progress.peek();
    if (view.branch !== 0) {
      if (!now.strayed && !now.seen) ports.tell({ type: 'strayed', verb: this.#verb || sentence('strayedRun') }, true);
      return false;
    }
    if (now.strayed) ports.tell({ type: 'returned' });
    if (this.#isExpecting && view.run !== runs[now.acted]) {
      this.#isExpecting = false;
      lesson.runs = [...runs.slice(0, now.acted + 1), view.run];
    }
    const acts = lesson.runs.indexOf(view.run);
    if (acts > now.acted) ports.tell({ type: 'acted', acts }, true);
    else if (acts >= 0 && acts < now.acted && !now.seen) {
      ports.tell({ type: 'undone', acts });
      if (lesson.progress.peek().step !== now.step) ports.focusHeading();
    }
    return Boolean(now.placed) && !now.seen && view.live.t >= stepOf(on, now).until;
  }
}

/** The reason why the run may not continue. @param {Lesson} lesson @param {Progress} now */
const holdReason = (lesson, now) =>
  stepOf(lesson, now).kind === 'bet' ? sentence(lesson.curtained ? 'waitsBetMust' : 'heldBack') : sentence('stopsHere');
