/**
 * Moves the run to an instant for a lesson. It plays the parts of the run that the page has not shown yet, and skips
 * the other parts.
 */
import { waitUntil } from '../../lib/until.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Change, Nanos, Ops, View } from '../../protocol.js' */

/** The engine's highest speed, so that the run gets to the instant in a frame or two. */
export const AT_ONCE = 1000;

/**
 * @typedef {object} RunPorts
 * @property {Signal<View>} view
 * @property {<O extends Change>(op: O, params?: Ops[O]['params']) => Promise<unknown>} change
 * @property {() => boolean} reducedMotion the visitor wants no motion
 */

export class LessonRun {
  /** Whether the guard is about to get a request of the lesson itself, which it lets pass. */
  isDriving = false;
  /** Moves happen one after another, because each move starts where the last move ended. */
  #moving = Promise.resolve();

  /** @param {RunPorts} ports */
  constructor({ view, change, reducedMotion }) {
    this.view = view;
    this.change = change;
    this.reducedMotion = reducedMotion;
  }

  /**
   * Changes the run for the lesson itself, which its guard allows.
   * @template {Change} O
   * @param {O} op @param {Ops[O]['params']} [params]
   */
  drive(op, params) {
    return this.passGuard(() => this.change(op, params));
  }

  /**
   * Asks for a change that the lesson's guard allows. The guard decides at once.
   * @template T
   * @param {() => T} ask
   * @returns {T}
   */
  passGuard(ask) {
    this.isDriving = true;
    try {
      return ask();
    } finally {
      this.isDriving = false;
    }
  }

  /**
   * Shows the run up to an instant. Resolves when the run has begun to move.
   * @param {Nanos} t
   * @param {number} speed 0 is story speed
   */
  reach(t, speed) {
    this.#moving = this.#moving.then(() => this.#move(t, speed));
    return this.#moving;
  }

  /** Goes to an instant at once. Resolves when the run is there. @param {Nanos} t */
  async jump(t) {
    await this.reach(t, AT_ONCE);
    await waitUntil(() => !this.view.value.playing || this.view.value.cursor.t >= t);
  }

  /** @param {Nanos} t @param {number} speed */
  async #move(t, speed) {
    // While the run plays, the view is slightly out of date.
    if (this.view.peek().playing) await this.drive('pause');
    const { cursor, live } = this.view.peek();
    if (live.t >= t) {
      if (cursor.t !== t || cursor.n !== -1) await this.drive('seek', { cursor: { t, n: -1 } });
      return;
    }
    if (cursor.t < live.t) await this.drive('seek', { cursor: live });
    await this.drive('play', { speed: this.reducedMotion() ? AT_ONCE : speed, until: t });
  }
}
