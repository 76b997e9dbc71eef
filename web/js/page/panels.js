/**
 * The panels of the first view. Each reads the signals of what it shows and redraws when one of them changes.
 */
import { set } from '../lib/control.js';
import { element } from '../lib/element.js';
import { fieldsOf } from '../lib/fields.js';
import { TrackedPanel } from '../lib/panel.js';
import { actsTemplate } from './acts/acts.js';
import { barTemplate, runTemplate, transportTemplate } from './bar/bar.js';
import { eventsTemplate } from './events/events.js';
import { showInstant } from './timeline/shown.js';

/** @import { Run } from './actions.js' */
/** @import { EventRow } from '../protocol.js' */
/** @import { EventCallbacks } from './events/events.js' */
/** @import { Lab } from './lab.js' */
/** @import { Selection, State } from './state.js' */

/**
 * @typedef {object} Ports
 * @property {State} state
 * @property {Lab} lab
 * @property {Run} run
 * @property {(selection: Selection) => void} select
 * @property {(id: string) => string} key as printed
 * @property {(id: string) => string} shortcut as aria-keyshortcuts wants it
 * @property {() => unknown} tabs template
 * @property {{readonly value: number}} rowPx height of a row of the event list
 */

/** @param {Ports} ports @returns {TrackedPanel[]} */
export function openPanels({ state, lab, run, select, key, shortcut, tabs, rowPx }) {
  // While a run plays there is a view for every frame: a panel follows the members it reads.
  const view = fieldsOf(state.view);
  const on = eventCallbacks(state, select);
  const keys = { key, shortcut };
  const templates = {
    bar: () => barTemplate(keys, { page: state.page.value, learning: state.learning.value }, run),
    run: () => runTemplate(view, state.hello.value, keys, run),
    transport: () => transportTemplate(view, { ...keys, speed: state.speed.value }, run),
    acts: () =>
      actsTemplate(view, state.target.value, {
        act: (act, options) => lab.act(act, state.target.value, options),
        faults: () => run('faults', 'acts'),
        message: (one) => run('message', one),
        key,
        shortcut,
        acts: state.hello.value.acts,
      }),
    tabs,
    events: () =>
      eventsTemplate(
        view,
        state.events.value,
        {
          filter: state.filter.value,
          node: state.filterNode.value,
          open: state.filtering.value,
          rowPx: rowPx.value,
          key: key('filter'),
          shortcut: shortcut('filter'),
        },
        on,
      ),
  };
  return Object.entries(templates).map(([id, template]) => new TrackedPanel(element(id), template));
}

/** @param {State} state @param {Ports['select']} select @returns {EventCallbacks} */
function eventCallbacks(state, select) {
  const filter = (/** @type {string} */ text, /** @type {string} */ node) => {
    state.filter.value = text;
    state.filterNode.value = node;
    state.eventsFrom.value = -1;
  };
  return {
    select: (/** @type {EventRow} */ row) => {
      select({ kind: 'event', cursor: { t: row.t, n: row.n }, node: row.node, index: row.index });
      showInstant(state, row.t);
    },
    filter: (text) => filter(text, state.filterNode.value),
    node: (node) => filter(state.filter.value, node),
    toggle: () => {
      const open = !state.filtering.value;
      state.filtering.value = open;
      if (open) requestAnimationFrame(() => element('filter')?.focus());
      else filter('', '');
    },
    scrollTo: (from) => set(state.eventsFrom, from),
  };
}
