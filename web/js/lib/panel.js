/** A part of the page that is drawn again only when what it shows has changed. */
import { render } from 'lit-html';

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
