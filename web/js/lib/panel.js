/** Parts of the page that follow the signals that their templates read. */
import { computed, effect } from '@preact/signals-core';
import { render } from 'lit-html';

/**
 * A part that is drawn at once, and again in the next frame after a signal has changed.
 * @param {HTMLElement} root
 * @param {() => unknown} template
 * @param {{draw: (template: unknown, root: HTMLElement) => unknown, frame: (run: () => void) => unknown}} [how]
 */
export function panel(root, template, { draw, frame } = { draw: render, frame: (run) => requestAnimationFrame(run) }) {
  let forget = () => {};
  function redraw() {
    forget();
    let drawn = false;
    forget = effect(() => {
      // A change calls this once more: it reads no signal then, so that changes until the next frame count as one.
      if (drawn) frame(redraw);
      else draw(template(), root);
      drawn = true;
    });
  }
  redraw();
}

/** A part of the page's own frame: what is drawn after it in the same frame finds it as it is now. */
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
