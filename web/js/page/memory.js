/** What is remembered between visits: theme, keys, the height of the event list. */

/** Another site on the same origin has a memory of its own. */
const STORE = `leaselab ${new URL('.', document.baseURI).pathname}`;
/** Where all sites of an origin kept it once: read until there is something of one's own. */
const SHARED = 'leaselab';

/**
 * Any page of this origin can write it, and an older leaselab has: what does not fit counts as forgotten.
 * @returns {any} theme and keyMode, if they are any; the bindings, seen, and eventsPx, 0 if it is none
 */
export function remembered() {
  let kept = /** @type {any} */ (null);
  try {
    kept = JSON.parse(localStorage.getItem(STORE) ?? localStorage.getItem(SHARED) ?? '');
  } catch {
    // Nothing is remembered, or it is no JSON.
  }
  const { theme, keyMode, bindings, seen, eventsPx } = kept ?? {};
  return {
    theme: ['light', 'dark'].find((one) => one === theme),
    keyMode: ['on', 'focus', 'off'].find((one) => one === keyMode),
    seen: seen === true,
    eventsPx: Number.isFinite(eventsPx) ? eventsPx : 0,
    bindings: Object.fromEntries(Object.entries(bindings ?? {}).filter(([, keys]) => areKeys(keys))),
  };
}

/** @param {unknown} keys those of one command */
function areKeys(keys) {
  return Array.isArray(keys) && keys.every((key) => typeof key === 'string' && key.length < 40);
}

/** @param {object} change */
export function remember(change) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...remembered(), ...change }));
  } catch {
    // A browser that keeps nothing still runs the laboratory.
  }
}
