/** Waiting for signals. */
import { effect } from '@preact/signals-core';

/**
 * Resolves as soon as a condition on signals holds.
 * @param {() => boolean} holds
 * @returns {Promise<void>}
 */
export function until(holds) {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!holds()) return;
      // After this effect's first run, which has no way to end itself.
      queueMicrotask(() => stop());
      resolve();
    });
  });
}
