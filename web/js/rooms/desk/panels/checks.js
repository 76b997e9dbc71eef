/** The verdict of every checker at the cursor: the rules, the margin meter and the histogram of failovers. */
import { effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { formatInstant, formatSeconds } from '../../../lib/format.js';
import { Latest } from '../../../lib/latest.js';

/** @import { CheckView, ChecksView, Cursor, Failovers, MarginFigures, Nanos } from '../../../protocol.js' */
/** @import { Page } from '../index.js' */

/**
 * The shape and the word for each state, because color must never be the only sign.
 * @type {Record<string, [string, string]>}
 */
const STATES = {
  ok: ['✓', 'holds'],
  off: ['–', 'nothing to check'],
  notEvaluated: ['○', 'not evaluated: no bound is set, or no candidate is left'],
  observed: ['◇', 'observed'],
  violated: ['✕', 'violated'],
};

/** @param {Pick<Page, "state" | "lab" | "select" | "currentTab">} ports */
export function openChecks({ state, lab, select, currentTab }) {
  const shownChecks = signal(/** @type {ChecksView | null} */ (null));
  const fetch = new Latest((params) => lab.ask('checks', params), shownChecks, 120);
  const go = (/** @type {Cursor} */ cursor) => select({ kind: 'event', cursor });
  effect(() => {
    if (currentTab() !== 'beliefs') return;
    const { run, branch, cursor, live } = state.view.value;
    fetch.want(`${run} ${branch} ${cursor.t} ${cursor.n} ${live.t} ${live.n}`, undefined);
  });
  return { template: () => checksTemplate(shownChecks.value, go) };
}

/** @param {ChecksView | null} v @param {(cursor: Cursor) => void} go */
export function checksTemplate(v, go) {
  if (!v) return nothing;
  const broken = v.checks.filter((c) => c.state === 'violated').length;
  const observations = v.checks.filter((c) => c.state === 'observed').length;
  return html`<section class="checks" aria-label="Checks">
    <h2 class="pane-title">Checks at ${formatInstant(v.cursor.t)}</h2>
    <p class="verdict">${count(broken, 'rule is', 'rules are')} violated,
      ${count(observations, 'observation', 'observations')}.</p>
    ${v.margin ? meter(v.margin) : nothing}
    <ul>
      ${v.checks.map((c) => row(c, go))}
    </ul>
    ${v.failovers.counts.length > 0 ? histogram(v.failovers) : nothing}
  </section>`;
}

/** @param {number} n @param {string} one @param {string} many */
function count(n, one, many) {
  return `${n === 0 ? 'no' : n} ${n === 1 ? one : many}`;
}

/** @param {CheckView} c @param {(cursor: Cursor) => void} go */
function row(c, go) {
  const [shape, word] = STATES[c.state] ?? ['', c.state];
  const { first } = c;
  return html`<li data-rule=${c.rule} data-state=${c.state}>
    <span class="number">${c.number}</span>
    <span class="sign" aria-hidden="true">${shape}</span>
    <div>
      <b>${c.rule}</b> <span class="state">${word}${c.count > 1 ? `, ${c.count} times` : ''}</span>
      <span class="mute"> · ${c.severity}</span>
      <p>${c.figure}</p>
      ${
        first
          ? html`<p><button type="button" class="quiet" @click=${() => go(first)}
            aria-label=${`Go to the first breach of ${c.rule}`}>${formatInstant(first.t)}</button> ${c.text}</p>`
          : nothing
      }
    </div>
  </li>`;
}

/** The end of the meter's scale: three times the margin of the default settings, which is 3 s. */
const FULL = 9e9;

/** @param {MarginFigures} m */
function meter(m) {
  return html`<dl class="margin">
    ${bar('safety margin now', m.lastNs)} ${bar('least so far', m.leastNs)}
    ${m.nearestNs === undefined ? nothing : bar('from a stop to the next start', m.nearestNs)}
  </dl>`;
}

/** @param {string} label @param {Nanos} ns */
function bar(label, ns) {
  const share = Math.min(Math.abs(ns) / FULL, 1) * 100;
  return html`<div data-negative=${ns < 0 ? 'true' : 'false'}>
    <dt>${label}</dt>
    <dd><span class="bar"
      .style=${`inline-size:${share}%`}></span><b>${formatSeconds(ns)}</b>${
        ns < 0 ? ' – they may overlap' : nothing
      }</dd>
  </div>`;
}

/** @param {Failovers} f */
function histogram({ counts, bestNs, worstNs }) {
  const most = Math.max(...counts);
  const from = counts.findIndex((n) => n > 0);
  return html`<figure class="failovers">
    <figcaption>Failovers after a crash by seconds without a
      leader${worstNs > 0 ? `; by the formula ${formatSeconds(bestNs)} to ${formatSeconds(worstNs)}` : ''}</figcaption>
    <ol>
      ${counts.slice(from).map(
        (n, i) => html`<li data-beyond=${worstNs > 0 && (from + i) * 1e9 >= worstNs ? 'true' : 'false'}>
          <span>${from + i} s</span><span class="bar"
            .style=${`inline-size:${(n / most) * 60}%`}></span><span>${n || nothing}</span>
        </li>`,
      )}
    </ol>
  </figure>`;
}
