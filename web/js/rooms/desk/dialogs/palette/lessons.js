/** The lessons by name, with the palette's words for each lesson, in the visitor's language. */
import { signal } from '@preact/signals-core';
import { languageOf } from '../../../lesson/lessons.js';

/** @typedef {{number: number, title: string}} Title */

/** The first lesson, which does not need the file of lessons. */
const FIRST = { number: 1, title: 'A leader dies' };

/**
 * @param {{lessons: string, player: string}} urls of lessons.json and player.json
 * @param {() => readonly string[]} languages of the visitor, best first
 * @param {{[name: string]: string}} english the sentences to use without player.json
 */
export function lessonTitles(urls, languages, english) {
  const titles = signal([FIRST]);
  const words = signal(english);
  let loaded = false;
  const read = async (/** @type {string} */ url) => (await fetch(url)).json();
  return {
    titles,
    words,
    /** Fetches the files once, and tries again after a failure. */
    async load() {
      if (loaded) return;
      try {
        const [documents, player] = await Promise.all([read(urls.lessons), read(urls.player)]);
        titles.value = documents.map((/** @type {any} */ { number, texts }) => ({
          number,
          title: texts[languageOf(Object.keys(texts), languages())].title,
        }));
        words.value = player[languageOf(Object.keys(player), languages())];
        loaded = true;
      } catch {
        // The palette offers only the first lesson, and tries again when it opens the next time.
      }
    },
  };
}
