/**
 * Puts all drawing into one animation frame. If a drawing requests another one, that one runs after it in the same
 * frame. A drawing that requests itself runs again in the next frame.
 */
export class Frames {
  /** What the next frame draws, in order. @type {Set<() => void>} */
  #wanted = new Set();
  #isRequested = false;

  /** @param {() => void} draw once a frame, even after several requests */
  want(draw) {
    this.#wanted.add(draw);
    if (this.#isRequested) return;
    this.#isRequested = true;
    requestAnimationFrame(() => this.#draw());
  }

  /** @param {() => void} draw what the next frame should leave out */
  forget(draw) {
    this.#wanted.delete(draw);
  }

  #draw() {
    const done = new Set();
    try {
      // A loop over a set also visits members that the set gains during the loop.
      for (const draw of this.#wanted) {
        if (done.has(draw)) continue;
        this.#wanted.delete(draw);
        done.add(draw);
        draw();
      }
    } finally {
      this.#isRequested = this.#wanted.size > 0;
      if (this.#isRequested) requestAnimationFrame(() => this.#draw());
    }
  }
}
