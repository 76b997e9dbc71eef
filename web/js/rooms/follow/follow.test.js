import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Following, withoutWorker } from './index.js';

/** A page and a server that a test advances step by step. */
function scene() {
  const server = {
    scenario: { name: 's' },
    engine: 2,
    speed: 1,
    now: 10e9,
    hash: 'h10',
    acts: /** @type {object[]} */ ([]),
    over: '',
  };
  const view = { run: 1, cursor: { t: 0, n: -1 }, end: 60e9, hash: '', playing: false };
  const said = /** @type {string[]} */ ([]);
  const changes = /** @type {any[]} */ ([]);
  const waiting = /** @type {(() => void)[]} */ ([]);
  let follows = '';
  let runLater = () => {};
  const lab = /** @type {any} */ ({
    touched: false,
    state: { view: { value: view } },
    resetPage: () => {},
    change: async (/** @type {string} */ op, /** @type {any} */ params) => {
      changes.push([op, params]);
      if (op === 'extend') Object.assign(view, { run: view.run + 1 });
      else if (op === 'open') Object.assign(view, { run: view.run + 1, cursor: params.cursor, hash: server.hash });
      else Object.assign(view, { cursor: { t: params.until, n: -1 }, hash: server.hash });
      return view;
    },
  });
  const following = new Following({
    lab,
    notifier: /** @type {any} */ ({
      notify: (/** @type {string} */ text, /** @type {any} */ { action } = {}) => {
        said.push(text);
        if (action) runLater = action.run;
      },
    }),
    ask: async (after) => ({ ...server, acts: server.acts.slice(after) }),
    schedule: (run) => waiting.push(run),
    tell: (now) => {
      follows = now;
    },
  });
  return { server, view, said, changes, waiting, lab, following, follows: () => follows, again: () => runLater() };
}

test('the page opens the run where the server is, and plays up to the instants that it tells', async () => {
  const { server, view, changes, following, follows } = scene();
  await following.begin();
  assert.deepEqual(changes[0], [
    'open',
    { scenario: { name: 's' }, actions: [], cursor: { t: 10e9, n: -1 }, live: { t: 10e9, n: -1 } },
  ]);
  assert.equal(follows(), 'same');
  Object.assign(server, { now: 10.25e9, hash: 'h10.25' });
  await following.beat();
  assert.deepEqual(changes[1], ['play', { speed: 1, until: 10.25e9 }]);
  assert.equal(view.hash, 'h10.25');
});

test('behind, it plays faster; an act of a client extends the run, which goes on', async () => {
  const { server, changes, following, follows } = scene();
  await following.begin();
  server.now = 15e9;
  await following.beat();
  assert.deepEqual(changes[1], ['play', { speed: 20, until: 15e9 }]);
  server.acts = [{ act: 'request' }];
  server.now = 15.25e9;
  await following.beat();
  assert.deepEqual(changes.slice(2), [
    ['extend', { actions: [{ act: 'request' }] }],
    ['play', { speed: 1, until: 15.25e9 }],
  ]);
  assert.equal(follows(), 'same');
  await following.beat();
  assert.equal(changes[4][0], 'play', 'it asks only for the acts that it does not have');
  assert.equal(changes.length, 5);
});

test('many acts come in parts; a part has no hash to compare', async () => {
  const { server, changes, following, follows, said } = scene();
  await following.begin();
  Object.assign(server, { acts: [{ n: 1 }, { n: 2 }], now: 12e9, hash: '' });
  await following.beat();
  await following.beat();
  assert.deepEqual(changes[1], ['extend', { actions: [{ n: 1 }, { n: 2 }] }]);
  assert.equal(follows(), 'same');
  assert.ok(!said.some((text) => text.includes('differs')));
});

test('another hash is told', async () => {
  const { view, said, following, follows } = scene();
  await following.begin();
  view.hash = 'other';
  await following.beat();
  assert.equal(follows(), 'different');
  assert.match(said.at(-1) ?? '', /differs from the server's/);
});

test('following ends when the visitor acts, and can begin again', async () => {
  const { lab, said, waiting, changes, following, again, follows } = scene();
  await following.begin();
  assert.equal(waiting.length, 1);
  lab.touched = true;
  await following.beat();
  assert.match(said.at(-1) ?? '', /your own copy/);
  assert.equal(follows(), '');
  assert.equal(waiting.length, 1, 'it asks no more');
  again();
  await new Promise(setImmediate);
  assert.equal(changes.at(-1)[0], 'open');
  assert.equal(lab.touched, false);
  assert.equal(waiting.length, 2);
});

test('following ends with the scenario, and when there were too many writes', async () => {
  const end = scene();
  await end.following.begin();
  end.view.cursor = { t: 60e9, n: -1 };
  await end.following.beat();
  assert.match(end.said.at(-1) ?? '', /The scenario ends here/);
  const over = scene();
  await over.following.begin();
  Object.assign(over.server, { over: 'Clients have written 64 MiB.', now: 12e9, hash: '' });
  await over.following.beat();
  assert.doesNotMatch(over.said.join(), /64 MiB/, 'it shows first what the server has kept');
  await over.following.beat();
  assert.match(over.said.at(-1) ?? '', /64 MiB. The page no longer follows/);
});

test('a service worker of an earlier visit goes, and the page loads again once', async () => {
  let registered = 2;
  const unregister = async () => {
    registered--;
    return true;
  };
  const container = /** @type {any} */ ({
    controller: {},
    getRegistrations: async () => [{ unregister }, { unregister }].slice(0, registered),
  });
  assert.equal(await withoutWorker(container, false), false);
  assert.equal(registered, 0);
  assert.equal(await withoutWorker(container, true), true, 'it does not load for ever');
  assert.equal(await withoutWorker({ ...container, controller: null }, false), true);
  assert.equal(await withoutWorker(undefined, false), true, 'a browser without service workers');
});
