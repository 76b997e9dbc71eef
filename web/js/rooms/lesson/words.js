/**
 * Turns a lesson's words into pieces to draw: fills in values and marks **bold** and *emphasis*. This module also has
 * the player's own sentences. They are data, too (sim/lesson/shipped/player.LANGUAGE.yaml), and the room sets them
 * before it draws.
 */

import { languageOf, stepOfKind } from './lessons.js';

/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */
/** @typedef {{text: string, as: "" | "b" | "em"}} Piece */

/** @type {Record<string, string>} */
let sentences = {};

/**
 * Sets the language of the player.
 * @param {Record<string, Record<string, string>>} languages player.json of the site
 * @param {readonly string[]} wanted best first
 */
export function speak(languages, wanted) {
  sentences = languages[languageOf(Object.keys(languages), wanted)];
}

/** @type {Promise<void> | undefined} */
let loading;
/**
 * Loads the sentences in the visitor's language once. After a failure, the next call tries again.
 * @param {string} url of player.json
 */
export function loadSentences(url) {
  loading ??= fetch(url)
    .then((answer) => answer.json())
    .then((languages) => speak(languages, navigator.languages))
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/**
 * A sentence of the player.
 * @param {string} name
 * @param {Record<string, string | number>} [values] for its braces
 */
export const sentence = (name, values = {}) => fill(sentences[name], values);

/** A length in seconds with its unit. @param {string} seconds */
export const inSeconds = (seconds) => sentence('seconds', { seconds });

/**
 * Replaces braces with values. A name without a value is a mistake in the lesson. So fill throws an error rather than
 * leave a gap in the sentence.
 * @param {string} template @param {Record<string, string | number>} values
 */
export function fill(template, values) {
  return template.replace(/\{([\w.]+)\}/g, (_, name) => {
    if (!(name in values)) throw new Error(`the lesson names {${name}}, which this run does not have`);
    return String(values[name]);
  });
}

/**
 * The lesson's sentence about an act that it did not ask for.
 * @param {Lesson} lesson @param {Progress} now
 */
export function strayedText(lesson, { strayed: verb }) {
  const wrong = stepOfKind(lesson, 'act')?.wrong;
  return wrong ? fill(wrong, { verb }) : sentence('strayed', { verb });
}

/** @param {string} text @returns {Piece[]} */
export const pieces = (text) =>
  text
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('**')) return { text: part.slice(2, -2), as: 'b' };
      if (part.startsWith('*')) return { text: part.slice(1, -1), as: 'em' };
      return { text: part, as: '' };
    });

/** The words without marks, for the status region. @param {string} text */
export const plainText = (text) =>
  pieces(text)
    .map((piece) => piece.text)
    .join('');
