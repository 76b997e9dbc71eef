/** What is remembered between visits: theme, keys, the height of the event list. */
const STORE = 'leaselab';

export function remembered() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? '{}');
  } catch {
    return {};
  }
}

/** @param {object} change */
export function remember(change) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...remembered(), ...change }));
  } catch {
    // A browser that keeps nothing still runs the laboratory.
  }
}
