import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLink, encodeLink } from '../../lib/share.js';
import { browser, recorder, settle } from '../../lib/testsupport/dom.js';
import { createState } from '../../page/state.js';
import { openLinks } from './links.js';

const share = (/** @type {object} */ more = {}) =>
  /** @type {any} */ ({
    ...{ scenario: 'a-leader-dies', patch: [], actions: [], engine: 1, hash: 'x' },
    ...{ cursor: { t: 5e9, n: -1 }, live: { t: 9e9, n: -1 } },
    ...more,
  });

/**
 * The links of a page that stands at 5 s.
 * @param {string} [hash] the address it was opened with
 * @param {{playing?: boolean, touched?: boolean}} [how]
 */
function page(hash = '', { playing = false, touched = false } = {}) {
  const { location, fire } = browser();
  /** The event of a changed address, with the address it tells. @param {string} type @param {string} [hash] */
  const fireHash = (type, hash = location.hash) => fire(type, { newURL: `https://example.org/lab/${hash}` });
  location.hash = hash;
  const state = createState();
  state.phase.value = 'ready';
  state.view.value = /** @type {any} */ ({
    run: 1,
    hash: 'x',
    branch: 0,
    playing,
    cursor: { t: 5e9, n: -1 },
    live: { t: 9e9, n: -1 },
  });
  /** @type {unknown[][]} */
  const done = [];
  let shared = share();
  const lab = recorder(done, { touched, share: async () => shared, openLink: async () => {} });
  const tooLong = recorder(done).tooLong;
  const links = openLinks({ state, lab, notifier: recorder(done), run: recorder(done).run }, tooLong);
  return {
    ...{ location, fire: fireHash, state, done, lab, ...links },
    shares: (/** @type {object} */ next) => {
      shared = next;
    },
  };
}
/** A run whose link is too long for an address. */
const LONG = share({
  actions: Array.from({ length: 4000 }, (_, i) => ({
    act: 'crash',
    at: `${i * 7919}ms`,
    target: `n${(i * 31) % 997}`,
  })),
});
const linked = async (/** @type {{hash: string}} */ { hash }) => decodeLink(hash.slice(1));

test('a copied link holds the run, and the address has it too', async () => {
  const { copyLink, location, done } = page();
  await copyLink();
  const [name, link, , offer] = /** @type {any[]} */ (done.at(-1));
  assert.equal(name, 'copy');
  offer.run();
  assert.deepEqual([offer.label, done.at(-1)], ['Embed it…', ['run', 'embed']]);
  assert.equal(new URL(link).hash, location.hash);
  assert.deepEqual((await linked(location))?.cursor, { t: 5e9, n: -1 });
});

test('a link that is too long is said to be, and the address keeps the last one', async () => {
  const { copyLink, location, done, shares } = page('#1.abc');
  shares(LONG);
  await copyLink();
  assert.equal(done.at(-1)?.[0], 'tooLong');
  assert.ok(Number(done.at(-1)?.[1]) > 2000);
  assert.equal(location.hash, '#1.abc');
});

test('the address follows the run a moment after it has come to rest', async () => {
  const { state, location, shares } = page('', { touched: true });
  shares(share({ cursor: { t: 7e9, n: -1 } }));
  state.view.value = { ...state.view.value, cursor: { t: 7e9, n: -1 } };
  assert.equal(location.hash, '');
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal((await linked(location))?.cursor.t, 7e9);
});

test('the address stays while the run plays, and before the visitor has acted', async () => {
  for (const how of [{ playing: true, touched: true }, { touched: false }]) {
    const { state, location } = page('', how);
    state.view.value = { ...state.view.value, cursor: { t: 7e9, n: -1 } };
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(location.hash, '');
  }
});

test('an address changed by hand opens its run, and what it holds besides', async () => {
  const { location, fire, done, besides } = page();
  /** @type {unknown[]} */
  const told = [];
  await besides((one) => told.push(one));
  location.hash = `#${await encodeLink(share({ seed: 8, breakpoints: [{ text: 'violation' }] }))}`;
  fire('hashchange');
  while (told.length === 0) await settle();
  assert.deepEqual(
    done.map(([name]) => name),
    ['openLink'],
  );
  assert.equal(/** @type {any} */ (done[0][1]).seed, 8);
});

test('an address changed by hand opens its run, though the page writes its own before the event comes', async () => {
  const { copyLink, location, fire, done, besides } = page();
  const opened = new Promise((resolve) => besides(resolve));
  const given = `#${await encodeLink(share({ seed: 8 }))}`;
  location.hash = given;
  await copyLink();
  assert.notEqual(location.hash, given);
  fire('hashchange', given);
  await opened;
  const linked = /** @type {any} */ (done.find(([name]) => name === 'openLink')?.[1]);
  assert.equal(linked.seed, 8);
});

test('the page’s own changes of the address, and the link to the timeline, open nothing', async () => {
  const { copyLink, location, fire, done } = page();
  await copyLink();
  fire('hashchange');
  location.hash = '#timeline';
  fire('hashchange');
  await settle();
  assert.ok(!done.some(([name]) => name === 'openLink'));
});

test('an address that cannot be read is told, and the run stays', async () => {
  const { location, fire, done } = page();
  location.hash = '#%%%';
  fire('hashchange');
  while (done.length === 0) await settle();
  assert.match(String(done[0][1]), /The run you had stays open/i);
});

test('what the first link holds besides its run waits for the engine', async () => {
  const link = await encodeLink(share({ breakpoints: [{ text: 'violation' }] }));
  const { besides, state } = page(`#${link}`);
  state.phase.value = 'opening';
  /** @type {any[]} */
  const told = [];
  besides((one) => told.push(one));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(told, []);
  state.phase.value = 'ready';
  state.phase.value = 'failed';
  state.phase.value = 'ready';
  await settle();
  assert.deepEqual(
    told.map(({ breakpoints }) => breakpoints),
    [[{ text: 'violation' }]],
  );
});
