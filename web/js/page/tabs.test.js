import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, browser, button, fire, nameOf } from '#dom';
import { createState } from './state.js';
import { openTabs } from './tabs.js';

const PANELS = ['story', 'objects', 'beliefs', 'api', 'events'];

/** The tabs of a page of one layout. @param {"wide" | "middle" | "narrow"} layout @param {string} tab */
function page(layout, tab) {
  const { at, frame, focusedId, root } = browser();
  const state = createState();
  state.layout.value = layout;
  state.tab.value = tab;
  const tabs = openTabs(state);
  const shownPanels = () => PANELS.filter((id) => !at(id).hidden);
  const labels = () => all(tabs.template(), 'button').map(nameOf);
  return { ...tabs, state, at, frame, focusedId, root, shownPanels, labels };
}

test('on a narrower page the events are a tab, too', () => {
  assert.deepEqual(page('wide', 'objects').labels(), ['Story', 'The Lease', 'Beliefs', 'API']);
  assert.deepEqual(page('middle', 'events').labels(), ['Story', 'Events', 'The Lease', 'Beliefs', 'API']);
  assert.deepEqual(page('narrow', 'events').labels(), ['Story', 'Events', 'The Lease', 'Beliefs', 'API']);
});

test('only the chosen panel shows, and those that are no tabs at this width', () => {
  const { arrange, shownPanels, state, at, root } = page('wide', 'beliefs');
  arrange();
  assert.deepEqual(shownPanels(), ['beliefs', 'events']);
  assert.deepEqual([at('beliefs').getAttribute('role'), at('events').getAttribute('role')], ['tabpanel', null]);
  assert.equal(root.dataset.tab, 'beliefs');
  state.layout.value = 'narrow';
  state.tab.value = 'story';
  arrange();
  assert.deepEqual(shownPanels(), ['story']);
  assert.equal(at('events').getAttribute('aria-labelledby'), 'tab-events');
  state.layout.value = 'wide';
  arrange();
  assert.equal(at('events').getAttribute('role'), null, 'no tab any more');
});

test('a tab that this width does not have is replaced by the story', () => {
  const { currentTab, state } = page('narrow', 'events');
  assert.equal(currentTab(), 'events');
  state.layout.value = 'wide';
  assert.equal(currentTab(), 'story');
});

test('on a wide page the events always show, so choosing them changes nothing', () => {
  const { showTab, state } = page('wide', 'api');
  showTab('events');
  assert.equal(state.tab.value, 'api');
  state.layout.value = 'middle';
  showTab('events');
  assert.equal(state.tab.value, 'events');
});

test('arrow keys choose the neighbor and move the focus there, around both ends', () => {
  const { template, state, frame, focusedId } = page('wide', 'api');
  const press = (/** @type {string} */ key) => {
    const event = fire(button(template(), 'API'), 'keydown', { key });
    frame();
    return event.defaultPrevented;
  };
  assert.equal(press('ArrowRight'), true);
  assert.deepEqual([state.tab.value, focusedId()], ['story', 'tab-story']);
  press('ArrowLeft');
  assert.equal(state.tab.value, 'api');
  assert.equal(press('Enter'), false);
});

test('one tab is the tab stop: the one that is selected', () => {
  const { template } = page('middle', 'beliefs');
  const stops = all(template(), 'button[tabindex="0"]');
  const said = stops.map((one) => [nameOf(one), one.getAttribute('aria-selected'), one.getAttribute('aria-controls')]);
  assert.deepEqual(said, [['Beliefs', 'true', 'beliefs']]);
  button(template(), 'The Lease').click();
  assert.deepEqual(all(template(), 'button[aria-selected="true"]').map(nameOf), ['The Lease']);
});
