/**
 * What the page tells the reader: sentences in the polite status region, and short messages at the foot of the page.
 *
 * A screen reader announces every message, even if it repeats the sentence before. A message disappears after a while,
 * but never under the pointer or while it has the focus.
 */

/** @import { Signal } from '@preact/signals-core' */

/** @typedef {{label: string, run: () => void}} Action */
/** @typedef {{id: number, text: string, action?: Action, tone?: "error"}} Toast */

/** The shortest time between two announced landmarks, in ms. The newest landmark wins. */
const GAP_MS = 2000;
/** Above this speed (virtual seconds per second), landmarks follow each other too fast for announcements. */
const SILENT_ABOVE = 8;
const SHOWN_MS = 8000;
const ERROR_SHOWN_MS = 20_000;
/** After how many ms to check again whether the pointer or the focus is still on a message. */
const HELD_MS = 2000;
const MAX_TOASTS = 3;

export class Notifier {
  /**
   * @param {{status: Signal<string>, toasts: Signal<Toast[]>}} state that nothing else writes
   * @param {() => boolean} [isHeld] whether the pointer or the focus is on the messages
   * @param {{now: () => number, schedule: (run: () => void, ms: number) => unknown}} [time]
   */
  constructor(
    { status, toasts },
    isHeld = () => false,
    time = { now: () => performance.now(), schedule: (run, ms) => setTimeout(run, ms) },
  ) {
    this.status = status;
    this.toasts = toasts;
    this.held = isHeld;
    this.time = time;
    this.lastId = 0;
    this.saidAt = Number.NEGATIVE_INFINITY;
    this.waiting = '';
  }

  /** Announces a sentence at once. @param {string} text */
  say(text) {
    this.saidAt = this.time.now();
    this.waiting = '';
    // Screen readers skip a region that does not change: a space at the end makes the same sentence a new text.
    this.status.value = text === this.status.value ? `${text}\u00a0` : text;
  }

  /** Announces an event of the run. @param {string} text @param {number} factor virtual seconds per second */
  landmark(text, factor) {
    if (factor > SILENT_ABOVE) return;
    const scheduled = this.waiting !== '';
    const wait = this.saidAt + GAP_MS - this.time.now();
    if (wait <= 0) {
      this.say(text);
      return;
    }
    this.waiting = text;
    if (!scheduled) this.time.schedule(() => this.waiting && this.say(this.waiting), wait);
  }

  /**
   * Shows a message and announces it. An error is an alert, which screen readers announce without help.
   * @param {string} text @param {{action?: Action, tone?: "error"}} [how]
   */
  notify(text, how = {}) {
    const id = ++this.lastId;
    const others = this.toasts.value.filter((toast) => toast.text !== text);
    this.toasts.value = [...others.slice(1 - MAX_TOASTS), { id, text, ...how }];
    if (how.tone !== 'error') this.say(text);
    this.#expire(id, how.tone === 'error' ? ERROR_SHOWN_MS : SHOWN_MS);
  }

  /** @param {number} id @param {number} ms */
  #expire(id, ms) {
    this.time.schedule(() => (this.held() ? this.#expire(id, HELD_MS) : this.withdraw((toast) => toast.id === id)), ms);
  }

  /** Removes the messages that match; by default all. @param {(toast: Toast) => boolean} [which] */
  withdraw(which = () => true) {
    this.toasts.value = this.toasts.value.filter((toast) => !which(toast));
  }
}
