/** The run so far as a table, for readers who cannot see the picture. */
import { formatInstant, formatSeconds } from '../../lib/format.js';

/** @import { Nanos, Timeline, View } from '../../protocol.js' */

/** Rows of each kind in the summary; the newest are kept. */
const MOST = 100;

/** Terms, gaps, overlaps, faults, in the order of time. */
export class RunSummary {
  #key = '';

  /** @param {HTMLElement} root */
  constructor(root) {
    this.table = document.createElement('table');
    const caption = document.createElement('caption');
    caption.textContent = 'The run so far';
    const head = document.createElement('thead');
    head.append(row('th', ['What', 'Who', 'From', 'To', 'Length']));
    this.body = document.createElement('tbody');
    this.table.append(caption, head, this.body);
    root.append(this.table);
  }

  /** @param {Timeline|null} timeline @param {View} view */
  update(timeline, view) {
    const live = view.live.t;
    const rows = timeline ? summaryRows(timeline, live) : [];
    // A growing length updates when the run pauses, not sixty times a second.
    const key = rows.map((r) => r.slice(0, 3).join()).join(';') + (view.playing ? '' : live);
    if (key === this.#key) return;
    this.#key = key;
    this.body.replaceChildren(...rows.map((r) => row('td', r)));
  }
}

/** @param {Timeline} timeline @param {Nanos} live */
export function summaryRows(timeline, live) {
  /** @type {{from: Nanos, cells: string[]}[]} */
  const rows = [];
  const add = (
    /** @type {string} */ what,
    /** @type {string} */ who,
    /** @type {{from: Nanos, to: Nanos}[]} */ list,
  ) => {
    for (const s of list.filter((i) => i.from < live).slice(-MOST)) {
      const open = s.to >= live;
      const to = Math.min(s.to, live);
      const name = who || /** @type {any} */ (s).text || '';
      rows.push({
        from: s.from,
        cells: [
          what,
          name,
          formatInstant(s.from),
          open ? 'still going on' : formatInstant(to),
          formatSeconds(to - s.from),
        ],
      });
    }
  };
  for (const lane of timeline.lanes.slice(0, 30))
    add(
      'leads',
      lane.node,
      lane.spans.filter((s) => s.role === 'leading'),
    );
  add(
    'gap',
    'nobody',
    timeline.bands.filter((b) => b.kind === 'nobody'),
  );
  add(
    'overlap',
    'two',
    timeline.bands.filter((b) => b.kind === 'two'),
  );
  add('fault', '', timeline.faults);
  add('violation', '', timeline.violations);
  return rows.sort((a, b) => a.from - b.from).map((r) => r.cells);
}

/** @param {'td'|'th'} cell @param {string[]} texts */
function row(cell, texts) {
  const tr = document.createElement('tr');
  for (const text of texts) {
    const c = document.createElement(cell);
    c.textContent = text;
    tr.append(c);
  }
  return tr;
}
