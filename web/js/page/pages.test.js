import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser } from '#dom';
import { openPages } from './pages.js';
import { createState } from './state.js';

/** A history like the browser's, which tells of each step back. */
function fakeHistory() {
  const entries = /** @type {({page: string} | null)[]} */ ([null]);
  let at = 0;
  const tell = () => dispatchEvent(Object.assign(new Event('popstate'), { state: entries[at] }));
  return {
    entries,
    get state() {
      return entries[at];
    },
    pushState: (/** @type {{page: string}} */ entry) => entries.splice(++at, entries.length, entry),
    replaceState: (/** @type {{page: string}} */ entry) => entries.splice(at, 1, entry),
    back() {
      at--;
      tell();
    },
    forward() {
      at++;
      tell();
    },
  };
}

/** Pages over a lab, and two rooms. */
function setUp() {
  const { document } = browser();
  const history = fakeHistory();
  const listeners = /** @type {((event: Event) => void)[]} */ ([]);
  Object.assign(globalThis, {
    history,
    addEventListener: (/** @type {string} */ _, /** @type {(event: Event) => void} */ hear) => listeners.push(hear),
    dispatchEvent: (/** @type {Event} */ event) => listeners.map((hear) => hear(event)),
  });
  const state = createState();
  const main = document.createElement('main');
  const room = (/** @type {string} */ id) => {
    const dialog = document.createElement('dialog');
    dialog.id = id;
    document.body.append(dialog);
    dialog.addEventListener('close', () => pages.left(dialog));
    return dialog;
  };
  const reopened = /** @type {string[]} */ ([]);
  const pages = openPages(state, main, (id) => reopened.push(id));
  return { state, main, history, pages, reopened, museum: room('museum'), search: room('search') };
}

test('a page takes the place of the lab, and Back returns to it', () => {
  const { state, main, history, pages, museum } = setUp();
  pages.enter(museum);
  assert.deepEqual([state.page.value, main.inert, museum.open], ['museum', true, true]);
  history.back();
  assert.deepEqual([state.page.value, main.inert, museum.open], ['lab', false, false]);
});

test('leaving a page goes back in the history, so that the next Back leaves the lab', () => {
  const { state, history, pages, museum } = setUp();
  pages.enter(museum);
  assert.equal(pages.close(), true);
  assert.deepEqual([state.page.value, history.state], ['lab', null]);
  assert.equal(pages.close(), false, 'the lab is there already');
});

test('from page to page the history keeps one entry over the lab', () => {
  const { state, history, pages, museum, search } = setUp();
  pages.enter(museum);
  pages.enter(search);
  assert.deepEqual(history.entries, [null, { page: 'search' }]);
  assert.deepEqual([state.page.value, museum.open, search.open], ['search', false, true]);
});

test('Forward opens the page again', () => {
  const { history, pages, museum, reopened } = setUp();
  pages.enter(museum);
  history.back();
  history.forward();
  assert.deepEqual(reopened, ['museum']);
});
