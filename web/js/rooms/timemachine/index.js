/**
 * The time machine's rooms, one chunk of its own: two runs on one time axis, breakpoints, and the tree of branches. What
 * the page has already comes in through the kit, so that nothing of the first view moves.
 */

import { openBreakpoints } from './breakpoints.js';
import { openCompare } from './compare.js';
import { openTree } from './tree.js';

/**
 * What the rooms take from the page besides itself.
 * @typedef {object} Kit
 * @property {typeof import('lit-html').html} html
 * @property {symbol} nothing
 * @property {typeof import('lit-html').render} render
 * @property {(ns: number) => string} formatInstant
 * @property {(share: any) => Promise<string>} encodeLink
 * @property {number} maxLink
 * @property {(name: string, text: string, type: string) => void} download
 */

/** @typedef {import('../desk/index.js').Page} Page */

/**
 * A modal dialog that closes by its button, by Escape and by a click beside it.
 * @param {Kit} kit
 * @param {string} name of its class
 * @param {string} title
 */
export function modal(kit, name, title) {
  const dialog = document.createElement('dialog');
  dialog.className = name;
  dialog.setAttribute('aria-label', title);
  document.body.append(dialog);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return {
    dialog,
    show: () => {
      if (!dialog.open) dialog.showModal();
    },
    head: () => kit.html`<header class="dialog-head">
      <h2>${title}</h2>
      <button type="button" class="icon" aria-label="Close" @click=${() => dialog.close()}>×</button>
    </header>`,
    /** @param {unknown} template */
    draw: (template) => kit.render(template, dialog),
  };
}

/** @param {Page} page @param {Kit} kit */
export function openTimeMachine(page, kit) {
  const compare = openCompare(page, kit, modal);
  const breakpoints = openBreakpoints(page, kit, modal);
  const tree = openTree(page, kit, modal);
  return { compare, breakpoints, tree };
}
