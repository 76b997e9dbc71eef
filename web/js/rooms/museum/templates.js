/** The list of incidents, and an incident with its two runs. */
import { html, nothing } from 'lit-html';
import { addressOf, CLASSES } from './exhibits.js';

/** @import { Clause, Outcome } from '../../protocol.js' */
/** @import { Exhibit, Shipped } from './exhibits.js' */

/** The two runs of an incident. @typedef {"failing" | "fixed"} Variant */
/** The assertions of runs, by scenario. @typedef {Record<string, Clause[]>} Asserted */
/**
 * The result of a complete run, by scenario: outcomes, or the error.
 * @typedef {Record<string, Outcome[] | string>} Results
 */
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
    html`<button type="button" tabindex="-1" aria-current=${failing.name === chosen ? 'true' : nothing}
      @click=${() => choose(failing.name)}>
      <span class="museum-id">${id}</span><span>${title}</span>${
        lesson > 0 ? html`<span class="mute">lesson ${lesson}</span>` : nothing
      }
    </button>`;
  return CLASSES.map(([kind, heading]) => {
    const ofKind = found.filter((one) => one.kind === kind);
    if (ofKind.length === 0) return nothing;
    return html`<h3>${heading}</h3>
      <ul>${ofKind.map((one) => html`<li>${button(one)}</li>`)}</ul>`;
  });
}

/** @param {Exhibit | undefined} exhibit @param {{asserted: Asserted, checked: Results}} known @param {Callbacks} on */
export function exhibitTemplate(exhibit, known, on) {
  if (!exhibit)
    return html`<p class="empty">Choose an incident. Every incident really happened; its two runs differ only in the
      fix.</p>`;
  const { id, title, source, lesson, failing, fixed } = exhibit;
  const link = (/** @type {string} */ one) =>
    html`<a href=${addressOf(one)} target="_blank" rel="noreferrer noopener">${one.replace('https://', '')}</a> `;
  return html`
    <button type="button" class="museum-back" @click=${() => on.choose('')}>‹ All incidents</button>
    <h3 tabindex="-1">${id} ${title}</h3>
    <p class="museum-sources">${source.map(link)}</p>
    <p class="museum-acts">
      <button type="button" @click=${() => on.compare(exhibit)}>Compare the two runs</button>
      ${
        lesson > 0
          ? html`<button type="button" @click=${() => on.learn(lesson)}>Begin lesson ${lesson}</button>`
          : nothing
      }
      <a href="docs/guarantees.html">What the lock guarantees, and what it does not</a>
    </p>
    <div class="museum-variants">
      ${variantTemplate(failing, 'failing', known, on)} ${variantTemplate(fixed, 'fixed', known, on)}
    </div>
  `;
}

/** @type {Record<Variant, {label: string, open: string}>} */
const WORDS = {
  failing: { label: 'As it happened', open: 'Open the failing run' },
  fixed: { label: 'Fixed', open: 'Open the fixed run' },
};

/**
 * @param {Shipped} scenario
 * @param {Variant} variant
 * @param {{asserted: Asserted, checked: Results}} known
 * @param {Callbacks} on
 */
function variantTemplate(scenario, variant, { asserted, checked }, on) {
  const { label, open } = WORDS[variant];
  return html`<section aria-label=${label} data-variant=${variant}>
    <h4>${label}</h4>
    <p>${scenario.museum?.story}</p>
    <p><b>What to watch.</b> ${scenario.museum?.watch}</p>
    <p class="museum-acts">
      <button type="button" class=${variant === 'failing' ? 'primary' : nothing}
        @click=${() => on.open(scenario)}>${open}</button>
      <button type="button" @click=${() => on.check(scenario)}>Check expectations</button>
    </p>
    <h5>What this run must show</h5>
    ${clausesTemplate(asserted[scenario.name], checked[scenario.name])}
  </section>`;
}

/** @param {Clause[] | undefined} asserted @param {Outcome[] | string | undefined} outcomes */
export function clausesTemplate(asserted, outcomes) {
  if (typeof outcomes === 'string') return html`<p class="field-error" role="alert">${outcomes}</p>`;
  if (!outcomes) return html`<ul class="clauses">${asserted?.map((one) => html`<li>${clauseTemplate(one)}</li>`)}</ul>`;
  return html`<ul class="clauses">
    ${outcomes.map(
      ({ met, measured, ...one }) =>
        html`<li data-met=${met ? 'true' : 'false'}><span
          aria-hidden="true">${met ? '✓' : '✗'}</span> ${clauseTemplate(one, measured)}<span
            class="visually-hidden">, ${met ? 'as expected' : 'not as expected'}</span></li>`,
    )}
  </ul>`;
}

/**
 * An assertion, its measured value, and the word by which a scenario names it.
 * @param {Clause} one
 * @param {string} [measured]
 */
const clauseTemplate = ({ clause, name }, measured) =>
  html`${clause}${measured ? `: ${measured}` : ''}${name ? html` <code class="mute">${name}</code>` : nothing}`;
