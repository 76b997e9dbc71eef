/** Creates and patches elements. Writes an attribute only when it changes: in most frames most do not. */

const NS = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag @param {Record<string, string|number>} [attributes] @param {Node[]} [children]
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, children = []) {
  const el = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  el.append(...children);
  return el;
}

/** @param {string} tag @param {string} [className] @returns {HTMLElement} */
export function html(tag, className = '') {
  const el = document.createElement(tag);
  if (className) el.className = className;
  return el;
}

/** @param {Element} el @param {string} name @param {string|number|null} value null removes the attribute */
export function attr(el, name, value) {
  if (value === null) {
    if (el.hasAttribute(name)) el.removeAttribute(name);
    return;
  }
  const text = String(value);
  if (el.getAttribute(name) !== text) el.setAttribute(name, text);
}

/** @param {Element} el @param {string} value */
export function text(el, value) {
  if (el.textContent !== value) el.textContent = value;
}
