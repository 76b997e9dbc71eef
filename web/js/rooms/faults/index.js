/**
 * The fault laboratory: every setting of the format, and every act. It is a separate chunk, which loads when the room
 * opens. Its forms come from the site's schema. Values, refusals and effects come from the engine.
 */

import { html } from 'lit-html';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { segmentsTemplate } from '../../lib/parts.js';
import { ActForm } from './acts.js';
import { openAsking } from './asking.js';
import { controlsIn } from './form.js';
import { readFormat } from './schema.js';
import { SettingsForm } from './settings.js';

/** @import { ActParams, CheckParams, EditParams, ErrorReply, Settings } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Form } from './form.js' */

/**
 * The functions of the dialog and the run that the two pages need.
 * @typedef {object} Ports
 * @property {(params: CheckParams) => Promise<{error?: ErrorReply}>} check
 * @property {(op: "edit" | "act", params: EditParams | ActParams, form: Form, words: string) => void} ask
 * @property {() => void} redraw
 * @property {() => string[]} controls
 * @property {() => string} target the selected node
 * @property {() => number} now the cursor, in ns
 * @property {(id: string) => void} goTo a heading
 * @property {() => void} focusForm
 */

/** @type {["settings" | "acts", string][]} */
const DOORS = [
  ['settings', 'Settings'],
  ['acts', 'Faults'],
];
const TITLE = 'All settings and faults';

/** @param {Pick<Page, "state" | "lab" | "notifier">} ports */
export async function open({ state, lab, notifier }) {
  const format = readFormat(await (await fetch(lab.assets.schema)).json());

  const dialog = newDialog('faults', TITLE);
  /** @param {string} selector @returns {HTMLElement | null} */
  const find = (selector) => dialog.querySelector(selector);

  /** @type {"settings" | "acts"} */
  let room = 'settings';
  const { show, close, redraw } = modal(dialog, template);
  const check = (/** @type {CheckParams} */ params) => lab.ask('check', params);
  const ask = openAsking({
    check,
    change: (op, params, words) => {
      lab.touch();
      return lab.change(op, params, words);
    },
    redraw,
    focusInvalid: () => {
      const field = find('[aria-invalid="true"]');
      const inside = field?.matches('fieldset') ? field.querySelector('input') : field;
      inside?.focus();
    },
    done: (words) => {
      close();
      notifier.say(`${words}.`);
    },
  });
  /** @type {Ports} */
  const ports = {
    check,
    ask,
    redraw,
    controls: () => controlsIn(dialog),
    target: () => state.target.value,
    now: () => state.view.value.cursor.t,
    goTo: (id) => {
      const title = find(`#${id}`);
      title?.scrollIntoView({ block: 'start' });
      title?.focus({ preventScroll: true });
    },
    focusForm: () => find('.faults-form h3')?.focus(),
  };
  const pages = { settings: new SettingsForm(format, ports), acts: new ActForm(format, ports) };

  /** @param {"settings" | "acts"} next */
  function enter(next) {
    room = next;
    pages[room].onChange();
  }

  function template() {
    return html`
      ${dialogHead(TITLE, close, {
        beside: segmentsTemplate(DOORS, { label: 'Page', chosen: room, class: 'faults-doors' }, enter),
      })}
      <div class="faults-body" data-room=${room}>${pages[room].template()}</div>
    `;
  }

  return {
    /** @param {"settings" | "acts"} [first] */
    async show(first) {
      if (state.view.value.playing) await lab.pause();
      /** @type {Settings} */
      let known;
      try {
        known = await lab.ask('settings');
      } catch (error) {
        notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
        return;
      }
      if (first) room = first;
      pages.settings.show(known);
      pages.acts.show(known.nodes);
      redraw();
      show();
      find('[aria-pressed="true"]')?.focus();
    },
  };
}
