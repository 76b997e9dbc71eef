/** Parts of the page that redraw whenever one of their template's signals changes. */
import { computed, effect } from '@preact/signals-core';
import { render } from 'lit-html';

/**
 * Draws, and calls onChange once, at the first change of any signal that the drawing used.
 * @param {() => unknown} draw @param {() => unknown} onChange
 * @returns {() => void} draws again, and from then on follows the signals of the new drawing
 */
export function track(draw, onChange) {
  let forget = () => {};
  return () => {
    forget();
    let isDrawn = false;
    forget = effect(() => {
      // A change runs this effect a second time. This time it reads no signals, so further changes cost nothing
      // until the next drawing.
      if (isDrawn) onChange();
      else draw();
      isDrawn = true;
    });
  };
}

/**
 * A part that draws at once, and again in the frame after a signal changes.
 * @param {HTMLElement} root @param {() => unknown} template
 * @param {{draw: (template: unknown, root: HTMLElement) => unknown, frame: (run: () => void) => unknown}} [how]
 */
export function panel(root, template, { draw, frame } = { draw: render, frame: (run) => requestAnimationFrame(run) }) {
  const redraw = track(
    () => draw(template(), root),
    () => frame(redraw),
  );
  redraw();
}

/** A part that the page's draw loop updates. Parts that draw later in the same frame see its new state. */
export class TrackedPanel {
  /** @type {unknown} */
  #drawn = undefined;

  /** @param {HTMLElement} root @param {() => unknown} template */
  constructor(root, template) {
    this.root = root;
    this.content = computed(template);
  }

  update() {
    const content = this.content.value;
    if (content === this.#drawn) return;
    this.#drawn = content;
    render(content, this.root);
  }
}
