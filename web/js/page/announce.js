/**
 * What the polite status region says. Own acts at once; landmarks at least two seconds of wall time apart, the newest
 * one winning; nothing about landmarks above 8×, where they pass faster than anybody can listen.
 */

const GAP_MS = 2000;
const SILENT_ABOVE = 8;

export class Announcer {
  /**
   * @param {(text: string) => void} say
   * @param {{now: () => number, later: (run: () => void, ms: number) => unknown}} [time]
   */
  constructor(say, time = { now: () => performance.now(), later: (run, ms) => setTimeout(run, ms) }) {
    this.say = say;
    this.time = time;
    this.last = Number.NEGATIVE_INFINITY;
    this.waiting = '';
  }

  /** Something the visitor did. @param {string} text */
  act(text) {
    this.last = this.time.now();
    this.waiting = '';
    this.say(text);
  }

  /** Something that happened in the run. @param {string} text @param {number} factor virtual seconds per second */
  landmark(text, factor) {
    if (factor > SILENT_ABOVE) return;
    const scheduled = this.waiting !== '';
    const wait = this.last + GAP_MS - this.time.now();
    if (wait <= 0) {
      this.waiting = '';
      this.last = this.time.now();
      this.say(text);
      return;
    }
    this.waiting = text;
    if (!scheduled) this.time.later(() => this.flush(), wait);
  }

  flush() {
    if (this.waiting === '') return;
    const text = this.waiting;
    this.waiting = '';
    this.last = this.time.now();
    this.say(text);
  }
}
