/** Short messages at the foot of the page, each with at most one button. */
import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { formatInstant } from '../../lib/format.js';

/** @import { Toast } from '../../page/state.js' */

/** @param {Toast[]} toasts @param {(id: number) => void} close */
export function toastsTemplate(toasts, close) {
  const one = (/** @type {Toast} */ toast) => toastTemplate(toast, () => close(toast.id));
  return repeat(toasts, ({ id }) => id, one);
}

/** @param {Toast} toast @param {() => void} close */
function toastTemplate({ text, action, tone }, close) {
  const act = () => {
    close();
    action?.run();
  };
  return html`<div class="toast" data-tone=${tone ?? 'plain'} role=${tone === 'error' ? 'alert' : nothing}>
      <p>${text}</p>
      ${action ? html`<button type="button" @click=${act}>${action.label}</button>` : nothing}
      <button type="button" class="icon" aria-label="Dismiss" @click=${close}>×</button>
    </div>`;
}

/**
 * The progress of a long computation. It stays until the computation ends or the visitor stops it.
 * @param {{at: number, of: number, stop: () => void} | null} computing
 */
export function computingTemplate(computing) {
  if (!computing) return nothing;
  const { at, of, stop } = computing;
  const percent = Math.floor((at / of) * 100);
  const clock = (/** @type {number} */ t) => `${of >= 3600e9 && t < 3600e9 ? '00:' : ''}${formatInstant(t, 0)}`;
  return html`<div class="toast computing">
    <p>Computing ${clock(at)} of ${clock(of)}, ${percent} %</p>
    <button type="button" @click=${stop}>Stop</button>
  </div>`;
}
