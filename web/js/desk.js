/**
 * Everything one can do here besides watching and acting: dialogs, the palette, links, files, settings, and the rooms the
 * first picture does not need. One chunk, fetched right after that picture is drawn.
 */
import { effect, signal } from '@preact/signals-core';
import { html, nothing, render } from 'lit-html';
import { menuTemplate } from './bar/menu.js';
import { beliefsTemplate } from './beliefs/beliefs.js';
import { branchesTemplate } from './branches/branches.js';
import { actLabel, actOf, refusalOf } from './commands.js';
import { clockTemplate, goToTemplate, longLinkTemplate } from './dialogs/dialogs.js';
import { readScenario, saveScenario } from './files.js';
import { helpTemplate } from './help/help.js';
import { conflict, KEYS, keyName, keysOf, printKey } from './keys.js';
import { knobsTemplate } from './knobs/knobs.js';
import { Latest } from './lib/latest.js';
import { Panel } from './lib/panel.js';
import { cardTemplate, objectsTemplate } from './objects/objects.js';
import { narrow, paletteTemplate } from './palette/palette.js';
import { hintTemplate } from './promises.js';
import { decodeLink, encodeLink, MAX_LINK } from './share.js';
import { toastsTemplate } from './toast/toast.js';
import { whyTemplate } from './why/why.js';

/** @import { Linked } from './share.js' */
/** @import { Selection, State } from './state.js' */

export { decodeLink };

/**
 * What the desk needs of the page.
 * @typedef {object} Page
 * @property {State} state
 * @property {import('./lab.js').Lab} lab
 * @property {import('./announce.js').Announcer} announcer
 * @property {(id: string, argument?: any) => void} run
 * @property {(selection: Selection) => void} select
 * @property {(node: string) => void} selectNode
 * @property {(addend: number | null) => void} mark
 * @property {(id: string) => string} key
 * @property {(path: string, value: string, mode: string) => Promise<unknown>} edit
 * @property {() => unknown[]} barInputs
 * @property {() => {speed: number, key: (id: string) => string}} barShown
 * @property {() => string} currentTab
 * @property {(change: object) => void} remember
 * @property {Record<string, any>} kept
 * @property {() => void} schedule
 */

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {Page} page */
export function openDesk(page) {
  const {
    state,
    lab,
    run,
    select,
    selectNode,
    mark,
    key,
    edit,
    barInputs,
    barShown,
    currentTab,
    remember,
    kept,
    schedule,
  } = page;

  /* ---- dialogs ---- */

  /** @type {import('@preact/signals-core').Signal<"" | "help" | "goTo" | "clock" | "palette" | "long">} */
  const dialogKind = signal('');
  const dialogError = signal('');
  const paletteText = signal('');
  const paletteChosen = signal(0);
  const rebinding = signal('');
  const linkLength = signal(0);
  const dialog = /** @type {HTMLDialogElement} */ (element('dialog'));
  const whyDialog = /** @type {HTMLDialogElement} */ (element('why'));

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
      dialogError.value = `${printKey(name)} already means “${other.label}”. Choose another, or change that one first.`;
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
      };
      return helpTemplate(shown, {
        mode: (mode) => {
          state.keyMode.value = mode;
          remember({ keyMode: mode });
        },
        theme: setTheme,
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
      return longLinkTemplate(linkLength.value, MAX_LINK, { save, close: closeDialog });
    }
    return paletteTemplate(narrow(allCommands(), paletteText.value), paletteText.value, paletteChosen.value, {
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

  async function openWhy() {
    const change = state.view.value.change;
    if (!change) return;
    try {
      state.why.value = await lab.ask('why', { change: change.index });
    } catch (error) {
      lab.toast(/** @type {Error} */ (error).message);
      return;
    }
    if (!whyDialog.open) whyDialog.show();
  }
  function closeWhy() {
    if (whyDialog.open) whyDialog.close();
    mark(null);
  }

  /* The link. */

  /** The last link that was short enough. */
  let goodLink = location.hash.replace(/^#/, '');

  async function copyLink() {
    const link = await encodeLink(await lab.share());
    if (link.length > MAX_LINK) {
      linkLength.value = link.length;
      openDialog('long');
      return;
    }
    keepLink(link);
    await lab.copy(new URL(`#${link}`, location.href).href, 'The link to this instant');
  }

  /** @param {string} link */
  function keepLink(link) {
    goodLink = link;
    history.replaceState(null, '', `#${link}`);
  }

  /** The address follows the run once the visitor has done something, so that a reload loses nothing. */
  let linkTimer = 0;
  let linkedPlace = '';
  function followLink() {
    const { view, phase, selection } = state;
    if (!lab.touched || phase.value !== 'ready' || view.value.playing) return;
    const place = JSON.stringify([
      view.value.run,
      view.value.hash,
      view.value.cursor,
      view.value.edge,
      view.value.branch,
      selection.value,
    ]);
    if (place === linkedPlace) return;
    linkedPlace = place;
    clearTimeout(linkTimer);
    linkTimer = window.setTimeout(async () => {
      const link = await encodeLink(await lab.share()).catch(() => '');
      if (link && link.length <= MAX_LINK) keepLink(link);
    }, 150);
  }

  addEventListener('hashchange', async () => {
    const fragment = location.hash.replace(/^#/, '');
    if (fragment === goodLink || fragment === 'timeline') return;
    try {
      const linked = await decodeLink(fragment);
      if (linked) await openLinked(linked);
    } catch (error) {
      lab.toast(
        /** @type {Error} */ (error).message.replace(
          'the default scenario is open instead',
          'the run you had stays open',
        ),
        { tone: 'error' },
      );
    }
  });

  /** @param {Linked} linked */
  async function openLinked(linked) {
    const { scenario, patch, actions, seed, cursor, edge, selection } = linked;
    if (await lab.open({ scenario, patch, actions, seed, cursor, edge }, 'The link will open'))
      lab.opened({ selection });
  }

  /* Files. */

  /** @param {"json" | "yaml"} format */
  async function save(format) {
    try {
      await saveScenario(await lab.ask('save'), format);
    } catch (error) {
      lab.toast(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }

  /** @param {File | undefined} file */
  async function openFile(file) {
    if (!file) return;
    try {
      const scenario = await readScenario(file);
      if (await lab.open({ scenario }, `${file.name} will open`)) lab.toast(`${file.name} is open.`);
    } catch (error) {
      lab.toast(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }
  const fileInput = /** @type {HTMLInputElement} */ (element('file'));
  fileInput.addEventListener('change', async () => {
    await openFile(fileInput.files?.[0]);
    fileInput.value = '';
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    openFile(event.dataTransfer?.files[0]);
  });

  /** @param {string} theme */
  function setTheme(theme) {
    state.theme.value = /** @type {any} */ (theme);
    remember({ theme });
  }

  /** Everything the palette offers. @returns {import('./palette/palette.js').Command[]} */
  function allCommands() {
    const view = state.view.value;
    const target = state.target.value;
    const fromKeys = KEYS.filter((entry) => !['palette', 'escape'].includes(entry.id)).map((entry) => {
      const act = entry.act && !['undo', 'redo'].includes(entry.id) ? actOf(entry.id, view, target) : '';
      const label = act ? actLabel(act, target) : entry.label;
      const refusal = act && act !== 'add' ? refusalOf(view, target, act) : '';
      const keys = keysOf(entry, state.bindings.value).map(printKey).join(' or ');
      return { id: entry.id, label, refusal, keys, run: () => run(entry.id) };
    });
    const plain = (/** @type {string} */ id, /** @type {string} */ label, /** @type {any} */ argument = undefined) => ({
      id: argument ? `${id}-${argument}` : id,
      label,
      keys: '',
      run: () => run(id, argument),
    });
    return [
      ...fromKeys,
      plain('toLeaderChange', 'Run to the next leader change'),
      plain('toViolation', 'Run to the next violation'),
      plain('toEnd', 'Show the whole run'),
      plain('clock', `Clock of ${target}…`),
      { id: 'remove', label: `Remove ${target}`, keys: '', run: () => lab.act('remove', target) },
      plain('reroll', 'Another seed'),
      plain('saveJson', 'Save the run as JSON'),
      plain('saveYaml', 'Save the run as YAML'),
      plain('openFile', 'Open a scenario file…'),
      plain('themeSystem', 'Theme: as the system'),
      plain('themeLight', 'Theme: light'),
      plain('themeDark', 'Theme: dark'),
      ...state.hello.value.scenarios.map((scenario) => plain('scenario', `Open: ${scenario.title}`, scenario.name)),
    ];
  }

  /* ---- rooms ---- */

  const checkKnob = new Latest(
    (params) => lab.ask('check', params),
    (answer) => {
      const edit = state.edit.value;
      if (edit && answer) state.edit.value = { ...edit, error: answer.error?.message ?? '' };
    },
  );

  const knobCallbacks = {
    begin: (/** @type {string} */ path) => {
      const value = state.view.value.knobs.find((knob) => knob.path === path)?.value ?? '';
      state.edit.value = { path, value, error: '', ask: false };
      requestAnimationFrame(() => {
        const field = /** @type {HTMLInputElement | null} */ (element(`knob-${path.replaceAll('.', '-')}`));
        field?.focus();
        field?.select?.();
      });
    },
    type: (/** @type {string} */ value) => {
      const edit = state.edit.value;
      if (!edit) return;
      state.edit.value = { ...edit, value, ask: false };
      checkKnob.reset();
      checkKnob.want(value, { path: edit.path, value: normal(value) });
    },
    commit: async () => {
      const now = state.edit.value;
      if (!now) return;
      const value = normal(now.value);
      const before = state.view.value.knobs.find((knob) => knob.path === now.path)?.value;
      if (value === before) {
        state.edit.value = null;
        return;
      }
      const checked = await lab.ask('check', { path: now.path, value }).catch(() => ({}));
      if (state.edit.value?.path !== now.path) return;
      if (checked.error) state.edit.value = { ...now, value: now.value, error: checked.error.message };
      else state.edit.value = { ...now, value: now.value, error: '', ask: true };
      requestAnimationFrame(() =>
        /** @type {HTMLElement | null} */ (document.querySelector('.question .primary'))?.focus(),
      );
    },
    apply: async (/** @type {string} */ mode) => {
      const now = state.edit.value;
      if (!now) return;
      state.edit.value = null;
      await edit(now.path, normal(now.value), mode);
    },
    cancel: () => {
      const path = state.edit.value?.path;
      state.edit.value = null;
      if (path) requestAnimationFrame(() => element(`knob-${path.replaceAll('.', '-')}`)?.focus());
    },
  };

  /** "15 s" → "15s"; a bare number is seconds. @param {string} text */
  function normal(text) {
    const bare = text.replaceAll(' ', '').replaceAll('min', 'm');
    return /^\d+(\.\d+)?$/.test(bare) ? `${bare}s` : bare;
  }

  const objectCallbacks = {
    version: (/** @type {number} */ version) => {
      state.pinnedVersion.value = version;
      if (version > 0) state.selection.value = { kind: 'version', version };
    },
    format: (/** @type {"yaml" | "json"} */ format) => {
      state.format.value = format;
    },
    copy: () => {
      const object = state.object.value;
      if (object) lab.copy(state.format.value === 'yaml' ? object.text : object.json, `${object.kind} ${object.name}`);
    },
    field: (/** @type {string} */ field) => {
      state.field.value = field;
    },
    open: () => {
      state.cardOpen.value = false;
      remember({ seen: true });
    },
  };

  /** In the wide column there is room for what the nodes believe, below the object. */
  function beliefsBelow() {
    return state.layout.value === 'wide' && currentTab() === 'objects';
  }
  function objectInputs() {
    const { object, cardOpen, format, pinnedVersion, field, hello, layout, selection, view } = state;
    const below = beliefsBelow() ? [tenths(), view.value.nodes, selection.value] : [];
    return [
      object.value,
      view.value.lease.version,
      cardOpen.value,
      format.value,
      pinnedVersion.value,
      field.value,
      hello.value,
      layout.value,
      ...below,
    ];
  }
  function objectPanel() {
    const { object, cardOpen, format, pinnedVersion, field, hello, layout, selection, view } = state;
    const shown = { format: format.value, pinned: pinnedVersion.value, field: field.value };
    const card = cardOpen.value && layout.value === 'wide';
    const top = card
      ? cardTemplate(view.value, objectCallbacks)
      : objectsTemplate(view.value, object.value, hello.value, shown, objectCallbacks);
    if (!beliefsBelow()) return top;
    return html`${top}<div class="beliefs-below">${beliefsTemplate(view.value, lab.now(), selection.value?.node ?? '', selectNode)}</div>`;
  }

  /* The height of the event list: dragged, or moved with the arrows. */

  const splitter = element('splitter');
  let eventsPx = Number(kept.eventsPx) || 184;
  /** @param {number} px */
  function setEventsHeight(px) {
    const most = Math.max(120, Math.round(innerHeight / 2));
    eventsPx = Math.min(most, Math.max(96, Math.round(px)));
    document.documentElement.style.setProperty('--events', `${eventsPx}px`);
    splitter.setAttribute('aria-valuenow', String(eventsPx));
    splitter.setAttribute('aria-valuemin', '96');
    splitter.setAttribute('aria-valuemax', String(most));
  }
  setEventsHeight(eventsPx);
  splitter.addEventListener('pointerdown', (down) => {
    const before = eventsPx;
    splitter.setPointerCapture(down.pointerId);
    const move = (/** @type {PointerEvent} */ event) => setEventsHeight(before + down.clientY - event.clientY);
    splitter.addEventListener('pointermove', move);
    splitter.addEventListener(
      'lostpointercapture',
      () => {
        splitter.removeEventListener('pointermove', move);
        remember({ eventsPx });
        schedule();
      },
      { once: true },
    );
  });
  splitter.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowUp' ? 28 : event.key === 'ArrowDown' ? -28 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    setEventsHeight(eventsPx + by);
    remember({ eventsPx });
  });

  const tenths = () => Math.floor(lab.now() / 1e8);
  /** @param {string} id @param {() => unknown[]} inputs @param {() => unknown} template */
  const panel = (id, inputs, template) => new Panel(element(id), inputs, template);
  const panels = [
    panel('menu', barInputs, () => menuTemplate(state.view.value, barShown(), run)),
    panel(
      'hint',
      () => [state.hint.value, state.target.value, state.bindings.value, state.hello.value],
      () =>
        hintTemplate(
          state.view.value,
          state.hello.value,
          { target: state.target.value, key: key('crash'), state: state.hint.value },
          {
            open: (name) => run('scenario', name),
            close: () => {
              state.hint.value = 'done';
            },
          },
        ),
    ),
    panel(
      'knobs',
      () => [
        JSON.stringify(state.view.value.knobs),
        state.view.value.marginNs,
        state.edit.value,
        state.target.value,
        state.hello.value,
      ],
      () => knobsTemplate(state.view.value, state.hello.value, state.edit.value, state.target.value, knobCallbacks),
    ),
    panel('objects', objectInputs, objectPanel),
    panel(
      'beliefs',
      () =>
        currentTab() === 'beliefs'
          ? [state.view.value.cursor.t, tenths(), state.selection.value, state.view.value.nodes]
          : [],
      () => beliefsTemplate(state.view.value, lab.now(), state.selection.value?.node ?? '', selectNode),
    ),
    panel(
      'branches',
      () => [JSON.stringify(state.view.value.branches.map(({ edge, ...rest }) => rest)), state.view.value.branch],
      () => branchesTemplate(state.view.value, (branch) => lab.change('branch', { branch })),
    ),
    panel(
      'toasts',
      () => [state.toasts.value],
      () => toastsTemplate(state.toasts.value, (id) => lab.dismiss(id)),
    ),
    panel(
      'why',
      () => [state.why.value],
      () => whyTemplate(state.why.value, { go: (cursor) => select({ kind: 'event', cursor }), close: closeWhy, mark }),
    ),
  ];

  effect(() => {
    void [dialogKind.value, dialogError.value, paletteText.value, paletteChosen.value, rebinding.value];
    void [state.bindings.value, state.keyMode.value, state.theme.value];
    if (dialog.open) drawDialog();
  });

  return {
    /** Draws the rooms. */
    update() {
      for (const one of panels) one.update();
      followLink();
    },
    /** Closes what is open; false when nothing was. */
    close() {
      if (whyDialog.open) closeWhy();
      else if (state.edit.value) state.edit.value = null;
      else return false;
      return true;
    },
    /** @type {Record<string, (argument?: any) => unknown>} */
    commands: {
      goTo: () => openDialog('goTo'),
      clock: () => openDialog('clock'),
      palette: () => openDialog('palette'),
      help: () => openDialog('help'),
      why: openWhy,
      copyLink,
      saveJson: () => save('json'),
      saveYaml: () => save('yaml'),
      openFile: () => element('file').click(),
      themeSystem: () => setTheme('system'),
      themeLight: () => setTheme('light'),
      themeDark: () => setTheme('dark'),
    },
  };
}
