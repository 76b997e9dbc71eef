/** The prediction: by pointer, by button or typed, as an instant or as a length since the act, and locked in once. */
import { parseInstant } from '../../lib/share.js';
import { betText } from './facts.js';

/** @import { Nanos } from '../../protocol.js' */
/** @import { LessonEvent } from './progress.js' */
/** @import { LessonState } from './state.js' */

const MS = 1e6;
/** To the millisecond, as the page shows every instant. @param {Nanos} ns */
const whole = (ns) => Math.round(ns / MS) * MS;

/**
 * @typedef {object} BetPorts
 * @property {() => {from: Nanos, to: Nanos, actAt: Nanos}} range what a bet can be: from the live instant to the end of the
 *   run; actAt: a number that is too small to be an instant counts from there
 * @property {(event: LessonEvent) => void} tell
 * @property {() => void} focusField
 * @property {() => void} shown the bet is placed, or given up: the next step begins
 */

export class Bet {
  /** @param {LessonState} lesson @param {BetPorts} ports */
  constructor(lesson, ports) {
    this.lesson = lesson;
    this.ports = ports;
  }

  /** A bet by pointer or button. @param {Nanos} t */
  put(t) {
    this.ports.tell({ type: 'bet', at: t });
    this.lesson.field.value = { text: betText(t), error: '', read: '' };
  }

  /** @param {string} text */
  type(text) {
    const { from, to, actAt } = this.ports.range();
    const typed = parseInstant(text.replace(',', '.'));
    // "15" means 15 s after the crash, because at 00:15 it had not happened yet.
    const since = typed !== undefined && whole(typed) < from - MS;
    const at = typed === undefined ? undefined : whole(since ? actAt + typed : typed);
    const ok = at !== undefined && at >= from - MS && at <= to;
    this.ports.tell({ type: 'bet', at: ok ? at : null });
    const read = ok && since ? `${betText(at - actAt)} s after the crash is ${betText(at)} s on the time axis.` : '';
    this.lesson.field.value = { text, error: '', read };
  }

  /** @param {number} seconds */
  nudge(seconds) {
    const { from, to } = this.ports.range();
    const base = this.lesson.progress.value.bet ?? whole(from);
    this.put(Math.min(to, Math.max(whole(from), base + seconds * 1e9)));
  }

  place() {
    const { field, progress } = this.lesson;
    if (progress.value.bet === null) {
      const { from, to } = this.ports.range();
      const range = `a time from ${Math.round(from / 1e9)} to ${Math.round(to / 1e9)} s, or the seconds after the crash`;
      const text = field.value.text.trim();
      field.value = {
        ...field.value,
        error: text ? `“${text}” must be ${range}.` : `Your prediction is ${range}.`,
      };
      this.ports.focusField();
      return;
    }
    this.ports.tell({ type: 'place' });
    this.ports.shown();
  }

  giveUp() {
    this.ports.tell({ type: 'show' });
    this.ports.shown();
  }
}
