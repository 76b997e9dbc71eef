/**
 * On paper: light colours, and the timeline at a width that fits. The canvas is drawn before the browser lays the page out, because
 * afterwards nothing can be drawn.
 */

/** @param {{redrawNow: () => void}} timeline */
export function openPrinting(timeline) {
  const { dataset } = document.documentElement;
  /** What the page had before. @type {{theme?: string, projector?: string}} */
  let before = {};
  addEventListener('beforeprint', () => {
    before = { theme: dataset.theme, projector: dataset.projector };
    delete dataset.projector;
    dataset.theme = 'light';
    dataset.printing = '';
    timeline.redrawNow();
  });
  addEventListener('afterprint', () => {
    for (const name of /** @type {const} */ (['theme', 'projector']))
      if (before[name] === undefined) delete dataset[name];
      else dataset[name] = before[name];
    delete dataset.printing;
    timeline.redrawNow();
  });
}
