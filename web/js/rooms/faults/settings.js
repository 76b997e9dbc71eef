/**
 * The settings: every field of the run, of one node or of one API server, the changes, and three ways to apply them.
 */

import { html, nothing } from 'lit-html';
import { onSubmit, withOpen, withValue } from '../../lib/control.js';
import { durationOf, formatInstant, formatSeconds } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { Latest } from '../../lib/latest.js';
import { optionsTemplate, when } from '../../lib/parts.js';
import { parseInstant } from '../../lib/share.js';
import { marginBar } from '../desk/panels/knobs/knobs.js';
import { control, valueText } from './controls.js';
import { anyFits, errorWithin, Form, fieldTemplate } from './form.js';
import { changesBetween, controlOf, listOf, textAt, valueAt } from './schema.js';

/** @import { Settings } from '../../protocol.js' */
/** @import { Fits } from './form.js' */
/** @import { Ports } from './index.js' */
/** @import { Field, Format } from './schema.js' */

/** The maximum number of nodes in the list. A run may have thousands. */
const MAX_SCOPES = 500;
/** How many changed fields the footer names. */
const SHOWN_CHANGES = 4;

/**
 * What a field was before a change, or its default.
 * @param {Settings} known
 * @param {string} path
 * @param {boolean} isChanged
 */
export function noteOf({ inForce, usual }, path, isChanged) {
  const before = valueText(valueAt(inForce, path));
  const normal = valueText(valueAt(usual, path.replace(/\[\d+\]/g, '[0]')));
  if (!isChanged) return normal ? `Default: ${normal}.` : '';
  const was = before ? `Was ${before}` : 'Was not set';
  const rest = before && before === normal ? ', the default.' : normal ? `. Default: ${normal}.` : '.';
  return html`<b class="was">${was}</b>${rest}`;
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
      .map((one, i) => [`${list}[${i}]`, `${label}${entry(one)}`]);
  return [['', 'all nodes'], ...scopesIn('candidates', ''), ...scopesIn('apiServers', 'API server ')];
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
  return (path, { label, help }) =>
    words.every((word) => `${label} ${path} ${help} ${heading}`.toLowerCase().includes(word));
}

/**
 * The footer's text about the changes.
 * @param {string[]} paths
 * @param {string | undefined} stuck the first change that requires a new run
 * @param {boolean} atStart whether nodes read a changed field only when they start
 */
export function changesText(paths, stuck, atStart) {
  if (paths.length === 0) return 'Nothing has changed.';
  const count = paths.length === 1 ? '1 change' : `${paths.length} changes`;
  const more = paths.length > SHOWN_CHANGES ? ', …' : '';
  const why = stuck ? ` ${stuck} takes effect only when the run restarts from 0.` : '';
  const later = atStart && !stuck ? ' During the run, a node uses it from its next start on.' : '';
  return `${count}: ${paths.slice(0, SHOWN_CHANGES).join(', ')}${more}.${why}${later}`;
}

/** The sections that are open from the start, and how many of their rows show. */
const OPEN = 2;
const SHOWN_ROWS = 4;
/** The three durations that one picture edits together. */
const THREE = ['leaseDuration', 'renewDeadline', 'retryPeriod'];

export class SettingsForm {
  /** @param {Format} format @param {Ports} ports */
  constructor(format, ports) {
    this.format = format;
    this.ports = ports;
    this.text = '';
    this.scope = '';
    /** @type {Settings} */
    this.known = { scenario: {}, inForce: {}, usual: {}, nodes: [], outlook: { marginNs: 0, failoverNs: 0 } };
    /** What the changes lead to. */
    this.outlook = this.known.outlook;
    /** The paths that differ from the run. @type {Set<string>} */
    this.changed = new Set();
    this.form = new Form('setting', format, {
      ...ports,
      onChange: () => this.onChange(),
      note: (path) => noteOf(this.known, path, this.changed.has(path)),
      inForce: (path) => valueText(valueAt(this.known.inForce, path)),
      isChanged: (path) => this.changed.has(path),
    });
    this.checking = new Latest(ports.check, (answer) => {
      if (answer?.outlook) this.outlook = answer.outlook;
      this.form.refuse(answer?.error);
      ports.redraw();
    });
  }

  /** The settings of the run now. @param {Settings} known */
  show(known) {
    this.known = known;
    this.outlook = known.outlook;
    if (this.scope && !valueAt(known.scenario, this.scope)) this.scope = '';
    this.form.draft = known.scenario;
    this.form.nodes = known.nodes;
    this.form.refuse(null);
    this.changed.clear();
  }

  /** Unfolds what lies around a field. @param {string} path */
  reveal(path) {
    this.text = '';
    this.scope = '';
    const { open } = this.form;
    for (const { heading, rows } of sectionsOf(this.format, ''))
      if (rows.some((row) => controlOf(path, [row.path]))) open.add(heading);
    for (const { index } of path.matchAll(/[.[]|$/g)) open.add(path.slice(0, index));
  }

  changes() {
    return changesBetween(this.format, this.known.scenario, this.form.draft);
  }

  /** The engine checks every change, and a refusal appears at the field. */
  onChange() {
    const changes = this.changes();
    this.changed = new Set(changes.map(({ path }) => path));
    this.checking.reset();
    if (changes.length > 0)
      this.checking.want(JSON.stringify(changes), { path: '', value: '', changes, mode: 'rerun' });
    else {
      this.outlook = this.known.outlook;
      this.form.refuse(null);
    }
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

  /** Beside the search: whose settings, and like which program. */
  head() {
    const preset = this.scope.startsWith('apiServers') ? '' : `${this.scope && `${this.scope}.`}preset`;
    const field = this.format.fields(this.scope ? 'Candidate' : 'Scenario').find(({ name }) => name === 'preset');
    return html`<label>of <select id="faults-scope" aria-label="Settings of"
        @change=${withValue((scope) => this.setScope(scope))}>
        ${optionsTemplate(scopesOf(this.form.draft), this.scope)}
      </select></label>
      ${
        preset && field
          ? html`<label data-path=${preset} data-kind="choice">like ${control(this.form, field, preset, {
              empty: 'no preset',
            })}</label>`
          : nothing
      }`;
  }

  template() {
    const sections = sectionsOf(this.format, this.scope, this.text)
      .map(({ heading, rows }) => ({ heading, rows: rows.filter(({ field }) => field.name !== 'preset') }))
      .filter(({ rows }) => rows.length > 0);
    return html`
      <form class="faults-rows" aria-label="Settings" @submit=${onSubmit(() => this.apply('rerun'))}>
        <div class="faults-scroll" tabindex="0" role="group" aria-label="Fields">
          ${sections.map((section, i) => this.sectionTemplate(section, i))}
          ${when(
            sections.length === 0,
            () => html`<p class="empty">No setting has “${this.text}”. Try watchdog, queue or latency.</p>`,
          )}
        </div>
        ${this.footer()}
      </form>
    `;
  }

  /** @param {{heading: string, rows: Row[]}} section @param {number} index */
  sectionTemplate({ heading, rows }, index) {
    if (!this.text && index >= OPEN) return this.foldTemplate(heading, heading, rows);
    const shown = this.text || index === 0 ? rows.length : SHOWN_ROWS;
    const rest = rows.slice(shown);
    return html`<h3 class="label">${heading} <span>${rows.length}</span></h3>
      ${this.rowTemplates(rows.slice(0, shown))}
      ${
        rest.length > 0 ? this.foldTemplate(`${rest.length} more of ${heading.toLowerCase()}`, heading, rest) : nothing
      }`;
  }

  /** Rare settings, folded with their count. @param {string} title @param {string} heading @param {Row[]} rows */
  foldTemplate(title, heading, rows) {
    const { form } = this;
    const count = rows.filter(({ path }) => [...this.changed].some((one) => one.startsWith(path))).length;
    const isOpen = form.open.has(heading) || rows.some(({ path }) => errorWithin(form, path));
    const some = rows.slice(0, 2).map(({ field }) => field.label.toLowerCase());
    return html`<details class="fold" .open=${isOpen} @toggle=${withOpen((open) => form.unfold(heading, open))}>
      <summary>${icon('forth')}<b>${title}</b> <span class="mute">${some.join(', ')}…</span>
        <span class="count">${rows.length}${count > 0 ? `, ${count} changed` : ''}</span></summary>
      ${this.rowTemplates(rows)}
    </details>`;
  }

  /** @param {Row[]} rows */
  rowTemplates(rows) {
    return rows.map(({ field, path, heading, group }) => {
      const fits = this.text ? fitsSearch(this.text, heading) : undefined;
      const row = fieldTemplate(this.form, field, path, { mark: field.needed ? 'needed' : '', fits });
      const isLast = group?.type === 'Elector' && field.name === THREE[2];
      return [row, isLast ? this.marginTemplate(path.slice(0, -THREE[2].length)) : nothing];
    });
  }

  /** The three durations of the form as one bar. @param {string} prefix of their paths */
  marginTemplate(prefix) {
    const nsOf = (/** @type {string} */ name) =>
      parseInstant(durationOf(textAt(this.form.draft, prefix + name) || textAt(this.known.inForce, prefix + name))) ??
      0;
    const [, deadlineNs, retryNs] = THREE.map(nsOf);
    const { marginNs } = this.outlook;
    return html`<div class="faults-margin" data-stale=${this.form.error ? 'true' : nothing}>${marginBar({
      deadlineNs,
      retryNs,
      marginNs,
    })}</div>`;
  }

  footer() {
    const paths = [...this.changed];
    const kinds = paths.map((path) => this.format.ownerOf(path)?.effect ?? '');
    const stuck = paths.find((_, i) => kinds[i] === '');
    const atStart = kinds.includes('start');
    const instant = formatInstant(this.ports.now(), 0);
    const none = paths.length === 0;
    return html`<footer class="faults-form">
      ${this.form.astray ? html`<p class="field-error" role="alert">${this.form.astray}</p>` : nothing}
      <p class="mute" role="status">${changesText(paths, stuck, atStart)} ${
        none || this.form.error ? nothing : this.outlookTemplate()
      }</p>
      <p class="faults-buttons">
        <button type="submit" class="btn primary" ?disabled=${none}>Run again${
          this.ports.stops() ? `, stop at ${instant}` : ''
        }</button>
        <button type="button" class="btn tint" ?disabled=${none || stuck !== undefined}
          @click=${() => this.apply('now')}>Change it at ${instant}</button>
        ${when(
          atStart && stuck === undefined && this.nodeName(),
          () => html`<button type="button" class="btn tint" @click=${() => this.apply('restart')}>Restart
              ${this.nodeName()} with it</button>`,
        )}
        <button type="button" class="btn" ?disabled=${none} @click=${() => this.discard()}>Undo the change</button>
      </p>
    </footer>`;
  }

  /** What the changes lead to, and what it was. */
  outlookTemplate() {
    const { known, outlook } = this;
    /** @param {string} what @param {number} ns @param {number} before */
    const figure = (what, ns, before) =>
      ns === before ? nothing : html`${what} <b>${formatSeconds(ns)}</b>, was ${formatSeconds(before)}. `;
    return html`${figure('Safety margin', outlook.marginNs, known.outlook.marginNs)}${figure(
      'Longest possible failover',
      outlook.failoverNs,
      known.outlook.failoverNs,
    )}`;
  }
}
