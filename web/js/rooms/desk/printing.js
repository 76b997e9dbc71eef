/**
 * On paper: light colours, and the timeline at a width that fits. The canvas is drawn before the browser lays the page
 * out, because afterwards nothing can be drawn. Paper does not scroll: a line below says what is left out.
 */
import { element } from '../../lib/element.js';
import { plural } from '../../lib/format.js';

/** @import { State } from '../../page/state.js' */
/** @import { TimelineView } from '../../page/timeline/timeline.js' */

/** @param {Pick<TimelineView, 'redrawNow' | 'layout'>} timeline @param {Pick<State, 'timeline' | 'events'>} state */
export function openPrinting(timeline, state) {
  const { dataset } = document.documentElement;
  const note = document.createElement('p');
  note.id = 'printed';
  /** What the page had before. @type {{theme?: string, projector?: string}} */
  let before = {};
  addEventListener('beforeprint', () => {
    before = { theme: dataset.theme, projector: dataset.projector };
    delete dataset.projector;
    dataset.theme = 'light';
    dataset.printing = '';
    timeline.redrawNow();
    note.textContent = leftOut(timeline, state);
    document.body.append(note);
  });
  addEventListener('afterprint', () => {
    note.remove();
    for (const name of /** @type {const} */ (['theme', 'projector']))
      if (before[name] === undefined) delete dataset[name];
      else dataset[name] = before[name];
    delete dataset.printing;
    timeline.redrawNow();
  });
}

/**
 * What the paper has no room for.
 * @param {Pick<TimelineView, 'layout'>} timeline
 * @param {Pick<State, 'timeline' | 'events'>} state
 */
function leftOut({ layout }, { timeline, events }) {
  const lanes = (timeline.value?.lanes.length ?? 0) - (layout?.lanes.length ?? 0);
  const rows = (events.value?.total ?? 0) - element('events').querySelectorAll('.event').length;
  const counted = [...(lanes > 0 ? [plural(lanes, 'node')] : []), ...(rows > 0 ? [plural(rows, 'event')] : [])];
  const absent = [...counted, 'controls'].join(', ');
  return `Printed without ${absent} and the panels that were closed. The whole run: ${location.href}`;
}
