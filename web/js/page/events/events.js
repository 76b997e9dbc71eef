/** The trace as sentences: a window of 50 rows over a list of any length, with a filter. */

import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { withValue } from '../../lib/control.js';
import { formatCount, formatInstant } from '../../lib/format.js';
import { optionsTemplate, pair } from '../../lib/parts.js';

/** @import { EventRow, Events, View } from '../../protocol.js' */
/** @import { Selection } from '../state.js' */

/** Rows per request. */
export const WINDOW = 50;

/**
 * @typedef {{select: (row: EventRow) => void, filter: (text: string) => void, node: (node: string) => void,
 *   scrollTo: (from: number) => void, toggle: () => void}} EventCallbacks toggle: opens or closes the filter
 */

/**
 * @param {View} view @param {Events | null} events
 * @param {{filter: string, node: string, open: boolean, rowPx: number, key: string, shortcut: string}} shown open: the
 *   fields of the filter show
 * @param {EventCallbacks} on
 */
export function eventsTemplate(view, events, shown, on) {
  return html`
    <div class="events-head">
      <h2 class="label">What happened</h2>
      <span class="count">${events ? `${formatCount(events.total)} so far` : nothing}</span>
      ${shown.open ? fieldsTemplate(view, shown, on) : nothing}
      <button type="button" class="quiet" data-command="filter" aria-expanded=${shown.open ? 'true' : 'false'}
        aria-keyshortcuts=${shown.shortcut || nothing} @click=${on.toggle}>${
          shown.open ? 'Close the filter' : 'Filter'
        }</button>
    </div>
    ${events && events.total === 0 ? emptyTemplate(shown, on) : list(events, shown, on)}
  `;
}

/** @param {View} view @param {{filter: string, node: string, key: string}} shown @param {EventCallbacks} on */
const fieldsTemplate = (view, shown, on) => html`<input type="search" id="filter" placeholder="Filter"
      aria-label="Filter the events" title=${`Filter the events (${shown.key})`} autocomplete="off"
      .value=${shown.filter} @input=${withValue(on.filter)} @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape') return;
        /** @type {HTMLElement} */ (event.target).blur(); // the next key is a command already
        on.toggle();
        event.stopPropagation();
      }} />
    <label class="node-filter"><span class="visually-hidden">Node</span>
      <select @change=${withValue(on.node)}>
        ${optionsTemplate([['', 'every node'], ...view.nodes.map(({ name }) => pair(name))], shown.node)}
      </select>
    </label>`;

/** @param {{filter: string, node: string}} shown @param {EventCallbacks} on */
function emptyTemplate({ filter, node }, on) {
  const clear = () => {
    on.filter('');
    on.node('');
  };
  if (!filter && !node) return html`<p class="empty">Nothing has happened yet.</p>`;
  const words = filter ? `No event contains “${filter}”.` : `${node} has no events.`;
  return html`<p class="empty">${words} <button type="button" class="quiet"
    @click=${clear}>Clear the filter.</button></p>`;
}

/** @param {Events | null} events @param {{rowPx: number}} shown @param {EventCallbacks} on */
function list(events, { rowPx }, on) {
  const scroll = (/** @type {{target: HTMLElement}} */ event) => {
    if (!events) return;
    // One extra row at each end, for the arrow keys.
    const first = Math.max(0, Math.floor(event.target.scrollTop / rowPx) - 1);
    const visible = Math.ceil(event.target.clientHeight / rowPx) + 2;
    const last = Math.min(first + visible, events.total);
    const inside = first >= events.from && last <= events.from + events.rows.length;
    if (!inside) on.scrollTo(Math.max(0, Math.min(first - Math.floor((WINDOW - visible) / 2), events.total - WINDOW)));
  };
  return html`<div class="events-scroll" id="events-scroll" @scroll=${scroll}>
    <ol class="events" .style=${`height:${((events?.total ?? 0) + 1) * rowPx}px`}>
      ${
        events
          ? // A row keeps its element, and with it the focus, when the window moves on.
            repeat(
              events.rows,
              (_, i) => events.from + i,
              (row, i) => item(row, events.from + i, { ...events, rowPx }, on),
            )
          : nothing
      }
    </ol>
  </div>`;
}

/**
 * @param {EventRow} row @param {number} i @param {{at: number, total: number, rowPx: number}} list
 * @param {EventCallbacks} on
 */
function item(row, i, { at, total, rowPx }, on) {
  const current = i === at;
  return html`<li class="event" data-kind=${row.kind} data-outcome=${row.outcome} data-index=${row.index}
    data-current=${current ? 'true' : 'false'} aria-setsize=${total} aria-posinset=${i + 1}
    .style=${`top:${i * rowPx}px;height:${rowPx}px`}>
    <button type="button" tabindex="-1" aria-current=${current ? 'true' : 'false'} @click=${() => on.select(row)}>
      <span class="time">${formatInstant(row.t)}</span>
      <b class="letter">${row.node || '·'}</b>
      <span class="text">${row.text} <span class="mute">${row.detail}</span></span>
    </button>
  </li>`;
}
