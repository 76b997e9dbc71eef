/** Parts of templates that many rooms show. */
import { html, nothing } from 'lit-html';

/**
 * A template, if a condition holds. The template gets the condition's value.
 * @template T @param {T} condition @param {(known: Exclude<T, false | null | undefined>) => unknown} make
 */
export const when = (condition, make) => (condition ? make(/** @type {any} */ (condition)) : nothing);

/** @param {unknown} words @param {() => unknown} act @param {string} [kind] */
export const button = (words, act, kind = 'tint') =>
  html`<button type="button" class=${`btn ${kind}`} @click=${act}>${words}</button>`;

/**
 * The options of a select. chosen is both the select's initial value and the value that it shows now.
 * @param {readonly (readonly (string | number)[])[]} options values and labels @param {string | number} chosen
 */
export const optionsTemplate = (options, chosen) =>
  options.map(
    ([value, label]) =>
      html`<option value=${value} ?selected=${value === chosen} .selected=${value === chosen}>${label}</option>`,
  );

/**
 * Keys of a search field above a list: the down arrow moves to the first entry, and Enter chooses the first entry.
 * @param {Element} dialog
 */
export const intoList = (dialog) => (/** @type {KeyboardEvent} */ event) => {
  const first = /** @type {HTMLElement | null} */ (dialog.querySelector('nav :is(a, button)'));
  if (event.key === 'ArrowDown') first?.focus();
  else if (event.key === 'Enter') first?.click();
  else return;
  event.preventDefault();
};

/** An option whose label is its value. @param {string} name @returns {[string, string]} */
export const pair = (name) => [name, name];

/** @typedef {{label: string, chosen: string, class?: string}} Segments label: of the group, for a screen reader */

/**
 * A group of buttons with exactly one pressed.
 * @template {string} T
 * @param {readonly (readonly [value: T, label: string])[]} options
 * @param {Segments} shown
 * @param {(value: T) => void} choose
 */
export const segmentsTemplate = (options, { label, chosen, class: name = 'segments' }, choose) =>
  html`<div class=${name} role="group" aria-label=${label}>${options.map(
    ([value, words]) =>
      html`<button type="button" aria-pressed=${value === chosen ? 'true' : 'false'}
        @click=${() => choose(value)}>${words}</button>`,
  )}</div>`;

/**
 * The tabs of a tab list. Arrow keys choose, too.
 * @template {string} T
 * @param {readonly (readonly [id: T, label: string])[]} tabs
 * @param {{chosen: T, prefix: string, panelOf: (id: T) => string}} shown prefix: of the tabs' ids
 * @param {(id: T) => void} choose
 */
export function tabsTemplate(tabs, { chosen, prefix, panelOf }, choose) {
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(([id]) => id === chosen);
    const [to] = tabs[(at + by + tabs.length) % tabs.length];
    choose(to);
    requestAnimationFrame(() => document.getElementById(`${prefix}${to}`)?.focus());
  };
  return tabs.map(
    ([id, label]) => html`<button type="button" role="tab" id=${`${prefix}${id}`} aria-controls=${panelOf(id)}
      aria-selected=${id === chosen ? 'true' : 'false'} tabindex=${id === chosen ? '0' : '-1'}
      @click=${() => choose(id)} @keydown=${keydown}>${label}</button>`,
  );
}

/**
 * A number between two buttons, for one of several versions.
 * @param {string} what "version" @param {{at: number, of: number, sign?: string}} shown
 * @param {[older: string, newer: string]} names @param {(number: number) => void} step
 */
export const stepperTemplate = (what, { at, of, sign = '' }, [older, newer], step) =>
  html`<span class="stepper" role="group" aria-label=${what}>
    <button type="button" aria-label=${older} ?disabled=${at <= 1} @click=${() => step(at - 1)}>◂</button>
    <span>${sign}${at}<span class="mute"> of ${of}</span></span>
    <button type="button" aria-label=${newer} ?disabled=${at >= of} @click=${() => step(at + 1)}>▸</button>
  </span>`;
