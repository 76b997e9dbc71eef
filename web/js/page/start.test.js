import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, each, recorder, settle } from '#dom';
import { start } from './start.js';

/**
 * A visit to an address, up to the moment the engine has arrived.
 * @param {{hash?: string, search?: string, seen?: boolean, still?: boolean, embed?: any, done?: unknown[][]}} [how]
 */
async function visit({ hash = '', search = '', seen = false, still = false, embed = undefined, done = [] } = {}) {
  const { document, frame, visit } = browser();
  visit(search + hash);
  const log = (/** @type {string} */ name) => recorder(done)[name];
  const started = start({
    lab: recorder(done, { fetchRest: () => Promise.reject(new Error('offline')), arrive: () => Promise.resolve() }),
    notifier: recorder(done),
    memory: { seen },
    remember: log('remember'),
    reducedMotion: { value: still },
    schedule: log('schedule'),
    loadEmbed: async () => embed,
    loadDesk: async () => done.push(['loadDesk']),
  });
  await settle();
  frame();
  await started;
  assert.equal(document.getElementById('unstarted'), null);
  return done;
}

test('a first visit plays the recorded run, then loads the desk, the rest of the run and the engine', async () => {
  assert.deepEqual(await visit(), [
    ['begin', { linked: undefined, autoplay: true }],
    ['schedule'],
    ['loadDesk'],
    ['fetchRest'],
    ['arrive'],
    ['remember', { seen: true }],
  ]);
});

test('nothing plays by itself in an embedded page or for a visitor who wants no motion', async () => {
  const embed = { waitForTouch: async () => {} };
  for (const how of [{ search: '?embed', embed }, { still: true }]) {
    const [begin] = await visit({ ...how, seen: true });
    assert.deepEqual(begin, ['begin', { linked: undefined, autoplay: false }]);
  }
});

test('an embed loads neither the desk nor the engine before it is touched', async () => {
  const embed = { decodeLink: async () => undefined, waitForTouch: () => new Promise(() => {}) };
  /** @type {unknown[][]} */
  const done = [];
  visit({ search: '?embed', hash: '#crash', embed, done });
  await settle();
  assert.deepEqual(each(done, 0), ['begin', 'schedule']);
});

test('an embed whose room did not load is the whole page', async () => {
  const done = await visit({ search: '?embed' });
  assert.deepEqual(done.map(([name]) => name).slice(2, 5), ['loadDesk', 'fetchRest', 'arrive']);
});

test('a later visit has nothing to remember', async () => {
  const done = await visit({ seen: true });
  assert.ok(!done.some(([name]) => name === 'remember'));
});

test('a link opens its run before the desk is there; the link that skips to the timeline is none', async () => {
  const [[name, { linked }], ...rest] = /** @type {any[][]} */ (await visit({ hash: '#a-leader-dies&t=40s' }));
  assert.deepEqual([name, linked.scenario, linked.cursor], ['begin', 'a-leader-dies', { t: 40e9, n: -1 }]);
  assert.deepEqual(rest.slice(0, 3), [['announce', linked], ['schedule'], ['loadDesk']]);
  const [skipped] = await visit({ hash: '#timeline' });
  assert.deepEqual(skipped, ['begin', { linked: undefined, autoplay: true }]);
});

test('a link that cannot be read is told, and the recorded run opens', async () => {
  const done = await visit({ hash: '#v1.abc' });
  const sentence = 'This link is damaged or cut short, so the default scenario is open instead.';
  assert.deepEqual(done.slice(0, 3), [
    ['begin', { linked: undefined, autoplay: true }],
    ['notify', sentence, { tone: 'error' }],
    ['say', sentence],
  ]);
});

test('what a link says that leaselab does not know is told', async () => {
  const [[name, { linked }], , notice] = /** @type {any[][]} */ (await visit({ hash: '#crash&sed=7' }));
  assert.deepEqual([name, linked.scenario], ['begin', 'crash']);
  assert.match(notice[1], /“sed=7”/);
});
