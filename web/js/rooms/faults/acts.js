/** The faults and acts: the choice of an act, the act's fields, and its instant. */
import { html, nothing } from 'lit-html';
import { onSubmit, withValue } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { Form, fieldTemplate } from './form.js';
import { objectOf, spellOut, textAt } from './schema.js';

/** @import { Ports } from './index.js' */
/** @import { Format, Rule } from './schema.js' */

/**
 * The initial target of an act: the selected node, or a free name for a new node.
 * @param {Rule | undefined} rule @param {string[]} nodes @param {string} selected
 */
export function draftOf(rule, nodes, selected) {
  /** @type {{target?: string, candidate?: {name: string}}} */
  const draft = {};
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

export class ActForm {
  /** @param {Format} format @param {Ports} ports */
  constructor(format, ports) {
    this.format = format;
    this.ports = ports;
    this.chosen = '';
    /** @type {"now" | "at"} */
    this.when = 'now';
    this.at = '';
    this.form = new Form('act', format, { ...ports, onChange: () => this.onChange() });
  }

  rule() {
    return this.format.rules.find(({ act }) => act === this.chosen);
  }

  /** @param {string[]} nodes of the run now */
  show(nodes) {
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
    const at = this.when === 'now' ? '0s' : objectOf(this.format, 'Action', { at: this.at || '-' }, ['at']).at;
    return { at: String(at), act: rule.act, ...objectOf(this.format, 'Action', this.form.draft, rule.takes) };
  }

  inject() {
    const rule = this.rule();
    if (!rule) return;
    const now = this.when === 'now';
    const action = this.action(rule);
    const node = textAt(action, 'target') || textAt(action, 'candidate.name');
    const words = `${spellOut(rule.act)}${node ? ` ${node}` : ''}, ${now ? 'now' : `at ${action.at}`}`;
    this.ports.ask('act', { act: rule.act, ...(node ? { node } : {}), action, now }, this.form, words);
  }

  template() {
    const rule = this.rule();
    const target = textAt(this.form.draft, 'target');
    const whom = target ? ` ${target}` : '';
    return html`
      <nav class="faults-list" aria-label="Faults and acts">
        ${this.format.sections.map(
          (section) => html`<h3>${section}</h3>
            <ul class="acts-list">${this.format.rules
              .filter((one) => one.section === section)
              .map(
                ({ act }) =>
                  html`<li><button type="button" aria-current=${act === this.chosen ? 'true' : nothing}
                    @click=${() => this.choose(act)}>${spellOut(act)}</button></li>`,
              )}</ul>`,
        )}
      </nav>
      <form class="faults-form" aria-label="Fault" @submit=${onSubmit(() => this.inject())}>
        <div class="faults-scroll" tabindex="0" role="group" aria-label="Fields">
          ${
            rule
              ? this.fieldsTemplate(rule)
              : html`<p class="empty">Choose a fault. It becomes part of the run: links include it, Undo removes
                it.</p>`
          }
        </div>
        <footer>
          ${this.form.astray ? html`<p class="field-error" role="alert">${this.form.astray}</p>` : nothing}
          <p class="faults-buttons"><button type="submit" class="primary"
            ?disabled=${!rule}>${
              rule ? `${spellOut(rule.act)}${whom} ${this.when === 'now' ? 'now' : 'then'}` : 'Inject'
            }</button></p>
        </footer>
      </form>
    `;
  }

  /** @param {Rule} rule */
  fieldsTemplate(rule) {
    const fields = this.format.fields('Action');
    return html`<h3 tabindex="-1">${spellOut(rule.act)}</h3>
      <p>${rule.help}</p>
      ${this.whenTemplate()}
      ${rule.takes.map((name) => {
        const field = fields.find((one) => one.name === name);
        return field ? fieldTemplate(this.form, field, name, { mark: markOf(rule, name) }) : nothing;
      })}`;
  }

  whenTemplate() {
    const error = this.form.error?.path === 'at' ? this.form.error.message : '';
    const set = (/** @type {"now" | "at"} */ when) => () => {
      this.when = when;
      this.onChange();
    };
    const instant = html`<input id="act-at" type="text" aria-label="Instant" autocomplete="off" placeholder="34.5s"
        aria-invalid=${error ? 'true' : 'false'} aria-describedby=${error ? 'act-at-error' : 'act-at-help'}
        .value=${this.at}
        @input=${withValue((at) => {
          this.at = at;
          this.onChange();
        })} />
      ${error ? html`<p class="field-error" id="act-at-error" role="alert">${error}</p>` : nothing}
      <p class="mute" id="act-at-help">An instant that the run has passed makes a branch there. A later one is scheduled
        for then.</p>`;
    return html`<fieldset class="field when" data-path="at">
      <legend>When</legend>
      <label><input type="radio" name="when" value="now" .checked=${this.when === 'now'}
        @change=${set('now')} /> <span>now, at ${formatInstant(this.ports.now())}</span></label>
      <label><input type="radio" name="when" value="at" .checked=${this.when === 'at'}
        @change=${set('at')} /> <span>at an instant</span></label>
      ${this.when === 'at' ? instant : nothing}
    </fieldset>`;
  }
}
