import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rebound } from './rebinding.js';

/** @param {string} key @param {object} [more] @returns {any} */
const pressed = (key, more) => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

test('a free key is bound, beside what was bound before', () => {
  assert.deepEqual(rebound(pressed('j'), 'crash', { add: ['k'] }), {
    bindings: { add: ['k'], crash: ['j'] },
    error: '',
  });
});

test('a key that another command has is refused, and that command is named', () => {
  assert.equal(
    rebound(pressed('u'), 'crash', { add: ['u'] })?.error,
    'U already means “Add a node”. Choose another key, or change that one first.',
  );
});

test('Escape changes nothing, a key with Ctrl is refused, a modifier alone is waited out', () => {
  assert.deepEqual(rebound(pressed('Escape'), 'crash', {}), { error: '' });
  assert.match(rebound(pressed('j', { ctrlKey: true }), 'crash', {})?.error ?? '', /without Ctrl/);
  assert.equal(rebound(pressed('Shift'), 'crash', {}), undefined);
});
