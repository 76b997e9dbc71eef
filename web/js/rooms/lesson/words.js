/** A lesson's words as pieces to draw: values filled in, **bold** and *emphasis* marked. Pure. */

import { stepOfKind } from './lessons.js';

/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */
/** @typedef {{text: string, as: "" | "b" | "em"}} Piece */

/**
 * Puts values into braces. A name without a value is a mistake in the lesson, so it is an error, not a hole in a sentence.
 * @param {string} template @param {Record<string, string>} values
 */
export function fill(template, values) {
  return template.replace(/\{([\w.]+)\}/g, (_, name) => {
    if (!(name in values)) throw new Error(`the lesson names {${name}}, which this run does not have`);
    return values[name];
  });
}

/**
 * What a lesson says of an act that it did not ask for.
 * @param {Lesson} lesson @param {Progress} now
 */
export function strayedText(lesson, { strayed: verb }) {
  return fill(stepOfKind(lesson, 'act')?.wrong ?? STRAYED, { verb });
}
const STRAYED = "That was {verb}. It makes a different story, kept as a branch. Undo, or go back to the lesson's run.";

/** @param {string} text @returns {Piece[]} */
export function pieces(text) {
  return text
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('**')) return { text: part.slice(2, -2), as: 'b' };
      if (part.startsWith('*')) return { text: part.slice(1, -1), as: 'em' };
      return { text: part, as: '' };
    });
}

/** The same without marks, for the status region. @param {string} text */
export function plain(text) {
  return pieces(text)
    .map((piece) => piece.text)
    .join('');
}
