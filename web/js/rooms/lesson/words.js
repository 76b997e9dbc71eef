/**
 * Turns a lesson's words into pieces to draw: fills in values and marks **bold** and *emphasis*. This module also has
 * the player's own sentences, which are data, too.
 */

import { stepOfKind } from './lessons.js';
import sentences from './sentences.json' with { type: 'json' };

/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */
/** @typedef {{text: string, as: "" | "b" | "em"}} Piece */

/** @type {Record<string, string>} */
const SENTENCES = sentences;

/**
 * A sentence of the player.
 * @param {string} name
 * @param {Record<string, string | number>} [values] for its braces
 */
export const sentence = (name, values = {}) => fill(SENTENCES[name], values);

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
