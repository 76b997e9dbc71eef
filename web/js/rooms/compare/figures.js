/** The differences between two runs, in words and figures. */
import { html, nothing } from 'lit-html';
import { formatInstant } from '../../lib/format.js';
import { when } from '../../lib/parts.js';
import { glyphOf } from './marks.js';

/** @import { Comparison } from '../../protocol.js' */

/** @param {Comparison} comparison */
export function summary({ same, differences, a, b }) {
  if (same) return `The same, event by event, up to ${formatInstant(Math.min(a.until, b.until))}.`;
  const first = differences.find((one) => one.kind === 'first');
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return first ? `${count}, the first at ${formatInstant(first.t)}.` : `${count}.`;
}

/** @param {Comparison} comparison */
export function totalsTemplate({ totals, a, b }) {
  const cell = (/** @type {string} */ text, /** @type {boolean} */ better) =>
    html`<td>${text}${when(
      better,
      () => html` <span class="better" title="the better one">✓<span class="visually-hidden"> better</span></span>`,
    )}</td>`;
  return html`<table>
    <caption>Totals</caption>
    <thead><tr><td></td><th scope="col" title=${a.title}>A</th><th scope="col" title=${b.title}>B</th><th
      scope="col">B − A</th></tr></thead>
    <tbody>${totals.map(
      (one) => html`<tr ?data-differs=${one.delta !== ''}>
        <th scope="row">${one.label}</th>${cell(one.a, one.better === 'a')}${cell(one.b, one.better === 'b')}
        <td>${one.delta || '='}</td>
      </tr>`,
    )}</tbody>
  </table>`;
}

/** @param {Comparison} comparison */
export function settingsTemplate({ settings }) {
  if (settings.length === 0) return nothing;
  return html`<table>
    <caption>Settings that differ</caption>
    <thead><tr><td></td><th scope="col">A</th><th scope="col">B</th></tr></thead>
    <tbody>${settings.map(
      ({ label, a, b }) => html`<tr><th scope="row">${label}</th><td>${a || '–'}</td><td>${b || '–'}</td></tr>`,
    )}</tbody>
  </table>`;
}

/** @param {Comparison} comparison @param {number} chosen @param {(k: number) => void} choose */
export const differencesTemplate = ({ differences }, chosen, choose) =>
  html`<ol aria-label="Differences">${differences.map(
    (one, k) => html`<li>
      <button type="button" aria-pressed=${k === chosen ? 'true' : 'false'} @click=${() => choose(k)}>
        <b aria-hidden="true">${glyphOf(one)}${k + 1}</b>
        ${formatInstant(one.t)} ${one.text}${
          one.kind === 'first' ? html`<br /><span class="mute">A: ${one.textA}<br />B: ${one.textB}</span>` : nothing
        }
      </button>
    </li>`,
  )}</ol>`;
