/**
 * Everything one can do here besides watching and acting: dialogs, the palette, links, files, settings, and the rooms the
 * first picture does not need. One chunk, fetched right after that picture is drawn.
 */
import { signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { element } from '../../lib/element.js';
import { fieldsOf } from '../../lib/fields.js';
import { Panel, TrackedPanel } from '../../lib/panel.js';
import { rooms } from '../../lib/rooms.js';
import { decodeLink } from '../../lib/share.js';
import { Client } from './client.js';
import { openDialogs } from './dialogs.js';
import { openFacade } from './facade.js';
import { openFiling } from './filing.js';
import { NodeGrid } from './grid.js';
import { openLinks } from './links.js';
import { menuTemplate } from './menu.js';
import { commandsOf } from './palette/commands.js';
import { beliefsTemplate } from './panels/beliefs.js';
import { branchesTemplate } from './panels/branches.js';
import { openChecks } from './panels/checks.js';
import { openElection } from './panels/coordinated/election.js';
import { knobEditor } from './panels/knobs/edit.js';
import { knobsTemplate } from './panels/knobs/knobs.js';
import { cardTemplate, objectsTemplate } from './panels/objects.js';
import { markObservations } from './panels/observations.js';
import { hintTemplate } from './panels/promises.js';
import { markReadiness } from './panels/readiness.js';
import { whyTemplate } from './panels/why.js';
import { openRunning } from './running.js';
import { openSplitter } from './splitter.js';
import { computingTemplate, toastsTemplate } from './toast.js';

/** @import { Selection, State } from '../../page/state.js' */

export { decodeLink, NodeGrid };

/**
 * What the desk needs of the page.
 * @typedef {object} Page
 * @property {State} state
 * @property {import('../../page/lab.js').Lab} lab
 * @property {import('../../lib/notify.js').Notifier} notifier
 * @property {(id: string, argument?: any) => void} run
 * @property {(selection: Selection) => void} select
 * @property {(node: string) => void} selectNode
 * @property {(addend: number | null) => void} mark
 * @property {(id: string) => string} key as it is printed
 * @property {(id: string) => string} shortcut as aria-keyshortcuts wants it
 * @property {import('../../page/timeline/timeline.js').TimelineView} timeline
 * @property {(tab: string) => void} showTab
 * @property {() => string} currentTab
 * @property {(change: object) => void} remember
 * @property {Record<string, any>} kept
 * @property {() => void} schedule
 */

/** @param {Page} page */
export function open(page) {
  const { state, lab, notifier, run, select, selectNode, mark, key, currentTab, showTab, remember, schedule } = page;
  const dialogs = openDialogs(page, { commands: () => commandsOf(page), theme: setTheme });
  const links = openLinks(page, dialogs.tooLong);
  const filing = openFiling(page);
  const running = openRunning(page);
  const knobCallbacks = knobEditor(state, lab, running.edit);
  openSplitter(page);

  /* ---- why ---- */

  const whyDialog = /** @type {HTMLDialogElement} */ (element('why'));
  /** Everything beyond the sum. @type {ReturnType<typeof import('../why/index.js').open> | undefined} */
  let causes;
  const fetchCauses = rooms.once('why', ({ open }) => {
    causes = open({ ...page, close: closeWhy });
    return causes;
  });
  async function openWhy() {
    const change = state.view.value.change;
    const marked = state.selection.value;
    if (marked?.kind === 'violation' && marked.cursor && (await (await fetchCauses())?.explainAt(marked.cursor))) {
      state.why.value = null;
      if (!whyDialog.open) whyDialog.show();
      return;
    }
    if (!change) return;
    try {
      state.why.value = await lab.ask('why', { change: change.index });
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message);
      return;
    }
    if (!whyDialog.open) whyDialog.show();
    (await fetchCauses())?.explain(change);
  }
  function closeWhy() {
    if (whyDialog.open) whyDialog.close();
    causes?.forget();
    mark(null);
  }

  /* ---- lessons ---- */

  /** @type {ReturnType<typeof import('../lesson/index.js').open> | undefined} */
  let lessons;
  const fetchLessons = rooms.once('lesson', ({ open }) => {
    lessons = open(page);
    schedule();
    return lessons;
  });

  /* ---- the museum ---- */

  const museum = rooms.once('museum', ({ open }) => open({ ...page, compare: compareVariants }));

  /* ---- the fault laboratory ---- */

  const faults = rooms.once('faults', ({ open }) => open(page));

  /* ---- the API ---- */

  const client = new Client(page);
  openFacade(client);
  /** Its tab. @type {ReturnType<typeof import('../api/index.js').open> | undefined} */
  let api;
  const fetchApi = rooms.once('api', ({ open }) => {
    api = open(page, client);
    schedule();
    return api;
  });

  /**
   * What is typed while something loads is kept for it: no letter of it is taken for a command.
   * @param {(typed: () => string) => Promise<void>} load
   */
  async function typeAhead(load) {
    let typed = '';
    const keep = (/** @type {KeyboardEvent} */ event) => {
      if (event.key.length > 1 || event.ctrlKey || event.metaKey) return;
      typed += event.key;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', keep, true);
    try {
      await load(() => typed);
    } finally {
      removeEventListener('keydown', keep, true);
    }
  }

  /* ---- theme ---- */

  /** @param {string} theme */
  function setTheme(theme) {
    state.theme.value = /** @type {any} */ (theme);
    remember({ theme });
  }

  /* ---- coordinated election ---- */

  const election = openElection(page);

  /* ---- checks ---- */

  const checks = openChecks(page);
  markObservations(page.timeline);
  markReadiness(page.timeline);
  /* ---- what is behind the beliefs ---- */

  /** @type {ReturnType<typeof import('../beliefs/index.js').open> | undefined} */
  let innerLife;
  const fetchInnerLife = rooms.once('beliefs', ({ open }) => {
    innerLife = open(page);
    schedule();
  });

  /* ---- comparisons, breakpoints and branches ---- */

  const compare = rooms.once('compare', ({ open }) => open(page));
  const breakpoints = rooms.once('breakpoints', ({ open }) => open(page));
  const branches = rooms.once('branches', ({ open }) => open(page));
  /** @param {{failing: string, mended: string}} two */
  async function compareVariants({ failing, mended }) {
    await (await compare())?.show({ a: { scenario: failing }, b: { scenario: mended } });
  }
  /** What a link holds besides the run, once that is open. @param {import('../../lib/share.js').Linked} linked */
  async function openBesides(linked) {
    if (linked.breakpoints?.length) await (await breakpoints())?.set(linked.breakpoints);
    if (linked.compare) await (await compare())?.show(linked.compare);
  }
  links.besides(openBesides);

  /* ---- rooms ---- */

  const objectCallbacks = {
    version: (/** @type {number} */ version) => {
      if (election.other()) {
        election.version(version);
        return;
      }
      state.pinnedVersion.value = version;
      if (version > 0) state.selection.value = { kind: 'version', version };
    },
    format: (/** @type {"yaml" | "json"} */ format) => {
      state.format.value = format;
    },
    copy: () => {
      const object = election.other() ?? state.object.value;
      if (object) lab.copy(state.format.value === 'yaml' ? object.text : object.json, `${object.kind} ${object.name}`);
    },
    field: (/** @type {string} */ field) => {
      state.field.value = field;
    },
    pick: election.pick,
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
      election.other(),
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
    const other = election.other();
    const pinned = other ? election.pinned() : pinnedVersion.value;
    const shown = { format: format.value, pinned, field: field.value };
    const card = cardOpen.value && layout.value === 'wide' && !view.value.lease.others;
    const top = card
      ? cardTemplate(view.value, objectCallbacks)
      : objectsTemplate(view.value, other ?? object.value, hello.value, shown, objectCallbacks);
    if (!beliefsBelow()) return top;
    return html`${top}<div class="beliefs-below">${beliefsTemplate(view.value, lab.now(), selection.value?.node ?? '', selectNode)}</div>`;
  }

  const view = fieldsOf(state.view);
  const menuOpen = signal(false);
  element('menu').addEventListener('toggle', ({ newState }) => {
    menuOpen.value = newState === 'open';
    schedule();
  });
  /** It changes with every event: written only while the menu is open. */
  const hashShown = () => (menuOpen.value ? view.hash : '');

  const tenths = () => Math.floor(lab.now() / 1e8);
  /** @param {string} id @param {() => unknown[]} inputs @param {() => unknown} template */
  const panel = (id, inputs, template) => new Panel(element(id), inputs, template);
  const panels = [
    new TrackedPanel(element('menu'), () =>
      menuTemplate(view, { speed: state.speed.value, key, engine: state.hello.value.engine, hash: hashShown() }, run),
    ),
    panel(
      'hint',
      () => [state.hint.value, state.target.value, state.bindings.value, state.hello.value],
      () =>
        hintTemplate(
          state.view.value,
          state.hello.value,
          { target: state.target.value, key: key('crash'), state: state.hint.value },
          {
            // A promise is kept by showing it: the run plays from its beginning.
            open: async (name) => {
              if (await lab.open({ scenario: name }, 'The scenario will open')) await lab.playPause();
            },
            lesson: () => run('lesson'),
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
      () =>
        knobsTemplate(state.view.value, state.hello.value, state.edit.value, state.target.value, knobCallbacks, run),
    ),
    panel('objects', objectInputs, objectPanel),
    panel(
      'beliefs',
      () =>
        currentTab() === 'beliefs'
          ? [
              state.view.value.cursor.t,
              tenths(),
              state.selection.value,
              state.view.value.nodes,
              election.decision(),
              checks.shown(),
              ...(innerLife?.inputs() ?? []),
            ]
          : [],
      () =>
        html`${beliefsTemplate(state.view.value, lab.now(), state.selection.value?.node ?? '', selectNode)}${election.template()}${innerLife?.template()}${checks.template()}`,
    ),
    panel(
      'branches',
      () => [JSON.stringify(state.view.value.branches.map(({ edge, ...rest }) => rest)), state.view.value.branch],
      () =>
        branchesTemplate(
          state.view.value,
          (branch) => lab.change('branch', { branch }),
          () => run('branches'),
        ),
    ),
    panel(
      'toasts',
      () => [state.toasts.value, state.computing.value],
      () => [
        computingTemplate(state.computing.value),
        toastsTemplate(state.toasts.value, (id) => notifier.withdraw((toast) => toast.id === id)),
      ],
    ),
    panel(
      'why',
      () => [state.why.value, ...(causes?.inputs() ?? [])],
      () => {
        const sum = whyTemplate(state.why.value, {
          go: (cursor) => select({ kind: 'event', cursor }),
          close: closeWhy,
          mark,
        });
        return causes?.template(sum, state.why.value?.change.index ?? -1) ?? sum;
      },
    ),
  ];

  /** What it needs is fetched when a tab is chosen: what could not be loaded is tried again then, not for every frame. */
  let shownTab = '';

  const desk = {
    /** Draws the rooms. */
    update() {
      election.ask();
      if (currentTab() === 'beliefs') checks.ask();
      for (const one of panels) one.update();
      if (currentTab() !== shownTab) {
        shownTab = currentTab();
        /** @type {Record<string, () => unknown>} */ ({ beliefs: fetchInnerLife, lesson: fetchLessons, api: fetchApi })[
          shownTab
        ]?.();
      }
      if (shownTab === 'beliefs') innerLife?.ask();
      lessons?.update();
      links.followLink();
    },
    /** Closes what is open; false when nothing was. */
    close() {
      if (whyDialog.open) closeWhy();
      else if (state.edit.value) state.edit.value = null;
      else return lessons?.leave() ?? false;
      return true;
    },
    /** A lesson is on. */
    learning: () => lessons?.isOn() ?? false,
    /** @type {Record<string, (argument?: any) => unknown>} */
    commands: {
      ...running.commands,
      museum: async (/** @type {string} */ id) => (await museum())?.show(id),
      faults: async (/** @type {"settings" | "acts"} */ room) => (await faults())?.show(room),
      lesson: async (number) => (await fetchLessons())?.begin(number),
      lessonForth: () => lessons?.forth(),
      lessonBack: () => lessons?.back(),
      api: async () => {
        showTab('api');
        if (api) api.focus('');
        else await typeAhead(async (typed) => (await fetchApi())?.focus(typed()));
      },
      goTo: () => dialogs.open('goTo'),
      clock: () => dialogs.open('clock'),
      palette: () => dialogs.open('palette'),
      help: () => dialogs.open('help'),
      why: openWhy,
      compare: async () => (await compare())?.show(),
      compareVariants,
      breakpoints: async () => (await breakpoints())?.show(),
      branches: async () => (await branches())?.show(),
      copyLink: links.copyLink,
      saveJson: () => filing.save('json'),
      saveYaml: () => filing.save('yaml'),
      saveSession: () => filing.saveSession(),
      openFile: () => element('file').click(),
      themeSystem: () => setTheme('system'),
      themeLight: () => setTheme('light'),
      themeDark: () => setTheme('dark'),
    },
  };
  return desk;
}
