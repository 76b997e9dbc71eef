/** The control of one field that holds a value, with its name, its help and its refusal. */

import { html, nothing } from 'lit-html';
import { withChecked, withValue } from '../../lib/control.js';
import { optionsTemplate } from '../../lib/parts.js';
import { isEmpty, valueAt } from './schema.js';

/** @import { Form } from './form.js' */
/** @import { Field } from './schema.js' */

/** A target that is not a single node. */
const TARGETS = [
  ['holder', 'holder: the Lease holder at that time'],
  ['*', '*: every node'],
];

/** @param {Form} form @param {string} path */
export const idOf = (form, path) => `${form.id}-${path.replace(/[^A-Za-z0-9]+/g, '-')}`;

/** Whether the form's error belongs to exactly this control. @param {Form} form @param {string} path */
export const hasError = (form, path) => form.error?.path === path;

/** @param {Form} form @param {string} path */
export const errorTemplate = (form, path) =>
  hasError(form, path)
    ? html`<p class="field-error" id=${`${idOf(form, path)}-error`} role="alert">${form.error?.message}</p>`
    : nothing;

/** @param {Form} form @param {string} path */
const describedBy = (form, path) =>
  `${hasError(form, path) ? `${idOf(form, path)}-error ` : ''}${idOf(form, path)}-help`;
/** @param {Form} form @param {string} path */
const invalid = (form, path) => (hasError(form, path) ? 'true' : 'false');
/** @param {string} mark "needed" or "" */
const markTemplate = (mark) => (mark ? html` <span class="mute">${mark}</span>` : nothing);

/** "true" → "on". @param {string} word */
const switchText = (word) => (word === 'true' ? 'on' : word === 'false' ? 'off' : word);

/** A value as the form shows it. @param {unknown} value */
export function valueText(value) {
  if (isEmpty(value)) return '';
  return typeof value === 'object' ? JSON.stringify(value) : switchText(String(value));
}

/**
 * @param {Form} form
 * @param {string} path
 * @param {string} empty the label of the empty choice
 * @param {string[][]} options value and label
 */
function select(form, path, empty, options) {
  const value = String(valueAt(form.draft, path) ?? '');
  return html`<select
    id=${idOf(form, path)}
    aria-describedby=${describedBy(form, path)}
    aria-invalid=${invalid(form, path)}
    @change=${withValue((chosen) => form.set(path, chosen))}
  >
    ${optionsTemplate([['', empty], ...options], value)}
  </select>`;
}

/** @param {Form} form @param {Field} field @param {string} path */
function control(form, field, path) {
  const value = valueAt(form.draft, path);
  if (field.name === 'target') {
    const names = [...TARGETS, ...form.nodes.map((name) => [name, name])];
    const text = String(value ?? '');
    const other = text !== '' && !names.some(([name]) => name === text) ? [[text, text]] : [];
    return select(form, path, 'choose a target', [...other, ...names]);
  }
  if (field.kind === 'choice' || field.kind === 'bool') {
    const words = field.kind === 'bool' ? ['true', 'false'] : field.choices;
    const inForce = form.inForce(path);
    const empty = field.needed ? 'choose' : inForce ? `not set (${switchText(inForce)})` : 'not set';
    return select(
      form,
      path,
      empty,
      words.map((word) => [word, switchText(word)]),
    );
  }
  if (field.kind === 'lines' || field.multiline)
    return html`<textarea
      id=${idOf(form, path)}
      rows="2"
      spellcheck="false"
      aria-describedby=${describedBy(form, path)}
      aria-invalid=${invalid(form, path)}
      .value=${Array.isArray(value) ? value.join('\n') : (value ?? '')}
      @input=${withValue((text) => form.set(path, field.kind === 'lines' ? linesOf(text) : text))}
    ></textarea>`;
  return html`<input
    id=${idOf(form, path)}
    type="text"
    autocomplete="off"
    spellcheck="false"
    placeholder=${form.inForce(path) || nothing}
    aria-describedby=${describedBy(form, path)}
    aria-invalid=${invalid(form, path)}
    .value=${String(value ?? '')}
    @input=${withValue((text) => form.set(path, text))}
  />`;
}

/** @param {string} text */
const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '');

/**
 * The meaning of the chosen word; without a choice, the meaning of each word.
 * @param {Field} field
 * @param {unknown} value
 */
function meaningOf({ meanings }, value) {
  const chosen = Object.entries(meanings).filter(([word]) => isEmpty(value) || word === value);
  return chosen.map(([word, meaning]) => `${word}: ${meaning}.`).join(' ');
}

/** @param {Form} form @param {Field} field @param {string} path @param {string} mark */
export function valueTemplate(form, field, path, mark) {
  const unit = field.kind === 'lines' ? 'One per line.' : field.range ? `${field.range}.` : '';
  return html`<div class="field" data-path=${path} data-kind=${field.kind}>
    <label for=${idOf(form, path)}>${field.name}${markTemplate(mark)}</label>
    ${control(form, field, path)}
    ${errorTemplate(form, path)}
    <p class="mute" id=${`${idOf(form, path)}-help`}>${field.help} ${unit}
      ${meaningOf(field, valueAt(form.draft, path))} ${form.note(path)}</p>
  </div>`;
}

/**
 * A list of words: a check box and a meaning for each.
 * @param {Form} form
 * @param {Field} field
 * @param {string} path
 * @param {string} mark
 */
export function wordsTemplate(form, field, path, mark) {
  const chosen = /** @type {string[]} */ (valueAt(form.draft, path) ?? []);
  const choose = (/** @type {string} */ word, /** @type {boolean} */ on) =>
    form.set(path, on ? [...chosen, word] : chosen.filter((other) => other !== word));
  return html`<fieldset class="field words" data-path=${path} data-kind="words"
    aria-describedby=${describedBy(form, path)} aria-invalid=${invalid(form, path)}>
    <legend>${field.name}${markTemplate(mark)}</legend>
    <p class="mute" id=${`${idOf(form, path)}-help`}>${field.help} ${form.note(path)}</p>
    ${errorTemplate(form, path)}
    <div class="boxes">
      ${field.choices.map(
        (word) => html`<label>
          <input type="checkbox" value=${word} .checked=${chosen.includes(word)}
            @change=${withChecked((on) => choose(word, on))} />
          <span><b>${word}</b>${
            field.meanings[word] ? html` <span class="mute">${field.meanings[word]}</span>` : nothing
          }</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}
