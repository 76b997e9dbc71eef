/** What the page remembers between visits: theme, key mode, whether acts play on, what a visitor saw and closed. */

/** @import { KeyMode } from './keys.js' */

/** Each site of an origin has its own entry. */
const STORE = `leaselab ${new URL('.', document.baseURI).pathname}`;

/**
 * The stored memory. Any page of this origin can write it, and older versions wrote other shapes, so this ignores
 * values with the wrong shape.
 * @returns {{theme?: "light" | "dark", keyMode?: KeyMode, seen: boolean, legend: boolean, playOn: boolean}}
 *   seen: this is not the first visit; legend: the visitor dismissed it
 */
export function readMemory() {
  /** @type {{[name: string]: unknown} | null} */
  let stored = null;
  try {
    stored = JSON.parse(localStorage.getItem(STORE) ?? '');
  } catch {
    // The entry is missing, or it is not JSON.
  }
  const { theme, keyMode, seen, legend, playOn } = stored ?? {};
  return {
    theme: /** @type {const} */ (['light', 'dark']).find((one) => one === theme),
    keyMode: /** @type {const} */ (['on', 'focus', 'off']).find((one) => one === keyMode),
    seen: seen === true,
    legend: legend === true,
    playOn: playOn !== false,
  };
}

/** @param {object} change */
export function remember(change) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...readMemory(), ...change }));
  } catch {
    // The page also works in a browser without storage.
  }
}
