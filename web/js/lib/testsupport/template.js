/** For tests: what a lit-html template says, and the handlers in it, without a document. */

/** @typedef {{strings: readonly string[], values: unknown[]}} Result */

/** @param {unknown} one @returns {one is Result} */
const isResult = (one) => typeof one === 'object' && one !== null && '_$litType$' in one;

/**
 * The template as text: nested templates written out, handlers left out. Spaces and line breaks become one space.
 * @param {unknown} template
 * @returns {string}
 */
export function markup(template) {
  return written(template).replace(/\s+/g, ' ').trim();
}

/** @param {unknown} one @returns {string} */
function written(one) {
  if (Array.isArray(one)) return one.map(written).join('');
  if (isResult(one)) return one.strings.map((part, i) => part + written(one.values[i])).join('');
  if (typeof one === 'function' || typeof one === 'symbol' || one === undefined || one === null) return '';
  return typeof one === 'object' ? written(Object.values(one)) : String(one);
}

/** What a visitor reads of it. @param {unknown} template */
export const text = (template) => markup(markup(template).replace(/<!--.*?-->|<[^>]*>/g, ' '));

/**
 * The handlers of an event, in the order of the page.
 * @param {unknown} template
 * @param {string} name "click"
 * @returns {Function[]}
 */
export function handlers(template, name) {
  if (Array.isArray(template)) return template.flatMap((one) => handlers(one, name));
  if (!isResult(template)) return [];
  return template.values.flatMap((value, i) => {
    if (typeof value !== 'function') return handlers(value, name);
    return template.strings[i].endsWith(`@${name}=`) ? [value] : [];
  });
}
