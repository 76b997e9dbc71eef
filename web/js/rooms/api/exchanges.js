/** The exchanges: the requests of the nodes up to the cursor and the requests of this visit, newest first. */
import { signal } from '@preact/signals-core';
import { Latest } from '../../lib/latest.js';
import { requestRows, shortTarget, shownExchange, shownSent } from './exchange.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Ask, Cursor, EventRow, Exchange, View } from '../../protocol.js' */
/** @import { Selection } from '../../page/state.js' */
/** @import { SentRequest } from '../desk/client.js' */
/** @import { ShownExchange } from './exchange.js' */
/** @import { ExchangeRow } from './panel.js' */

/** How many rows of the event list to search for requests, and how many requests to show. */
const ROWS = 200;
const SHOWN_ROWS = 40;
/** The shortest time between two questions, in milliseconds, because a playing run changes with every frame. */
const GAP_MS = 250;

/** @param {Cursor} cursor */
const placeId = ({ t, n }) => `at-${t}-${n}`;
/** A short text for a length of virtual time. @param {number} ns */
const lengthText = (ns) => (ns < 1e9 ? `${(ns / 1e6).toFixed(1)} ms` : `${(ns / 1e9).toFixed(3)} s`);

/**
 * @typedef {object} RowPorts
 * @property {(selection: NonNullable<Selection>) => void} select selects an event, which shows its exchange
 * @property {(id: number) => void} showOwn
 */

/**
 * @param {{nodes: EventRow[], sent: SentRequest[], which: string, until: number}} of which: "all" | "nodes" | "mine";
 *   until: the cursor, in ns
 * @param {RowPorts} ports
 * @returns {ExchangeRow[]}
 */
export function rowsOf({ nodes, sent, which, until }, { select, showOwn }) {
  const theirs = nodes
    .filter(({ t }) => t <= until)
    .map(({ t, n, node, index, detail, text, outcome }) => ({
      id: placeId({ t, n }),
      t,
      who: node,
      index,
      what: detail || text,
      failed: ['conflict', 'error', 'lost'].includes(outcome ?? ''),
      choose: () => select({ kind: 'event', cursor: { t, n }, node, index }),
    }));
  const ours = sent.map((one) => {
    const { id, at, who, ask, streams, status } = shownSent(one);
    const what = `${ask.method} ${shortTarget(ask.target)} ${streams ? 'watch' : status || '…'}`;
    return { id, t: at, who, index: -1, what, failed: status >= 400, choose: () => showOwn(one.id) };
  });
  // Sort in the order of the run. If two exchanges have the same instant, the later one is on top.
  const all = [...(which === 'mine' ? [] : theirs), ...(which === 'nodes' ? [] : ours.reverse())];
  return all.sort((a, b) => b.t - a.t).slice(0, SHOWN_ROWS);
}

export class Exchanges {
  which = signal('all');
  open = signal(true);
  /** @type {Signal<EventRow[]>} */
  nodes = signal([]);
  /**
   * The selection whose exchange the panel requested last. The panel does not request it again, so that a later request
   * of the visitor stays visible.
   * @type {Selection}
   */
  #selection = null;
  #turn = 0;

  /** @param {import('../../protocol.js').Ask} ask @param {(shown: ShownExchange) => void} show an exchange of a node */
  constructor(ask, show) {
    this.fetchRows = new Latest(
      (params) => ask('events', params),
      (events) => {
        const upTo = events ? events.rows.slice(0, Math.max(0, events.at - events.from + 1)) : [];
        this.nodes.value = requestRows(upTo).slice(0, SHOWN_ROWS);
      },
      GAP_MS,
    );
    this.fetchExchange = new Latest(
      async (/** @type {Cursor} */ cursor) => ({ cursor, exchange: await ask('exchange', { cursor }) }),
      (/** @type {{cursor: Cursor, exchange: Exchange} | null} */ answer) => {
        if (answer) show(shownExchange(answer.exchange, placeId(answer.cursor), lengthText));
      },
      0,
      { refusals: true }, // most events do not belong to a request
    );
  }

  /**
   * Asks the engine for the exchanges that the panel shows.
   * @param {Pick<View, "cursor" | "run" | "branch">} view
   * @param {Selection} selection
   */
  follow({ cursor, run, branch }, selection) {
    this.fetchRows.want(`${run} ${branch} ${cursor.t} ${cursor.n}`, { around: cursor, count: ROWS });
    if (selection === this.#selection) return;
    this.#selection = selection;
    if (selection?.kind === 'event' && selection.cursor) this.fetchExchange.want(`${++this.#turn}`, selection.cursor);
  }
}
