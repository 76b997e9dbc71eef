/**
 * One frame for everything that is drawn: what a drawing asks to be drawn is drawn after it in the same frame. What
 * asks for itself is drawn in the next.
 */
export class Frames {
  /** What the next frame draws, in this order. @type {Set<() => void>} */
  #wanted = new Set();
  #asked = false;

  /** @param {() => void} draw once a frame, however often it is asked for */
  want(draw) {
    this.#wanted.add(draw);
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => this.#draw());
  }

  /** @param {() => void} draw not wanted any more */
  forget(draw) {
    this.#wanted.delete(draw);
  }

  #draw() {
    const drawn = new Set();
    try {
      // A loop over a set also takes what is added meanwhile.
      for (const draw of this.#wanted) {
        if (drawn.has(draw)) continue;
        this.#wanted.delete(draw);
        drawn.add(draw);
        draw();
      }
    } finally {
      this.#asked = this.#wanted.size > 0;
      if (this.#asked) requestAnimationFrame(() => this.#draw());
    }
  }
}
