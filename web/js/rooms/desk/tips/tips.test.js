import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { browser, Place } from '../../../lib/testsupport/dom.js';
import { createState } from '../../../page/state.js';
import { openTips } from './tips.js';

/** A control with these attributes. @param {Record<string, string>} attributes @param {string[]} [is] selectors that it matches */
function control(attributes, is = []) {
  const place = /** @type {any} */ (new Place('x', 'button'));
  place.attributes = { ...attributes };
  place.isConnected = true;
  place.closest = () => place;
  place.matches = (/** @type {string} */ selector) => is.includes(selector);
  place.getBoundingClientRect = () => ({ left: 100, top: 700, bottom: 720, width: 50, height: 20 });
  return place;
}

/** The tip of a page. */
function page() {
  const { at, document, body } = browser();
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  Object.assign(globalThis, { innerWidth: 1000 });
  openTips({ state: createState(), timeline: /** @type {any} */ ({ root: at('timeline'), layout: null }) });
  const [tip] = body.children;
  tip.getBoundingClientRect = () => ({ left: 0, top: 0, width: 800, height: 400 });
  /** @param {string} type @param {any} target @param {object} [more] */
  const fire = (type, target, more) => {
    const event = Object.assign(new Event(type), more);
    Object.defineProperty(event, 'target', { value: target });
    document.dispatchEvent(event);
  };
  const over = (/** @type {any} */ target) => fire('pointerover', target, { pointerType: 'mouse' });
  const shown = () => (tip.hidden ? '' : tip.textContent);
  return { tip, fire, over, shown };
}

test('what the pointer rests on says its title, and the browser does not say it too', () => {
  const { over, shown, fire } = page();
  const button = control({ title: 'Another seed' });
  over(button);
  assert.equal(shown(), '', 'not at every control on the way');
  mock.timers.tick(100);
  assert.equal(shown(), 'Another seed');
  assert.equal(button.hasAttribute('title'), false);
  fire('pointerdown', button);
  assert.deepEqual([shown(), button.attributes.title], ['', 'Another seed']);
});

test('a control without a title says its name; a node says what its arc means', () => {
  const { over, shown } = page();
  over(control({ 'aria-label': 'Lane a' }));
  mock.timers.tick(100);
  assert.equal(shown(), 'Lane a');
  over(control({ 'aria-label': 'a, leading' }, ['.stage-node']));
  mock.timers.tick(100);
  assert.equal(shown(), 'a, leading\nThe arc is the time left on its countdown.');
});

test('the pointer that leaves before the time says nothing, and a finger never does', () => {
  const { over, shown, fire } = page();
  over(control({ title: 'x' }));
  over({ closest: () => null });
  mock.timers.tick(100);
  assert.equal(shown(), '');
  fire('pointerover', control({ title: 'x' }), { pointerType: 'touch' });
  mock.timers.tick(100);
  assert.equal(shown(), '');
});

test('the focus is explained where the keyboard brought it', () => {
  const { shown, fire } = page();
  fire('focusin', control({ title: 'x' }));
  mock.timers.tick(100);
  assert.equal(shown(), '');
  fire('focusin', control({ title: 'y' }, [':focus-visible']));
  mock.timers.tick(100);
  assert.equal(shown(), 'y');
  fire('focusout', null);
  assert.equal(shown(), '');
});

test('where there is no room below, the tip stands above', () => {
  const { over, tip } = page();
  over(control({ title: 'x' }));
  mock.timers.tick(100);
  assert.equal(tip.styles.translate, '100px 294px');
});
