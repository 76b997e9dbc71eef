/** The list of incidents, and an incident with its two runs. */
import { html, nothing } from 'lit-html';
import { addressOf, CLASSES, clauseText } from './exhibits.js';

/** @import { Outcome } from '../../protocol.js' */
/** @import { Exhibit, Shipped } from './exhibits.js' */

/** The two runs of an incident. @typedef {"failing" | "fixed"} Variant */
/** What a run to the end showed, by scenario: outcomes, or the error. @typedef {Record<string, Outcome[] | string>} Checked */
/**
 * @typedef {object} Callbacks
 * @property {(name: string) => void} choose an incident by its failing scenario; "" for none
 * @property {(scenario: Shipped) => void} open
 * @property {(scenario: Shipped) => void} check
 * @property {(exhibit: Exhibit) => void} compare
 * @property {(lesson: number) => void} learn
 */

/** @param {Exhibit[]} found @param {string} chosen @param {Callbacks} on */
export function listTemplate(found, chosen, { choose }) {
  const button = (/** @type {Exhibit} */ { id, title, lesson, failing }) =>
    html`<button type="button" tabindex="-1" aria-current=${failing.name === chosen ? 'true' : nothing} @click=${() => choose(failing.name)}>
      <span class="museum-id">${id}</span><span>${title}</span>${lesson > 0 ? html`<span class="soft">lesson ${lesson}</span>` : nothing}
    </button>`;
  return CLASSES.map(([kind, heading]) => {
    const here = found.filter((one) => one.kind === kind);
    if (here.length === 0) return nothing;
    return html`<h3>${heading}</h3>
      <ul>${here.map((one) => html`<li>${button(one)}</li>`)}</ul>`;
  });
}

/** @param {Exhibit | undefined} exhibit @param {Checked} checked @param {Callbacks} on */
export function exhibitTemplate(exhibit, checked, on) {
  if (!exhibit)
    return html`<p class="empty">Choose an incident. Every incident really happened; its two runs differ only in the fix.</p>`;
  const { id, title, source, lesson, failing, fixed } = exhibit;
  const link = (/** @type {string} */ one) =>
    html`<a href=${addressOf(one)} target="_blank" rel="noreferrer noopener">${one.replace('https://', '')}</a> `;
  return html`
    <button type="button" class="museum-back" @click=${() => on.choose('')}>‹ All incidents</button>
    <h3 tabindex="-1">${id} ${title}</h3>
    <p class="museum-sources">${source.map(link)}</p>
    <p class="museum-acts">
      <button type="button" @click=${() => on.compare(exhibit)}>Compare the two runs</button>
      ${lesson > 0 ? html`<button type="button" @click=${() => on.learn(lesson)}>Begin lesson ${lesson}</button>` : nothing}
    </p>
    <div class="museum-variants">
      ${variantTemplate(failing, 'failing', checked, on)} ${variantTemplate(fixed, 'fixed', checked, on)}
    </div>
  `;
}

/** @type {Record<Variant, {label: string, open: string}>} */
const WORDS = {
  failing: { label: 'As it happened', open: 'Open the failing run' },
  fixed: { label: 'Fixed', open: 'Open the fixed run' },
};

/** @param {Shipped} scenario @param {Variant} variant @param {Checked} checked @param {Callbacks} on */
function variantTemplate(scenario, variant, checked, on) {
  const { label, open } = WORDS[variant];
  return html`<section aria-label=${label} data-variant=${variant}>
    <h4>${label}</h4>
    <p>${scenario.museum?.story}</p>
    <p><b>What to watch.</b> ${scenario.museum?.watch}</p>
    <p class="museum-acts">
      <button type="button" class=${variant === 'failing' ? 'primary' : nothing} @click=${() => on.open(scenario)}>${open}</button>
      <button type="button" @click=${() => on.check(scenario)}>Check expectations</button>
    </p>
    <h5>What this run must show</h5>
    ${clausesTemplate(scenario, checked[scenario.name])}
  </section>`;
}

/** @param {Shipped} scenario @param {Outcome[] | string | undefined} outcomes */
export function clausesTemplate({ expect }, outcomes) {
  if (typeof outcomes === 'string') return html`<p class="field-error" role="alert">${outcomes}</p>`;
  if (!outcomes)
    return html`<ul class="clauses">${(expect ?? []).map((clause) => html`<li>${clauseText(clause)}</li>`)}</ul>`;
  return html`<ul class="clauses">
    ${outcomes.map(
      ({ met, clause, measured }) =>
        html`<li data-met=${met ? 'true' : 'false'}><span aria-hidden="true">${met ? '✓' : '✗'}</span> ${clause}: ${measured}<span class="visually-hidden">, ${met ? 'as expected' : 'not as expected'}</span></li>`,
    )}
  </ul>`;
}
