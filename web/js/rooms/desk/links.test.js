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
 * @param {{playing?: boolean, touched?: boolean, held?: unknown}} [how] held: the entry of the history
 */
function page(hash = '', { playing = false, touched = false, held = null } = {}) {
  const view = { run: 1, hash: 'x', branch: 0, playing, ...placeAt(5e9, 9e9) };
  const { location, history, fire, visit, state, done, ports } = pageAt(view);
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  visit(hash);
  history.state = held;
  let shared = share();
  const lab = /** @type {any} */ ({
    ...{ touched, opens: 0, guard: undefined },
    opening: {
      frames: [{ scenario: 'a-leader-dies', seed: 1004, live: { t: 1, n: -1 } }],
      why: { change: { at: 34e9 } },
    },
    share: async () => shared,
    openLink: async (/** @type {unknown} */ linked) => done.push(['openLink', linked]),
    copy: async (/** @type {unknown[]} */ ...given) => done.push(['copy', ...given]),
  });
  const links = openLinks({ ...ports, lab }, recorder(done).tellTooLong);
  return {
    ...{ location, history, state, done, lab, ...links },
    /** Goes to an address, by hand or with Back. @param {string} hash @param {unknown} [held] */
    go(hash, held = null) {
      visit(hash);
      fire('popstate', { state: held });
    },
    /** Lets the address follow. */
    async rest() {
      mock.timers.tick(150);
      for (let k = 0; k < 3; k++) await encodeLink(share()); // wait as long as encoding takes
    },
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
  const { go, done, startTelling } = page();
  /** @type {unknown[]} */
  const told = [];
  await startTelling((one) => told.push(one));
  go(`#${await encodeLink(share({ seed: 8, breakpoints: [{ text: 'violation' }] }))}`);
  await waitUntil(() => told.length > 0);
  assert.equal(/** @type {any} */ (done.find(([name]) => name === 'openLink'))[1].seed, 8);
});

test('the page’s own addresses, and the link to the timeline, open nothing', async () => {
  const { copyLink, location, go, done } = page();
  await copyLink();
  go(location.hash);
  go('#timeline');
  await turn();
  assert.ok(!done.some(([name]) => name === 'openLink'));
});

test('an address that cannot be read is told, and the run stays', async () => {
  const { go, done } = page();
  go('#%%%');
  await waitUntil(() => done.some(([name]) => name === 'notify'));
  assert.match(String(done.find(([name]) => name === 'notify')?.[1]), /The run you had stays open/i);
});

test('each run, step and page is an entry of the history; the cursor changes the entry', async () => {
  const { state, lab, history, rest, startTelling, shares } = page('', { touched: true });
  await startTelling(() => {});
  state.view.value = { ...state.view.value, cursor: { t: 7e9, n: -1 } };
  await rest();
  assert.deepEqual(history.entries, [], 'the same run');
  lab.opens++;
  shares(share({ seed: 2 }));
  state.view.value = { ...state.view.value, run: 2 };
  await rest();
  assert.equal(history.entries.length, 1);
  state.place.value = 'museum';
  await rest();
  state.place.value = 'museum=B03';
  await rest();
  state.place.value = '';
  state.step.value = 'lesson=1&step=1';
  await rest();
  state.step.value = 'lesson=1&step=2';
  await rest();
  assert.deepEqual(history.entries.slice(1), ['#museum', '#museum=B03', '#lesson=1&step=1', '#lesson=1&step=2']);
  assert.ok(history.state.to > 0, 'with the zoom');
});

test('a page leads back to the run under it, also after a reload', async () => {
  const { state, history, rest, startTelling } = page('#museum', { held: { under: 'crash', tab: 'story' } });
  const told = /** @type {any[]} */ ([]);
  await startTelling((one) => {
    told.push(one);
    state.place.value = 'museum';
  });
  assert.deepEqual(told[0].page, { id: 'museum', item: undefined });
  state.place.value = '';
  await rest();
  assert.deepEqual(history.entries, ['#crash']);
});

test('Back opens what the entry shows: a page, a step, a run, or the run of the start', async () => {
  const { go, done, startTelling, rest, history } = page();
  const told = /** @type {any[]} */ ([]);
  await startTelling((one) => told.push(one));
  go('#museum=B03', {});
  await waitUntil(() => told.length === 1);
  go('#lesson=2&step=3', {});
  await waitUntil(() => told.length === 2);
  assert.deepEqual([told[0].page.item, told[1].lesson.step], ['B03', 3]);
  assert.deepEqual(
    done.filter(([name]) => name === 'openLink'),
    [],
    'neither opens a run by itself',
  );
  go('#crash&t=3s', { tab: 'beliefs', from: 1e9, to: 9e9, watch: 'b' });
  await waitUntil(() => done.some(([name]) => name === 'showTab'));
  assert.deepEqual(
    done.find(([name]) => name === 'showTab'),
    ['showTab', 'beliefs'],
  );
  assert.equal(told[2].isNew, false, 'only a link tells what to watch');
  go('');
  await waitUntil(() => told.length === 4);
  const opened = done.filter(([name]) => name === 'openLink').map(([, linked]) => /** @type {any} */ (linked).scenario);
  assert.deepEqual(opened, ['crash', 'a-leader-dies']);
  await rest();
  assert.deepEqual(history.entries, [], 'following adds no entry');
});

test('a first visit by a link tells what to watch; a reload keeps panel and zoom instead', async () => {
  const told = /** @type {any[]} */ ([]);
  await page('#crash').startTelling((one) => told.push(one));
  const again = page('#crash', { held: { tab: 'api', from: 2e9, to: 8e9, watch: 'the ticks' } });
  await again.startTelling((one) => told.push(one));
  assert.deepEqual(each(told, 'isNew'), [true, false]);
  assert.deepEqual([again.state.viewport.value, again.state.watch.value], [{ from: 2e9, to: 8e9 }, 'the ticks']);
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
  const { go, done, startTelling } = page();
  await startTelling(() => {});
  go('#crash&sed=7');
  await waitUntil(() => done.some(([name]) => name === 'notify'));
  assert.deepEqual(
    done.find(([name]) => name === 'notify'),
    ['notify', 'This link says “sed=7”, which leaselab does not know and ignores.', { tone: 'error' }],
  );
});
