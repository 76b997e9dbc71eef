/** The one modal dialog: help, go to a time, a clock, the palette, a link that grew too long. */
import { effect, signal } from '@preact/signals-core';
import { nothing, render } from 'lit-html';
import { element } from '../../lib/element.js';
import { MAX_LINK } from '../../lib/share.js';
import { keyName, printKey } from '../../page/keys.js';
import { clockTemplate, goToTemplate, longLinkTemplate } from './dialogtemplates.js';
import { conflict } from './help/conflict.js';
import { helpTemplate } from './help/help.js';
import { labelOf } from './keylabels.js';
import { narrow, paletteTemplate } from './palette/palette.js';

/**
 * @param {import('./index.js').Page} page
 * @param {{commands: () => import('./palette/palette.js').Command[], theme: (theme: string) => void}} on what the palette offers, and what a chosen theme does
 */
export function openDialogs({ state, lab, run, remember }, { commands, theme }) {
  /** @type {import('@preact/signals-core').Signal<"" | "help" | "goTo" | "clock" | "palette" | "long">} */
  const dialogKind = signal('');
  const dialogError = signal('');
  const paletteText = signal('');
  const paletteChosen = signal(0);
  const rebinding = signal('');
  let linkLength = 0;
  const dialog = /** @type {HTMLDialogElement} */ (element('dialog'));

  /** @param {"help" | "goTo" | "clock" | "palette" | "long"} kind */
  function openDialog(kind) {
    dialogKind.value = kind;
    dialogError.value = '';
    rebinding.value = '';
    paletteText.value = '';
    paletteChosen.value = 0;
    drawDialog();
    if (!dialog.open) dialog.showModal();
    const field = dialog.querySelector('input');
    if (kind !== 'help' && field) {
      field.focus();
      field.select();
    }
  }
  const closeDialog = () => dialog.close();
  dialog.addEventListener('close', () => {
    dialogKind.value = '';
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) closeDialog();
  });
  dialog.addEventListener('keydown', (event) => {
    if (rebinding.value === '' || ['Tab', 'Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const id = rebinding.value;
    rebinding.value = '';
    const name = keyName(event);
    const other = conflict(name, id, state.bindings.value);
    if (event.key === 'Escape') dialogError.value = '';
    else if (!name || name.startsWith('Mod+')) dialogError.value = 'Choose a key without Ctrl, Alt or ⌘.';
    else if (other)
      dialogError.value = `${printKey(name)} already means “${labelOf(other)}”. Choose another, or change that one first.`;
    else {
      dialogError.value = '';
      state.bindings.value = { ...state.bindings.value, [id]: [name] };
      remember({ bindings: state.bindings.value });
    }
  });

  const dialogNames = {
    help: 'Keys and help',
    goTo: 'Go to a time',
    clock: 'Clock',
    palette: 'Commands',
    long: 'Link',
  };

  function drawDialog() {
    const kind = dialogKind.value;
    if (kind === '') return;
    dialog.dataset.kind = kind;
    dialog.setAttribute('aria-label', dialogNames[kind]);
    render(dialogTemplate(kind), dialog);
  }

  /** @param {string} kind */
  function dialogTemplate(kind) {
    const view = state.view.value;
    const error = (/** @type {string} */ sentence) => {
      dialogError.value = sentence;
    };
    if (kind === 'help') {
      const shown = {
        mode: state.keyMode.value,
        bindings: state.bindings.value,
        theme: state.theme.value,
        waiting: rebinding.value,
        clash: dialogError.value,
        engine: { version: state.hello.value.engine, sha256: lab.assets.module.sha256 },
      };
      return helpTemplate(shown, {
        mode: (mode) => {
          state.keyMode.value = mode;
          remember({ keyMode: mode });
        },
        theme,
        rebind: (id) => {
          rebinding.value = id;
        },
        reset: () => {
          state.bindings.value = {};
          remember({ bindings: {} });
        },
        close: closeDialog,
      });
    }
    if (kind === 'goTo') {
      const go = (/** @type {number} */ t) => {
        closeDialog();
        lab.seek({ t, n: -1 });
      };
      return goToTemplate(
        { now: view.cursor.t, edge: view.edge.t, error: dialogError.value },
        { go, error, close: closeDialog },
      );
    }
    if (kind === 'clock') {
      const node = view.nodes.find((candidate) => candidate.name === state.target.value);
      if (!node) return nothing;
      const set = (/** @type {object} */ options) => {
        closeDialog();
        lab.act('clock', node.name, options);
      };
      return clockTemplate(node, dialogError.value, { set, error, close: closeDialog });
    }
    if (kind === 'long') {
      const save = () => {
        closeDialog();
        run('saveJson');
      };
      return longLinkTemplate(linkLength, MAX_LINK, { save, close: closeDialog });
    }
    return paletteTemplate(narrow(commands(), paletteText.value), paletteText.value, paletteChosen.value, {
      type: (text) => {
        paletteText.value = text;
        paletteChosen.value = 0;
      },
      choose: (i) => {
        paletteChosen.value = i;
        requestAnimationFrame(() =>
          dialog.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
        );
      },
      run: (command) => {
        closeDialog();
        command.run();
      },
    });
  }

  effect(() => {
    void [dialogKind.value, dialogError.value, paletteText.value, paletteChosen.value, rebinding.value];
    void [state.bindings.value, state.keyMode.value, state.theme.value];
    if (dialog.open) drawDialog();
  });

  return {
    open: openDialog,
    /** @param {number} length */
    tooLong(length) {
      linkLength = length;
      openDialog('long');
    },
  };
}
