/** Parts of the page that are drawn again only when what they show has changed. */
import { computed } from '@preact/signals-core';
import { render } from 'lit-html';

/**
 * Follows the signals that its template reads. It is drawn in the draw loop, so that many changes of one frame are one
 * drawing.
 */
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

/** What it shows is not all in signals: it is told what to compare. */
export class Panel {
  /**
   * @param {HTMLElement} root
   * @param {() => unknown[]} inputs what the template depends on
   * @param {() => unknown} template
   */
  constructor(root, inputs, template) {
    this.root = root;
    this.inputs = inputs;
    this.template = template;
    /** @type {unknown[] | undefined} */
    this.last = undefined;
  }

  update() {
    const inputs = this.inputs();
    if (this.last?.length === inputs.length && inputs.every((input, i) => Object.is(input, this.last?.[i]))) return;
    this.last = inputs;
    render(this.template(), this.root);
  }
}
