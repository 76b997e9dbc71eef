/**
 * One question asked again and again as its terms change: at most one is under way, the newest terms win, and answers
 * come no closer together than `gapMs`.
 */
export class Latest {
  /**
   * @param {(params: any) => Promise<any>} ask
   * @param {(answer: any) => void} tell
   * @param {number} [gapMs]
   */
  constructor(ask, tell, gapMs = 0) {
    this.ask = ask;
    this.tell = tell;
    this.gapMs = gapMs;
    this.key = '';
    /** @type {{key: string, params: any} | null} */
    this.wanted = null;
    this.busy = false;
    this.generation = 0;
  }

  /** @param {string} key what the answer depends on @param {any} params */
  want(key, params) {
    if (key === this.key) return;
    this.key = key;
    this.wanted = { key, params };
    if (!this.busy) this.go();
  }

  /** Forget the last answer, so the same question is asked again. */
  reset() {
    this.key = '';
    this.generation++;
  }

  async go() {
    this.busy = true;
    while (this.wanted) {
      const { params } = this.wanted;
      const generation = this.generation;
      this.wanted = null;
      try {
        const answer = await this.ask(params);
        if (generation === this.generation) this.tell(answer);
      } catch {
        if (generation === this.generation) this.tell(null);
      }
      if (this.gapMs > 0) await new Promise((resolve) => setTimeout(resolve, this.gapMs));
    }
    this.busy = false;
  }
}
