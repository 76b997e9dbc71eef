import assert from 'node:assert/strict';
import { test } from 'node:test';

// What is remembered is kept by the path of the page.
Object.defineProperty(globalThis, 'document', { value: { baseURI: 'http://localhost/leaselab/' } });
const { remember, readMemory } = await import('./memory.js');

const NOTHING = {
  legend: false,
  playOn: true,
  theme: undefined,
  keyMode: undefined,
  seen: false,
};

/** A browser's storage with this in it. @param {string | null} text */
function storage(text) {
  let kept = text;
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: () => kept,
      /** @param {string} _ @param {string} next */
      setItem: (_, next) => {
        kept = next;
      },
    },
  });
}

test('what was remembered comes back', () => {
  storage(null);
  remember({ theme: 'dark' });
  remember({ seen: true });
  assert.deepEqual(readMemory(), { ...NOTHING, theme: 'dark', seen: true });
  remember({ playOn: false, legend: true });
  assert.deepEqual([readMemory().playOn, readMemory().legend, readMemory().theme], [false, true, 'dark']);
});

test('a storage that holds something else is a storage that holds nothing', () => {
  const texts = ['null', '7', '"x"', '[]', '{', '', 'undefined'];
  for (const text of [...texts, '{"theme":{},"keyMode":["on"],"seen":"yes"}']) {
    storage(text);
    assert.deepEqual(readMemory(), NOTHING, text);
  }
});

test('what an older version remembered besides is ignored, and goes with the next change', () => {
  storage('{"theme":"dark","eventsPx":200}');
  assert.deepEqual(readMemory(), { ...NOTHING, theme: 'dark' });
  remember({ seen: true });
  assert.doesNotMatch(localStorage.getItem('') ?? '', /eventsPx/);
});

test('a storage that throws holds nothing', () => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new Error('SecurityError');
    },
  });
  assert.deepEqual(readMemory(), NOTHING);
  remember({ theme: 'dark' });
});
