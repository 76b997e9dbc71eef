import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { all, button, placeAt, settle, text } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { open } from './index.js';

const PLAYER = readFileSync(new URL('../../../../bin/player.json', import.meta.url), 'utf8');
const CHANGES = [
  { index: 0, at: 1e7, from: '', to: 'a', leaderlessNs: 1e7 },
  { index: 1, at: 34e9, from: 'a', to: 'b', leaderlessNs: 14e9 },
];

Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { languages: ['en'] } });

/** The room at an instant of a run of 80 s. @param {number} t */
async function roomAt(t) {
  globalThis.fetch = async () => new Response(PLAYER);
  const view = { run: 1, playing: false, end: 80e9, ...placeAt(t, 80e9) };
  const page = pageAt(view, {
    assets: { player: 'player.json' },
    ask: async () => ({ changes: CHANGES, faults: [{ from: 20e9, to: 80e9, text: 'a is down' }] }),
    share: async () => ({ scenario: 'crash', cursor: { t, n: -1 }, live: { t: 80e9, n: -1 }, patch: [], actions: [] }),
    seek: async (/** @type {object} */ cursor) => {
      page.state.view.value = /** @type {any} */ ({ ...page.state.view.value, cursor });
    },
  });
  const room = await open(page.ports);
  await room.show();
  await settle();
  return { ...page, dialog: page.added()[0] };
}

test('at the end of a run the room offers the instants that something follows', async () => {
  const { dialog, state } = await roomAt(80e9);
  assert.match(text(dialog), /The run ends at 01:20\.000/);
  assert.deepEqual(all(dialog, 'li').map(text), ['00:00.000 the start of the run', '00:19.000 just before: a is down']);
  button(dialog, /00:19\.000/).click();
  await settle();
  assert.equal(state.view.value.cursor.t, 19e9);
  assert.match(text(dialog), /this run at 00:19\.000/);
  assert.equal(all(dialog, 'input[type=radio]').length, 4, 'with the question when');
});

test('before the end it asks at once', async () => {
  const { dialog } = await roomAt(40e9);
  assert.equal(all(dialog, 'li').length, 0);
  assert.equal(all(dialog, 'input[type=radio]').length, 2, 'no leader change follows');
});
