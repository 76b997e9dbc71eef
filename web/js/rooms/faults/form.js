/**
 * A form that follows from the schema: a draft, a control for each field, and a refusal that belongs to one control.
 */
import { html, nothing } from 'lit-html';
import { withOpen } from '../../lib/control.js';
import { icon } from '../../lib/icons.js';
import { when } from '../../lib/parts.js';
import { errorTemplate, valueTemplate, valueText, wordsTemplate } from './controls.js';
import { controlOf, isEmpty, listOf, objectOf, singular, stepsOf, valueAt, withValue } from './schema.js';

/** @import { ErrorReply } from '../../protocol.js' */
/** @import { Field, Format } from './schema.js' */

/** Selects the fields to show. @typedef {(path: string, field: Field) => boolean} Fits */

/**
 * What a form needs from the page.
 * @typedef {object} FormPorts
 * @property {() => void} redraw
 * @property {() => string[]} controls the paths of all controls on the page after drawing
 * @property {() => void} onChange after every change of the draft
 * @property {(path: string) => unknown} [note] a note about a field, such as its default
 * @property {(path: string) => string} [inForce]
 * @property {(path: string) => boolean} [isChanged]
 */

export class Form {
  /** @param {string} id tells the controls of two forms apart @param {Format} format @param {FormPorts} ports */
  constructor(id, format, ports) {
    this.id = id;
    this.format = format;
    /** @type {Required<FormPorts>} */
    this.ports = { note: () => '', inForce: () => '', isChanged: () => false, ...ports };
    /** The document in the form. @type {unknown} */
    this.draft = {};
    /** The possible targets. @type {string[]} */
    this.nodes = [];
    /** @type {{path: string, message: string} | null} */
    this.error = null;
    /** A refusal that fits none of the controls. */
    this.astray = '';
    /** Paths of the unfolded groups. @type {Set<string>} */
    this.open = new Set();
    /** Paths that have their control elsewhere. @type {Set<string>} */
    this.said = new Set();
  }

  /** @param {string} path @param {unknown} value */
  set(path, value) {
    this.draft = withValue(this.draft, stepsOf(path), value);
    this.ports.onChange();
  }

  /**
   * Shows a refusal at its control; null clears the previous one.
   * @param {ErrorReply | undefined | null} reply
   */
  refuse(reply) {
    this.astray = '';
    this.error = null;
    if (!reply) return;
    const { message, path = '' } = reply;
    this.error = { path, message };
    this.ports.redraw(); // unfolds the groups around the path, so that their controls exist
    const found = controlOf(path, this.ports.controls());
    this.error = found ? { path: found, message } : null;
    if (!found) this.astray = message;
  }

  /** @param {string} path @param {boolean} open */
  unfold(path, open) {
    if (open === this.open.has(path)) return;
    if (open) this.open.add(path);
    else this.open.delete(path);
    this.ports.redraw();
  }
}

/** Whether the form's error lies inside a group. @param {Form} form @param {string} path */
export const errorWithin = ({ error }, path) => Boolean(error?.path) && controlOf(error?.path ?? '', [path]) !== '';

/**
 * Whether a group has a field to show.
 * @param {Format} format @param {Field} field @param {string} path @param {Fits} fits @returns {boolean}
 */
export function anyFits(format, field, path, fits) {
  if (field.kind !== 'group') return fits(path, field);
  return format.fields(field.type).some((one) => anyFits(format, one, `${path}.${one.name}`, fits));
}

/**
 * One field with its control.
 * @param {Form} form @param {Field} field @param {string} path
 * @param {{mark?: string, fits?: Fits}} [how] mark: "needed" for example; fits: only such fields, unfolded
 * @returns {unknown}
 */
export function fieldTemplate(form, field, path, { mark = '', fits } = {}) {
  if (form.said.has(path)) return nothing;
  if (field.kind === 'group') return groupTemplate(form, field, path, { mark, fits });
  if (fits && !fits(path, field)) return nothing;
  if (field.kind === 'words') return wordsTemplate(form, field, path, mark);
  if (field.kind === 'list') return listTemplate(form, field, path);
  return valueTemplate(form, field, path, mark);
}

/**
 * A group of fields, folded until it has a value.
 * @param {Form} form @param {Field} field @param {string} path @param {{mark: string, fits?: Fits}} how
 */
function groupTemplate(form, field, path, { mark, fits }) {
  const { format } = form;
  if (fits && !anyFits(format, field, path, fits)) return nothing;
  const isUnfolded =
    fits !== undefined || form.open.has(path) || errorWithin(form, path) || !isEmpty(valueAt(form.draft, path));
  const inner = () => format.fields(field.type).map((one) => fieldTemplate(form, one, `${path}.${one.name}`, { fits }));
  return html`<details class="fold group" data-path=${path} data-kind="group" .open=${isUnfolded}
    @toggle=${withOpen((open) => form.unfold(path, open))}>
    <summary>${icon('forth')}<b>${field.label}</b> <code>${field.name}</code>${
      mark ? html` <span class="mute">${mark}</span>` : nothing
    }</summary>
    <p class="mute">${field.help}</p>
    ${errorTemplate(form, path)}
    ${isUnfolded ? html`<div class="fields">${inner()}</div>` : nothing}
  </details>`;
}

/** Entries that a visitor can add, change and remove. @param {Form} form @param {Field} field @param {string} path */
function listTemplate(form, field, path) {
  const entries = listOf(valueAt(form.draft, path));
  const one = singular(field.name);
  const add = () => {
    form.open.add(`${path}[${entries.length}]`);
    form.set(path, [...entries, {}]);
  };
  const entryTemplate = (/** @type {unknown} */ entry, /** @type {number} */ i) => {
    const at = `${path}[${i}]`;
    const isUnfolded = form.open.has(at) || errorWithin(form, at);
    const act =
      field.type === 'Action' ? form.format.rules.find((rule) => rule.act === valueAt(entry, 'act')) : undefined;
    const remove = () =>
      form.set(
        path,
        entries.filter((_, k) => k !== i),
      );
    const inner = () =>
      form.format.fieldsOfEntry(field.type, entry).map((own) => fieldTemplate(form, own, `${at}.${own.name}`));
    return html`<details class="fold entry" .open=${isUnfolded} @toggle=${withOpen((open) => form.unfold(at, open))}>
      <summary>${icon('forth')}<b>${one} ${i + 1}</b> <span class="mute">${valueText(
        objectOf(form.format, field.type, entry),
      )}</span></summary>
      ${errorTemplate(form, at)}
      ${when(
        isUnfolded,
        () => html`<div class="fields">${act ? html`<p class="mute">${act.help}</p>` : nothing}${inner()}<p><button
            type="button" class="btn tint" @click=${remove}>Remove ${one} ${i + 1}</button></p></div>`,
      )}
    </details>`;
  };
  return html`<fieldset class="setting list" data-path=${path} data-kind="list"
    data-changed=${form.ports.isChanged(path) || nothing}>
    <legend><b>${field.label}</b> <code>${field.name}</code></legend>
    <p class="mute">${field.help} ${form.ports.note(path)}</p>
    ${errorTemplate(form, path)}
    ${entries.map(entryTemplate)}
    <p><button type="button" class="btn tint" @click=${add}>Add to ${field.name}</button></p>
  </fieldset>`;
}

/** The paths of every control on the page. @param {Element} root */
export const controlsIn = (root) =>
  [...root.querySelectorAll('[data-path]')].map((one) => one.getAttribute('data-path') ?? '');
