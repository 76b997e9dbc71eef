/** Keeps the run with its branches and undo through one reload of this tab. */

/** @import { SavedRun } from './engine.js' */

const KEY = `leaselab kept ${new URL('.', document.baseURI).pathname}`;

/** @param {SavedRun | undefined} kept @returns {boolean} false when it does not fit or the browser has no storage */
export function keepForReload(kept) {
  try {
    if (kept) sessionStorage.setItem(KEY, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** @returns {SavedRun | undefined} */
export function takeKept() {
  try {
    const save = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    sessionStorage.removeItem(KEY);
    if (typeof save?.text !== 'string') return undefined;
    const { edge, live = edge, ...rest } = save; // earlier versions called the live cursor "edge"
    return { ...rest, live };
  } catch {
    return undefined;
  }
}
