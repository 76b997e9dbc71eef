import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARROWS, Roving, sortByPlace } from './roving.js';

/** The part of a document that a group uses: a root with buttons. */
class Root extends EventTarget {
  /** @type {any[]} */
  buttons = [];
  focused = '';
  /** @param {string} name @param {object} [box] */
  add(name, box = {}) {
    const button = {
      name,
      tabIndex: -1,
      closest: () => button,
      getBoundingClientRect: () => box,
      focus: () => {
        this.focused = name;
        this.fire('focusin', button);
      },
    };
    this.buttons.push(button);
    return button;
  }
  querySelectorAll() {
    return [...this.buttons];
  }
  /** @param {string} selector */
  querySelector(selector) {
    return this.buttons.find(({ name }) => selector === 'button' || selector === name) ?? null;
  }
  matches() {
    return this.focused !== '';
  }
  /** @param {any} button */
  contains(button) {
    return this.buttons.includes(button);
  }
  /** @param {string} type @param {any} target @param {object} [more] */
  fire(type, target, more) {
    const event = Object.assign(new Event(type, { cancelable: true }), more);
    Object.defineProperty(event, 'target', { value: target });
    this.dispatchEvent(event);
    return event;
  }
  stops() {
    return this.buttons.filter(({ tabIndex }) => tabIndex === 0).map(({ name }) => name);
  }
}

/** @param {import('./roving.js').Keys} keys @param {ConstructorParameters<typeof Roving>[3]} [order] */
function group(keys, order) {
  const root = new Root();
  const buttons = ['a', 'b', 'c'].map((name, i) => root.add(name, { left: 100 - 10 * i, top: 0 }));
  const roving = new Roving(/** @type {any} */ (root), 'button', keys, order);
  roving.refresh();
  return { root, buttons, roving };
}

test('one tab stop: the first, the preferred one, then the one that has the focus', () => {
  const { root, buttons, roving } = group(ARROWS.across);
  assert.deepEqual(root.stops(), ['a']);
  roving.refresh('b');
  assert.deepEqual(root.stops(), ['b']);
  buttons[2].focus();
  assert.deepEqual(root.stops(), ['c']);
  roving.refresh('b');
  assert.deepEqual(root.stops(), ['c']);
  root.buttons.pop();
  roving.refresh('b');
  assert.deepEqual(root.stops(), ['b']);
});

test('the arrows move the focus and the tab stop, and stop at both ends', () => {
  const { root, buttons } = group(ARROWS.down);
  assert.equal(root.fire('keydown', buttons[0], { key: 'ArrowDown' }).defaultPrevented, true);
  assert.equal(root.focused, 'b');
  assert.deepEqual(root.stops(), ['b']);
  root.fire('keydown', buttons[2], { key: 'ArrowDown' });
  assert.equal(root.focused, 'b');
  root.fire('keydown', buttons[1], { key: 'ArrowUp' });
  assert.equal(root.focused, 'a');
});

test('other keys, keys with Ctrl, and keys of other elements are left alone', () => {
  const { root, buttons } = group(ARROWS.down);
  const ignoresKey = (/** @type {any} */ target, /** @type {object} */ key) =>
    !root.fire('keydown', target, key).defaultPrevented && root.focused === '';
  assert.ok(ignoresKey(buttons[0], { key: 'ArrowRight' }));
  assert.ok(ignoresKey(buttons[0], { key: 'ArrowDown', ctrlKey: true }));
  assert.ok(ignoresKey({}, { key: 'ArrowDown' }));
});

test('marks are walked through as they stand on the screen', () => {
  const { root, buttons } = group(ARROWS.across, sortByPlace);
  root.fire('keydown', buttons[2], { key: 'ArrowRight' });
  assert.equal(root.focused, 'b');
});
