import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, button, placeAt } from '#dom';
import { Frames } from '../lib/frames.js';
import { noticeOf, openFrame, scrollTopOf } from './frame.js';
import { createState } from './state.js';

/** The draw loop over a page that stands at 20 s, and what it drew. */
function loop() {
  const { frame, at, document } = browser();
  at('readout');
  at('events-scroll');
  const state = createState();
  const view = {
    run: 1,
    title: 'A run',
    nodes: [],
    playing: false,
    ...placeAt(20e9, 30e9),
  };
  state.view.value = /** @type {any} */ (view);
  /** @type {string[]} */
  const done = [];
  let missing = '';
  const schedule = openFrame({
    frames: new Frames(),
    state,
    lab: { now: () => 20e9, linked: undefined, reload: () => done.push('reload') },
    sayLandmarks: () => done.push('landmarks'),
    ask: () => done.push(`ask from ${state.pinnedVersion.value}`),
    drawViews: (_, now) => done.push(`views at ${now / 1e9}`),
    drawPanels: () => done.push(`panels ${state.filter.value}`),
    notLoaded: () => missing,
    rowPx: { value: 28 },
  });
  return {
    ...{ frame, at, document, state, schedule },
    miss(/** @type {string} */ sentence) {
      missing = sentence;
    },
    taken: () => done.splice(0),
    show: (/** @type {object} */ change) => {
      state.view.value = /** @type {any} */ ({ ...state.view.value, ...change });
    },
  };
}

test('a frame asks, draws the views and then the panels, once for any number of requests', () => {
  const { frame, schedule, taken, at, document } = loop();
  schedule();
  schedule();
  frame();
  frame();
  assert.deepEqual(taken(), ['ask from 0', 'views at 20', 'panels ']);
  assert.equal(at('readout').textContent, '00:20.000 · 10.0 s behind');
  assert.equal(document.title, 'Nobody leads · A run · leaselab');
});

test('the next frame comes when a signal changes that asking or drawing reads, and for no other', () => {
  const { frame, schedule, taken, state } = loop();
  schedule();
  frame();
  taken();
  state.filter.value = 'renew';
  state.filter.value = 'crash';
  frame();
  assert.deepEqual(taken(), ['ask from 0', 'views at 20', 'panels crash']);
  state.pinnedVersion.value = 3;
  frame();
  assert.deepEqual(taken(), ['ask from 3', 'views at 20', 'panels crash']);
  state.status.value = 'Said.';
  frame();
  assert.deepEqual(taken(), []);
});

test('while the run plays every frame is followed by another, and its landmarks are said', () => {
  const { frame, schedule, taken, show } = loop();
  show({ playing: true });
  schedule();
  frame();
  frame();
  const each = ['landmarks', 'ask from 0', 'views at 20', 'panels '];
  assert.deepEqual(taken(), [...each, ...each]);
  show({ playing: false });
  frame();
  frame();
  assert.deepEqual(taken(), ['ask from 0', 'views at 20', 'panels ']);
});

test('what did not load is said above the picture, with a button that reloads', () => {
  const { frame, schedule, taken, at, miss } = loop();
  schedule();
  frame();
  assert.equal(at('notice').hidden, true);
  miss('A part of the page could not be loaded.');
  schedule();
  frame();
  taken();
  assert.equal(at('notice').hidden, false);
  assert.equal(at('notice').firstChild.data, 'A part of the page could not be loaded.');
  button(at('notice'), 'Reload').click();
  assert.deepEqual(taken(), ['reload']);
});

test('the row at the cursor is scrolled into the middle once, and not while the reader looks elsewhere', () => {
  const { frame, schedule, at, state } = loop();
  const list = /** @type {any} */ (at('events-scroll'));
  list.clientHeight = 280;
  list.scrollTop = 0;
  state.events.value = /** @type {any} */ ({ run: 1, at: 100, total: 400 });
  schedule();
  frame();
  assert.equal(list.scrollTop, 95 * 28);
  list.scrollTop = 7;
  state.filter.value = 'x';
  frame();
  assert.equal(list.scrollTop, 7, 'the reader has scrolled');
  state.eventsFrom.value = 10;
  state.events.value = /** @type {any} */ ({ run: 1, at: 200, total: 400 });
  frame();
  assert.equal(list.scrollTop, 7);
});

test('the notice says what waits for the engine, and that it failed', () => {
  const state = createState();
  state.progress.value = 0.426;
  assert.equal(noticeOf(state, false), '');
  assert.equal(noticeOf(state, true), 'The link opens as soon as the simulator has loaded, 43 %');
  state.queued.value = [
    { sentence: 'a will crash', retry: () => {} },
    { sentence: 'b will stop', retry: () => {} },
  ];
  assert.equal(noticeOf(state, true), 'a will crash, b will stop as soon as the simulator has loaded, 43 %');
  state.failure.value = 'The simulator could not start.';
  state.phase.value = 'failed';
  assert.equal(noticeOf(state, true), 'The simulator could not start.');
});

test('the row at the cursor stands in the middle of what is visible', () => {
  assert.equal(scrollTopOf({ row: 100, height: 280, rowPx: 28, total: 200 }), 95 * 28);
  assert.equal(
    scrollTopOf({ row: 199, height: 290, rowPx: 28, total: 200 }),
    190 * 28,
    'the last rows: the top one is whole',
  );
  assert.equal(
    scrollTopOf({ row: 3, height: 10, rowPx: 28, total: 9 }),
    3 * 28,
    'a list lower than a row shows that row',
  );
});
