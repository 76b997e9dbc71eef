/** The prediction: by pointer, by button, typed or chosen, and locked in once. An instant may be typed as a length since the act. */
import { parseInstant } from '../../lib/share.js';
import { betText } from './facts.js';

/** @import { Nanos } from '../../protocol.js' */
/** @import { Asked } from './lessons.js' */
/** @import { LessonEvent } from './progress.js' */
/** @import { LessonState } from './state.js' */

const MS = 1e6;
/** To the millisecond, as the page shows every instant. @param {Nanos} ns */
const whole = (ns) => Math.round(ns / MS) * MS;

/**
 * @typedef {object} BetPorts
 * @property {() => Asked} asked
 * @property {() => {from: Nanos, to: Nanos, actAt: Nanos}} range what an instant can be: from the live instant to the end of the
 *   run; actAt: a number that is too small to be an instant counts from there, and from the live instant without an act
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

  /** A prediction by pointer or button. @param {number} value */
  put(value) {
    this.ports.tell({ type: 'bet', at: value });
    const text = this.ports.asked().kind === 'count' ? String(value) : betText(value);
    this.lesson.field.value = { text, error: '', read: '' };
  }

  /** One of the options. @param {string} option */
  choose(option) {
    this.ports.tell({ type: 'bet', at: option });
    this.lesson.field.value = { text: option, error: '', read: '' };
  }

  /** @param {string} text */
  type(text) {
    const { value, read } = this.#read(text);
    this.ports.tell({ type: 'bet', at: value });
    this.lesson.field.value = { text, error: '', read };
  }

  /** @param {string} text @returns {{value: number | null, read: string}} */
  #read(text) {
    const { kind, most = 0 } = this.ports.asked();
    const none = { value: null, read: '' };
    if (kind === 'count') {
      const value = /^\d+$/.test(text.trim()) ? Number(text) : -1;
      return value >= 0 && value <= most ? { value, read: '' } : none;
    }
    const typed = parseInstant(text.replace(',', '.'));
    if (typed === undefined) return none;
    if (kind === 'seconds') return typed <= most * 1e9 ? { value: whole(typed), read: '' } : none;
    const { from, to, actAt } = this.ports.range();
    // "15" means 15 s after the crash, because at 00:15 it had not happened yet.
    const since = whole(typed) < from - MS;
    const begin = actAt < 0 ? from : actAt;
    const value = whole(since ? begin + typed : typed);
    if (value < from - MS || value > to) return none;
    const after = actAt < 0 ? 'from now' : 'after the crash';
    return {
      value,
      read: since ? `${betText(value - begin)} s ${after} is ${betText(value)} s on the time axis.` : '',
    };
  }

  /** @param {number} steps of half a second, or of one */
  nudge(steps) {
    const { kind, most = 0 } = this.ports.asked();
    const { bet } = this.lesson.progress.value;
    const by = kind === 'count' ? 1 : 5e8;
    const { from, to } = kind === 'marker' ? this.ports.range() : { from: 0, to: kind === 'count' ? most : most * 1e9 };
    const first = kind === 'marker' ? whole(from) : 0;
    const base = typeof bet === 'number' ? bet : first;
    this.put(Math.min(to, Math.max(first, base + steps * by)));
  }

  place() {
    const { field, progress } = this.lesson;
    if (progress.value.bet === null) {
      const text = field.value.text.trim();
      const range = this.#range();
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

  /** What a prediction can be, in words. */
  #range() {
    const { kind, most = 0 } = this.ports.asked();
    if (kind === 'choice') return 'one of the answers';
    if (kind === 'count') return `a whole number from 0 to ${most}`;
    if (kind === 'seconds') return `a length from 0 to ${most} s`;
    const { from, to, actAt } = this.ports.range();
    const since = actAt < 0 ? 'from now' : 'after the crash';
    return `a time from ${Math.round(from / 1e9)} to ${Math.round(to / 1e9)} s, or the seconds ${since}`;
  }

  giveUp() {
    this.ports.tell({ type: 'show' });
    this.ports.shown();
  }
}
