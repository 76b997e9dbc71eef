/**
 * Checks the shape of outside data (a link, a file, the browser's storage) before use, so that later code can rely on
 * it.
 */

/** How deep objects and lists may nest: the engine's own limit (sim/scenario MaxDepth). */
export const MAX_DEPTH = 100;

/**
 * Whether a JSON text nests deeper than MAX_DEPTH. Beyond about 5,000 levels, JSON.parse still works, but
 * JSON.stringify and postMessage fail.
 * @param {string} text
 */
export function isTooDeep(text) {
  let depth = 0;
  let inQuotes = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inQuotes) {
      if (char === '\\') i++;
      else if (char === '"') inQuotes = false;
    } else if (char === '"') inQuotes = true;
    else if (char === '{' || char === '[') {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === '}' || char === ']') depth--;
  }
  return false;
}

/** @param {unknown} value @returns {value is {[name: string]: unknown}} */
export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
/** @param {unknown} value @returns {value is string} */
export const isText = (value) => typeof value === 'string';
/** A text of a document, or the other one. @param {unknown} value */
export const textOf = (value, other = '') => (isText(value) && value ? value : other);
/** @param {unknown} value @returns {value is number} */
export const isWhole = (value) => Number.isSafeInteger(value);
/** @param {unknown} value @param {(one: unknown) => boolean} each */
export const isListOf = (value, each) => Array.isArray(value) && value.every(each);
/** @param {unknown} value */
export const isCursor = (value) => isObject(value) && isWhole(value.t) && isWhole(value.n);
