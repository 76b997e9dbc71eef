import { set } from './control.js';

/** The function to call when a question fails; the page sets it. expected: a refusal is one of the possible answers. */
export const failures = { tell: (/** @type {unknown} */ _error, _expected = false) => {} };

/**
 * Asks one question again whenever its parameters change. At most one request is in progress, the newest parameters
 * win, and answers are at least `gapMs` apart. After a failure, the answer is null. Latest calls `failures.tell`,
 * unless a newer question waits.
 * @template P, A
 */
export class Latest {
  /**
   * @param {(params: P) => Promise<A>} ask
   * @param {((answer: A | null) => void) | {value: A | null}} tell a function that takes the answer, or a signal that
   * gets the answer
   * @param {number} [gapMs]
   * @param {{refusals?: boolean}} [expects] refusals: the engine may refuse the question, which is not an error
   */
  constructor(ask, tell, gapMs = 0, { refusals = false } = {}) {
    this.ask = ask;
    this.tell = typeof tell === 'function' ? tell : (/** @type {A | null} */ answer) => set(tell, answer);
    this.gapMs = gapMs;
    this.refusals = refusals;
    this.key = '';
    /** @type {{params: P} | null} */
    this.wanted = null;
    this.busy = false;
    this.generation = 0;
  }

  /** @param {string} key what the answer depends on @param {P} params */
  want(key, params) {
    if (key === this.key) return;
    this.key = key;
    this.wanted = { params };
    if (!this.busy) this.go();
  }

  /** Forgets the last answer, so that the same question goes out again. */
  reset() {
    this.key = '';
    this.generation++;
  }

  async go() {
    this.busy = true;
    while (this.wanted) {
      const { params } = this.wanted;
      const { generation } = this;
      this.wanted = null;
      /** @type {A | null} */
      let answer = null;
      try {
        answer = await this.ask(params);
      } catch (error) {
        if (generation === this.generation && !this.wanted) failures.tell(error, this.refusals);
      }
      try {
        if (generation === this.generation) this.tell(answer);
      } catch (error) {
        failures.tell(error);
      }
      if (this.gapMs > 0) await new Promise((resolve) => setTimeout(resolve, this.gapMs));
    }
    this.busy = false;
  }
}
