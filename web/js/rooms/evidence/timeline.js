/** The timeline of an incident: the events on top, then a row for each candidate and each file. */
import { html, nothing, svg } from 'lit-html';
import { formatSeconds } from '../../lib/format.js';
import words from './words.json' with { type: 'json' };

/** @import { Chart, ChartRow, EvidenceLease, Moment, Nanos } from '../../protocol.js' */

/** The width of a drawing in its own units, and of the narrowest bar. */
const WIDE = 1000;
const THIN = 2;
/** The maximum number of marks of one kind in a row. */
export const STEPS = 250;
const TICKS = 4;

const BAR_WORDS = { renews: 'holds the Lease', silent: 'still named, no renewal', believes: 'believes that it leads' };
/** A part of the timeline, in nanoseconds since its start. @typedef {{from: Nanos, to: Nanos}} Span */
/**
 * enter: moves to the lines of the chosen moment.
 * @typedef {{chosen: Moment | undefined, pick: (moment: Moment) => void, lines: (lines: string[]) => void, enter: () =>
 *   void}} On
 */

/**
 * The time of day at an instant.
 * @param {string} epoch RFC 3339; empty without a history
 * @param {Nanos} at
 * @param {Nanos} length of the visible window
 */
export function clockAt(epoch, at, length) {
  if (epoch === '') return '';
  const text = new Date(Date.parse(epoch) + at / 1e6).toISOString();
  return length < 20e9 ? text.slice(11, 23) : text.slice(11, 19);
}

/**
 * Zooms a window in or out around an instant.
 * @param {Span} span
 * @param {number} factor
 * @param {Nanos} about
 * @param {Nanos} length
 * @returns {Span}
 */
export function zoomSpan({ from, to }, factor, about, length) {
  const width = Math.min(length, Math.max(10e6, (to - from) * factor));
  const start = Math.min(Math.max(0, about - width / 2), Math.max(0, length - width));
  return { from: Math.round(start), to: Math.round(start + width) };
}

/**
 * A part of a ribbon. two: of both candidates.
 * @typedef {{kind: 'leads' | 'none' | 'two' | 'renews' | 'silent', from: Nanos, to: Nanos, number: number, name:
 *   string, merged?: boolean, other?: number, lines: string[]}} Part
 */

/**
 * Who works, and whom the Lease names. Nobody works in a gap, unless the holder believes that it leads afterwards.
 * @param {Chart} chart @param {Moment[]} moments
 * @returns {{who: Part[], lease: Part[]}}
 */
export function ribbonsOf(chart, moments) {
  const holders = chart.rows
    .filter(({ kind }) => kind === 'candidate')
    .map((row) => ({ ...row, number: numberOf(chart, row) }));
  const lease = holders.flatMap(({ bars, name, number }) =>
    bars.flatMap((bar) => (bar.kind === 'believes' ? [] : [{ ...bar, kind: bar.kind, name, number }])),
  );
  const two = holders.flatMap(({ bars, name, number }) =>
    bars
      .filter(({ kind }) => kind === 'believes')
      .map(({ from, to, lines, merged }) => {
        const holder = lease.find((one) => one.number !== number && one.from < to && one.to > from);
        return { kind: /** @type {const} */ ('two'), from, to, lines, merged, name, number, other: holder?.number };
      }),
  );
  const gaps = moments.filter(({ kind }) => kind === 'gap');
  const leads = lease.flatMap((part) => {
    const gap = gaps.find(({ from, to }) => from < part.to && to > part.from);
    const worksOn = two.some((one) => one.number === part.number && Math.abs(one.from - part.to) < 1e6);
    if (part.kind === 'renews' || worksOn || !gap) return [{ ...part, kind: /** @type {Part['kind']} */ ('leads') }];
    const until = Math.max(part.from, gap.from);
    const parts = [
      { ...part, kind: /** @type {Part['kind']} */ ('leads'), to: until },
      { ...part, kind: /** @type {Part['kind']} */ ('none'), from: until },
    ];
    return parts.filter(({ from, to }) => to > from);
  });
  // A split ribbon stands alone.
  const free = leads.flatMap((part) => {
    const cut = two.find((one) => one.from < part.to && one.to > part.from);
    if (!cut) return [part];
    return [
      { ...part, to: Math.min(part.to, cut.from) },
      { ...part, from: Math.max(part.from, cut.to) },
    ].filter(({ from, to }) => to > from);
  });
  // What one candidate does without a break is one part.
  /** @type {Part[]} */
  const joined = [];
  for (const part of free.sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && last.kind === part.kind && last.number === part.number && part.from - last.to < 1e6) last.to = part.to;
    else joined.push({ ...part });
  }
  return { who: [...joined, ...two], lease };
}

/** @param {EvidenceLease} lease @param {Chart} chart @param {On} on */
export function timelineTemplate(lease, chart, on) {
  const x = scale(chart);
  const { who, lease: names } = ribbonsOf(chart, lease.moments);
  const rows = (/** @type {ChartRow["kind"]} */ kind) =>
    chart.rows
      .filter((row) => row.kind === kind)
      .map((row) => {
        const number = numberOf(chart, row);
        return html`<span class="evidence-name" data-kind=${kind} data-number=${number}
          title=${row.name}>${row.name}</span>
          ${rowTemplate(row, x, number, on)}`;
      });
  return html`<div class="evidence-rows">
    <span class="evidence-name mute">UTC</span>
    ${axisTemplate(lease.from, chart)}
    <b class="evidence-name">Who works</b>
    ${ribbonTemplate('Who works', who, chart, on)}
    <span class="evidence-name mute">Lease names</span>
    ${ribbonTemplate('Lease names', names, chart, on)}
    <span class="evidence-name mute">Events</span>
    ${momentsTemplate(lease.moments, chart, x, on)}
    ${rows('candidate')}
  </div>
  <details><summary>By file</summary><div class="evidence-rows">${rows('file')}</div></details>`;
}

/**
 * A ribbon of parts, in percent of the window.
 * @param {string} label @param {Part[]} parts @param {Span} span @param {On} on
 */
function ribbonTemplate(label, parts, { from, to }, { lines }) {
  const percent = (/** @type {Nanos} */ at) => (100 * (Math.min(to, Math.max(from, at)) - from)) / (to - from);
  const shown = parts.filter((part) => part.to > from && part.from < to);
  const said = shown.map(({ name, kind, merged, from: begins, to: ends }) =>
    merged ? `${name}: many changes, zoom in` : `${name} ${words.parts[kind]} for ${formatSeconds(ends - begins, 1)}`,
  );
  return html`<div class="evidence-ribbon" role="img"
    aria-label=${`${label}: ${said.join('; ') || 'nobody'}`}>${shown.map((part, i) => {
      const [left, right] = [percent(part.from), percent(part.to)];
      const length = part.merged ? '' : `two, ${formatSeconds(part.to - part.from, 1)}`;
      const text = part.kind === 'two' ? length : part.name;
      return html`<i data-kind=${part.kind} data-number=${part.number} data-other=${part.other ?? nothing}
        title=${said[i]} .style=${`inset-inline-start:${left}%;inline-size:${right - left}%`}
        @click=${() => lines(part.lines)}>${
          'leads two'.includes(part.kind) ? html`<span>${text}</span>` : nothing
        }</i>`;
    })}</div>`;
}

/** @param {Span} span */
function scale({ from, to }) {
  const per = WIDE / (to - from);
  return (/** @type {Nanos} */ at) => Math.min(WIDE, Math.max(0, (at - from) * per));
}

/** The color of a candidate. @param {Chart} chart @param {ChartRow} row */
const numberOf = ({ rows }, row) => Math.min(rows.filter(({ kind }) => kind === 'candidate').indexOf(row), 3);

/** @param {unknown} content @param {string} label @param {(event: Event) => void} [click] */
const drawing = (content, label, click) =>
  html`<svg class="evidence-row" viewBox="0 0 ${WIDE} 24" preserveAspectRatio="none" role="img" aria-label=${label}
    @click=${click ?? nothing}>${content}</svg>`;

/** @param {Moment[]} moments @param {Chart} chart @param {(at: Nanos) => number} x @param {On} on */
function momentsTemplate(moments, chart, x, { chosen, pick, enter }) {
  const edges = /** @type {Map<string, number>} */ (new Map());
  // If moments would overlap, only the first one appears. The list has all of them.
  const visible = moments.filter((moment) => {
    const { kind, from, to } = moment;
    if (to < chart.from || from > chart.to) return false;
    if (moment !== chosen && x(to) - (edges.get(kind) ?? -THIN) < THIN) return false;
    edges.set(kind, x(to));
    return true;
  });
  const momentTemplate = (/** @type {Moment} */ moment) => {
    const [left, right] = [x(moment.from), x(moment.to)];
    const flag = moment.to === moment.from;
    return svg`<g data-kind=${moment.kind} data-chosen=${moment === chosen ? 'true' : nothing}
      @click=${() => pick(moment)}>
      ${
        flag
          ? svg`<path d=${`M${left} 24 V2 h8 l-3 4 l3 4 h-8`} />`
          : svg`<rect x=${left} y=${moment.kind === 'overlap' ? 13 : 3} width=${Math.max(THIN, right - left)}
            height="9" />`
      }
      <title>${moment.time} ${moment.says}</title></g>`;
  };
  if (moments.length === 0) return drawing([], 'What happened: nothing');
  const at = chosen ? moments.indexOf(chosen) : -1;
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const to = stepTo(event.key, at, moments.length);
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (to === undefined) enter();
    else pick(moments[to]);
  };
  return html`<svg class="evidence-row" viewBox="0 0 ${WIDE} 24" preserveAspectRatio="none" role="slider" tabindex="0"
    aria-label="What happened: arrow keys choose a moment, Enter goes to its lines" aria-valuemin="1"
    aria-valuemax=${moments.length}
    aria-valuenow=${Math.max(at, 0) + 1} aria-valuetext=${chosen ? `${chosen.time} ${chosen.says}` : 'none is chosen'}
    @keydown=${onKey}>${visible.map(momentTemplate)}</svg>`;
}

/**
 * The moment that a key selects; undefined if the key selects none.
 * @param {string} key
 * @param {number} at -1: none is chosen
 * @param {number} count
 */
export function stepTo(key, at, count) {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** @param {ChartRow} row @param {(at: Nanos) => number} x @param {number} number @param {On} on */
function rowTemplate({ name, kind, bars, marks }, x, number, { lines }) {
  const click = (/** @type {Event} */ event) => {
    const box = /** @type {Element} */ (event.target)
      .closest('[data-lines]')
      ?.getAttribute('data-lines');
    if (box) lines(box.split('\n'));
  };
  const bar = (/** @type {ChartRow["bars"][number]} */ { kind: what, from, to, lines: of }) =>
    svg`<rect class="evidence-bar" data-kind=${what} data-number=${number} data-lines=${of.join('\n')} x=${x(from)}
      y="4" width=${Math.max(THIN, x(to) - x(from))} height="16"><title>${name}: ${BAR_WORDS[what]}</title></rect>`;
  const mark = (/** @type {ChartRow["marks"][number]} */ { kind: what, at, count, lines: of }) =>
    svg`<path class="evidence-mark" data-kind=${what} data-lines=${of.join('\n')}
      d=${markAt(what, x(at))}><title>${countText(what, count)} from ${of[0]} on</title></path>`;
  const total = (/** @type {keyof typeof words.marks} */ what) =>
    marks.reduce((sum, one) => sum + (one.kind === what ? one.count : 0), 0);
  const counted = /** @type {(keyof typeof words.marks)[]} */ (Object.keys(words.marks))
    .filter((what) => total(what) > 0)
    .map((what) => countText(what, total(what)));
  const colors = [...new Set(bars.map(({ kind: what }) => BAR_WORDS[what]))];
  return drawing(
    [bars.map(bar), marks.map(mark)],
    `${kind === 'file' ? 'File ' : ''}${name}: ${[...colors, ...counted].join(', ') || 'nothing in this window'}`,
    click,
  );
}

/** @param {keyof typeof words.marks} kind @param {number} count */
const countText = (kind, count) => `${count} ${words.marks[kind][count === 1 ? 0 : 1]}`;

/**
 * The shapes: a tall line for a renewal, a short line for a read, a line at the foot for a log line, a cross for a
 * refused write.
 * @param {string} kind
 * @param {number} x
 */
function markAt(kind, x) {
  if (kind === 'refused') return `M${x - 3} 8 l6 8 M${x + 3} 8 l-6 8`;
  if (kind === 'read') return `M${x} 2 v5`;
  if (kind === 'log') return `M${x} 22 v-5`;
  return `M${x} 5 v14`;
}

/** @param {string} epoch @param {Span} span */
function axisTemplate(epoch, { from, to }) {
  const instantOf = (/** @type {number} */ k) => from + ((to - from) * k) / (TICKS - 1);
  return html`<span class="evidence-axis mute">${Array.from(
    { length: TICKS },
    (_, k) => html`<span>${clockAt(epoch, instantOf(k), to - from)}</span>`,
  )}</span>`;
}

/** Explains each bar and each mark. A mark has a path. */
export const legendTemplate = () =>
  html`<ul class="evidence-legend mute">${words.legend.map(
    ([kind, path, means]) =>
      html`<li><svg viewBox="0 0 24 24" aria-hidden="true">${
        path
          ? svg`<path class="evidence-mark" data-kind=${kind} d=${path} />`
          : svg`<rect class="evidence-bar" data-kind=${kind} data-number="0" x="1" y="5" width="22" height="14" />`
      }</svg>${means}</li>`,
  )}</ul>`;
