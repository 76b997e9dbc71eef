/** The one modal dialog of the desk: help, go to a time, a clock, every command by name, a link that is too long. */

import { signal } from '@preact/signals-core';
import { nothing } from 'lit-html';
import { set } from '../../../lib/control.js';
import { element } from '../../../lib/element.js';
import { modal } from '../../../lib/modal.js';
import { MAX_LINK } from '../../../lib/share.js';
import { helpTemplate } from './help/help.js';
import { openPalette } from './palette/palette.js';
import { clockTemplate, goToTemplate, longLinkTemplate } from './templates.js';

/** @import { Ask } from '../../../protocol.js' */
/** @import { Page } from '../index.js' */
/** @import { Command } from './palette/palette.js' */

const LABELS = { help: 'Keys and help', goTo: 'Go to a time', clock: 'Clock', palette: 'Commands', long: 'Link' };

/**
 * @param {Pick<Page, "state" | "lab" | "run" | "remember">} ports
 * @param {{commands: () => Command[], theme: (theme: "system" | "light" | "dark") => void}} on commands: what the
 *   palette offers; theme: applies a chosen theme
 * @param {() => Promise<{ask: Ask}>} [tools] the second engine, which looks up errors
 */
export function openDialogs(
  { state, lab, run, remember },
  { commands, theme },
  tools = async () => (await import('../../engine/tools.js')).openTools(lab.assets),
) {
  const kind = signal(/** @type {keyof typeof LABELS} */ ('help'));
  const error = signal('');
  const length = signal(0);
  const palette = openPalette(commands, close, {
    fits: async (text) => (await tools()).ask('symptoms', { text }),
    open: (address) => globalThis.location.assign(address),
  });
  const room = modal(/** @type {HTMLDialogElement} */ (element('dialog')), () => TEMPLATES[kind.value]());
  const { dialog } = room;

  function close() {
    dialog.close();
  }
  const refuse = (/** @type {string} */ sentence) => set(error, sentence);
  /** @param {() => unknown} act what to do after the dialog closes */
  const done = (act) => {
    close();
    act();
  };

  const TEMPLATES = {
    help: () =>
      helpTemplate(
        {
          mode: state.keyMode.value,
          theme: state.theme.value,
          playOn: state.playOn.value,
          engine: { version: state.hello.value.engine, sha256: lab.assets.module.sha256 },
        },
        {
          mode: (mode) => {
            state.keyMode.value = mode;
            remember({ keyMode: mode });
          },
          theme,
          playOn: (on) => {
            state.playOn.value = on;
            remember({ playOn: on });
          },
          close,
        },
      ),
    goTo() {
      const { cursor, live, end } = state.view.peek();
      const go = (/** @type {number} */ t) => done(() => lab.goTo(t));
      return goToTemplate({ now: cursor.t, live: live.t, end, error: error.value }, { go, error: refuse, close });
    },
    clock() {
      const node = state.view.value.nodes.find(({ name }) => name === state.target.value);
      if (!node) return nothing;
      const set = (/** @type {object} */ options) => done(() => lab.act('clock', node.name, options));
      return clockTemplate(node, error.value, { set, error: refuse, close });
    },
    long: () => longLinkTemplate(length.value, MAX_LINK, { save: () => done(() => run('saveJson')), close }),
    palette: palette.template,
  };

  /** @param {keyof typeof LABELS} which */
  function open(which) {
    kind.value = which;
    error.value = '';
    palette.reset();
    dialog.dataset.kind = which;
    dialog.setAttribute('aria-label', LABELS[which]);
    room.show();
    const field = dialog.querySelector('input');
    if (which === 'help' || !field) return;
    field.focus();
    field.select();
  }

  return {
    open,
    /** @param {number} characters */
    tellTooLong(characters) {
      length.value = characters;
      open('long');
    },
  };
}
