/** WHY in full: the sum, the chain of events behind it, and what surprises people. */
import { html, nothing } from 'lit-html';
import { formatInstant } from '../../../lib/format.js';

/** @import { Cursor, Why } from '../../../protocol.js' */

/**
 * @param {Why | null} why
 * @param {{go: (cursor: Cursor) => void, close: () => void, mark: (i: number | null) => void}} on
 */
export function whyTemplate(why, on) {
  if (!why) return html`<p class="empty">Nothing to explain at this instant. Choose a gap in the timeline.</p>`;
  const place = (/** @type {Cursor} */ cursor, /** @type {unknown} */ body) =>
    html`<button type="button" class="quiet place" @click=${() => on.go(cursor)}><span class="time">${formatInstant(cursor.t)}</span>${body}</button>`;
  return html`
    <div class="dialog-head">
      <h2>${why.title}</h2>
      <button type="button" class="icon" aria-label="Close" @click=${on.close}>×</button>
    </div>
    ${
      why.addends.length > 0
        ? html`<table class="sum">
        <tbody>
          ${why.addends.map(
            (part, i) => html`<tr @pointerenter=${() => on.mark(i)} @pointerleave=${() => on.mark(null)}>
              <td class="number">${i === 0 ? '' : '+ '}${part.shown} s</td>
              <td>${place(part.cursor, part.text)}</td>
            </tr>`,
          )}
        </tbody>
      </table>`
        : nothing
    }
    <h3>What happened</h3>
    <ol class="chain">${why.story.map((line) => html`<li>${place(line.cursor, line.text)}</li>`)}</ol>
    ${why.surprise ? html`<p class="surprise">${why.surprise}</p>` : nothing}
  `;
}
