/** Wires the page: state, views, keys, the desk, and the start. Each has its own file. */
import { effect } from '@preact/signals-core';
import { set } from '../lib/control.js';
import { element } from '../lib/element.js';
import { Frames } from '../lib/frames.js';
import { failures } from '../lib/latest.js';
import { Notifier } from '../lib/notify.js';
import { ARROWS, Roving } from '../lib/roving.js';
import { openActions, runFrom } from './actions.js';
import { firstSentence } from './arrival.js';
import { openDesk } from './desk.js';
import { openFrame } from './frame.js';
import { HeadlineView } from './headline/headline.js';
import { isOpening, OPENING_LINE } from './hint.js';
import { openKeyboard } from './keyboard.js';
import { ariaKeys, printedKeys } from './keys.js';
import { Lab } from './lab.js';
import { openLandmarks } from './landmarks.js';
import { remember } from './memory.js';
import { openPages } from './pages.js';
import { openPanels } from './panels.js';
import { openPrefs } from './prefs.js';
import { openQuestions } from './questions.js';
import { rooms } from './rooms.js';
import { StageView } from './stage/stage.js';
import { start } from './start.js';
import { createState } from './state.js';
import { openTabs } from './tabs.js';
import { show } from './timeline/shown.js';
import { TimelineView } from './timeline/timeline.js';

/** @import { Opening, View } from '../protocol.js' */

const state = createState();
const { memory, reducedMotion, theme, rowPx, keyboard } = openPrefs(state);
const notifier = new Notifier(state, () => element('toasts').matches(':hover, :focus-within'));
/** @type {Opening} */
const opening = JSON.parse(element('opening').textContent ?? '');
const loadEngine = rooms.openOnce('engine', ({ open }) => open);
const lab = new Lab(state, notifier, { opening, assets: resolveAddresses(__ASSETS__), loadEngine });
const tabs = openTabs(state);

/**
 * The assets with absolute addresses: a worker would resolve relative ones against its own.
 * @param {typeof __ASSETS__} assets
 */
function resolveAddresses(assets) {
  const resolve = (/** @type {string | object} */ value) =>
    typeof value === 'string' ? new URL(value, document.baseURI).href : value;
  return /** @type {typeof assets} */ (
    Object.fromEntries(Object.entries(assets).map(([name, value]) => [name, resolve(value)]))
  );
}

/* ---- actions and keys ---- */

let byPointer = false;
addEventListener('click', ({ target, detail }) => {
  if (/** @type {Element} */ (target).closest('[popovertarget]')) byPointer = detail > 0;
});
const actions = openActions({
  state,
  lab,
  notifier,
  timeline: () => timeline,
  showTab: tabs.showTab,
  focusFilter: () => {
    // Focus at once if the list is on screen. Otherwise the page would take the next letter for a command.
    element('filter')?.focus();
    if (document.activeElement?.id !== 'filter') requestAnimationFrame(() => element('filter')?.focus());
  },
  closeMenu: () => {
    const open = /** @type {HTMLElement | null} */ (document.querySelector('.menu:popover-open'));
    open?.hidePopover();
    // Opened by pointer: drop the focus, so that the next Space does not press the button.
    if (open && byPointer) /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    return open !== null;
  },
  closeRoom: () => desk.value?.close() ?? false,
  closePage: () => pages.close(),
  runLater: async (id, ...given) => {
    const loaded = await loadDesk();
    if (loaded) runFrom(loaded.commands, id, given);
  },
});

const { run, select } = actions;

/** @param {number | null} addend */
const mark = (addend) => set(state.markedAddend, addend);

/** On a device without a keyboard the page mentions no keys. */
const isOff = (/** @type {string} */ id) => !keyboard.value || (state.keyMode.value === 'off' && id !== 'palette');
const key = (/** @type {string} */ id) => (isOff(id) ? '' : printedKeys(id));
const shortcut = (/** @type {string} */ id) => (isOff(id) ? '' : ariaKeys(id));

addEventListener(
  'keydown',
  openKeyboard(state, {
    run,
    isLearning: () => desk.value?.learning() ?? false,
    inDialog: () => document.querySelector('dialog:modal') !== null,
    inPage: () => state.page.value !== 'lab',
    body: document.body,
  }),
);
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault(); // the fragment of the address holds the run
  element('timeline').focus();
});

const pages = openPages(state, /** @type {HTMLElement} */ (document.querySelector('main')));
lab.showLab = () => pages.close();

/* ---- views ---- */

const frames = new Frames();
const timeline = new TimelineView(
  element('timeline'),
  {
    onScrub: (to) => lab.seek({ t: to, n: -1 }),
    onSelect: select,
    onViewport: (viewport) => show(state, viewport),
    onSpan: ({ from, to }) => select({ kind: 'span', from, to }),
    onStep: actions.step,
  },
  frames,
);
const stage = new StageView(element('stage'), {
  onSelectNode: actions.selectNode,
  onSelectLease: () => run('selectLease'),
  onSelectMessage: (one) => run('message', one),
});
const headline = new HeadlineView(element('headline'), { onWhy: () => run('why'), onAddend: mark, onSelect: select });
const panels = openPanels({ state, lab, run, select, key, shortcut, tabs: tabs.template, rowPx });
const eventsRoving = new Roving(element('events'), '.event button', ARROWS.down);
const { ask, overview } = openQuestions(state, lab, actions.announceEvent);

const schedule = openFrame({
  frames,
  state,
  lab,
  sayLandmarks: openLandmarks(state, notifier),
  ask,
  drawViews(whole, now) {
    const view = state.betting.value ? withoutCountdowns(whole) : whole;
    const selection = state.selection.value;
    const markedAddend = state.markedAddend.value;
    const speed = view.speed || view.storySpeed;
    const motion = { view, now, selection, speed, reducedMotion: reducedMotion.value };
    const { arrival } = state;
    const { summary } = state.hello.value.scenarios.find(({ name }) => name === view.scenario) ?? {};
    const about = isOpening(state) ? OPENING_LINE : state.isShipped.value ? firstSentence(summary) : '';
    const line = arrival.value?.line ?? about;
    headline.update({ view: arrival.value ? announcing(view, arrival.value.title) : view, markedAddend, line });
    timeline.update({
      view,
      now,
      selection,
      timeline: state.timeline.value,
      overview: overview.value,
      viewport: state.viewport.value,
      theme: `${theme.value} ${state.projector.value}`,
    });
    stage.update(motion);
  },
  drawPanels() {
    for (const panel of panels) panel.update();
    eventsRoving.refresh('.event [aria-current="true"]');
    desk.value?.update();
  },
  notLoaded: () => notLoaded(),
  rowPx,
});

/** The headline of a link that is still loading. @param {View} view @param {string} title @returns {View} */
const announcing = (view, title) => ({ ...view, headline: { kind: 'leads', title, addends: [] } });

/**
 * Hides the countdowns while a bet is open, because they would give away the answer.
 * @param {View} view @returns {View}
 */
function withoutCountdowns(view) {
  return { ...view, nodes: view.nodes.map(({ countdown, ...node }) => node) };
}

/* ---- the desk ---- */

const { desk, loadDesk, notLoaded } = openDesk({ lab, notifier, schedule, rooms }, (room) => {
  stage.useGrid(room.NodeGrid);
  const parts = { state, lab, notifier, timeline, remember, schedule, rooms, pages };
  return room.open({ ...parts, ...actions, ...tabs, mark, key, shortcut });
});

failures.tell = (error, expected) => lab.tellFailure(error, expected);
addEventListener('unhandledrejection', ({ reason }) => lab.tellFailure(reason));
addEventListener('error', ({ error }) => error && lab.tellFailure(error));

/* ---- what the document shows of the state ---- */

/** The data attributes of the document; undefined removes one. @type {{[name: string]: () => string | undefined}} */
const SHOWN = {
  theme: () => (state.theme.value === 'system' ? undefined : state.theme.value),
  first: () => (isOpening(state) ? '' : undefined),
  state: () => state.phase.value,
  page: () => state.page.value,
  legend: () => (state.legend.value ? '' : undefined),
  projector: () => (state.projector.value ? theme.value : undefined),
  layout: () => state.layout.value,
};
const { dataset } = document.documentElement;
for (const [name, value] of Object.entries(SHOWN))
  effect(() => {
    const now = value();
    if (now === undefined) delete dataset[name];
    else dataset[name] = now;
  });
effect(tabs.arrange);
effect(() => {
  element('status').textContent = state.status.value;
});

/* ---- start ---- */

const loadEmbed = rooms.openOnce('embed', ({ open }) => open({ state, lab, run }));

/** `leaselab serve --scenario` marks its page, so the page shows the server's run. */
const followServer = rooms.openOnce('follow', ({ open }) => open({ lab, notifier }));

start({ lab, notifier, memory, remember, reducedMotion, schedule, loadEmbed, loadDesk })
  .then(() => {
    if (document.querySelector('meta[name=leaselab-run]')) return followServer();
    // Caching the site starts after the engine, so it does not slow down the first visit. An embedded page skips it,
    // because its copy would serve only the site around it.
    if ('serviceWorker' in navigator && document.documentElement.dataset.embed === undefined)
      navigator.serviceWorker.register('./sw.js', { updateViaCache: 'none' }).catch(() => {});
  })
  .catch(({ message }) => lab.fail(message));
