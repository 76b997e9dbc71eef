/**
 * Runs all draw functions in one animation frame. If a draw function requests another one, the other one runs later in
 * the same frame. A draw function that requests itself runs again in the next frame.
 */
export class Frames {
  /** The draw functions of the next frame, in order. @type {Set<() => void>} */
  #wanted = new Set();
  #isRequested = false;

  /** @param {() => void} draw runs once in a frame, even after several requests */
  want(draw) {
    this.#wanted.add(draw);
    if (this.#isRequested) return;
    this.#isRequested = true;
    requestAnimationFrame(() => this.#draw());
  }

  /** @param {() => void} draw the function that the next frame should not run */
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
