/** Short messages at the foot of the page, each with at most one thing to do about it. */
import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';

/** @param {import('../state.js').Toast[]} toasts @param {(id: number) => void} close */
export function toastsTemplate(toasts, close) {
  return repeat(
    toasts,
    (toast) => toast.id,
    ({
      id,
      text,
      action,
      tone,
    }) => html`<div class="toast" data-tone=${tone ?? 'plain'} role=${tone === 'error' ? 'alert' : nothing}>
      <p>${text}</p>
      ${
        action
          ? html`<button type="button" @click=${() => {
              close(id);
              action.run();
            }}>${action.label}</button>`
          : nothing
      }
      <button type="button" class="icon" aria-label="Dismiss" @click=${() => close(id)}>×</button>
    </div>`,
  );
}
