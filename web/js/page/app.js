/** Wires the page: state, views, keys, dialogs, and the one draw loop. Every effect is here or in lab.js. */
import { effect, signal } from '@preact/signals-core';
import { element } from '../lib/element.js';
import { formatInstant } from '../lib/format.js';
import { later, missing } from '../lib/later.js';
import { failures } from '../lib/latest.js';
import { Notifier } from '../lib/notify.js';
import { Panel } from '../lib/panel.js';
import { rooms } from '../lib/rooms.js';
import { ARROWS, Roving } from '../lib/roving.js';
import { actsTemplate } from './acts/acts.js';
import { barTemplate, footTemplate, readout } from './bar/bar.js';
import { actOf, refusalOf } from './commands.js';
import { eventsTemplate } from './events/events.js';
import { HeadlineView } from './headline/headline.js';
import { entryFor, printedKeys } from './keys.js';
import { Lab } from './lab.js';
import { remember, remembered } from './memory.js';
import { openQuestions } from './questions.js';
import { ChipsView } from './stage/chips.js';
import { StageView } from './stage/stage.js';
import { createState, documentTitle, SPEEDS, speedAt, speedIndex, speedText } from './state.js';
import { openTabs } from './tabs.js';
import { TimelineView } from './timeline/timeline.js';
import { fitSpan, followViewport } from './timeline/viewport.js';

/** @import { Cursor, Opening } from '../protocol.js' */
/** @import { Selection } from './state.js' */
/** @import { Linked } from '../lib/share.js' */

const state = createState();
const notifier = new Notifier(state, () => element('toasts').matches(':hover, :focus-within'));
/** @type {Opening} */
const opening = JSON.parse(element('opening').textContent ?? '');
const lab = new Lab(state, notifier, { opening, assets: absolute(__ASSETS__) });

/** The addresses among the assets, whole: a worker would read them from where it stands. @param {typeof __ASSETS__} assets */
function absolute(assets) {
  const whole = (/** @type {string | object} */ value) =>
    typeof value === 'string' ? new URL(value, document.baseURI).href : value;
  return /** @type {typeof assets} */ (
    Object.fromEntries(Object.entries(assets).map(([name, value]) => [name, whole(value)]))
  );
}

/* ---- what is remembered between visits ---- */

const kept = remembered();
if (kept.theme) state.theme.value = kept.theme;
if (kept.keyMode) state.keyMode.value = kept.keyMode;
state.bindings.value = kept.bindings;
state.cardOpen.value = !kept.seen;

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
const coarse = matchMedia('(pointer: coarse)');
const dark = matchMedia('(prefers-color-scheme: dark)');
const embed = new URLSearchParams(location.search).has('embed');
/** Bumped when a media query changes, so that what is drawn follows. */
const media = signal(0);

const wide = matchMedia('(min-width: 1360px)');
const middle = matchMedia('(min-width: 720px)');
function measureLayout() {
  state.layout.value = wide.matches ? 'wide' : middle.matches ? 'middle' : 'narrow';
  media.value++;
}
for (const query of [wide, middle, reducedMotion, coarse, dark]) query.addEventListener('change', measureLayout);
measureLayout();
state.tab.value = state.layout.value === 'wide' ? 'objects' : 'events';

/* ---- the views ---- */

/** @param {Selection} selection */
function select(selection) {
  state.selection.value = selection;
  if (selection?.kind === 'node' && selection.node) notifier.say(`${selection.node} is selected.`);
  if (selection?.kind === 'version' && selection.version) state.pinnedVersion.value = selection.version;
  if (selection?.cursor && selection.kind !== 'node') lab.seek(selection.cursor);
}

/** @param {string} node */
function selectNode(node) {
  const index = state.view.value.nodes.find((candidate) => candidate.name === node)?.index;
  select({ kind: 'node', node, index });
}

const timeline = new TimelineView(element('timeline'), {
  onScrub: (/** @type {number | Cursor} */ to) => lab.seek(typeof to === 'number' ? { t: to, n: -1 } : to),
  onSelect: select,
  onViewport: (/** @type {{from: number, to: number}} */ viewport) => {
    state.viewport.value = viewport;
  },
  onSpan: (/** @type {any} */ span) => select(span ? { kind: 'span', from: span.from, to: span.to } : null),
  onStep: step,
  onAddend: mark,
});
const stage = new StageView(element('stage'), { onSelectNode: selectNode, onSelectLease: () => run('selectLease') });
const chips = new ChipsView(element('chips'), { onSelectNode: selectNode });
const headline = new HeadlineView(element('headline'), { onWhy: () => run('why'), onAddend: mark, onSelect: select });

/** @param {number | null} addend */
function mark(addend) {
  state.markedAddend.value = addend;
}

const key = (/** @type {string} */ id) =>
  state.keyMode.value === 'off' && id !== 'palette' ? '' : printedKeys(id, state.bindings.value);

/* ---- the desk ---- */

/** Dialogs, links, files and rooms, once their chunk is here. @type {import('@preact/signals-core').Signal<Desk | null>} */
const desk = signal(null);
/** @typedef {ReturnType<typeof import('../rooms/desk/index.js').open>} Desk */

const loadDeskModule = rooms.once('desk', (room) => room);
const fetchStyles = later(() => loadStyles(lab.assets.styles));

/** @param {string} href @returns {Promise<unknown>} */
function loadStyles(href) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  document.head.append(link);
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = reject;
  });
}

/** @returns {Promise<Desk | null>} */
async function loadDesk() {
  const [module] = await Promise.all([loadDeskModule(), fetchStyles()]);
  if (module && !desk.value) {
    stage.useGrid(module.NodeGrid);
    /** @type {import('../rooms/desk/index.js').Page} */
    const page = {
      state,
      lab,
      notifier,
      announcer: notifier,
      run,
      select,
      selectNode,
      mark,
      key,
      timeline,
      showTab,
      barInputs,
      barShown,
      currentTab,
      remember,
      kept,
      schedule,
    };
    desk.value = module.open(page);
    notLoaded = '';
  }
  return desk.value;
}

failures.tell = (error, expected) => lab.failed(error, expected);
addEventListener('unhandledrejection', ({ reason }) => lab.failed(reason));
addEventListener('error', ({ error }) => error && lab.failed(error));

/** What could not be loaded, as long as there is no desk to say it. */
let notLoaded = '';
missing.script = import.meta.url;
missing.tell = (sentence) => {
  if (desk.value) notifier.notify(sentence, { tone: 'error', action: { label: 'Reload', run: () => lab.reload() } });
  else {
    notLoaded = sentence;
    schedule();
  }
};

/* ---- commands ---- */

/** @param {number} direction @param {"event" | "landmark"} unit */
async function step(direction, unit) {
  const view = await lab.step(direction, unit);
  if (!view) return;
  sayEvent = true;
  state.eventsFrom.value = -1;
}
let sayEvent = false;

/** Everything a key, a button or the palette can run. @type {Record<string, (argument?: any) => unknown>} */
const COMMANDS = {
  playPause: () => lab.playPause(),
  eventBack: () => step(-1, 'event'),
  eventForth: () => step(1, 'event'),
  landmarkBack: () => step(-1, 'landmark'),
  landmarkForth: () => step(1, 'landmark'),
  toStart: () => lab.seek({ t: 0, n: 0 }),
  toEdge: () => lab.seek(state.view.value.edge),
  fineBack: () => fine(-1),
  fineForth: () => fine(1),
  slower: () => setSpeed(speedAt(Math.max(0, speedIndex(state.speed.value) - 1))),
  faster: () => setSpeed(speedAt(Math.min(SPEEDS.length, speedIndex(state.speed.value) + 1))),
  speed: (speed) => setSpeed(speed),
  zoomIn: () => timeline.zoomBy(1.5, lab.now()),
  zoomOut: () => timeline.zoomBy(1 / 1.5, lab.now()),
  panLeft: () => timeline.panBy(-0.2),
  panRight: () => timeline.panBy(0.2),
  fit,
  laneUp: () => timeline.laneUp(),
  laneDown: () => timeline.laneDown(),
  crash: () => runAct('crash'),
  pauseNode: () => runAct('pauseNode'),
  cut: () => runAct('cut'),
  stop: () => runAct('stop'),
  restart: () => runAct('restart'),
  add: () => runAct('add'),
  undo: () => lab.undo(),
  redo: () => lab.redo(),
  selectLease: () => {
    showTab('objects');
    state.cardOpen.value = false;
    select({ kind: 'version', version: state.view.value.lease.version });
    notifier.say('The Lease is selected.');
  },
  filter: () => {
    showTab('events');
    // At once where the list is on screen, so that the next letter typed is not taken for a command.
    element('filter')?.focus();
    if (document.activeElement?.id !== 'filter') requestAnimationFrame(() => element('filter')?.focus());
  },
  escape: deselect,
};
for (let i = 0; i < 9; i++) {
  COMMANDS[`node${i + 1}`] = () => {
    const node = state.view.value.nodes[i];
    if (node) selectNode(node.name);
    else notifier.say(`There is no node ${i + 1}.`);
  };
}

/** @param {string} id @param {any} [argument] */
function run(id, argument) {
  const menu = element('menu');
  if (menu.matches(':popover-open')) {
    menu.hidePopover();
    if (id === 'escape') return;
  }
  if (COMMANDS[id]) COMMANDS[id](argument);
  else loadDesk().then((loaded) => loaded?.commands[id]?.(argument));
}

/** @param {string} id */
function runAct(id) {
  const act = actOf(id, state.view.value, state.target.value);
  return lab.act(act, state.target.value);
}

/** @param {number} direction */
function fine(direction) {
  const { from, to } = state.viewport.value;
  const by = Math.max(1, Math.round((to - from) / 1000));
  return lab.seek({ t: Math.max(0, state.view.value.cursor.t + direction * by), n: -1 });
}

/** @param {number} speed */
function setSpeed(speed) {
  lab.setSpeed(speed);
  notifier.say(speedText(speed));
}

function fit() {
  const { selection, view, viewport } = state;
  const marked = selection.value;
  if (marked && ['span', 'band', 'fault', 'violation'].includes(marked.kind) && marked.to !== undefined) {
    viewport.value = fitSpan(marked.from ?? 0, marked.to, view.value.end);
  } else lab.fit();
}

function deselect() {
  if (desk.value?.close()) return;
  if (state.spanStart.value !== null) state.spanStart.value = null;
  else if (state.toasts.value.length > 0) notifier.withdraw();
  else select(null);
}

/* ---- keys ---- */

document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault(); // the address holds the run
  element('timeline').focus();
});

addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target instanceof HTMLElement ? event.target : document.body);
  // A dialog that has just closed keeps the focus until the next frame: the key is not for it.
  const at = target.closest('dialog:not([open])') ? document.body : target;
  const inField = at.matches('input, select, textarea, [contenteditable]');
  const entry = entryFor(event, {
    mode: state.keyMode.value,
    bindings: state.bindings.value,
    inField: inField && !at.matches('input[type="range"]'),
    inDialog: document.querySelector('dialog:modal') !== null,
    inInstrument: at.closest('#timeline, #stage, #chips') !== null,
  });
  if (!entry || event.defaultPrevented || ownsKey(at, event.key)) return;
  // Without a lesson these keys scroll, as everywhere.
  if (entry.group === 'Lesson' && !desk.value?.learning()) return;
  event.preventDefault();
  run(entry.id);
});

/** Controls keep their own Space, Enter and arrows. @param {HTMLElement} at @param {string} pressed */
function ownsKey(at, pressed) {
  if (pressed === ' ' || pressed === 'Enter')
    return at.closest('button, a, select, summary, input, [role="tab"]') !== null;
  const moves = /^(Arrow|Home|End|Page)/.test(pressed);
  if (!moves) return false;
  return at.closest('input[type="range"], [role="slider"], [role="tab"], [role="listbox"], #menu, pre') !== null;
}

/* ---- panels ---- */

const { showTab, currentTab, template: tabsTemplate, arrange: arrangePanels } = openTabs(state);

const eventCallbacks = {
  select: (/** @type {import('../protocol.js').EventRow} */ row) => {
    select({ kind: 'event', cursor: { t: row.t, n: row.n }, node: row.node, index: row.index });
    const { from, to } = state.viewport.value;
    const width = to - from;
    if (row.t < from || row.t > to)
      state.viewport.value = { from: Math.max(0, row.t - width / 2), to: Math.max(0, row.t - width / 2) + width };
  },
  filter: (/** @type {string} */ text) => {
    state.filter.value = text;
    state.eventsFrom.value = -1;
  },
  node: (/** @type {string} */ node) => {
    state.filterNode.value = node;
    state.eventsFrom.value = -1;
  },
  scrollTo: (/** @type {number} */ from) => {
    state.eventsFrom.value = from;
  },
};

/** Row height of the event list: on a phone a sentence takes two lines. */
const rowPx = () => (coarse.matches || state.layout.value === 'narrow' ? 44 : 28);

const panels = [
  new Panel(element('bar'), barInputs, () => barTemplate(state.view.value, state.hello.value, barShown(), run)),
  new Panel(
    element('foot'),
    () => [state.view.value.playing, state.view.value.acts, state.target.value],
    () =>
      footTemplate(
        state.view.value,
        { target: state.target.value, refusal: refusalOf(state.view.value, state.target.value, 'crash') },
        run,
      ),
  ),
  new Panel(
    element('acts'),
    () => [
      state.view.value.acts,
      roleKey(),
      state.target.value,
      state.bindings.value,
      state.keyMode.value,
      state.hello.value,
    ],
    () =>
      actsTemplate(state.view.value, state.target.value, {
        act: (act, options) => lab.act(act, state.target.value, options),
        clock: () => run('clock'),
        key: (id) => (id ? key(id) : ''),
        help: (act) => state.hello.value.acts.find((info) => info.act === act)?.help ?? '',
      }),
  ),
  new Panel(element('tabs'), () => [currentTab(), state.layout.value], tabsTemplate),
  new Panel(
    element('events'),
    () => [state.events.value, state.filter.value, state.filterNode.value, roleKey(), media.value],
    () =>
      eventsTemplate(
        state.view.value,
        state.events.value,
        { filter: state.filter.value, node: state.filterNode.value, rowPx: rowPx(), key: key('filter') },
        eventCallbacks,
      ),
  ),
];

function barShown() {
  return { speed: state.speed.value, key, phase: state.phase.value, progress: state.progress.value };
}
function barInputs() {
  const { title, scenario, seed, playing, undo, redo } = state.view.value;
  return [
    title,
    scenario,
    seed,
    playing,
    undo,
    redo,
    state.hello.value,
    state.speed.value,
    state.bindings.value,
    state.keyMode.value,
  ];
}
function roleKey() {
  return state.view.value.nodes.map((node) => `${node.name}:${node.role}:${node.cut}:${node.paused}`).join(' ');
}

/* ---- what the panels need to know ---- */

const { ask, overview } = openQuestions(state, lab, (events) => {
  const row = events?.rows[events.at - events.from];
  if (sayEvent && row) notifier.say(`${formatInstant(row.t)}: ${row.node} ${row.text}`);
  sayEvent = false;
});

/* ---- the draw loop ---- */

let scheduled = false;
function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(draw);
}

const eventsRoving = new Roving(element('events'), '.event button', ARROWS.down);

let scrolledFor = '';
/** The row at the cursor stays in sight unless the reader has scrolled away. */
function keepEventInSight() {
  const events = state.events.value;
  const list = document.getElementById('events-scroll');
  if (!events || !list || events.at < 0 || state.eventsFrom.value >= 0) return;
  const place = `${events.run} ${events.at} ${events.total} ${list.clientHeight}`;
  if (place === scrolledFor || list.clientHeight === 0) return;
  scrolledFor = place;
  const row = rowPx();
  const visible = Math.max(1, Math.floor(list.clientHeight / row));
  list.scrollTop = (events.at - Math.floor(visible / 2)) * row;
}

let shownReadout = '';
function drawReadout(/** @type {number} */ now) {
  const text = readout(now, state.view.value.edge.t);
  const output = document.getElementById('readout');
  if (!output || text === shownReadout) return;
  shownReadout = text;
  output.textContent = text;
}

function notice() {
  const { queued, phase, failure, progress } = state;
  const percent = `${Math.round(progress.value * 100)} %`;
  if (notLoaded) return notLoaded;
  if (phase.value === 'failed') return failure.value;
  if (queued.value.length > 0)
    return `${queued.value.map((act) => act.sentence).join(', ')} as soon as the engine is here, ${percent}`;
  if (phase.value === 'opening' && lab.linked) return `The link opens as soon as the engine is here, ${percent}`;
  return '';
}

function reloadButton() {
  const button = document.createElement('button');
  button.textContent = 'Reload';
  button.onclick = () => lab.reload();
  return button;
}

function draw() {
  scheduled = false;
  const view = state.view.value;
  const now = lab.now();
  if (view.playing) {
    const followed = followViewport(state.viewport.value, now, Math.max(view.end, now));
    if (followed.from !== state.viewport.value.from) state.viewport.value = followed;
    lab.speak();
  }
  ask();
  const reduced = reducedMotion.matches;
  const motion = {
    view,
    now,
    selection: state.selection.value,
    speed: view.speed || view.storySpeed,
    reducedMotion: reduced,
  };
  headline.update({ view, now, markedAddend: state.markedAddend.value });
  timeline.update(
    /** @type {any} */ ({
      view,
      timeline: state.timeline.value,
      overview: overview.value,
      viewport: state.viewport.value,
      selection: state.selection.value,
      now,
      theme: theme(),
      markedAddend: state.markedAddend.value,
    }),
  );
  stage.update(motion);
  chips.update(motion);
  for (const panel of panels) panel.update();
  drawReadout(now);
  keepEventInSight();
  eventsRoving.refresh('.event [aria-current="true"]');
  const words = notice();
  const place = element('notice');
  if (place.firstChild?.nodeValue !== words) {
    place.textContent = words;
    if (notLoaded) place.append(reloadButton());
  }
  place.hidden = words === '';
  const title = documentTitle(view);
  if (document.title !== title) document.title = title;
  desk.value?.update();
  if (view.playing) schedule();
}

function theme() {
  return state.theme.value === 'system' ? (dark.matches ? 'dark' : 'light') : state.theme.value;
}

effect(() => {
  const root = document.documentElement;
  if (state.theme.value === 'system') delete root.dataset.theme;
  else root.dataset.theme = state.theme.value;
});
effect(() => {
  document.documentElement.dataset.state = state.phase.value;
});
effect(() => {
  element('status').textContent = state.status.value;
});
effect(() => {
  document.documentElement.dataset.layout = state.layout.value;
  void state.tab.value;
  arrangePanels();
});
/* ---- start ---- */

async function start() {
  /** @type {Linked | undefined} */
  let linked;
  let bad = '';
  try {
    const fragment = location.hash.replace(/^#/, '');
    linked =
      fragment === '' || fragment === 'timeline' ? undefined : await (await loadDeskModule())?.decodeLink(fragment);
  } catch (error) {
    bad = /** @type {Error} */ (error).message;
  }
  element('unstarted').remove();
  lab.begin({ linked, autoplay: !reducedMotion.matches && !embed });
  if (bad) {
    notifier.notify(bad, { tone: 'error' });
    notifier.say(bad);
  }
  effect(() => {
    for (const value of Object.values(state)) void value.value;
    void [media.value, overview.value, desk.value];
    schedule();
  });
  new ResizeObserver(schedule).observe(element('timeline'));
  await new Promise(requestAnimationFrame);
  loadDesk();
  lab.fetchRest().catch(() => {});
  await lab.arrive();
  if (!kept.seen) remember({ seen: true });
}

start()
  .then(() => {
    // After the engine, so that keeping a copy for later does not slow the first visit.
    if ('serviceWorker' in navigator)
      navigator.serviceWorker.register('./sw.js', { updateViaCache: 'none' }).catch(() => {});
  })
  .catch(({ message }) => lab.fail(message));
