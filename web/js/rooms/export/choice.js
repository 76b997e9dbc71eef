/** The controls of the dialog: which format, which span, which colors. */

import { html, nothing } from 'lit-html';
import { set, withValue } from '../../lib/control.js';
import { optionsTemplate, pair } from '../../lib/parts.js';
import { KINDS, spanText } from './make.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Kind, spansOf, ExportOptions } from './make.js' */

/**
 * The visitor's choices, as signals.
 * @typedef {object} ExportChoice
 * @property {Signal<Kind>} kind
 * @property {Signal<ExportOptions['theme']>} theme
 * @property {Signal<ReturnType<typeof spansOf>>} spans
 * @property {Signal<number>} span index of the spans
 */

/**
 * @param {string} label @param {string} name @param {{options: [value: string | number, words: string][],
 *   chosen: string | number}} value @param {(value: string) => void} choose
 */
const select = (label, name, { options, chosen }, choose) =>
  html`<label>${label} <select name=${name}
    @change=${withValue(choose)}>${optionsTemplate(options, chosen)}</select></label>`;

/** @param {ExportChoice} chosen */
export function choiceTemplate({ kind, theme, spans, span }) {
  const radio = (/** @type {Kind} */ id) =>
    html`<label><input type="radio" name="export-kind" value=${id} .checked=${kind.value === id}
      @change=${() => set(kind, id)} /> ${KINDS[id][0]}</label>`;
  const spanOf = (/** @type {typeof spans.value[0]} */ one, /** @type {number} */ i) =>
    /** @type {[number, string]} */ ([i, `${one.label}: ${spanText(one.span)}`]);
  const choice = { options: spans.value.map(spanOf), chosen: span.value };
  const spanChoice = select('Span', 'span', choice, (value) => set(span, Number(value)));
  const themes = { options: ['light', 'dark'].map(pair), chosen: theme.value };
  const themeChoice = select('Colors', 'theme', themes, (value) => set(theme, value === 'dark' ? 'dark' : 'light'));
  return html`<fieldset>
      <legend class="visually-hidden">Format</legend>
      ${/** @type {Kind[]} */ (Object.keys(KINDS)).map(radio)}
    </fieldset>
    <fieldset>
      <legend class="visually-hidden">Options</legend>
      ${kind.value === 'go' ? nothing : spanChoice}
      ${['png', 'svg'].includes(kind.value) ? themeChoice : nothing}
    </fieldset>`;
}
