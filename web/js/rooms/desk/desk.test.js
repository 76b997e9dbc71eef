import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { all, browser, button, drawings, enter, fire, placeAt, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { rooms } from '../../page/rooms.js';

browser();
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {} });
const { open } = await import('./index.js');

const VIEW = /** @type {any} */ ({
  ...{ run: 1, branch: 0, seed: 7, playing: false, scenario: 'a-leader-dies', title: 'A leader dies', hash: 'abc' },
  nodes: [
    {
      name: 'a',
      index: 0,
      role: 'leading',
      roleWord: 'leading',
      believes: 'I lead',
      cut: '',
      clockOffsetNs: 0,
      clockRatePpm: 1e6,
    },
  ],
  lease: { name: 'demo', exists: true, holder: 'a', holderIndex: 0, version: 3, versions: 5, resourceVersion: '12' },
  branches: [{ id: 0, parent: -1, name: 'first', hidden: false, forkAt: 0, live: 9e9 }],
  knobs: [{ path: 'elector.leaseDuration', value: '15s' }],
  ...{ acts: [], marginNs: 2.9e9, undo: '', redo: '', end: 60e9, totals: { doubleNs: 0 } },
  headline: { kind: 'leads', title: 'a leads.', addends: [] },
  ...placeAt(5e9, 9e9),
});

/** The desk of a page, open. */
function desk() {
  let now = 5.06e9;
  const timeline = /** @type {any} */ ({ overlays: new Set() });
  const key = (/** @type {string} */ id) => id;
  const page = pageAt(
    VIEW,
    {
      ...{ assets: { module: { sha256: '' } }, touched: false, source: {} },
      now: () => now,
      ask: async () => ({ checks: [], failovers: { counts: [] }, cursor: { t: 5e9, n: -1 } }),
      open: async () => true,
      change: async () => undefined,
    },
    { timeline, key, shortcut: key, rooms },
  );
  timeline.root = page.at('timeline');
  const { state } = page;
  state.hello.value = /** @type {any} */ ({
    engine: 9,
    ...{ scenarios: [], acts: [], fieldHelp: [] },
    knobs: [{ path: 'elector.leaseDuration', label: 'leaseDuration', help: '', kind: 'duration', takes: 'start' }],
  });
  state.object.value = /** @type {any} */ ({
    kind: 'Lease',
    name: 'demo',
    version: 3,
    versions: 5,
    by: 'a',
    t: 4e9,
    yaml: [],
    text: 'kind: Lease',
    json: '{}',
  });
  state.tab.value = 'objects';
  return { ...page, ...open(page.ports), timeline, pass: (/** @type {number} */ t) => (now = t) };
}

test('it draws the panels that the first picture does not need', () => {
  const { at, timeline } = desk();
  assert.match(text(at('objects')), /Lease demo .* v3 of 5/);
  assert.match(text(at('knobs')), /leaseDuration/);
  assert.match(text(at('menu')), /Run to the next leader change/);
  assert.equal(text(at('branches')), '', 'a single branch shows nothing');
  assert.ok(timeline.overlays.size > 0);
});

test('the countdowns follow the clock, and say the tenth that the stage says', () => {
  const { at, update, pass, frame, state } = desk();
  state.tab.value = 'beliefs';
  const [node, ...others] = state.view.value.nodes;
  const countdown = /** @type {any} */ ({ kind: 'mustStop', zeroAt: 7.15e9 });
  state.view.value = { ...state.view.value, nodes: [{ ...node, role: 'leading', countdown }, ...others] };
  frame();
  const drawn = drawings(at('beliefs'));
  const drawAfter = (/** @type {number} */ t) => {
    pass(t);
    update();
    frame();
    return drawn();
  };
  const before = drawAfter(5.06e9);
  assert.match(text(at('beliefs')), /must stop in 2\.0 s/);
  assert.equal(drawAfter(5.11e9), before);
  assert.equal(drawAfter(5.16e9), before + 1);
  assert.match(text(at('beliefs')), /must stop in 1\.9 s/);
});

test('an open panel is closed before anything else: why, then a lesson', () => {
  const { close, at } = desk();
  at('why').open = true;
  assert.deepEqual([close(), at('why').open], [true, false]);
  assert.equal(close(), false, 'none is left');
});

test('the theme is a command of its own, and remembered', () => {
  const { commands, state, done } = desk();
  commands.themeDark();
  assert.equal(state.theme.value, 'dark');
  assert.deepEqual(done, [['remember', { theme: 'dark' }]]);
  commands.themeSystem();
  assert.equal(state.theme.value, 'system');
});

test('its commands open the dialogs', () => {
  const { commands, at } = desk();
  for (const [name, kind] of [
    ['help', 'help'],
    ['goTo', 'goTo'],
    ['palette', 'palette'],
    ['clock', 'clock'],
  ]) {
    commands[name]();
    assert.deepEqual([at('dialog').open, at('dialog').dataset.kind], [true, kind]);
  }
});

test('the file dialog of the browser opens by a command', () => {
  const { commands, at } = desk();
  let clicks = 0;
  at('file').click = () => {
    clicks++;
  };
  commands.openFile();
  assert.equal(clicks, 1);
});

test('the menu shows the trace hash while it is open, and its entries run commands', () => {
  const { at, frame, done } = desk();
  const hash = () => the(at('menu'), '#hash').textContent;
  assert.equal(hash(), '');
  at('menu').matches = (/** @type {string} */ selector) => selector === ':popover-open';
  fire(at('menu'), 'toggle');
  frame();
  assert.equal(hash(), 'abc');
  button(at('menu'), /^Show the whole run/).click();
  assert.deepEqual(done, [['run', 'toEnd']]);
});

test('the menu has the seed, to type or to draw again', () => {
  const { at, done } = desk();
  const seed = the(at('menu'), '#seed');
  assert.equal(seed.value, '7');
  assert.equal(the(at('menu'), 'label[for="seed"]').textContent, 'Seed');
  enter(seed, '9');
  button(at('menu'), 'Another seed').click();
  assert.deepEqual(done, [
    ['run', 'seed', seed],
    ['run', 'reroll'],
  ]);
});

test('a phone has the pages in the menu', () => {
  const { at, done } = desk();
  for (const one of all(the(at('menu'), '.narrow-only'), 'button')) one.click();
  const pages = ['lessons', 'museum', 'search', 'numbers', 'evidence', 'projector', 'add', 'redo'];
  assert.deepEqual(
    done,
    pages.map((id) => ['run', id]),
  );
  assert.match(text(at('menu')), /Add a node add Nothing to redo redo This run Seed/);
});

test('messages have a button each to dismiss them; an action runs once and takes its message away', () => {
  const { at, frame, state, done } = desk();
  const ran = mock.fn();
  state.toasts.value = [
    { id: 1, text: 'New branch.', action: { label: 'Undo', run: ran } },
    { id: 2, text: 'It failed.', tone: 'error' },
  ];
  frame();
  assert.equal(the(at('toasts'), '[role="alert"]').textContent.includes('It failed.'), true);
  button(at('toasts'), 'Undo').click();
  assert.equal(ran.mock.callCount(), 1);
  all(at('toasts'), 'button[aria-label="Dismiss"]')[1].click();
  const withdrawn = done
    .filter(([name]) => name === 'withdraw')
    .map(([, which]) => state.toasts.value.find(/** @type {any} */ (which))?.id);
  assert.deepEqual(withdrawn, [1, 2]);
});

test('a long computation says how far it is, and can be stopped', () => {
  const { at, frame, state } = desk();
  const stop = mock.fn();
  state.computing.value = { at: 1800e9, of: 7200e9, stop };
  frame();
  assert.match(text(at('toasts')), /Computing 00:30:00 of 02:00:00, 25 %/);
  button(at('toasts'), 'Stop').click();
  assert.equal(stop.mock.callCount(), 1);
});

test('the story replaces the words of the page, and follows the run', () => {
  const { at, frame, state } = desk();
  assert.equal(the(at('told'), 'h2').textContent, 'a leads.');
  state.view.value = { ...VIEW, headline: { kind: 'nobody', title: '', addends: [] } };
  frame();
  assert.equal(the(at('told'), 'h2').textContent, 'Nobody leads now.');
});

test('the story crashes the leader, whatever is selected, but not if a crash is refused, nor real programs', () => {
  const { at, frame, state, done } = desk();
  const [a] = VIEW.nodes;
  const nodes = [a, { ...a, name: 'b', index: 1, role: 'following', believes: 'a leads' }];
  const primary = () => all(at('told'), 'button.primary').map(text);
  state.view.value = { ...VIEW, nodes };
  frame();
  assert.deepEqual(primary(), ['Crash a crash'], 'with its key');
  state.selection.value = { kind: 'node', node: 'b' };
  frame();
  assert.deepEqual(primary(), ['Crash a'], 'the key crashes b');
  button(at('told'), 'Crash a').click();
  assert.deepEqual(done, [['act', 'crash', 'a']]);
  for (const more of [{ acts: [{ node: 'a', act: 'crash', refusal: 'a is already down.' }] }, { record: {} }]) {
    state.view.value = { ...VIEW, nodes, ...more };
    frame();
    assert.deepEqual(primary(), []);
  }
});

test('the story resumes the leader that is paused, though another node is selected', () => {
  const { at, frame, state, done } = desk();
  const [a] = VIEW.nodes;
  const b = { ...a, name: 'b', index: 1, role: 'following', believes: 'a leads' };
  state.view.value = { ...VIEW, nodes: [{ ...a, role: 'paused', paused: true }, b] };
  state.selection.value = { kind: 'node', node: 'b' };
  frame();
  button(at('told'), 'Resume a').click();
  assert.deepEqual(done, [['act', 'resume', 'a']]);
});

test('on a first visit the story asks for the crash, and the tile that does the same is marked', () => {
  const { at, frame, state, root } = desk();
  const [a] = VIEW.nodes;
  state.view.value = { ...VIEW, nodes: [a, { ...a, name: 'b', index: 1, role: 'following' }] };
  assert.equal(root.dataset.hint, '');
  state.hint.value = 'shown';
  frame();
  assert.deepEqual([the(at('told'), 'h2').textContent, root.dataset.hint], ['Your turn: crash a.', 'shown']);
  state.selection.value = { kind: 'node', node: 'b' };
  assert.equal(root.dataset.hint, '', 'the tile is for b');
  state.selection.value = null;
  assert.equal(root.dataset.hint, 'shown');
  state.hint.value = 'tried';
  frame();
  assert.deepEqual([the(at('told'), 'h2').textContent, root.dataset.hint], ['a leads.', '']);
});

test('what to watch goes when it is dismissed', () => {
  const { at, frame, state } = desk();
  state.watch.value = 'Watch b.';
  frame();
  button(at('told'), 'Dismiss what to watch').click();
  frame();
  assert.deepEqual([state.watch.value, /What to watch/.test(text(at('told')))], ['', false]);
});

test('the legend under the timeline leads to all marks, and stays away once it is dismissed', () => {
  const { at, frame, state, done } = desk();
  state.legend.value = true;
  frame();
  button(at('hint'), 'All marks').click();
  button(at('hint'), 'Dismiss the legend').click();
  frame();
  assert.deepEqual([state.legend.value, text(at('hint'))], [false, '']);
  assert.deepEqual(done, [
    ['run', 'help'],
    ['remember', { legend: true }],
  ]);
});

test('the Lease and the beliefs each have their own tab', () => {
  const { at, frame, state } = desk();
  assert.doesNotMatch(text(at('objects')), /What each node believes/);
  assert.equal(text(at('beliefs')), '');
  state.tab.value = 'beliefs';
  frame();
  assert.match(text(at('beliefs')), /What each node believes at 00:05/);
  assert.equal(text(at('objects')), '');
});

test('a branch is chosen beside the headline', () => {
  const { at, frame, state, done } = desk();
  const second = { ...VIEW.branches[0], id: 1, parent: 0, name: 'b crashes' };
  state.view.value = { ...VIEW, branches: [...VIEW.branches, second] };
  frame();
  button(at('branches'), 'b crashes').click();
  button(at('branches'), 'Tree…').click();
  assert.deepEqual(done, [
    ['change', 'branch', { branch: 1 }],
    ['run', 'branches'],
  ]);
});
