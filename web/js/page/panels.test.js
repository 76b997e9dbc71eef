import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, recorder } from '../lib/testsupport/dom.js';
import { button, the } from '../lib/testsupport/template.js';
import { openPanels } from './panels.js';
import { createState } from './state.js';

/** The panels over a run of two nodes, and what their controls did. */
function page() {
  const { at } = browser();
  const state = createState();
  const node = (/** @type {string} */ name, /** @type {number} */ index) => ({
    name,
    index,
    role: 'following',
    roleWord: 'following',
    cut: '',
    paused: false,
  });
  state.view.value = /** @type {any} */ ({
    run: 1,
    scenario: 'a-leader-dies',
    title: 'A leader dies',
    seed: 7,
    playing: false,
    nodes: [node('a', 0), node('b', 1)],
    lease: { holder: 'a' },
    flights: [],
    acts: [{ node: 'a', act: 'crash', refusal: '' }],
    cursor: { t: 5e9, n: -1 },
    live: { t: 9e9, n: -1 },
    end: 60e9,
  });
  state.events.value = /** @type {any} */ ({
    run: 1,
    ...{ total: 2, from: 0, at: 0 },
    rows: [
      { t: 1e9, n: 1, index: 0, node: 'a', kind: 'leads', text: 'starts leading.', detail: '' },
      { t: 90e9, n: 1, index: 1, node: 'b', kind: 'leads', text: 'follows.', detail: '' },
    ],
  });
  /** @type {unknown[][]} */
  const done = [];
  const ports = recorder(done);
  const panels = openPanels({
    state,
    lab: ports,
    run: ports.run,
    select: ports.select,
    key: (id) => id,
    shortcut: (id) => id,
    tabs: () => `tab ${state.tab.value}`,
    rowPx: { value: 28 },
  });
  const update = () => {
    for (const panel of panels) panel.update();
  };
  update();
  return { at, state, done, update };
}

test('each panel is drawn into its place', () => {
  const { at } = page();
  assert.match(at('bar').text, /Play/);
  assert.match(at('acts').text, /a following/);
  assert.match(at('foot').text, /Crash a/);
  assert.match(at('events').text, /2 so far .* starts leading\./);
  assert.equal(at('tabs').text, 'tab objects');
});

test('a panel is drawn again only for what it shows', () => {
  const { at, state, update } = page();
  const drawings = () => ['bar', 'acts', 'events', 'tabs'].map((id) => at(id).drawings);
  state.view.value = { ...state.view.value, cursor: { t: 6e9, n: -1 } };
  update();
  assert.deepEqual(drawings(), [1, 1, 1, 1], 'the cursor is in none of them');
  state.view.value = { ...state.view.value, playing: true };
  update();
  assert.deepEqual(drawings(), [2, 1, 1, 1]);
  state.tab.value = 'api';
  update();
  assert.deepEqual(drawings(), [2, 1, 1, 2]);
});

test('the acts are those of the target', () => {
  const { at, state, update, done } = page();
  state.selection.value = { kind: 'node', node: 'b' };
  update();
  the(at('acts').drawn, 'button[data-act="crash"]').click();
  the(at('acts').drawn, 'button[data-act="cut"]').click();
  the(at('acts').drawn, 'button', 'Cut b, answers only').click();
  the(at('acts').drawn, 'button[data-act="clock"]').click();
  assert.deepEqual(done, [
    ['act', 'crash', 'b', undefined],
    ['act', 'cut', 'b', undefined],
    ['act', 'cut', 'b', { direction: 'down' }],
    ['run', 'clock'],
  ]);
});

test('a chosen event is selected and brought into view', () => {
  const { at, state, done } = page();
  button(at('events').drawn, /follows/).click();
  assert.deepEqual(done, [['select', { kind: 'event', cursor: { t: 90e9, n: 1 }, node: 'b', index: 1 }]]);
  const { from, to } = state.viewport.value;
  assert.ok(from <= 90e9 && to >= 90e9, `${from} to ${to}`);
});

test('a filter starts the list at the cursor again', () => {
  const { at, state } = page();
  state.eventsFrom.value = 40;
  the(at('events').drawn, '#filter').enter('renew');
  assert.deepEqual([state.filter.value, state.eventsFrom.value], ['renew', -1]);
  state.eventsFrom.value = 40;
  the(at('events').drawn, 'select').enter('b');
  assert.deepEqual([state.filterNode.value, state.eventsFrom.value], ['b', -1]);
});

test('the buttons for zoom run their commands and name their keys', () => {
  const { at, done } = page();
  const zoom = at('zoom').drawn;
  for (const name of ['Zoom out', 'Zoom in', 'Fit the run']) button(zoom, name).click();
  assert.deepEqual(done, [
    ['run', 'zoomOut'],
    ['run', 'zoomIn'],
    ['run', 'fit'],
  ]);
  assert.equal(button(zoom, 'Zoom in').attributes.title, 'Zoom in (zoomIn)');
});
