/** The run so far as a table, for readers who cannot see the picture. */
import { html, render } from 'lit-html';
import { formatInstant, formatSeconds } from '../../lib/format.js';

/** @import { Lane, Nanos, Timeline, View, Write } from '../../protocol.js' */

/** @typedef {{from: Nanos, to: Nanos}} Span */

/** Rows of each kind in the summary, which keeps the newest. */
const MOST = 100;

/** Terms, gaps, overlaps, faults, in the order of time. */
export class RunSummary {
  #key = '';

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
  }

  /** @param {Timeline|null} timeline @param {View} view */
  update(timeline, view) {
    const live = view.live.t;
    const rows = timeline ? summaryRows(timeline, live) : [];
    // A growing length changes when the run pauses, not sixty times a second.
    const key = rows.map((r) => r.slice(0, view.playing ? 3 : 5).join()).join(';');
    if (key === this.#key) return;
    this.#key = key;
    render(
      html`<table>
        <caption>The run so far</caption>
        <thead><tr><th>What</th><th>Who</th><th>From</th><th>To</th><th>Length</th></tr></thead>
        <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
      </table>`,
      this.root,
    );
  }
}

/** @param {Timeline} timeline @param {Nanos} live */
export function summaryRows(timeline, live) {
  /** @type {{from: Nanos, cells: string[]}[]} */
  const rows = [];
  const add = (
    /** @type {string} */ what,
    /** @type {string} */ who,
    /** @type {(Span & {text?: string})[]} */ list,
  ) => {
    for (const { from, to: end, text } of list.filter((span) => span.from < live).slice(-MOST)) {
      const to = Math.min(end, live);
      const until = end >= live ? 'still going on' : formatInstant(to);
      rows.push({ from, cells: [what, who || (text ?? ''), formatInstant(from), until, formatSeconds(to - from)] });
    }
  };
  const leadingSpans = (/** @type {Lane} */ { spans }) => spans.filter(({ role }) => role === 'leading');
  const bands = (/** @type {string} */ wanted) => timeline.bands.filter(({ kind }) => kind === wanted);
  for (const lane of timeline.lanes.slice(0, 30)) add('leads', lane.node, leadingSpans(lane));
  add('gap', 'nobody', bands('nobody'));
  add('overlap', 'two', bands('two'));
  add('no work', 'the leader is paused', bands('idle'));
  add('fault', '', timeline.faults);
  add('violation', '', timeline.violations);
  rows.push(...writeRows(timeline, live).slice(-MOST));
  return rows.sort((a, b) => a.from - b.from).map((r) => r.cells);
}

/** @type {Record<string, string>} */
const FATES = { givenUp: 'resource given up', kept: 'resource not given up: the last step was lost' };

/**
 * The writes to the resource. Consecutive writes of one node with one outcome share a row.
 * @param {Timeline} timeline
 * @param {Nanos} live
 */
function writeRows({ resource, lanes }, live) {
  /** @type {(Write & {what: string})[]} */
  const series = [];
  for (const write of resource?.writes ?? []) {
    if (write.t > live) break;
    const what = FATES[write.outcome] ?? `${write.stale ? 'stale write' : 'write'} ${write.outcome}`;
    const last = series.findLast((one) => one.index === write.index);
    if (last?.what === what && last.token === write.token && write.token === write.lastToken) {
      last.to = write.to;
      last.count += write.count;
    } else series.push({ ...write, what });
  }
  return series.map(({ what, index, token, lastToken, t, to, count }) => {
    const tokens = token === lastToken ? `token ${token}` : `tokens ${token} to ${lastToken}`;
    const who = `${lanes[index]?.node ?? '?'}, ${tokens}`;
    const times = count > 1 ? `${what}, ${count} times` : what;
    return { from: t, cells: [times, who, formatInstant(t), formatInstant(to), formatSeconds(to - t)] };
  });
}
