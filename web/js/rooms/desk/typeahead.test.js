import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeAhead } from './typeahead.js';

/** @param {EventTarget} target @param {string} key @param {object} [more] */
function press(target, key, more) {
  const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ...more });
  target.dispatchEvent(event);
  return event.defaultPrevented;
}

test('letters are kept until the load is over; other keys and commands with Ctrl are left alone', async () => {
  const target = new EventTarget();
  let typed = '';
  await typeAhead(async (soFar) => {
    assert.equal(press(target, 'g'), true);
    assert.equal(press(target, 'Enter'), false);
    assert.equal(press(target, 'k', { ctrlKey: true }), false);
    await null;
    press(target, 'e');
    typed = soFar();
  }, target);
  assert.equal(typed, 'ge');
  assert.equal(press(target, 't'), false);
});

test('letters are commands again after a load that fails', async () => {
  const target = new EventTarget();
  await assert.rejects(
    typeAhead(() => Promise.reject(new Error('no network')), target),
    /no network/,
  );
  assert.equal(press(target, 'g'), false);
});
