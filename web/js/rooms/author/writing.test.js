import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLesson } from './checker.js';
import { newDraft } from './draft.js';
import { Writing } from './writing.js';

const DRAFT = newDraft({ title: 'One', scenario: 'crash', opens: 1e9, shows: { from: 0, to: 2e9 } });

/** The browser's storage. @param {Map<string, string>} kept */
function store(kept) {
  const getItem = (/** @type {string} */ key) => kept.get(key) ?? null;
  const setItem = (/** @type {string} */ key, /** @type {string} */ text) => kept.set(key, text);
  const removeItem = (/** @type {string} */ key) => kept.delete(key);
  globalThis.localStorage = /** @type {any} */ ({ getItem, setItem, removeItem });
}

test('what is written survives a reload, and every change is undone', () => {
  const kept = new Map();
  store(kept);
  const writing = new Writing('lesson');
  assert.equal(writing.draft.value, undefined);
  writing.change(DRAFT);
  writing.change({ ...DRAFT, title: 'Two', seed: undefined });
  assert.equal(new Writing('lesson').draft.value?.title, 'Two');
  assert.doesNotMatch(writing.text.value, /seed/);
  writing.undo();
  assert.match(writing.text.value, /title: One/);
  writing.undo();
  assert.deepEqual([writing.text.value, writing.undoes.value, kept.size], ['', false, 0]);
  writing.undo();
});

test('the same text is no change', () => {
  store(new Map());
  const writing = new Writing('lesson');
  writing.change(DRAFT);
  writing.write(writing.text.value);
  writing.undo();
  assert.equal(writing.undoes.value, false);
});

test('a browser without storage writes lessons, too', () => {
  const refuse = () => {
    throw new Error('denied');
  };
  globalThis.localStorage = /** @type {any} */ ({ getItem: refuse, setItem: refuse, removeItem: refuse });
  const writing = new Writing('lesson');
  writing.change(DRAFT);
  assert.equal(writing.draft.value?.title, 'One');
});

test('a text that is no document has its errors with their lines', () => {
  assert.deepEqual(readLesson('title: [').document, undefined);
  assert.equal(readLesson('title: One\nsteps: [').problems[0].line > 0, true);
  assert.match(readLesson('One').problems[0].message, /this is not a lesson/);
  assert.match(readLesson('a: yes\nb: no').problems[1].message, /YAML 1\.1/);
});
