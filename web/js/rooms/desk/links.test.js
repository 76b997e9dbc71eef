import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { each, placeAt, recorder, waitUntil } from '#dom';
import { decodeLink, encodeLink } from '../../lib/share.js';
import { pageAt } from '../../page/page.testsupport.js';
import { openLinks } from './links.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

const share = (/** @type {object} */ more = {}) =>
  /** @type {any} */ ({
    ...{ scenario: 'a-leader-dies', patch: [], actions: [], engine: 1, hash: 'x' },
    ...{ ...placeAt(5e9, 9e9) },
    ...more,
  });

/**
 * The links of a page whose cursor is at 5 s.
 * @param {string} [hash] the address that opened the page
 * @param {{playing?: boolean, touched?: boolean}} [how]
 */
function page(hash = '', { playing = false, touched = false } = {}) {
  const view = { run: 1, hash: 'x', branch: 0, playing, ...placeAt(5e9, 9e9) };
  const { location, fire, visit, state, done, ports } = pageAt(view);
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  /** Fires the event for a changed address, with the given address. @param {string} type @param {string} [hash] */
  const fireHash = (type, hash = location.hash) => fire(type, { newURL: `https://example.org/lab/${hash}` });
  visit(hash);
  let shared = share();
  const lab = /** @type {any} */ ({
    touched,
    guard: undefined,
    share: async () => shared,
    openLink: async (/** @type {unknown} */ linked) => done.push(['openLink', linked]),
    copy: async (/** @type {unknown[]} */ ...given) => done.push(['copy', ...given]),
  });
  const links = openLinks({ ...ports, lab }, recorder(done).tellTooLong);
  return {
    ...{ location, visit, fire: fireHash, state, done, lab, ...links },
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
const decode = async (/** @type {{hash: string}} */ { hash }) => decodeLink(hash.slice(1));

test('a copied link holds the run, and the address has it too', async () => {
  const { copyLink, location, done } = page();
  await copyLink();
  const [name, link, , offer] = /** @type {any[]} */ (done.at(-1));
  assert.equal(name, 'copy');
  offer.run();
  assert.deepEqual([offer.label, done.at(-1)], ['Embed it…', ['run', 'embed']]);
  assert.equal(new URL(link).hash, location.hash);
  assert.deepEqual((await decode(location))?.cursor, { t: 5e9, n: -1 });
});

test('a link that is too long is said to be, and the address keeps the last one', async () => {
  const { copyLink, location, done, shares } = page('#1.abc');
  shares(LONG);
  await copyLink();
  assert.equal(done.at(-1)?.[0], 'tellTooLong');
  assert.ok(Number(done.at(-1)?.[1]) > 2000);
  assert.equal(location.hash, '#1.abc');
});

test('the address follows the run a moment after it has come to rest', async () => {
  const { state, location, shares } = page('', { touched: true });
  shares(share({ cursor: { t: 7e9, n: -1 } }));
  state.view.value = { ...state.view.value, cursor: { t: 7e9, n: -1 } };
  mock.timers.tick(149);
  await encodeLink(share());
  assert.equal(location.hash, '');
  mock.timers.tick(1);
  await waitUntil(() => location.hash !== '');
  assert.equal((await decode(location))?.cursor.t, 7e9);
});

test('the address stays while the run plays, and before the visitor has acted', async () => {
  for (const how of [{ playing: true, touched: true }, { touched: false }]) {
    const { state, location } = page('', how);
    state.view.value = { ...state.view.value, cursor: { t: 7e9, n: -1 } };
    mock.timers.tick(1000);
    for (let k = 0; k < 3; k++) await encodeLink(share()); // wait as long as encoding takes
    assert.equal(location.hash, '');
  }
});

test('an address changed by hand opens its run, and what it holds besides', async () => {
  const { visit, fire, done, startTelling } = page();
  /** @type {unknown[]} */
  const told = [];
  await startTelling((one) => told.push(one));
  visit(`#${await encodeLink(share({ seed: 8, breakpoints: [{ text: 'violation' }] }))}`);
  fire('hashchange');
  await waitUntil(() => told.length > 0);
  assert.deepEqual(each(done, 0), ['openLink']);
  assert.equal(/** @type {any} */ (done[0][1]).seed, 8);
});

test('an address changed by hand opens its run, though the page writes its own before the event comes', async () => {
  const { copyLink, location, visit, fire, done, startTelling } = page();
  const opened = new Promise((resolve) => startTelling(resolve));
  const given = `#${await encodeLink(share({ seed: 8 }))}`;
  visit(given);
  await copyLink();
  assert.notEqual(location.hash, given);
  fire('hashchange', given);
  await opened;
  const linked = /** @type {any} */ (done.find(([name]) => name === 'openLink')?.[1]);
  assert.equal(linked.seed, 8);
});

test('the page’s own changes of the address, and the link to the timeline, open nothing', async () => {
  const { copyLink, visit, fire, done } = page();
  await copyLink();
  fire('hashchange');
  visit('#timeline');
  fire('hashchange');
  for (let k = 0; k < 3; k++) await decodeLink(await encodeLink(share())); // wait as long as encoding takes
  await turn();
  assert.ok(!done.some(([name]) => name === 'openLink'));
});

test('an address that cannot be read is told, and the run stays', async () => {
  const { visit, fire, done } = page();
  visit('#%%%');
  fire('hashchange');
  await waitUntil(() => done.length > 0);
  assert.match(String(done[0][1]), /The run you had stays open/i);
});

test('what the first link holds besides its run waits for the engine', async () => {
  const link = await encodeLink(share({ breakpoints: [{ text: 'violation' }] }));
  const { startTelling, state } = page(`#${link}`);
  state.phase.value = 'opening';
  /** @type {any[]} */
  const told = [];
  startTelling((one) => told.push(one));
  await decodeLink(link); // wait as long as decoding takes
  await turn();
  assert.deepEqual(told, []);
  state.phase.value = 'ready';
  state.phase.value = 'failed';
  state.phase.value = 'ready';
  await waitUntil(() => told.length > 0);
  assert.deepEqual(each(told, 'breakpoints'), [[{ text: 'violation' }]]);
});

const PREDICTS = share({ predict: { ask: 'leader', until: 8e9 } });
const REFUSED = { refusal: 'Wait: the question of this link is loading.' };

test('the run of a prediction waits for its question, not for one that cannot be loaded', async () => {
  const { startTelling, state, lab, location } = page(`#${await encodeLink(PREDICTS)}`, { touched: true });
  const first = location.hash;
  state.phase.value = 'opening';
  let finishLoad = () => {};
  // The room never loads by itself.
  const over = startTelling(() => new Promise((resolve) => (finishLoad = () => resolve(undefined))));
  await waitUntil(() => lab.guard);
  assert.deepEqual(await lab.guard('play', {}), REFUSED);
  assert.deepEqual(await lab.guard('open', {}), {});
  state.phase.value = 'ready'; // from here on the address follows the run, but not while the question loads
  mock.timers.tick(150);
  for (let k = 0; k < 3; k++) await encodeLink(share());
  assert.equal(location.hash, first);
  finishLoad();
  await over;
  assert.equal(lab.guard, undefined);
});

test('a question that is there, or fails, holds the run itself', async () => {
  const link = `#${await encodeLink(PREDICTS)}`;
  const asked = page(link);
  const judge = async () => ({});
  await asked.startTelling(() => (asked.lab.guard = judge));
  assert.equal(asked.lab.guard, judge);
  const failing = page(link);
  const failed = failing.startTelling(() => {
    throw new Error('no question');
  });
  await assert.rejects(failed, /no question/);
  assert.equal(failing.lab.guard, undefined);
});

test('without a simulator nothing of a link is told, and the recorded run can be watched', async () => {
  const { startTelling, state, lab } = page(`#${await encodeLink(PREDICTS)}`);
  state.phase.value = 'failed';
  /** @type {unknown[]} */
  const told = [];
  await startTelling((one) => told.push(one));
  assert.deepEqual([told, lab.guard], [[], undefined]);
});

test('what leaselab does not know in a link is named', async () => {
  const { fire, done, startTelling } = page();
  await startTelling(() => {});
  fire('hashchange', '#crash&sed=7');
  await waitUntil(() => done.length > 1);
  assert.deepEqual(done[1], [
    'notify',
    'This link says “sed=7”, which leaselab does not know and ignores.',
    { tone: 'error' },
  ]);
});
