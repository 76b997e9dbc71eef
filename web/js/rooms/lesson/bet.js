/**
 * The prediction. The visitor makes a prediction with the pointer, a button, the keyboard or a choice, and then locks
 * it in, once. The visitor may also type a length since the act instead of an instant.
 */
import { parseInstant } from '../../lib/share.js';
import { betText } from './facts.js';
import { inSeconds, sentence } from './words.js';

/** @import { Nanos } from '../../protocol.js' */
/** @import { Question } from './lessons.js' */
/** @import { LessonEvent } from './progress.js' */
/** @import { LessonState } from './state.js' */

const MS = 1e6;
/** Rounds to the millisecond, like every instant on the page. @param {Nanos} ns */
const roundToMs = (ns) => Math.round(ns / MS) * MS;

/**
 * @typedef {object} BetPorts
 * @property {() => Question} currentBet
 * @property {() => {from: Nanos, to: Nanos, actAt: Nanos, act: string}} range the possible instants, from the live
 *   instant to the end of the run; actAt: a number that is too small for an instant counts from there; without an act,
 *   from the live instant
 * @property {(event: LessonEvent) => void} tell
 * @property {() => void} focusField
 * @property {() => void} onShown called when the visitor has placed the bet or given up, and the next step
 * begins
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
    const text = this.ports.currentBet().kind === 'count' ? String(value) : betText(value);
    this.lesson.field.value = { text, error: '', read: '' };
  }

  /** Chooses one of the options. @param {string} option */
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
    const { kind, most = 0 } = this.ports.currentBet();
    const none = { value: null, read: '' };
    if (kind === 'count') {
      const value = /^\d+$/.test(text.trim()) ? Number(text) : -1;
      return value >= 0 && value <= most ? { value, read: '' } : none;
    }
    const typed = parseInstant(text.replace(',', '.'));
    if (typed === undefined) return none;
    if (kind === 'seconds') return typed <= most * 1e9 ? { value: roundToMs(typed), read: '' } : none;
    const { from, to, actAt } = this.ports.range();
    // "15" means 15 s after the crash, because the crash comes later than 00:15.
    const isOffset = roundToMs(typed) < from - MS;
    const begin = actAt < 0 ? from : actAt;
    const value = roundToMs(isOffset ? begin + typed : typed);
    if (value < from - MS || value > to) return none;
    const length = inSeconds(betText(value - begin));
    const instant = inSeconds(betText(value));
    return { value, read: isOffset ? sentence('readAs', { length, since: this.#sinceText(), instant }) : '' };
  }

  /** @param {number} steps of half a second, or of one */
  nudge(steps) {
    const { kind, most = 0 } = this.ports.currentBet();
    const { bet } = this.lesson.progress.value;
    const by = kind === 'count' ? 1 : 5e8;
    const { from, to } = kind === 'marker' ? this.ports.range() : { from: 0, to: kind === 'count' ? most : most * 1e9 };
    const first = kind === 'marker' ? roundToMs(from) : 0;
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
        error: text ? sentence('refused', { text, range }) : sentence('missing', { range }),
      };
      this.ports.focusField();
      return;
    }
    this.ports.tell({ type: 'place' });
    this.ports.onShown();
  }

  /** The range of a prediction, in words. */
  #range() {
    const { kind, most = 0 } = this.ports.currentBet();
    if (kind === 'choice') return sentence('rangeChoice');
    if (kind === 'count') return sentence('rangeCount', { most });
    if (kind === 'seconds') return sentence('rangeSeconds', { most });
    const { from, to } = this.ports.range();
    const roundToSeconds = (/** @type {Nanos} */ ns) => Math.round(ns / 1e9);
    return sentence('rangeInstant', { from: roundToSeconds(from), to: roundToSeconds(to), since: this.#sinceText() });
  }

  /** The start for a number that is too small to be an instant. */
  #sinceText() {
    const { actAt, act } = this.ports.range();
    if (actAt < 0) return sentence('sinceNow');
    return sentence({ crash: 'sinceCrash', pause: 'sincePause' }[act] ?? 'sinceAct');
  }

  giveUp() {
    this.ports.tell({ type: 'show' });
    this.ports.onShown();
  }
}
