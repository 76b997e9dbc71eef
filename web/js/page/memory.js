/** What the page remembers between visits: theme, key mode, whether acts play on, what a visitor saw and closed. */

import { isObject } from '../lib/shape.js';
import { readStoredJson, writeStored } from '../lib/stored.js';

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
  const stored = readStoredJson(STORE);
  const { theme, keyMode, seen, legend, playOn } = isObject(stored) ? stored : {};
  return {
    theme: /** @type {const} */ (['light', 'dark']).find((one) => one === theme),
    keyMode: /** @type {const} */ (['on', 'focus', 'off']).find((one) => one === keyMode),
    seen: seen === true,
    legend: legend === true,
    playOn: playOn !== false,
  };
}

/** @param {object} change */
export const remember = (change) => writeStored(STORE, JSON.stringify({ ...readMemory(), ...change }));
