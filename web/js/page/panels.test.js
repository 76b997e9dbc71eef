import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, drawings, enter, placeAt, text, the } from '#dom';
import { pageAt } from './page.testsupport.js';
import { openPanels } from './panels.js';

/** The panels over a run of two nodes, and what their controls did. */
function page() {
  const node = { role: 'following', roleWord: 'following', cut: '', paused: false };
  const { at, state, done, ports, frame, focusedId } = pageAt({
    run: 1,
    scenario: 'a-leader-dies',
    title: 'A leader dies',
    seed: 7,
    playing: false,
    nodes: [
      { ...node, name: 'a', index: 0 },
      { ...node, name: 'b', index: 1 },
    ],
    lease: { holder: 'a' },
    flights: [],
    acts: ['a', 'b'].map((one) => ({ node: one, act: 'restart', refusal: `${one} runs.` })),
    totals: { violations: 0 },
    ...placeAt(5e9, 9e9),
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
  const panels = openPanels({
    ...ports,
    key: (id) => id,
    shortcut: (id) => id,
    tabs: () => `tab ${state.tab.value}`,
    rowPx: { value: 28 },
  });
  const update = () => {
    for (const panel of panels) panel.update();
  };
  update();
  return { at, state, done, update, frame, focusedId };
}

test('each panel is drawn into its place', () => {
  const { at } = page();
  assert.match(text(at('bar')), /^Lab Lessons 16 Museum 57/);
  assert.equal(text(at('run')), 'Scenario: A leader dies');
  assert.equal(button(at('transport'), 'Play').dataset.command, 'playPause');
  assert.match(text(at('acts')), /^Break something: a following Crash/);
  assert.match(text(at('events')), /^What happened 2 so far Filter .* starts leading\./);
  assert.equal(text(at('tabs')), 'tab story');
});

test('a panel is drawn again only for what it shows', () => {
  const { at, state, update } = page();
  const drawn = ['bar', 'transport', 'acts', 'events', 'tabs'].map((id) => drawings(at(id)));
  const counts = () => drawn.map((count) => count());
  state.view.value = { ...state.view.value, cursor: { t: 6e9, n: -1 } };
  update();
  assert.deepEqual(counts(), [0, 0, 0, 0, 0], 'the cursor is in none of them');
  state.view.value = { ...state.view.value, playing: true };
  update();
  assert.deepEqual(counts(), [0, 1, 0, 0, 0]);
  state.tab.value = 'api';
  update();
  assert.deepEqual(counts(), [0, 1, 0, 0, 1]);
});

test('the acts are those of the target', () => {
  const { at, state, update, done } = page();
  state.selection.value = { kind: 'node', node: 'b' };
  update();
  the(at('acts'), 'button[data-act="crash"]').click();
  the(at('acts'), 'button[data-act="cut"]').click();
  button(at('acts'), 'More faults').click();
  assert.deepEqual(done, [
    ['act', 'crash', 'b', undefined],
    ['act', 'cut', 'b', undefined],
    ['run', 'faults', 'acts'],
  ]);
});

test('a chosen event is selected and brought into view', () => {
  const { at, state, done } = page();
  button(at('events'), /follows/).click();
  assert.deepEqual(done, [['select', { kind: 'event', cursor: { t: 90e9, n: 1 }, node: 'b', index: 1 }]]);
  const { from, to } = state.viewport.value;
  assert.ok(from <= 90e9 && to >= 90e9, `${from} to ${to}`);
});

test('a filter starts the list at the cursor again', () => {
  const { at, state, update } = page();
  state.filtering.value = true;
  update();
  state.eventsFrom.value = 40;
  enter(the(at('events'), '#filter'), 'renew');
  assert.deepEqual([state.filter.value, state.eventsFrom.value], ['renew', -1]);
  state.eventsFrom.value = 40;
  enter(the(at('events'), 'select'), 'b');
  assert.deepEqual([state.filterNode.value, state.eventsFrom.value], ['b', -1]);
});

test('the filter opens with the focus in it, and closes empty', () => {
  const { at, state, update, frame, focusedId } = page();
  button(at('events'), 'Filter').click();
  update();
  frame();
  assert.deepEqual([state.filtering.value, focusedId()], [true, 'filter']);
  state.filter.value = 'renew';
  state.filterNode.value = 'b';
  state.eventsFrom.value = 40;
  update();
  button(at('events'), 'Close the filter').click();
  update();
  assert.deepEqual([state.filtering.value, state.filter.value, state.filterNode.value], [false, '', '']);
  assert.equal(state.eventsFrom.value, -1, 'the list starts at the cursor again');
  assert.equal(all(at('events'), '#filter').length, 0);
});
