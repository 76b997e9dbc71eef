/** What the page loads later: rooms, the engine, the YAML reader. Every import() of the page goes through loadOnce. */

/**
 * The function that tells the reader about a missing file, and the address of the page's script. The page sets both.
 */
export const missing = { tell: (/** @type {string} */ _sentence) => {}, script: '' };

/** A part did not load, and the reader knows it. */
export class Missing extends Error {}

/**
 * Loads something once, on first use. After a failure the reader sees a message and the next call tries again.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T | undefined>} undefined after a failure
 */
export function loadOnce(load) {
  /** @type {Promise<T | undefined> | undefined} */
  let loading;
  return () => {
    loading ??= load().catch(async (error) => {
      console.error(error);
      loading = undefined;
      if (!(await tellIfReplaced()))
        missing.tell('A part of the page could not be loaded. Check the network, then try again or reload the page.');
      return undefined;
    });
    return loading;
  };
}

/**
 * Tells the reader if there is a newer version of the site: sw.js names every file of the current one.
 * @returns {Promise<boolean>}
 */
export async function tellIfReplaced() {
  try {
    const answer = await fetch('./sw.js', { cache: 'no-store' });
    const name = missing.script.split('/').at(-1) ?? '';
    if (!answer.ok || (await answer.text()).includes(name)) return false;
    missing.tell('A newer version of leaselab has replaced this one. Reload the page.');
    return true;
  } catch {
    return false;
  }
}
