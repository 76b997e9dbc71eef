import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { each } from '../lib/testsupport/calls.js';
import { narrow } from '../rooms/desk/dialogs/palette/palette.js';
import { printValue } from '../rooms/desk/panels/knobs/knobs.js';
import { actDone, actLabel, actOf, actPromise } from './commands.js';
import { createState, documentTitle, instantNow, speedBeside, targetNode } from './state.js';

/**
 * Who may write which signal, by file below js/. Everybody reads. A test finds every assignment and compares.
 * @type {Record<Exclude<keyof import('./state.js').State, 'target' | 'isShipped'>, string[]>}
 */
const WRITERS = {
  // The run and its source.
  phase: ['page/lab.js', 'rooms/engine/index.js'],
  progress: ['rooms/engine/index.js'],
  failure: ['page/lab.js'],
  shipped: ['page/lab.js'],
  arrival: ['page/lab.js', 'rooms/engine/index.js'],
  computing: ['rooms/engine/index.js'],
  queued: ['page/lab.js', 'rooms/engine/index.js'],
  hello: ['page/lab.js', 'rooms/engine/index.js'],
  view: ['page/lab.js'],
  // Answers to what the panels ask.
  timeline: ['page/questions.js'],
  events: ['page/questions.js'],
  object: ['page/questions.js'],
  why: ['page/lab.js', 'rooms/desk/explaining.js'],
  // What the visitor looks at.
  selection: ['page/actions.js', 'page/lab.js', 'rooms/desk/inspecting.js'],
  viewport: ['page/timeline/shown.js'],
  markedAddend: ['page/app.js'],
  spanStart: ['page/actions.js', 'rooms/desk/running.js'],
  speed: ['page/lab.js'],
  pinnedVersion: ['page/actions.js', 'page/lab.js', 'rooms/desk/client.js', 'rooms/desk/inspecting.js'],
  format: ['rooms/desk/inspecting.js'],
  field: ['rooms/desk/inspecting.js'],
  filter: ['page/lab.js', 'page/panels.js'],
  filterNode: ['page/lab.js', 'page/panels.js'],
  filtering: ['page/actions.js', 'page/panels.js'],
  eventsFrom: ['page/actions.js', 'page/lab.js', 'page/panels.js'],
  // The page around it.
  layout: ['page/prefs.js'],
  tab: ['page/tabs.js'],
  page: ['page/pages.js'],
  place: ['page/pages.js'],
  step: ['rooms/desk/rooms.js'],
  toasts: ['lib/notify.js'],
  status: ['lib/notify.js'],
  hint: ['page/hint.js'],
  watch: [
    'page/lab.js',
    'rooms/chooser/index.js',
    'rooms/desk/entries.js',
    'rooms/desk/filing.js',
    'rooms/desk/panels.js',
  ],
  playOn: ['page/prefs.js', 'rooms/desk/dialogs/index.js'],
  legend: ['page/prefs.js', 'rooms/desk/panels.js'],
  projector: ['page/actions.js'],
  betting: ['rooms/lesson/index.js'],
  learning: ['rooms/lesson/index.js'],
  theme: ['page/prefs.js', 'rooms/desk/index.js', 'rooms/embed/index.js'],
  keyMode: ['page/prefs.js', 'rooms/desk/dialogs/index.js'],
};

const view = /** @type {any} */ ({
  title: 'A leader dies',
  playing: true,
  speed: 0,
  storySpeed: 4,
  cursor: { t: 10e9, n: -1 },
  nextT: 11e9,
  live: { t: 36e9, n: -1 },
  lease: { holder: 'a' },
  nodes: [
    { name: 'a', role: 'down', paused: false, cut: '' },
    { name: 'b', role: 'leading', paused: false, cut: 'up' },
    { name: 'c', role: 'paused', paused: true, cut: '' },
  ],
});

test('acts name the selected node, else the leader, else the holder, else the first', () => {
  assert.equal(targetNode(view, { kind: 'node', node: 'c' }), 'c');
  assert.equal(targetNode(view, { kind: 'event', node: 'c' }), 'b');
  assert.equal(targetNode({ ...view, nodes: view.nodes.slice(0, 1) }, null), 'a');
  assert.equal(
    targetNode({ ...view, lease: { holder: 'x' }, nodes: [view.nodes[2]] }, { kind: 'node', node: 'gone' }),
    'c',
  );
  const state = createState();
  state.view.value = view;
  assert.equal(state.target.value, 'b');
});

test('wall time carries the cursor on, never past what the view is valid for', () => {
  assert.equal(instantNow(view, 100), 10.4e9);
  assert.equal(instantNow(view, 1000), 11e9);
  assert.equal(instantNow({ ...view, playing: false }, 1000), 10e9);
  assert.equal(instantNow({ ...view, nextT: 10e9 }, 1000), 10e9);
  assert.equal(instantNow({ ...view, speed: 0.01 }, 100), 10.001e9);
});

test('speeds go from 0.01 to 1000, story before them', () => {
  assert.deepEqual([speedBeside(0, -1), speedBeside(0, 1), speedBeside(0.01, -1)], [0, 0.01, 0]);
  assert.deepEqual([speedBeside(1, 1), speedBeside(500, 1), speedBeside(1000, 1)], [2, 1000, 1000]);
});

test('the title says the state, not the future', () => {
  assert.equal(documentTitle(view), 'b leads · A leader dies · leaselab');
  assert.equal(documentTitle({ ...view, nodes: [] }), 'Nobody leads · A leader dies · leaselab');
});

test('toggles name the act for the state they meet', () => {
  assert.equal(actOf('pauseNode', view, 'c'), 'resume');
  assert.equal(actOf('pauseNode', view, 'b'), 'pause');
  assert.equal(actOf('cut', view, 'b'), 'heal');
  assert.equal(actOf('add', view, 'b'), 'add');
  const info = { act: 'crash', label: 'Crash', told: 'crashes', promise: 'will crash' };
  const acts = /** @type {any} */ ([info, { act: 'add', told: 'joins', promise: 'will join' }]);
  assert.equal(actLabel(acts, 'crash', 'b'), 'Crash b');
  assert.equal(actPromise(acts, 'crash', 'b'), 'b will crash');
  assert.equal(actDone(acts, 'crash', 'b'), 'b crashes');
  assert.equal(actDone(acts, 'add', 'b'), 'A node joins');
});

test('values as people read them', () => {
  assert.equal(printValue('15s'), '15 s');
  assert.equal(printValue('1m30s'), '1 min 30 s');
  assert.equal(printValue('2ms'), '2 ms');
  assert.equal(printValue('false'), 'off');
  assert.equal(printValue('abc'), 'abc');
});

test('the palette narrows by every word, beginnings first', () => {
  const commands = ['Open: Crash', 'Crash b', 'Run to the end'].map((label) => ({
    id: label,
    label,
    keys: '',
    run() {},
  }));
  assert.deepEqual(each(narrow(commands, 'crash'), 'label'), ['Crash b', 'Open: Crash']);
  assert.deepEqual(each(narrow(commands, 'to end'), 'label'), ['Run to the end']);
  assert.equal(narrow(commands, 'foo').length, 0);
});

/** The signals that a file writes. @param {string} text @param {Set<string>} names */
function writtenIn(text, names) {
  // Unpacked from the state, or reached through it; the notifier is handed its two signals.
  const unpacked = [...text.matchAll(/const \{([^}]*)\} = (?:\w+\.)*state;/g)].flatMap(([, list]) =>
    list.split(',').map((name) => name.trim()),
  );
  const handed = text.includes('class Notifier') ? ['status', 'toasts'] : [];
  const own = new Set([...unpacked, ...handed]);
  const writes = text.matchAll(/(\bstate\.|\bthis\.)?\b(\w+)\.value\s*(?:=(?![=>])|\+\+|--|[+-]=)/g);
  const passed = text.matchAll(/\b(?:set\(|new Latest\(.*?, )(state\.)?(\w+),/g);
  return [...writes, ...passed].flatMap(([, through, name]) =>
    names.has(name) && (through === 'state.' || own.has(name)) ? [name] : [],
  );
}

test('every signal is written where WRITERS says, and nowhere else', () => {
  const root = new URL('..', import.meta.url).pathname;
  const names = new Set(Object.keys(createState()));
  /** @type {Record<string, Set<string>>} */
  const found = {};
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.js') || /\.test\.js$|testsupport/.test(file)) continue;
    for (const name of writtenIn(readFileSync(join(root, file), 'utf8'), names)) (found[name] ??= new Set()).add(file);
  }
  const listed = Object.fromEntries(Object.entries(found).map(([name, files]) => [name, [...files]]));
  assert.deepEqual(listed, WRITERS);
  assert.deepEqual(writtenIn('const { view } = lab.state; view.value = x; state.tab.value++; tab.value = 1', names), [
    'view',
    'tab',
  ]);
  assert.deepEqual(writtenIn('set(state.tab, 1); set(tab, 1); new Latest((p) => f(p, 1), state.view, 60)', names), [
    'tab',
    'view',
  ]);
});
