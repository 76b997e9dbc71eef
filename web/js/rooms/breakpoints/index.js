/**
 * Breakpoints: conditions at which the run stops. The engine parses and checks them. This room shows their list and a
 * form.
 */

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { onSubmit, set, withChecked, withValue } from '../../lib/control.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { optionsTemplate } from '../../lib/parts.js';

/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { State } from '../../page/state.js' */
/** @import { Breakpoint } from '../../protocol.js' */

/**
 * The conditions that the form offers. A visitor can also type a condition.
 * @type {{id: string, label: string, takes: string, text: (value: string, node: string) => string}[]}
 */
export const KINDS = [
  { id: 'active', label: 'two or more leaders are active', takes: '', text: () => 'active >= 2' },
  { id: 'nobody', label: 'no leader has been active for', takes: 'length', text: (value) => `leaderless >= ${value}` },
  { id: 'holder', label: 'the holder is', takes: 'node', text: (_, node) => `holder = ${quoteName(node)}` },
  { id: 'role', label: 'a node is', takes: 'role', text: (value, node) => `role of ${quoteName(node)} = ${value}` },
  { id: 'change', label: 'the leader changes', takes: '', text: () => 'leader change' },
  { id: 'violation', label: 'a rule is violated', takes: '', text: () => 'violation' },
];
const ROLES = ['leading', 'lost', 'following', 'paused', 'down', 'stopped', 'waiting'];

/** @param {string} name */
function quoteName(name) {
  return /^[\w.-]+$/.test(name) ? name : `"${name}"`;
}

/** @param {{state: State, lab: Lab, notifier: Notifier, run: (command: string) => void}} ports */
export function open({ state, lab, notifier, run }) {
  const kind = signal('active');
  const error = signal('');
  const { dialog, show, close } = modal(newDialog('breakpoints', 'Breakpoints'), contents);

  const all = () => state.view.value.breakpoints ?? [];

  // Changes run one at a time, because each change starts from the result of the previous one.
  /** @type {Promise<unknown>} */
  let before = Promise.resolve();

  /** @param {(list: Breakpoint[]) => Breakpoint[]} changed @param {string} done @returns {Promise<boolean>} */
  function change(changed, done) {
    const result = before.then(() => send(changed, done));
    before = result;
    return result;
  }

  /** @param {(list: Breakpoint[]) => Breakpoint[]} changed @param {string} done @returns {Promise<boolean>} */
  async function send(changed, done) {
    error.value = '';
    try {
      const view = await lab.ask('breakpoints', { breakpoints: changed(all()) });
      lab.touch();
      lab.receive(view);
      notifier.say(done);
    } catch (refused) {
      error.value = /** @type {Error} */ (refused).message;
    }
    return error.value === '';
  }

  /** @param {string} text */
  const add = (text) => change((list) => [...list, { text }], `The run stops when ${text}.`);

  /** @param {string} text */
  const remove = (text) => change((list) => list.filter((one) => one.text !== text), `${text} is removed.`);
  /** @param {string} text @param {boolean} on */
  const turn = (text, on) =>
    change(
      (list) => list.map((one) => (one.text === text ? { text, off: !on } : one)),
      `${text}: ${on ? 'on' : 'off'}.`,
    );

  function formTemplate() {
    const chosen = KINDS.find((one) => one.id === kind.value) ?? KINDS[0];
    const nodes = state.view.value.nodes.map((node) => node.name);
    const submit = onSubmit((data) => {
      const field = (/** @type {string} */ name) => String(data.get(name) ?? '').trim();
      add(chosen.text(field(chosen.takes === 'role' ? 'role' : 'length'), field('node')));
    });
    return html`<form @submit=${submit}>
      <label>Stop when
        <select name="kind" @change=${withValue((value) => set(kind, value))}>${optionsTemplate(
          KINDS.map(({ id, label }) => [id, label]),
          kind.value,
        )}</select></label>
      ${chosen.takes === 'node' || chosen.takes === 'role' ? choiceTemplate('Node', nodes) : nothing}
      ${chosen.takes === 'role' ? choiceTemplate('Role', ROLES) : nothing}
      ${
        chosen.takes === 'length'
          ? html`<label><span class="visually-hidden">Length</span><input name="length" value="10s" size="6"
            autocomplete="off" /></label>`
          : nothing
      }
      <button type="submit">Add</button>
    </form>`;
  }

  /** @param {string} label @param {string[]} options */
  const choiceTemplate = (label, options) =>
    html`<label><span class="visually-hidden">${label}</span><select
      name=${label.toLowerCase()}>${options.map((one) => html`<option>${one}</option>`)}</select></label>`;

  function textTemplate() {
    const submit = onSubmit(async () => {
      const field = /** @type {HTMLInputElement} */ (dialog.querySelector('input[name="text"]'));
      const text = field.value;
      const isAdded = await add(text);
      if (!isAdded) field.focus();
      else if (field.value === text) field.value = ''; // keeps text typed meanwhile
    });
    return html`<form @submit=${submit}>
      <label>Or write a condition
        <input name="text" autocomplete="off" placeholder="holder = b and leaderless >= 10s"
          aria-invalid=${error.value ? 'true' : 'false'}
          aria-describedby=${error.value ? 'breakpoint-error' : 'breakpoint-help'} /></label>
      <button type="submit">Add condition</button>
    </form>
    ${error.value ? html`<p class="field-error" id="breakpoint-error" role="alert">${error.value}</p>` : nothing}
    <p class="mute" id="breakpoint-help">
      active = 2 (also != &lt; &lt;= &gt; &gt;=) · holder = b, or nobody · role of a = lost · leaderless &gt;= 10s ·
      leader change · violation · violation = moreThanOneActive; several joined by “and”.
    </p>`;
  }

  function contents() {
    const list = all();
    return html`${dialogHead('Breakpoints', close)}
      ${
        list.length === 0
          ? html`<p>No breakpoint yet. Playing stops where one fires, and so does “Run to the next breakpoint”.</p>`
          : html`<ul aria-label="Breakpoints">${list.map(
              (one) => html`<li>
                <label><input type="checkbox" .checked=${!one.off}
                  @change=${withChecked((on) => turn(one.text, on))} /> <code>${one.text}</code></label>
                <button type="button" class="quiet" aria-label=${`Remove ${one.text}`}
                  @click=${() => remove(one.text)}>Remove</button>
              </li>`,
            )}</ul>`
      }
      ${formTemplate()} ${textTemplate()}
      <p class="buttons"><button type="button" class="primary" ?disabled=${!list.some((one) => !one.off)}
        @click=${() => {
          close();
          run('toBreakpoint');
        }}>Run to the next breakpoint</button></p>`;
  }

  return {
    show() {
      if (state.phase.value !== 'ready') {
        notifier.notify('The simulator is still loading.');
        return;
      }
      error.value = '';
      show();
      /** @type {HTMLElement | null} */ (dialog.querySelector('select[name="kind"]'))?.focus();
    },
    /** Adds the breakpoints of a link. @param {Breakpoint[]} list */
    set: (list) => change(() => list, ''),
  };
}
