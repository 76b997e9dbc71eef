/** The errors of a file that the page could not open. Each has the line, the mistake and the correction. */
import { html, nothing } from 'lit-html';
import { plural } from '../../lib/format.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';

/** @import { Modal } from '../../lib/modal.js' */
/** @import { Mistakes } from './files.js' */

/** The dialog. The page creates it on first use. */
export function mistakesDialog() {
  /** @type {Modal | undefined} */
  let dialog;
  /** @type {{name: string, mistakes: Mistakes}} */
  let list;
  const contents = () => mistakesTemplate(list.name, list.mistakes, () => dialog?.close());
  return (/** @type {string} */ name, /** @type {Mistakes} */ mistakes) => {
    list = { name, mistakes };
    dialog ??= modal(newDialog('mistakes', 'Errors of the file'), contents);
    dialog.redraw();
    dialog.show();
  };
}

/** @param {string} name @param {Pick<Mistakes, "all" | "whole">} mistakes @param {() => void} close */
export const mistakesTemplate = (name, { all, whole }, close) => html`
  ${dialogHead(`${name} has ${whole ? '' : 'at least '}${plural(all.length, 'error')}`, close)}
  <p>Nothing was opened. Correct the file and open it again.</p>
  <ul>${all.map(
    ({ line, message }) => html`<li>${line > 0 ? html`<b>Line ${line}:</b> ` : nothing}${message}</li>`,
  )}</ul>`;
