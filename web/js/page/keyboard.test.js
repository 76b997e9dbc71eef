import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeyboard } from './keyboard.js';

/** An element that is in what is named. @param {string[]} names parts of selectors */
function element(names) {
  const findAround = (/** @type {string} */ selector) =>
    selector.split(',').some((one) => names.includes(one.trim())) ? {} : null;
  return { closest: findAround, matches: (/** @type {string} */ selector) => findAround(selector) !== null };
}

/**
 * What a key runs.
 * @param {string} key
 * @param {{at?: string[], mode?: string, dialog?: boolean, learning?: boolean, taken?: boolean,
 *   page?: boolean}} [where] taken: by a control; page: a page such as the museum is open
 */
function ran(key, { at = [], mode = 'on', dialog = false, learning = false, taken = false, page = false } = {}) {
  /** @type {string[]} */
  const ids = [];
  let prevented = false;
  const state = /** @type {any} */ ({ keyMode: { value: mode } });
  const onKey = openKeyboard(state, {
    run: (id) => ids.push(id),
    isLearning: () => learning,
    inDialog: () => dialog,
    inPage: () => page,
    body: /** @type {any} */ (element([])),
  });
  const target = element(at);
  const preventDefault = () => {
    prevented = true;
  };
  onKey(/** @type {any} */ ({ key, target, preventDefault, defaultPrevented: taken }));
  assert.equal(prevented, ids.length > 0, 'the browser keeps what the page does not take');
  return ids[0] ?? '';
}

test('keys act anywhere on the page, but not in a field or under a dialog', () => {
  assert.equal(ran('k'), 'crash');
  assert.equal(ran('k', { at: ['textarea'] }), '');
  assert.equal(ran('k', { at: ['input:not([type="range"])'] }), '');
  assert.equal(ran('k', { dialog: true }), '');
  assert.equal(ran('k', { at: ['dialog:not([open])', 'textarea'] }), 'crash', 'a closed dialog has no field');
});

test('a control keeps its own keys', () => {
  assert.equal(ran(' '), 'playPause');
  assert.equal(ran(' ', { at: ['button'] }), '');
  assert.equal(ran('ArrowRight'), 'eventForth');
  assert.equal(ran('ArrowRight', { at: ['[role="slider"]'] }), '');
  assert.equal(ran('k', { at: ['button'] }), 'crash');
  assert.equal(ran('k', { taken: true }), '', 'the control has used the key');
});

test('keys for the instruments alone act on the timeline and on what is drawn on the stage', () => {
  assert.equal(ran('k', { mode: 'focus' }), '');
  assert.equal(ran('k', { mode: 'focus', at: ['#stage'] }), 'crash');
});

test('the keys of a lesson scroll when there is none', () => {
  assert.equal(ran('PageDown'), '');
  assert.equal(ran('PageDown', { learning: true }), 'lessonForth');
});

test('on a page, Escape leads back to the lab, and letters do nothing', () => {
  assert.equal(ran('Escape', { page: true }), 'lab');
  assert.equal(ran('Escape', { page: true, taken: true }), '', 'a list has used it');
  assert.equal(ran('Escape', { page: true, dialog: true }), '', 'the dialog over the page closes first');
  assert.equal(ran('k', { page: true }), '');
});
