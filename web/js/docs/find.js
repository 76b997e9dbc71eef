/**
 * Finds sections of the documentation by their words, even with a misspelled letter or two, and marks the words in
 * them. The build writes the sections. The first search builds the index from them, in a few milliseconds.
 */
import MiniSearch from 'minisearch';

/**
 * A heading with the text below it, and the names that its tables explain.
 * @typedef {{page: string, anchor: string, title: string, heading: string, names: string, text: string}} Section
 */
/**
 * A piece of text; `marked` for words that the reader searched for.
 * @typedef {{text: string, marked: boolean}} Piece
 */
/** @typedef {{href: string, title: Piece[], heading: Piece[], excerpt: Piece[]}} Match */

const MOST = 12;
const EXCERPT_CHARS = 160;
/** How many characters of an excerpt come before its first match. */
const BEFORE_CHARS = 50;

/** Words, and the parts of names: "deadline" finds renewDeadline, too. @param {string} text */
export const wordsOf = (text) =>
  text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => {
    const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length > 1 ? [word, ...parts] : parts;
  });

/**
 * A word begins after a character that is not a letter, or at a capital inside a name.
 * @param {string} text
 * @param {number} at
 */
const isWordStart = (text, at) =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]) || /\p{Ll}\p{Lu}/u.test(text.slice(at - 1, at + 1));

/**
 * Splits a text into pieces and marks the terms in it.
 * @param {string} text
 * @param {string[]} terms
 * @returns {Piece[]}
 */
export function mark(text, terms) {
  if (terms.length === 0) return [{ text, marked: false }];
  const longestFirst = [...terms].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  /** @type {Piece[]} */
  const pieces = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(longestFirst.join('|'), 'giu'))) {
    if (!isWordStart(text, index)) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), marked: false });
    pieces.push({ text: found, marked: true });
    from = index + found.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), marked: false });
  return pieces;
}

/** The part of a text around the first term in it, cut at spaces. @param {string} text @param {string[]} terms */
export function excerpt(text, terms) {
  const first = mark(text, terms).findIndex((piece) => piece.marked);
  const at =
    first < 0
      ? 0
      : mark(text, terms)
          .slice(0, first)
          .reduce((sum, piece) => sum + piece.text.length, 0);
  const from = at > BEFORE_CHARS ? text.indexOf(' ', at - BEFORE_CHARS) + 1 : 0;
  const whole = text.length - from <= EXCERPT_CHARS;
  const to = whole ? text.length : text.lastIndexOf(' ', from + EXCERPT_CHARS);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${whole ? '' : ' …'}`;
}

/**
 * How well a section fits: a heading that is the query comes first, then whole words in the heading, among the names,
 * in the title and in the text. Parts of words and misspelled words do not count. The beginning of a page comes before
 * its other parts.
 * @param {Section} section
 * @param {string[]} words of the query
 * @param {Record<string, string[]>} match the fields that contain each word
 */
function rankOf({ heading, title }, words, match) {
  const own = heading || title;
  const isIn = (/** @type {string} */ field) => words.filter((word) => match[word]?.includes(field)).length;
  const inOwn = isIn(heading ? 'heading' : 'title');
  const whole = inOwn === words.length && wordsOf(own).length <= words.length + 1;
  const first = !heading && isIn('text') === words.length;
  return (whole ? 8 : 0) + 4 * inOwn + 3 * isIn('names') + (heading ? 2 * isIn('title') : Number(first)) + isIn('text');
}

/**
 * @param {Section[]} sections
 * @returns {(query: string) => Match[]} the best first; a section must contain every word of the query
 */
export function finder(sections) {
  const index = new MiniSearch({
    fields: ['heading', 'names', 'title', 'text'],
    tokenize: wordsOf,
    searchOptions: {
      tokenize: (query) => query.split(/[^\p{L}\p{N}]+/u),
      boost: { heading: 4, names: 2, title: 2 },
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return (query) =>
    index
      .search(query)
      .map((found) => ({ ...found, rank: rankOf(sections[found.id], found.queryTerms, found.match) }))
      .sort((a, b) => b.rank - a.rank || b.score - a.score)
      .slice(0, MOST)
      .map(({ id, terms }) => {
        const { page, anchor, title, heading, text } = sections[id];
        return {
          href: anchor ? `${page}#${anchor}` : page,
          title: mark(title, terms),
          heading: mark(heading, terms),
          excerpt: mark(excerpt(text, terms), terms),
        };
      });
}
