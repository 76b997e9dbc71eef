/** Waiting for signals. */
import { effect } from '@preact/signals-core';

/** Resolves as soon as a condition about signals holds. @param {() => boolean} holds @returns {Promise<void>} */
export function waitUntil(holds) {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!holds()) return;
      // An effect cannot dispose of itself during its first run.
      queueMicrotask(() => stop());
      resolve();
    });
  });
}
