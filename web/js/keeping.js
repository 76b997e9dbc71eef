/** What goes with the reader when the page is loaded again: the run with its branches and undo, once, for this tab. */
/** @import { Kept } from './engine.js' */

const KEY = `leaselab kept ${new URL('.', document.baseURI).pathname}`;

/** @param {Kept | undefined} kept */
export function keepForReload(kept) {
  try {
    if (kept) sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // It does not fit, or the browser keeps nothing: the link in the address brings back the branch that is open.
  }
}

/** @returns {Kept | undefined} */
export function takeKept() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    sessionStorage.removeItem(KEY);
    return typeof kept?.text === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}
