/** One control for each kind of field; a form is a draft, and an error belongs to one control. */
import { controlOf, isEmpty, valueAt, wordsHelp } from './schema.js';

/** @import { Field, Format } from './schema.js' */

/**
 * @typedef {object} Form
 * @property {string} id distinguishes the controls of two forms
 * @property {any} draft
 * @property {string[]} nodes what a target can be
 * @property {{path: string, message: string} | null} error
 * @property {(path: string) => string} note what else is said of a field: its value in force, its default
 * @property {(path: string) => string} inForce
 * @property {(path: string, value: any) => void} set
 * @property {Set<string>} open paths of the groups that are unfolded
 * @property {() => void} redraw
 */

/** What of the candidates' acts is not a single node. */
const TARGETS = [
  ['holder', 'holder: whoever holds the Lease then'],
  ['*', '*: everybody'],
];

/** Which fields are wanted. @typedef {(path: string, field: Field) => boolean} Fits */
const EVERY = () => true;

/** @param {Format} format @param {Pick<typeof import('lit-html'), "html" | "nothing">} kit */
export function formTemplates(format, { html, nothing }) {
  const idOf = (/** @type {Form} */ form, /** @type {string} */ path) =>
    `${form.id}-${path.replace(/[^A-Za-z0-9]+/g, '-')}`;

  /** Whether the form's error belongs to this very control. @param {Form} form @param {string} path */
  const errs = (form, path) => form.error !== null && form.error.path === path;
  /** @param {Form} form @param {string} path */
  const within = (form, path) =>
    form.error !== null && controlOf(form.error.path, [path]) !== '' && form.error.path !== '';

  /** @param {Form} form @param {string} path */
  const errorTemplate = (form, path) =>
    errs(form, path)
      ? html`<p class="field-error" id=${`${idOf(form, path)}-error`} role="alert">${form.error?.message}</p>`
      : nothing;

  /** @param {Form} form @param {string} path */
  const described = (form, path) => `${errs(form, path) ? `${idOf(form, path)}-error ` : ''}${idOf(form, path)}-help`;

  /**
   * @param {Form} form
   * @param {Field} field
   * @param {string} path
   */
  function control(form, field, path) {
    const id = idOf(form, path);
    const value = valueAt(form.draft, path);
    const invalid = errs(form, path) ? 'true' : 'false';
    const input = (/** @type {any} */ event) => form.set(path, event.target.value);
    if (field.name === 'target') {
      const names = [...TARGETS, ...form.nodes.map((name) => [name, name])];
      const other = !isEmpty(value) && !names.some(([name]) => name === value) ? [[value, value]] : [];
      return html`<select id=${id} aria-describedby=${described(form, path)} aria-invalid=${invalid} @change=${input}>
        <option value="" ?selected=${isEmpty(value)}>choose whom</option>
        ${[...other, ...names].map(([name, label]) => html`<option value=${name} ?selected=${name === value}>${label}</option>`)}
      </select>`;
    }
    if (field.kind === 'choice' || field.kind === 'bool') {
      const words = field.kind === 'bool' ? ['true', 'false'] : field.choices;
      const left = field.needed ? 'choose' : `left out${form.inForce(path) ? ` (${shown(form.inForce(path))})` : ''}`;
      return html`<select id=${id} aria-describedby=${described(form, path)} aria-invalid=${invalid} @change=${input}>
        <option value="" ?selected=${isEmpty(value)}>${left}</option>
        ${words.map((word) => html`<option value=${word} ?selected=${String(value ?? '') === word}>${shown(word)}</option>`)}
      </select>`;
    }
    if (field.kind === 'lines' || field.name === 'body' || field.name === 'summary' || field.name === 'story') {
      const lines = Array.isArray(value) ? value.join('\n') : (value ?? '');
      return html`<textarea
        id=${id}
        rows="2"
        spellcheck="false"
        aria-describedby=${described(form, path)}
        aria-invalid=${invalid}
        .value=${lines}
        @input=${(/** @type {any} */ event) => {
          const text = event.target.value;
          form.set(
            path,
            field.kind === 'lines' ? text.split('\n').filter((/** @type {string} */ line) => line.trim() !== '') : text,
          );
        }}
      ></textarea>`;
    }
    return html`<input
      id=${id}
      type="text"
      autocomplete="off"
      spellcheck="false"
      placeholder=${form.inForce(path) || nothing}
      aria-describedby=${described(form, path)}
      aria-invalid=${invalid}
      .value=${String(value ?? '')}
      @input=${input}
    />`;
  }

  /** "true" → "on". @param {string} word */
  const shown = (word) => (word === 'true' ? 'on' : word === 'false' ? 'off' : word);

  /** @param {Form} form @param {Field} field @param {string} path @param {string} [mark] */
  function plain(form, field, path, mark = '') {
    const id = idOf(form, path);
    const unit = field.kind === 'lines' ? 'One a line.' : field.range ? `${field.range}.` : '';
    return html`<div class="field" data-path=${path} data-kind=${field.kind}>
      <label for=${id}>${field.name}${mark ? html` <span class="soft">${mark}</span>` : nothing}</label>
      ${control(form, field, path)}
      ${errorTemplate(form, path)}
      <p class="soft" id=${`${id}-help`}>${field.help} ${unit} ${form.note(path)}</p>
    </div>`;
  }

  /** A list of words: a check box for each, with what it means. @param {Form} form @param {Field} field @param {string} path @param {string} [mark] */
  function words(form, field, path, mark = '') {
    const id = idOf(form, path);
    const { said, rest } = wordsHelp(field.help, field.choices);
    const chosen = /** @type {string[]} */ (valueAt(form.draft, path) ?? []);
    return html`<fieldset class="field words" data-path=${path} data-kind="words" aria-describedby=${described(form, path)} aria-invalid=${errs(form, path) ? 'true' : 'false'}>
      <legend>${field.name}${mark ? html` <span class="soft">${mark}</span>` : nothing}</legend>
      <p class="soft" id=${`${id}-help`}>${rest} ${form.note(path)}</p>
      ${errorTemplate(form, path)}
      <div class="boxes">
        ${field.choices.map(
          (word) => html`<label>
            <input
              type="checkbox"
              value=${word}
              .checked=${chosen.includes(word)}
              @change=${(/** @type {any} */ event) =>
                form.set(path, event.target.checked ? [...chosen, word] : chosen.filter((other) => other !== word))}
            />
            <span><b>${word}</b>${said[word] ? html` <span class="soft">${said[word]}</span>` : nothing}</span>
          </label>`,
        )}
      </div>
    </fieldset>`;
  }

  /** A group of fields, folded until it says something. @param {Form} form @param {Field} field @param {string} path @param {string} [mark] @param {Fits} [fits] */
  function group(form, field, path, mark = '', fits = EVERY) {
    if (fits !== EVERY && !anyFits(field, path, fits)) return nothing;
    const unfolded = fits !== EVERY || form.open.has(path) || within(form, path) || !isEmpty(valueAt(form.draft, path));
    return html`<details
      class="field group"
      data-path=${path}
      data-kind="group"
      .open=${unfolded}
      @toggle=${(/** @type {any} */ event) => {
        const open = event.target.open;
        if (open === form.open.has(path)) return;
        if (open) form.open.add(path);
        else form.open.delete(path);
        form.redraw();
      }}
    >
      <summary>${field.name}${mark ? html` <span class="soft">${mark}</span>` : nothing} <span class="soft">${field.help}</span></summary>
      ${errorTemplate(form, path)}
      ${unfolded ? html`<div class="fields">${format.fields(field.type).map((one) => template(form, one, `${path}.${one.name}`, '', fits))}</div>` : nothing}
    </details>`;
  }

  /** @param {Field} field @param {string} path @param {Fits} fits @returns {boolean} */
  function anyFits(field, path, fits) {
    if (field.kind !== 'group') return fits(path, field);
    return format.fields(field.type).some((one) => anyFits(one, `${path}.${one.name}`, fits));
  }

  /** The fields of one entry of a list: an act has only its own. @param {string} type @param {any} entry */
  function fieldsOfEntry(type, entry) {
    const all = format.fields(type);
    const rule = type === 'Action' ? format.rules.find(({ act }) => act === entry?.act) : undefined;
    if (type !== 'Action') return all;
    return all.filter(({ name }) => name === 'at' || name === 'act' || rule?.takes.includes(name));
  }

  /** Entries that can be added, changed and taken away. @param {Form} form @param {Field} field @param {string} path */
  function list(form, field, path) {
    const entries = /** @type {any[]} */ (valueAt(form.draft, path) ?? []);
    const one = singular(field.name);
    const put = (/** @type {any[]} */ next) => form.set(path, next);
    return html`<fieldset class="field list" data-path=${path} data-kind="list">
      <legend>${field.name}</legend>
      <p class="soft">${field.help} ${form.note(path)}</p>
      ${errorTemplate(form, path)}
      ${entries.map((entry, i) => {
        const at = `${path}[${i}]`;
        const unfolded = form.open.has(at) || within(form, at) || errs(form, at);
        return html`<details class="entry" .open=${unfolded} @toggle=${(/** @type {any} */ event) => {
          const open = event.target.open;
          if (open === form.open.has(at)) return;
          if (open) form.open.add(at);
          else form.open.delete(at);
          form.redraw();
        }}>
          <summary>${one} ${i + 1} <span class="soft">${summary(entry)}</span></summary>
          ${errorTemplate(form, at)}
          ${
            unfolded
              ? html`<div class="fields">
                  ${fieldsOfEntry(field.type, entry).map((inner) => template(form, inner, `${at}.${inner.name}`))}
                  <p><button type="button" @click=${() => put(entries.filter((_, k) => k !== i))}>Remove ${one} ${i + 1}</button></p>
                </div>`
              : nothing
          }
        </details>`;
      })}
      <p><button type="button" @click=${() => {
        form.open.add(`${path}[${entries.length}]`);
        put([...entries, {}]);
      }}>Add to ${field.name}</button></p>
    </fieldset>`;
  }

  /** @param {string} name */
  const singular = (name) => (name.endsWith('s') ? name.slice(0, -1) : name);
  /** @param {any} entry */
  const summary = (entry) =>
    Object.entries(entry ?? {})
      .filter(([name, value]) => name !== '' && !isEmpty(value))
      .map(([name, value]) => `${name} ${typeof value === 'object' ? '…' : value}`)
      .slice(0, 5)
      .join(', ');

  /**
   * @param {Form} form
   * @param {Field} field
   * @param {string} path
   * @param {string} [mark] "needed" for example
   * @param {Fits} [fits]
   * @returns {unknown}
   */
  function template(form, field, path, mark = '', fits = EVERY) {
    if (field.kind === 'group') return group(form, field, path, mark, fits);
    if (!fits(path, field)) return nothing;
    if (field.kind === 'words') return words(form, field, path, mark);
    if (field.kind === 'list') return list(form, field, path);
    return plain(form, field, path, mark);
  }

  return { template, anyFits };
}

/** The paths of every control that is on the page. @param {Element} root */
export function controlsIn(root) {
  return [...root.querySelectorAll('[data-path]')].map((one) => one.getAttribute('data-path') ?? '');
}
