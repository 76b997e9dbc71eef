/**
 * Moves the run to an instant for a lesson. It plays the parts that the page has not shown yet and seeks over the
 * others.
 */
import { waitUntil } from '../../lib/until.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Change, Nanos, Ops, View } from '../../protocol.js' */

/** The engine's highest speed, so that getting there takes a frame or two. */
export const AT_ONCE = 1000;

/**
 * @typedef {object} RunPorts
 * @property {Signal<View>} view
 * @property {<O extends Change>(op: O, params?: Ops[O]['params']) => Promise<unknown>} change
 * @property {() => boolean} reducedMotion the visitor wants no motion
 */

export class LessonRun {
  /** Whether a request of the lesson itself is on its way to the guard, which then lets it pass. */
  isDriving = false;
  /** Moves happen one after another, because each one starts where the last one ended. */
  #moving = Promise.resolve();

  /** @param {RunPorts} ports */
  constructor({ view, change, reducedMotion }) {
    this.view = view;
    this.change = change;
    this.reducedMotion = reducedMotion;
  }

  /**
   * Changes the run for the lesson itself, past its own guard.
   * @template {Change} O
   * @param {O} op @param {Ops[O]['params']} [params]
   */
  drive(op, params) {
    return this.passGuard(() => this.change(op, params));
  }

  /**
   * Asks for a change and lets it pass the lesson's guard, which decides at once.
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
    // While the run plays, the view is a moment old.
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
