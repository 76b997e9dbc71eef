/**
 * The sheet of all settings and all faults: every field of the format, and every act. It is a separate chunk, which
 * loads when the room opens. Its forms come from the site's schema. Values, refusals and effects come from the engine.
 */

import { html } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { icon } from '../../lib/icons.js';
import { modal, newDialog } from '../../lib/modal.js';
import { segmentsTemplate } from '../../lib/parts.js';
import { ActForm } from './acts.js';
import { openAsking } from './asking.js';
import { controlsIn } from './form.js';
import { countOf, readFormat } from './schema.js';
import { SettingsForm } from './settings.js';

/** @import { ActParams, CheckParams, Checked, EditParams } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Form } from './form.js' */

/**
 * The functions of the dialog and the run that the two pages need.
 * @typedef {object} Ports
 * @property {(params: CheckParams) => Promise<Checked>} check
 * @property {(op: "edit" | "act", params: EditParams | ActParams, form: Form, words: string) => void} ask
 * @property {() => void} redraw
 * @property {() => string[]} controls
 * @property {() => string} target the selected node
 * @property {() => number} now the cursor, in ns
 * @property {() => boolean} stops whether a run that starts again stops at the cursor
 * @property {() => void} focusForm
 * @property {(path: string) => void} reveal goes to the field of a setting
 */

const TITLE = 'All settings and faults';
const PAGES = {
  settings: { title: 'All settings', search: 'Search the settings', example: 'watchdog, queue, p99, dialect…' },
  acts: { title: 'All faults', search: 'Search the faults', example: 'sleep, delete, slow, reboot…' },
};

/** @param {Pick<Page, "state" | "lab" | "notifier">} ports */
export async function open({ state, lab, notifier }) {
  const format = readFormat(await (await fetch(lab.assets.schema)).json());
  const counts = { settings: countOf(format), acts: format.rules.length };

  const dialog = newDialog('faults', TITLE);
  /** @param {string} selector @returns {HTMLElement | null} */
  const find = (selector) => dialog.querySelector(selector);

  /** @type {"settings" | "acts"} */
  let room = 'settings';
  /** The run was playing when the sheet opened, so a run that starts again plays to its end. */
  let playsOn = false;
  let isApplied = false;
  const { show, close, redraw } = modal(dialog, template);
  const check = (/** @type {CheckParams} */ params) => lab.ask('check', params);
  const ask = openAsking({
    check,
    change: async (op, params, words) => {
      const until = playsOn ? undefined : state.view.value.cursor.t;
      lab.touch();
      const done = await lab.change(op, params, words);
      // A run that starts again plays to the instant of the change, or on; in a lesson, as far as its guard allows.
      if (done && params.mode === 'rerun' && state.playOn.value)
        await lab.change('play', { speed: state.speed.value, until });
      return done;
    },
    redraw,
    focusInvalid: () => {
      const field = find('[aria-invalid="true"]');
      const inside = field?.matches('fieldset') ? field.querySelector('input') : field;
      inside?.focus();
    },
    done: (words) => {
      isApplied = true;
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
    stops: () => !playsOn && state.view.value.cursor.t > 0,
    focusForm: () => (find('.fault-sentence :is(input, select)') ?? find('.faults-form h3'))?.focus(),
    reveal(path) {
      pages.settings.reveal(path);
      enter('settings');
      const field = find(`[data-path="${path}"] :is(input, select, textarea, summary)`);
      field?.scrollIntoView({ block: 'center' });
      field?.focus();
    },
  };
  const pages = { settings: new SettingsForm(format, ports), acts: new ActForm(format, ports) };

  /** @param {"settings" | "acts"} next */
  function enter(next) {
    room = next;
    pages[room].onChange();
  }

  function template() {
    const { title, search, example } = PAGES[room];
    const page = pages[room];
    /** @type {["settings" | "acts", string][]} */
    const doors = [
      ['settings', `Settings ${counts.settings}`],
      ['acts', `Faults ${counts.acts}`],
    ];
    return html`
      <div class="faults-head">
        <h2>${title}</h2>
        ${segmentsTemplate(doors, { label: 'Page', chosen: room, class: 'seg' }, enter)}
        <button type="button" class="btn icon-only" aria-label="Close" @click=${close}>${icon('close')}</button>
        <div class="faults-tools"><label class="faults-find">${icon('find')}<input type="search"
          aria-label=${search} placeholder=${example} autocomplete="off" .value=${page.text} @input=${withValue(
            (text) => {
              page.text = text;
              redraw();
            },
          )} /></label>
        ${page.head()}</div>
      </div>
      ${page.template()}
    `;
  }

  // Keeps what a visitor typed.
  dialog.addEventListener('close', () => {
    const { changed, form } = pages.settings;
    if (isApplied || changed.size === 0) return;
    const { draft } = form;
    const back = async () => {
      await enterAt('settings');
      form.draft = draft;
      pages.settings.onChange();
    };
    notifier.notify(`Not applied: ${[...changed].join(', ')}.`, { action: { label: 'Go back', run: back } });
  });

  return { show: enterAt };

  /**
   * @param {string} [first] a page, or the path of a setting
   * @param {() => string} [typed] what the visitor typed while the sheet opened: the setting's new value
   */
  async function enterAt(first = room, typed = () => '') {
    playsOn = state.view.value.playing;
    isApplied = false;
    if (playsOn) await lab.pause();
    const known = await lab.ask('settings').catch((error) => notifier.notify(error.message, { tone: 'error' }));
    if (!known) return;
    room = first === 'acts' ? first : 'settings';
    pages.settings.show(known);
    pages.acts.show(known);
    redraw();
    show();
    if (first in PAGES) find('[aria-pressed="true"]')?.focus();
    else {
      ports.reveal(first);
      if (typed()) pages.settings.form.set(first, typed());
    }
  }
}
