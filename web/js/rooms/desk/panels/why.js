/** The full explanation: the sum of the parts, the chain of events that caused it, and surprising facts. */
import { html, nothing } from 'lit-html';
import { formatInstant, formatSeconds } from '../../../lib/format.js';
import { dialogHead } from '../../../lib/modal.js';

/** @import { Addend, Cursor, Why, WhyLine } from '../../../protocol.js' */

/**
 * A button that goes to an event.
 * @param {Cursor} cursor
 * @param {unknown} body
 * @param {(cursor: Cursor) => void} go
 * @param {number} [at] the instant to show; default: of the event
 */
export const place = (cursor, body, go, at = cursor.t) =>
  html`<button type="button" class="quiet place" @click=${() => go(cursor)}><span
    class="time">${formatInstant(at)}</span>${body}</button>`;

/** Events in order. Each links to its instant. @param {WhyLine[]} lines @param {(cursor: Cursor) => void} go */
export const linesTemplate = (lines, go) =>
  html`<ol class="chain">${lines.map((line) => html`<li>${place(line.cursor, line.text, go)}</li>`)}</ol>`;

/**
 * Parts one below another, with their sum if it has a label.
 * @param {Addend[]} parts
 * @param {string} label
 * @param {{go: (cursor: Cursor) => void, mark?: (i: number | null) => void}} on
 */
export function sumTemplate(parts, label, { go, mark = () => {} }) {
  const total = parts.reduce((sum, part) => sum + part.ns, 0);
  return html`<table class="sum" aria-label=${label || nothing}>
    <tbody>
      ${parts.map(
        (part, i) => html`<tr @pointerenter=${() => mark(i)} @pointerleave=${() => mark(null)}>
          <td class="number">${i === 0 ? '' : '+ '}${part.shown} s</td>
          <td>${place(part.cursor, part.text, go, part.from)}</td>
        </tr>`,
      )}
    </tbody>
    ${label ? html`<tfoot><tr><td class="number">= ${formatSeconds(total)}</td><td></td></tr></tfoot>` : nothing}
  </table>`;
}

/**
 * @param {Why | null} why
 * @param {{go: (cursor: Cursor) => void, close: () => void, mark: (i: number | null) => void}} on
 */
export function whyTemplate(why, on) {
  if (!why) return html`<p class="empty">Nothing to explain at this instant. Choose a gap in the timeline.</p>`;
  return html`
    ${dialogHead(why.title, on.close, { id: 'why-title' })}
    ${why.addends.length > 0 ? sumTemplate(why.addends, '', on) : nothing}
    <h3>What happened</h3>
    ${linesTemplate(why.story, on.go)}
    ${why.surprise ? html`<p class="surprise">${why.surprise}</p>` : nothing}
  `;
}
