/**
 * A modal dialog. The close button, Escape and a click outside close it. While it is open, it redraws whenever a signal
 * of its contents changes.
 */

import { effect, signal } from '@preact/signals-core';
import { html, nothing, render } from 'lit-html';
import { set } from './control.js';

/**
 * @typedef {object} Modal
 * @property {HTMLDialogElement} dialog
 * @property {() => void} show
 * @property {() => void} close
 * @property {() => void} redraw redraws after a change that no signal reports
 */

/**
 * A room that takes the place of the lab instead of covering it.
 * @typedef {{enter: (dialog: HTMLDialogElement) => void, left: (dialog: HTMLDialogElement) => void}} Place
 */

/**
 * @param {HTMLDialogElement} dialog @param {() => unknown} contents
 * @param {{draw?: (template: unknown, dialog: HTMLElement) => void, pages?: Place}} [how] pages: the room is a page
 * @returns {Modal}
 */
export function modal(dialog, contents, { draw = render, pages } = {}) {
  const open = signal(false);
  const version = signal(0);
  dialog.addEventListener('close', () => {
    set(open, false);
    pages?.left(dialog);
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog && !pages) dialog.close();
  });
  effect(() => {
    void version.value;
    if (open.value) draw(contents(), dialog);
    else if (!pages) draw(nothing, dialog); // thousands of elements, which the next opening draws anew
  });
  return {
    dialog,
    show() {
      open.value = true;
      if (pages) pages.enter(dialog);
      else if (!dialog.open) dialog.showModal();
    },
    close: () => dialog.close(),
    redraw() {
      version.value = version.peek() + 1;
    },
  };
}

/** A new dialog at the end of the page. @param {string} id @param {string} label @returns {HTMLDialogElement} */
export function newDialog(id, label) {
  const dialog = document.createElement('dialog');
  dialog.id = id;
  dialog.setAttribute('aria-label', label);
  document.body.append(dialog);
  return dialog;
}

/**
 * The head of a dialog: the title and the close button. The head is not a header element, because outside a modal
 * dialog a header element would be a second banner.
 * @param {string} title @param {() => void} close
 * @param {{id?: string, beside?: unknown}} [more] id: of the title, for the dialog's label; beside: the content next to
 *   the title
 */
export const dialogHead = (title, close, { id, beside } = {}) => html`<div class="dialog-head">
    <h2 id=${id ?? nothing}>${title}</h2>
    ${beside}
    <button type="button" class="icon" aria-label="Close" @click=${close}>×</button>
  </div>`;
