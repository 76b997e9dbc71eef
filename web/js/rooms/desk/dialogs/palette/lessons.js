/** The lessons by name, for the palette. */
import { signal } from '@preact/signals-core';
import { languageOf } from '../../../lesson/lessons.js';

/** @typedef {{number: number, title: string}} Title */

/** The first lesson is there before the file of lessons is, and without it. */
const FIRST = { number: 1, title: 'A leader dies' };

/** @param {string} url of lessons.json @param {() => readonly string[]} languages of the visitor, best first */
export function lessonTitles(url, languages) {
  const titles = signal([FIRST]);
  let loaded = false;
  return {
    titles,
    /** Fetches them once, and tries again after a failure. */
    async load() {
      if (loaded) return;
      try {
        /** @type {any[]} */
        const documents = await (await fetch(url)).json();
        titles.value = documents.map(({ number, texts }) => ({
          number,
          title: texts[languageOf(Object.keys(texts), languages())].title,
        }));
        loaded = true;
      } catch {
        // The palette offers the first lesson, and asks again when it is opened again.
      }
    },
  };
}
