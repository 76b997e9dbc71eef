/** The titles of the lessons for the palette. */
import { signal } from '@preact/signals-core';

/** @typedef {{number: number, title: string}} Title */

/** @param {string} url of lessons.json */
export function lessonTitles(url) {
  /** At first only the lesson that does not need the file of lessons. */
  const titles = signal(/** @type {Title[]} */ ([{ number: 1, title: 'A leader dies' }]));
  let loaded = false;
  return {
    titles,
    /** Fetches the file once, and tries again after a failure. */
    async load() {
      if (loaded) return;
      try {
        titles.value = await (await fetch(url)).json();
        loaded = true;
      } catch {
        // The palette offers only the first lesson, and tries again when it opens the next time.
      }
    },
  };
}
