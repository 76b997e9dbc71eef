import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createState } from './state.js';

/** @type {typeof import('./prefs.js').openPrefs} */
let openPrefs;
/** @type {string | null} */
let stored = null;
before(async () => {
  Object.assign(globalThis, { document: { baseURI: 'https://example.org/' }, localStorage: { getItem: () => stored } });
  ({ openPrefs } = await import('./prefs.js'));
});

/**
 * A device that answers media queries, and can be turned.
 * @param {string[]} matching parts of the queries that match
 */
function device(matching) {
  /** @type {{text: string, matches: boolean, changed: () => void}[]} */
  const lists = [];
  const query = (/** @type {string} */ text) => {
    const list = { text, matches: matching.some((part) => text.includes(part)), changed: () => {} };
    lists.push(list);
    return {
      get matches() {
        return list.matches;
      },
      addEventListener: (/** @type {string} */ _type, /** @type {() => void} */ changed) => {
        list.changed = changed;
      },
    };
  };
  const turn = (/** @type {string} */ part, /** @type {boolean} */ on) => {
    for (const list of lists.filter(({ text }) => text.includes(part))) {
      list.matches = on;
      list.changed();
    }
  };
  return { query, turn };
}

test('the layout follows the width; the story is the first tab at each', () => {
  const state = createState();
  const { query, turn } = device(['min-width: 1280px', 'min-width: 960px']);
  const { rowPx } = openPrefs(state, query);
  assert.deepEqual([state.layout.value, state.tab.value, rowPx.value], ['wide', 'story', 28]);
  turn('1280px', false);
  assert.equal(state.layout.value, 'middle');
  turn('960px', false);
  assert.deepEqual([state.layout.value, state.tab.value, rowPx.value], ['narrow', 'story', 44]);
});

test('what was remembered is in force; a chosen theme wins over the device’s', () => {
  stored = JSON.stringify({ theme: 'light', keyMode: 'focus', seen: true });
  const state = createState();
  const { query, turn } = device(['dark']);
  const { theme } = openPrefs(state, query);
  assert.equal(theme.value, 'light');
  assert.equal(state.keyMode.value, 'focus');
  state.theme.value = 'system';
  assert.equal(theme.value, 'dark');
  turn('dark', false);
  assert.equal(theme.value, 'light');
  stored = null;
});
