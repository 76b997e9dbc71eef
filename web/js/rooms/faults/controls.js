/** The control of one field that holds a value, with its name, its help and its refusal. */

import { html, nothing } from 'lit-html';
import { withChecked, withValue } from '../../lib/control.js';
import { optionsTemplate } from '../../lib/parts.js';
import { printValue } from '../desk/panels/knobs/knobs.js';
import { isEmpty, valueAt } from './schema.js';

/** @import { Form } from './form.js' */
/** @import { Field } from './schema.js' */

/** A target that is not a single node. @type {Record<string, string>} */
const TARGETS = { holder: 'the holder', '*': 'every node' };

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
/** @param {string} mark "needed" or "" */
const markTemplate = (mark) => (mark ? html` <span class="mute">${mark}</span>` : nothing);

/**
 * A value as the form shows it: "15 s", "on", and an entry as "at 20 s, act pause".
 * @param {unknown} value @returns {string}
 */
export function valueText(value) {
  if (isEmpty(value)) return '';
  if (Array.isArray(value)) return value.map(valueText).join('; ');
  if (!value || typeof value !== 'object') return printValue(String(value));
  const fields = Object.entries(value).filter(([, one]) => !isEmpty(one));
  const shown = fields.map(([name, one]) => `${name} ${typeof one === 'object' ? '…' : valueText(one)}`);
  return shown.slice(0, 5).join(', ');
}

/** A value within a sentence. @param {unknown} draft @param {string} path */
export function wordAt(draft, path) {
  const text = valueText(valueAt(draft, path));
  return (path === 'target' && TARGETS[text]) || text;
}

/** A new value replaces the one in the field. @param {FocusEvent} event */
const selectAll = ({ target }) => /** @type {HTMLInputElement} */ (target).select();

/**
 * The control of a field. Within a sentence it has the field's name as its label, and a word for "nothing".
 * @param {Form} form @param {Field} field @param {string} path @param {{label?: string, empty?: string}} [sentence]
 */
export function control(form, field, path, { label, empty = '' } = {}) {
  const value = valueAt(form.draft, path);
  const text = String(value ?? '');
  const [id, name, wrong] = [idOf(form, path), label ?? nothing, hasError(form, path) ? 'true' : 'false'];
  const described = label === undefined || hasError(form, path) ? describedBy(form, path) : nothing;
  const set = withValue((chosen) => form.set(path, chosen));
  /** @param {string} none @param {string[][]} options */
  const select = (none, options) =>
    html`<select id=${id} aria-label=${name} aria-describedby=${described} aria-invalid=${wrong}
      @change=${set}>${optionsTemplate([['', none], ...options], text)}</select>`;
  if (field.name === 'target') {
    const names = [...Object.entries(TARGETS), ...form.nodes.map((node) => [node, node])];
    const other = text !== '' && !names.some(([node]) => node === text) ? [[text, text]] : [];
    return select('a node', [...other, ...names]);
  }
  if (field.kind === 'choice' || field.kind === 'bool') {
    const words = field.kind === 'bool' ? ['true', 'false'] : field.choices;
    const none = empty || (field.needed ? 'choose' : form.ports.inForce(path) || 'not set');
    return select(
      none,
      words.map((word) => [word, printValue(word)]),
    );
  }
  if (field.kind === 'lines' || field.multiline)
    return html`<textarea id=${id} rows="2" spellcheck="false" aria-describedby=${described} aria-invalid=${wrong}
      .value=${Array.isArray(value) ? value.join('\n') : text}
      @input=${withValue((lines) => form.set(path, field.kind === 'lines' ? linesOf(lines) : lines))}></textarea>`;
  return html`<input id=${id} type="text" autocomplete="off" spellcheck="false" size=${label ? 6 : nothing}
    placeholder=${empty || form.ports.inForce(path) || nothing} aria-label=${name} aria-describedby=${described}
    aria-invalid=${wrong} .value=${form.ports.isChanged(path) || label ? text : valueText(value)} @input=${set}
    @focus=${selectAll} />`;
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

/** The first sentence of a help text, and the others. @param {string} help */
export function splitHelp(help) {
  const end = help.search(/\. (?=[A-Z0-9])/);
  return end < 0 ? [help, ''] : [help.slice(0, end + 1), help.slice(end + 2)];
}

/** The name of a field: in plain words, and as the API has it. @param {Field} field @param {string} mark */
const nameTemplate = ({ label, name }, mark) => html`<b>${label}</b> <code>${name}</code>${markTemplate(mark)}`;

/**
 * A row: name, one line that says what it does, default, and the control. The rest of its help is a tip of its name,
 * so that the row keeps its size, and no tip covers the next row while one types.
 * @param {Form} form @param {Field} field @param {string} path @param {string} mark
 */
export function valueTemplate(form, field, path, mark) {
  const [line, rest] = splitHelp(field.help);
  const value = valueAt(form.draft, path);
  const range = field.range && `${field.range}.`;
  const meaning = meaningOf(field, value);
  const more = [rest, range, isEmpty(value) ? meaning : ''].filter(Boolean).join(' ');
  return html`<div class="setting" data-path=${path} data-kind=${field.kind}
    data-changed=${form.ports.isChanged(path) || nothing}>
    <label for=${idOf(form, path)} title=${more || nothing}>${nameTemplate(field, isEmpty(value) ? mark : '')}</label>
    ${control(form, field, path)}
    <p class="mute" id=${`${idOf(form, path)}-help`}>${line}
      ${field.kind === 'lines' ? 'One per line.' : ''} ${isEmpty(value) ? '' : meaning} ${form.ports.note(path)}
      <span class="visually-hidden">${more}</span></p>
    ${errorTemplate(form, path)}
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
  return html`<fieldset class="setting words" data-path=${path} data-kind="words"
    data-changed=${form.ports.isChanged(path) || nothing}
    aria-describedby=${describedBy(form, path)} aria-invalid=${hasError(form, path) ? 'true' : 'false'}>
    <legend>${nameTemplate(field, mark)}</legend>
    <p class="mute" id=${`${idOf(form, path)}-help`}>${field.help} ${form.ports.note(path)}</p>
    ${errorTemplate(form, path)}
    ${field.choices.map(
      (word) => html`<label class="box">
        <input type="checkbox" value=${word} .checked=${chosen.includes(word)}
          @change=${withChecked((on) => choose(word, on))} />
        <span><b>${word}</b>${
          field.meanings[word] ? html` <span class="mute">${field.meanings[word]}</span>` : nothing
        }</span>
      </label>`,
    )}
  </fieldset>`;
}
