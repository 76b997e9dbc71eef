/** The line above the run that says where the run comes from. It disappears when the page shows another run. */
import { effect } from '@preact/signals-core';
import { html, nothing, render } from 'lit-html';
import { element } from '../../lib/element.js';

/** @import { State } from '../../page/state.js' */
/** @typedef {{text: string, live?: boolean, action?: {label: string, run: () => unknown}}} BannerText */

export class Banner {
  /** @param {State} state */
  constructor(state) {
    this.root = document.createElement('section');
    this.root.id = 'record';
    this.root.setAttribute('aria-label', 'Real programs');
    element('headline').before(this.root);
    this.shown = '';
    effect(() => {
      const { record } = state.view.value;
      if (record) document.documentElement.dataset.record = record;
      else delete document.documentElement.dataset.record;
    });
  }

  /** @param {BannerText} shown */
  show({ text, live = false, action }) {
    if (this.shown === text && !action) return;
    this.shown = text;
    render(
      html`<span class="record-text" data-live=${live}>${text}</span> ${
        action ? html`<button type="button" @click=${action.run}>${action.label}</button>` : nothing
      }`,
      this.root,
    );
  }
}
