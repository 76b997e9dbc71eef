/** The faults: a tile for each act, and the chosen act as a sentence with its fields in it. */
import { html, nothing } from 'lit-html';
import { onSubmit, withOpen, withValue } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { when } from '../../lib/parts.js';
import { control, errorTemplate, hasError, wordAt } from './controls.js';
import { errorWithin, Form, fieldTemplate } from './form.js';
import { listOf, objectOf, textAt, valueAt } from './schema.js';

/** @import { Icon } from '../../lib/icons.js' */
/** @import { Settings } from '../../protocol.js' */
/** @import { Ports } from './index.js' */
/** @import { Format, Rule } from './schema.js' */

/** @type {Record<string, Icon>} */
const ACT_ICONS = {
  ...{ crash: 'crash', restart: 'restart', pause: 'pause', resume: 'play', stop: 'stop', suspend: 'clock' },
  ...{ hang: 'hold', burst: 'share', add: 'add', remove: 'remove', rollingUpdate: 'redo', cut: 'cut', heal: 'check' },
  ...{ fail: 'errors', recover: 'check', latency: 'slow', server: 'server', intercept: 'signal', deliver: 'forth' },
  ...{ clock: 'clock', write: 'write', request: 'find', rollback: 'undo', upgrade: 'down', set: 'fix' },
  ...{ cutResource: 'fence', healResource: 'check' },
};

/**
 * A part of a sentence: words, or a field.
 * @typedef {{text: string, path: string, initial: string, empty: string}} Part
 */

/** The parts of "{target} stops for {for=20 s|ever}". @param {string} sentence @returns {Part[]} */
export const partsOf = (sentence) =>
  sentence.split(/\{([^}]+)\}/).map((text, i) => {
    if (i % 2 === 0) return { text, path: '', initial: '', empty: '' };
    const [, path, initial = '', empty = ''] = /^([^=|]+)(?:=([^|]*))?(?:\|(.*))?$/.exec(text) ?? [];
    return { text: '', path, initial, empty };
  });

/**
 * What an act's form begins with: the selected node, a free name for a new node, and the values of the sentence.
 * @param {Rule | undefined} rule @param {string[]} nodes @param {string} selected
 */
export function draftOf(rule, nodes, selected) {
  /** @type {{[name: string]: unknown}} */
  const draft = {};
  for (const { path, initial } of partsOf(rule?.sentence ?? '')) {
    const [name, inner] = path.split('.');
    if (initial) draft[name] = inner ? { [inner]: initial } : initial;
  }
  if (rule?.needs.includes('target') && nodes.includes(selected)) draft.target = selected;
  if (rule?.needs.includes('candidate'))
    draft.candidate = { name: [...'abcdefghijklmnopqrstuvwxyz'].find((letter) => !nodes.includes(letter)) ?? '' };
  return draft;
}

/** The mark beside a field's name. @param {Rule} rule @param {string} name */
export function markOf({ needs, oneOf }, name) {
  if (needs.includes(name)) return 'needed';
  return oneOf.includes(name) && oneOf.length > 1 ? `needed: one of ${oneOf.join(', ')}` : '';
}

/** The sentence with the values of its fields. @param {Rule} rule @param {unknown} draft */
const saidOf = ({ sentence }, draft) =>
  partsOf(sentence)
    .map(({ text, path, empty }) => (path ? wordAt(draft, path) || empty : text))
    .join('');

/** How many acts of the scenario have a tile. */
const MAX_OWN = 24;

export class ActForm {
  /** @param {Format} format @param {Ports} ports */
  constructor(format, ports) {
    this.format = format;
    this.ports = ports;
    this.chosen = '';
    this.text = '';
    /** The acts of the scenario. @type {unknown[]} */
    this.own = [];
    /** The instant; "" for now. */
    this.at = '';
    this.form = new Form('act', format, { ...ports, onChange: () => this.onChange() });
  }

  rule() {
    return this.format.rules.find(({ act }) => act === this.chosen);
  }

  /** The settings of the run now. @param {Settings} known */
  show({ nodes, scenario }) {
    this.own = listOf(valueAt(scenario, 'actions'));
    this.form.nodes = nodes;
    const target = textAt(this.form.draft, 'target');
    if (target && !nodes.includes(target)) this.form.draft = draftOf(this.rule(), nodes, this.ports.target());
    this.form.refuse(null);
  }

  onChange() {
    this.form.refuse(null);
    this.ports.redraw();
  }

  /** @param {string} act */
  choose(act) {
    if (this.chosen !== act) {
      this.chosen = act;
      this.form.draft = draftOf(this.rule(), this.form.nodes, this.ports.target());
      this.form.open.clear();
    }
    this.onChange();
    this.ports.focusForm();
  }

  /** The act in the form of a scenario. @param {Rule} rule */
  action(rule) {
    const at = this.at ? objectOf(this.format, 'Action', { at: this.at }, ['at']).at : '0s';
    return { at: String(at), act: rule.act, ...objectOf(this.format, 'Action', this.form.draft, rule.takes) };
  }

  inject() {
    const rule = this.rule();
    if (!rule) return;
    const now = this.at === '';
    const action = this.action(rule);
    const node = textAt(action, 'target') || textAt(action, 'candidate.name');
    const params = { act: rule.act, ...(node ? { node } : {}), action, now };
    this.ports.ask(
      'act',
      params,
      this.form,
      `${rule.name}: ${saidOf(rule, action)}, ${now ? 'now' : `at ${action.at}`}`,
    );
  }

  /** Beside the search: when. */
  head() {
    return html`<label class="fault-at" data-path="at">at <input id="act-at" type="text" size="8" autocomplete="off"
      placeholder=${formatInstant(this.ports.now(), 1)} aria-invalid=${hasError(this.form, 'at') ? 'true' : 'false'}
      title="Empty: now. An instant that the run has passed makes a branch there." .value=${this.at}
      @input=${withValue((at) => {
        this.at = at;
        this.onChange();
      })} /></label>`;
  }

  template() {
    const words = this.text.toLowerCase().split(/\s+/);
    const fits = (/** @type {Rule} */ { act, name, short, help }) =>
      words.every((word) => `${act} ${name} ${short} ${help}`.toLowerCase().includes(word));
    const sections = this.format.sections
      .map((section) => ({ section, rules: this.format.rules.filter((one) => one.section === section && fits(one)) }))
      .filter(({ rules }) => rules.length > 0);
    return html`
      <nav class="faults-scroll" aria-label="Faults and acts" tabindex="0">
        ${this.text ? nothing : this.ownTemplate()}
        ${sections.map(
          ({ section, rules }) => html`<h3 class="label">${section} <span>${rules.length}</span></h3>
            <div class="fault-tiles">${rules.map((rule) => this.tile(rule))}</div>`,
        )}
        ${when(
          sections.length === 0,
          () => html`<p class="empty">No fault has “${this.text}”. Try pause, delete or slow.</p>`,
        )}
      </nav>
      ${this.formTemplate()}
    `;
  }

  /** What the scenario does by itself; each act leads to its fields. */
  ownTemplate() {
    const { own } = this;
    if (own.length === 0) return nothing;
    const tiles = own.slice(0, MAX_OWN).map((action, i) => {
      const act = textAt(action, 'act');
      const rule = this.format.rules.find((one) => one.act === act);
      return html`<button type="button" class="fault-tile" @click=${() => this.ports.reveal(`actions[${i}].at`)}>${icon(
        ACT_ICONS[act] ?? 'errors',
      )}<span><b>${rule?.name ?? act} <code>at ${wordAt(action, 'at')}</code></b><small>${
        rule ? saidOf(rule, action) : nothing
      }</small></span></button>`;
    });
    return html`<h3 class="label">In this run <span>${own.length}</span></h3><div class="fault-tiles">${tiles}</div>
      ${when(
        own.length > MAX_OWN,
        () =>
          html`<button type="button" class="quiet"
            @click=${() => this.ports.reveal('actions')}>All ${own.length}</button>`,
      )}`;
  }

  /** @param {Rule} rule */
  tile({ act, name, short }) {
    return html`<button type="button" class="fault-tile" data-act=${act}
      aria-pressed=${act === this.chosen ? 'true' : 'false'} @click=${() => this.choose(act)}>
      ${icon(ACT_ICONS[act] ?? 'errors')}<span><b>${name}
        <code>${act}</code></b><small>${short}</small></span></button>`;
  }

  formTemplate() {
    const rule = this.rule();
    if (!rule)
      return html`<p class="faults-form mute">Choose a fault. It becomes part of the run: links include it, Undo
        removes it.</p>`;
    return html`<form class="faults-form" aria-label="Fault" @submit=${onSubmit(() => this.inject())}>
      <div class="faults-fields">
        <h3 tabindex="-1">${rule.name} <code>${rule.act}</code></h3>
        ${this.sentenceTemplate(rule)}
        ${errorTemplate(this.form, 'at')}
        ${this.form.astray ? html`<p class="field-error" role="alert">${this.form.astray}</p>` : nothing}
        <p class="mute">${rule.help}</p>
        ${this.moreTemplate(rule)}
      </div>
      <p class="faults-buttons"><button type="submit" class="btn primary">Do it at ${
        this.at || formatInstant(this.ports.now(), 1)
      }</button></p>
    </form>`;
  }

  /** @param {Rule} rule */
  sentenceTemplate({ sentence }) {
    const parts = partsOf(sentence);
    return html`<p class="fault-sentence">${parts.map(({ text, path, empty }) => {
      const field = path && this.format.fieldAt('Action', path);
      if (!field) return text;
      return html`<span data-path=${path} data-kind=${field.kind}>${control(this.form, field, path, {
        label: field.label,
        empty,
      })}</span>`;
    })}</p>
    ${parts.map(({ path }) => (path ? errorTemplate(this.form, path) : nothing))}`;
  }

  /** The fields that the sentence does not have. @param {Rule} rule */
  moreTemplate(rule) {
    const { form } = this;
    const said = partsOf(rule.sentence).map(({ path }) => path);
    const others = rule.takes.filter((name) => !said.includes(name));
    if (others.length === 0) return nothing;
    const required = others.some((name) => rule.needs.includes(name) || rule.oneOf.includes(name));
    const isOpen =
      form.open.has('more') ||
      others.some((name) => errorWithin(form, name)) ||
      (required && !rule.oneOf.some((name) => said.includes(name)) && !said.some((path) => path.includes('.')));
    form.said = new Set(said);
    return html`<details class="fold" .open=${isOpen} @toggle=${withOpen((open) => form.unfold('more', open))}>
      <summary>${icon('forth')}${others.length === 1 ? '1 more field' : `${others.length} more fields`}</summary>
      ${others.map((name) => {
        const field = this.format.fieldAt('Action', name);
        return field ? fieldTemplate(form, field, name, { mark: markOf(rule, name) }) : nothing;
      })}
    </details>`;
  }
}
