import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { browser, fire } from '#dom';
import { createState } from '../../../page/state.js';
import { openTips } from './tips.js';

/**
 * A control with these attributes.
 * @param {Record<string, string>} attributes
 * @returns {any}
 */
function control(attributes) {
  const place = document.createElement('button');
  for (const [name, value] of Object.entries(attributes)) place.setAttribute(name, value);
  place.getBoundingClientRect = () => /** @type {any} */ ({ left: 100, top: 700, bottom: 720 });
  return document.getElementById('timeline')?.appendChild(place);
}

/** The tip of a page. */
function page() {
  const { at, added } = browser();
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  Object.assign(globalThis, { innerWidth: 1000 });
  const state = createState();
  const root = /** @type {any} */ (at('timeline'));
  openTips({ state, timeline: /** @type {any} */ ({ root, layout: null }) });
  const [tip] = added();
  tip.getBoundingClientRect = () => ({ left: 0, top: 0, width: 800, height: 400 });
  const hover = (/** @type {any} */ target) => fire(target, 'pointerover', { pointerType: 'mouse' });
  const tipText = () => (tip.hidden ? '' : tip.textContent);
  return { tip, hover, tipText, state, root };
}

test('what the pointer rests on says its title, and the browser does not say it too', () => {
  const { hover, tipText } = page();
  const button = control({ title: 'Another seed' });
  hover(button);
  assert.equal(tipText(), '', 'not at every control on the way');
  mock.timers.tick(100);
  assert.equal(tipText(), 'Another seed');
  assert.equal(button.hasAttribute('title'), false);
  fire(button, 'pointerdown');
  assert.deepEqual([tipText(), button.title], ['', 'Another seed']);
});

test('a control without a title says its name; a node says what its arc means', () => {
  const { hover, tipText } = page();
  hover(control({ 'aria-label': 'Lane a', class: 'tl-lane' }));
  mock.timers.tick(100);
  assert.equal(tipText(), 'Lane a');
  hover(control({ 'aria-label': 'a, leading', class: 'stage-node' }));
  mock.timers.tick(100);
  assert.equal(tipText(), 'a, leading\nThe arc is the time left on its countdown.');
});

test('the pointer that leaves before the time says nothing, and a finger never does', () => {
  const { hover, tipText } = page();
  hover(control({ title: 'x' }));
  hover(document.body);
  mock.timers.tick(100);
  assert.equal(tipText(), '');
  fire(control({ title: 'x' }), 'pointerover', { pointerType: 'touch' });
  mock.timers.tick(100);
  assert.equal(tipText(), '');
});

test('the focus is explained where the keyboard brought it', () => {
  const { tipText } = page();
  fire(control({ title: 'x' }), 'focusin');
  mock.timers.tick(100);
  assert.equal(tipText(), '');
  control({ title: 'y' }).focus();
  mock.timers.tick(100);
  assert.equal(tipText(), 'y');
  /** @type {any} */ (document.activeElement).blur();
  assert.equal(tipText(), '');
});

test('where there is no room below, the tip stands above', () => {
  const { hover, tip } = page();
  hover(control({ title: 'x' }));
  mock.timers.tick(100);
  assert.equal(tip.style.getPropertyValue('translate'), '100px 294px');
});

test('a tap says what it hits, until the next touch; a click of a mouse does not', () => {
  const { tipText } = page();
  const tap = (/** @type {string} */ pointerType) => {
    const mark = control({ 'aria-label': 'Nobody led', class: 'tl-mark' });
    fire(mark, 'click', { pointerType, clientX: 100, clientY: 50 });
    mock.timers.tick(100);
  };
  tap('mouse');
  assert.equal(tipText(), '');
  tap('touch');
  assert.equal(tipText(), 'Nobody led');
  fire(control({}), 'pointerdown');
  assert.equal(tipText(), '');
});

test('a lane with the focus says what it has at the cursor, and says it anew when the cursor moves', () => {
  const { tipText, state } = page();
  const S = 1e9;
  const ticks = [1, 3].map((t) => ({ t: t * S, end: (t + 0.005) * S, verb: 'get', outcome: 'ok', write: false, n: 1 }));
  const ramp = [{ t: 0, zeroAt: 15 * S, leading: false }];
  const lane = { node: 'b', index: 1, spans: [{ from: 0, to: 9 * S, role: 'following' }], ticks, ramp };
  state.timeline.value = /** @type {any} */ ({ lanes: [lane] });
  const view = (/** @type {number} */ t) => /** @type {any} */ ({ cursor: { t, n: -1 }, live: { t: 9 * S, n: -1 } });
  state.view.value = view(2 * S);
  const button = control({ 'aria-label': 'Lane b', 'data-node': 'b', class: 'tl-lane' });
  button.focus();
  mock.timers.tick(100);
  assert.match(
    tipText(),
    /^b follows from 00:00\.000\nb reads the Lease .* at 00:01\.000.*\n00:02\.000: b believes .* in 13\.0 s/,
  );
  assert.equal(button.getAttribute('aria-describedby'), 'tip');
  fire(button, 'keydown');
  assert.equal(tipText(), '');
  state.view.value = view(4 * S);
  mock.timers.tick(100);
  assert.match(tipText(), /at 00:03\.000.*\n00:04\.000: b believes that it may acquire the Lease in 11\.0 s/);
});
