/** Keeps the run with its branches and undo over one reload of this tab. */
/** @import { Kept } from './engine.js' */

const KEY = `leaselab kept ${new URL('.', document.baseURI).pathname}`;

/** @param {Kept | undefined} kept @returns {boolean} false when it does not fit or the browser has no storage */
export function keepForReload(kept) {
  try {
    if (kept) sessionStorage.setItem(KEY, JSON.stringify(kept));
    return true;
  } catch {
    return false;
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
