import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from '#dom';
import { openActions } from './actions.js';
import { KEYS } from './keys.js';
import { createState } from './state.js';

/** The actions of a page of two nodes, and what they did. */
function page() {
  const state = createState();
  state.view.value = /** @type {any} */ ({
    nodes: [
      { name: 'a', index: 0, role: 'leading', cut: '', paused: false },
      { name: 'b', index: 1, role: 'following', cut: 'both', paused: true },
    ],
    lease: { version: 4, holder: 'a' },
    cursor: { t: 5e9, n: -1 },
    live: { t: 9e9, n: 2 },
    end: 60e9,
  });
  /** @type {unknown[]} */
  const done = [];
  const record =
    (/** @type {string} */ name) =>
    async (/** @type {unknown[]} */ ...given) => {
      done.push([name, ...given]);
      return true;
    };
  const names = ['seek', 'step', 'act', 'setSpeed', 'undo', 'redo', 'playPause', 'fit'];
  const lab = { ...Object.fromEntries(names.map((name) => [name, record(name)])), now: () => 5e9 };
  /** @type {string[]} */
  const said = [];
  const open = { menu: false, room: false };
  const actions = openActions({
    closePage: () => false,
    state,
    lab: /** @type {any} */ (lab),
    notifier: {
      say: (text) => said.push(text),
      withdraw: () => {
        state.toasts.value = [];
      },
    },
    timeline: () => ({
      zoomBy: record('zoomBy'),
      panBy: record('panBy'),
      lane: record('lane'),
    }),
    showTab: record('showTab'),
    focusFilter: record('focusFilter'),
    closeMenu: () => open.menu && !(open.menu = false),
    closeRoom: () => open.room && !(open.room = false),
    runLater: record('later'),
  });
  return { ...actions, state, done, spoken: said, open };
}

test('an act names what it meets: b is paused and cut off', () => {
  const { run, selectNode, done } = page();
  run('crash');
  selectNode('b');
  run('pauseNode');
  run('cut');
  assert.deepEqual(done, [
    ['act', 'crash', 'a'],
    ['act', 'resume', 'b'],
    ['act', 'heal', 'b'],
  ]);
});

test('the filter of the events opens, and has the focus', () => {
  const { run, state, done } = page();
  run('filter');
  assert.deepEqual([state.filtering.value, done], [true, [['showTab', 'events'], ['focusFilter']]]);
});

test('a step is said once its events are there, and nothing else is', async () => {
  const { step, announceEvent, spoken, done } = page();
  const events = /** @type {any} */ ({ at: 7, from: 7, rows: [{ t: 6e9, node: 'a', text: 'renews.' }] });
  announceEvent(events);
  assert.deepEqual(spoken, []);
  await step(1, 'landmark');
  announceEvent(events);
  announceEvent(events);
  assert.deepEqual(done, [['step', 1, 'landmark']]);
  assert.deepEqual(spoken, ['00:06.000: a renews.']);
});

test('to select an event moves the cursor, to select a version pins it, to select a node says it', () => {
  const { select, run, state, done, spoken } = page();
  select({ kind: 'event', cursor: { t: 1, n: 0 } });
  assert.deepEqual(done, [['seek', { t: 1, n: 0 }]]);
  run('selectLease');
  assert.deepEqual([state.pinnedVersion.value, state.selection.value?.kind], [4, 'version']);
  run('node2');
  run('node7');
  assert.deepEqual(spoken, ['The Lease is selected.', 'b is selected.', 'The run has no node 7.']);
});

test('to select a mark whose instant is off screen brings it into view; one on screen moves nothing', async () => {
  const { select, state } = page();
  const select5s = async () => {
    select({ kind: 'violation', rule: 'x', from: 5e9, to: 30e9, cursor: { t: 5e9, n: 0 } });
    await settle();
    return state.viewport.value;
  };
  state.viewport.value = { from: 4e9, to: 24e9 };
  assert.deepEqual(await select5s(), { from: 4e9, to: 24e9 });
  state.viewport.value = { from: 20e9, to: 40e9 };
  assert.deepEqual(await select5s(), { from: 0, to: 20e9 });
});

test('Escape closes the menu, then a room, then the toasts, and deselects last', () => {
  const { run, state, open } = page();
  open.menu = open.room = true;
  state.selection.value = { kind: 'node', node: 'a' };
  state.toasts.value = [{ id: 1, text: 'x' }];
  const openParts = () => [open.menu, open.room, state.toasts.value.length, state.selection.value !== null];
  const steps = [0, 1, 2, 3].map(() => {
    run('escape');
    return openParts();
  });
  assert.deepEqual(steps, [
    [false, true, 1, true],
    [false, false, 1, true],
    [false, false, 0, true],
    [false, false, 0, false],
  ]);
});

test('speed stays on its scale, and a marked span is fitted', () => {
  const { run, state, done } = page();
  run('slower');
  state.speed.value = 1000;
  run('faster');
  assert.deepEqual(done, [
    ['setSpeed', 0],
    ['setSpeed', 1000],
  ]);
  state.selection.value = { kind: 'band', from: 10e9, to: 20e9 };
  run('fit');
  assert.ok(state.viewport.value.from < 10e9 && state.viewport.value.to > 20e9);
});

test('every key of the table runs something: here, or once the desk is there', () => {
  for (const { id } of KEYS.filter((entry) => entry.id !== 'escape')) {
    const { run, done, spoken, state } = page();
    const before = state.projector.value;
    run(id);
    assert.ok(done.length > 0 || spoken.length > 0 || state.projector.value !== before, id);
  }
});
