/**
 * How much larger than its own pixels an element without borders is on screen. The page's styles zoom it on large
 * screens and on a projector. Divide a pointer's position by this to get a position in the element.
 * @param {HTMLElement} el @returns {number} 1: not at all
 */
export function zoomOf(el) {
  return el.clientWidth > 0 ? el.getBoundingClientRect().width / el.clientWidth : 1;
}
