/** What the page loads later: rooms, the engine, what reads YAML. Every import() of the page is in one of these. */

/** Whom to tell that something is missing, and the address of the page's own script: the page sets both. */
export const missing = { tell: (/** @type {string} */ _sentence) => {}, script: '' };

/**
 * Loads something once, when it is first wanted. A failure is told to the reader and forgotten, so that the next try is a
 * new one.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T | undefined>} undefined: it could not be loaded, and the reader knows
 */
export function later(load) {
  /** @type {Promise<T | undefined> | undefined} */
  let loading;
  return () => {
    loading ??= load().catch(async (error) => {
      console.error(error);
      loading = undefined;
      if (!(await tellIfReplaced()))
        missing.tell('A part of the page could not be loaded. Is there a network? Try again, or reload the page.');
      return undefined;
    });
    return loading;
  };
}

/** Tells when the site has another version by now: its service worker names every file there is. @returns {Promise<boolean>} */
export async function tellIfReplaced() {
  try {
    const answer = await fetch('./sw.js', { cache: 'no-store' });
    const name = missing.script.split('/').at(-1) ?? '';
    if (!answer.ok || (await answer.text()).includes(name)) return false;
    missing.tell('A new version is here, and this one is gone. Reload the page.');
    return true;
  } catch {
    return false;
  }
}
