import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser } from '#dom';
import { openPages, pageOf } from './pages.js';
import { createState } from './state.js';

/** Pages over a lab, and two rooms. */
function setUp() {
  const { document } = browser();
  const state = createState();
  const main = document.createElement('main');
  const room = (/** @type {string} */ id) => {
    const dialog = document.createElement('dialog');
    dialog.id = id;
    document.body.append(dialog);
    dialog.addEventListener('close', () => pages.left(dialog));
    return dialog;
  };
  const pages = openPages(state, main);
  return { state, main, pages, museum: room('museum'), search: room('search') };
}

test('a page takes the place of the lab and has an address; closing it leads back', () => {
  const { state, main, pages, museum } = setUp();
  pages.enter(museum);
  assert.deepEqual([state.page.value, state.place.value, main.inert, museum.open], ['museum', 'museum', true, true]);
  pages.enter(museum, 'B03');
  assert.equal(state.place.value, 'museum=B03');
  assert.equal(pages.close(), true);
  assert.deepEqual([state.page.value, state.place.value, main.inert, museum.open], ['lab', '', false, false]);
  assert.equal(pages.close(), false, 'the lab is there already');
});

test('one page replaces the other', () => {
  const { state, pages, museum, search } = setUp();
  pages.enter(museum);
  pages.enter(search);
  assert.deepEqual([state.page.value, state.place.value], ['search', 'studies']);
  assert.deepEqual([museum.open, search.open], [false, true]);
});

test('an address names a page and what it shows, or a run', () => {
  assert.deepEqual(pageOf('museum=B03'), { id: 'museum', item: 'B03' });
  assert.deepEqual(pageOf('studies'), { id: 'search', item: undefined });
  for (const fragment of ['', 'crash', 'lesson=3', 'museum=B03&seed=7', 's=crash'])
    assert.equal(pageOf(fragment), undefined);
  document.documentElement.dataset.embed = 'run';
  assert.equal(pageOf('museum=B03'), undefined, 'an embed shows the run of the incident');
  delete document.documentElement.dataset.embed;
});
