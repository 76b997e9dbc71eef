/**
 * The zoom of an element without borders: its size on screen divided by its size in its own pixels. The page's styles
 * zoom elements on large screens and on a projector. Divide a pointer's position by this zoom to get a position in the
 * element.
 * @param {HTMLElement} el @returns {number} 1: not at all
 */
export function zoomOf(el) {
  return el.clientWidth > 0 ? el.getBoundingClientRect().width / el.clientWidth : 1;
}
