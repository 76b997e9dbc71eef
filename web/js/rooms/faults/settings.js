/**
 * The settings: every field of the run, of one node or of one API server, the changes, and three ways to apply them.
 */

import { html, nothing } from 'lit-html';
import { onSubmit, withValue } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { Latest } from '../../lib/latest.js';
import { optionsTemplate } from '../../lib/parts.js';
import { valueText } from './controls.js';
import { anyFits, Form, fieldTemplate } from './form.js';
import { changesBetween, listOf, textAt, valueAt } from './schema.js';

/** @import { Settings } from '../../protocol.js' */
/** @import { Fits } from './form.js' */
/** @import { Ports } from './index.js' */
/** @import { Field, Format } from './schema.js' */

/** The maximum number of nodes in the list. A run may have thousands. */
const MAX_SCOPES = 500;
/** How many changed fields the footer names. */
const SHOWN_CHANGES = 4;

/**
 * The value in effect, the default, and when a change takes effect.
 * @param {Format} format
 * @param {Settings} known
 * @param {string} path
 */
export function noteOf(format, known, path) {
  const inForce = valueText(valueAt(known.inForce, path));
  const usual = valueText(valueAt(known.usual, path.replace(/\[\d+\]/g, '[0]')));
  const defaultText = inForce === usual ? ', the default' : usual ? `; default ${usual}` : '';
  const acts = { now: 'Applies at once.', start: 'Applies after a restart.', '': 'Requires a new run.' };
  return `${inForce ? `Now ${inForce}${defaultText}. ` : ''}${acts[format.ownerOf(path)?.effect ?? '']}`;
}

/** The scopes that the form can show, each with a path and a label. @param {unknown} draft */
export function scopesOf(draft) {
  const entry = (/** @type {unknown} */ one) => {
    const replicas = Number(valueAt(one, 'replicas') ?? 0);
    return textAt(one, 'name') + (replicas > 0 ? ` (${replicas} replicas)` : '');
  };
  const scopesIn = (/** @type {string} */ list, /** @type {string} */ label) =>
    listOf(valueAt(draft, list))
      .slice(0, MAX_SCOPES)
      .map((one, i) => [`${list}[${i}]`, `${label} ${entry(one)}`]);
  return [
    ['', 'The run, and what all nodes share'],
    ...scopesIn('candidates', 'Node'),
    ...scopesIn('apiServers', 'API server'),
  ];
}

/** A row of the form. @typedef {{field: Field, path: string, heading: string, group?: Field}} Row */

/**
 * The fields of a scope under their headings. The fields within a group have their own headings.
 * @param {Format} format
 * @param {string} scope "", "candidates[0]" or "apiServers[0]"
 * @param {string} [search] only fields that contain all these words
 * @returns {{heading: string, rows: Row[]}[]}
 */
export function sectionsOf(format, scope, search = '') {
  const type = scope === '' ? 'Scenario' : scope.startsWith('apiServers') ? 'APIServer' : 'Candidate';
  const prefix = scope ? `${scope}.` : '';
  const rows = format
    .fields(type)
    .filter(({ name }) => scope !== '' || name !== 'candidates')
    .flatMap((field) => {
      const path = prefix + field.name;
      if (field.kind !== 'group') return [{ field, path, heading: field.heading }];
      return format.fields(field.type).map((one) => ({
        field: one,
        path: `${path}.${one.name}`,
        heading: one.heading || field.heading,
        group: field,
      }));
    })
    .filter(({ field, path, heading }) => anyFits(format, field, path, fitsSearch(search, heading)));
  return format.headings
    .map((heading) => ({ heading, rows: rows.filter((row) => row.heading === heading) }))
    .filter((section) => section.rows.length > 0);
}

/** Fields that have every word of a search. @param {string} search @param {string} heading @returns {Fits} */
function fitsSearch(search, heading) {
  const words = search.toLowerCase().split(/\s+/);
  return (path, { help }) => words.every((word) => `${path} ${help} ${heading}`.toLowerCase().includes(word));
}

/**
 * The footer's text about the changes.
 * @param {string[]} paths
 * @param {string | undefined} stuck the first change that requires a new run
 */
export function changesText(paths, stuck) {
  if (paths.length === 0) return 'Nothing has changed.';
  const count = paths.length === 1 ? '1 change' : `${paths.length} changes`;
  const more = paths.length > SHOWN_CHANGES ? ', …' : '';
  const why = stuck ? ` ${stuck} takes effect only when the run restarts from 0.` : '';
  return `${count}: ${paths.slice(0, SHOWN_CHANGES).join(', ')}${more}.${why}`;
}

/** @param {string} heading */
const sectionId = (heading) => `faults-${heading.toLowerCase().replaceAll(' ', '-')}`;

export class SettingsForm {
  /** @param {Format} format @param {Ports} ports */
  constructor(format, ports) {
    this.format = format;
    this.ports = ports;
    this.text = '';
    this.scope = '';
    /** @type {Settings} */
    this.known = { scenario: {}, inForce: {}, usual: {}, nodes: [] };
    this.form = new Form('setting', format, {
      ...ports,
      onChange: () => this.onChange(),
      note: (path) => noteOf(format, this.known, path),
      inForce: (path) => valueText(valueAt(this.known.inForce, path)),
    });
    this.checking = new Latest(ports.check, (answer) => {
      this.form.refuse(answer?.error);
      ports.redraw();
    });
  }

  /** The settings of the run now. @param {Settings} known */
  show(known) {
    this.known = known;
    if (this.scope && !valueAt(known.scenario, this.scope)) this.scope = '';
    this.form.draft = known.scenario;
    this.form.nodes = known.nodes;
    this.form.refuse(null);
  }

  changes() {
    return changesBetween(this.format, this.known.scenario, this.form.draft);
  }

  /** The engine checks every change, and a refusal appears at the field. */
  onChange() {
    const changes = this.changes();
    this.checking.reset();
    if (changes.length > 0)
      this.checking.want(JSON.stringify(changes), { path: '', value: '', changes, mode: 'rerun' });
    else this.form.refuse(null);
    this.ports.redraw();
  }

  discard() {
    this.form.draft = this.known.scenario;
    this.onChange();
  }

  /** @param {string} scope */
  setScope(scope) {
    this.scope = scope;
    this.form.refuse(null);
    this.onChange();
  }

  /** The name of the node that restarts with the settings. */
  nodeName() {
    return this.scope ? textAt(this.form.draft, `${this.scope}.name`) : this.ports.target();
  }

  /** @param {"rerun" | "now" | "restart"} mode */
  apply(mode) {
    const changes = this.changes();
    if (changes.length === 0) return;
    const node = mode === 'restart' ? { node: this.nodeName() } : {};
    const words = changes.length === 1 ? `${changes[0].path} changed` : `${changes.length} settings changed`;
    this.checking.reset();
    this.ports.ask('edit', { path: '', value: '', changes, mode, ...node }, this.form, words);
  }

  template() {
    const sections = sectionsOf(this.format, this.scope, this.text);
    return html`
      <div class="faults-list">
        <label>Of <select id="faults-scope" @change=${withValue((scope) => this.setScope(scope))}>
          ${optionsTemplate(scopesOf(this.form.draft), this.scope)}
        </select></label>
        <input type="search" id="faults-text" aria-label="Search the settings"
          placeholder="dialect, watchdog, p99, queue…" autocomplete="off"
          .value=${this.text}
          @input=${withValue((text) => {
            this.text = text;
            this.ports.redraw();
          })} />
        <nav aria-label="Groups of settings">
          <ul>${sections.map(
            ({ heading, rows }) =>
              html`<li><button type="button" @click=${() => this.ports.goTo(sectionId(heading))}>${heading} <span
                class="mute">${rows.length}</span></button></li>`,
          )}</ul>
        </nav>
      </div>
      <form class="faults-form" aria-label="Settings" @submit=${onSubmit(() => this.apply('rerun'))}>
        <div class="faults-scroll" tabindex="0" role="group" aria-label="Fields">
          ${sections.map(
            ({ heading, rows }) => html`<section aria-labelledby=${sectionId(heading)}>
              <h3 id=${sectionId(heading)} tabindex="-1">${heading}</h3>
              ${this.rowTemplates(rows)}
            </section>`,
          )}
          ${sections.length === 0 ? html`<p class="empty">No setting contains “${this.text}”.</p>` : nothing}
        </div>
        ${this.footer()}
      </form>
    `;
  }

  /** Puts each group's name above its first field. @param {Row[]} rows */
  rowTemplates(rows) {
    return rows.map(({ field, path, heading, group }, i) => {
      const mark = field.needed ? 'needed' : '';
      const fits = this.text ? fitsSearch(this.text, heading) : undefined;
      const title =
        group && rows[i - 1]?.group !== group
          ? html`<div class="field part" data-part=${path.slice(0, -field.name.length - 1)}><h4>${group.name}</h4><p
            class="mute">${group.help}</p></div>`
          : nothing;
      return html`${title}${fieldTemplate(this.form, field, path, { mark, fits })}`;
    });
  }

  footer() {
    const paths = this.changes().map(({ path }) => path);
    const kinds = paths.map((path) => this.format.ownerOf(path)?.effect ?? '');
    const stuck = paths.find((_, i) => kinds[i] === '');
    const atStart = kinds.includes('start');
    const instant = formatInstant(this.ports.now(), 0);
    const none = paths.length === 0;
    return html`<footer>
      ${this.form.astray ? html`<p class="field-error" role="alert">${this.form.astray}</p>` : nothing}
      <p class="mute" role="status">${changesText(paths, stuck)}</p>
      <p class="faults-buttons">
        <button type="submit" class="primary" ?disabled=${none}>Run again from 0 with this</button>
        <button type="button" ?disabled=${none || stuck !== undefined}
          @click=${() => this.apply('now')}>Change it at ${instant}${atStart ? ', from the next start' : ''}</button>
        ${
          atStart && stuck === undefined && this.nodeName()
            ? html`<button type="button" @click=${() => this.apply('restart')}>Restart ${this.nodeName()} with it now,
              at ${instant}</button>`
            : nothing
        }
        <button type="button" class="quiet" ?disabled=${none} @click=${() => this.discard()}>Discard</button>
      </p>
    </footer>`;
  }
}
