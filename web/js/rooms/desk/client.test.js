import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { signal } from '@preact/signals-core';
import { followers } from '../engine/following.js';
import { Client } from './client.js';

const GET = { method: 'GET', target: '/version', headers: ['Accept: a', 'Sec-Fetch-Site: none'], body: '' };
const settle = () => new Promise((resolve) => setTimeout(resolve));

afterEach(() => followers.clear());

/** @param {Record<string, (params: any) => any>} answers by operation */
function openClient(answers) {
  /** @type {any[]} */
  const log = [];
  const state = {
    phase: signal('ready'),
    failure: signal('The simulator could not start.'),
    view: signal({ cursor: { t: 7 } }),
    pinnedVersion: signal(4),
  };
  const lab = {
    source: { restarts: 0 },
    guard: /** @type {any} */ (undefined),
    ask: async (/** @type {string} */ op, /** @type {any} */ params) => {
      log.push([op, params]);
      return answers[op]?.(params);
    },
    touch: () => log.push('touch'),
    receive: (/** @type {any} */ view) => {
      state.view.value = view;
    },
  };
  const notifier = { say: (/** @type {string} */ sentence) => log.push(sentence) };
  const client = new Client(/** @type {any} */ ({ state, lab, notifier }));
  return { client, state, lab, log, sent: () => client.sent.value };
}
const ok = { status: 200, headers: [], body: '{}' };

test('a read goes as it is, and the exchange is kept', async () => {
  const { client, log, sent } = openClient({ rest: () => ok });
  const answer = await client.send(GET, 'fetch');
  assert.deepEqual(log, [['rest', GET]]);
  assert.deepEqual(sent(), [answer]);
  assert.deepEqual([answer.by, answer.at, answer.status, answer.answer, answer.watch], ['fetch', 7, 200, '{}', 0]);
});

test('a write names no browser, and the run that it made is shown', async () => {
  const view = { cursor: { t: 9 } };
  const { client, log, state } = openClient({ rest: () => ({ ...ok, status: 201, changed: true, view }) });
  const { changed } = await client.send({ ...GET, method: 'POST' }, 'console');
  assert.deepEqual(log, [['rest', { ...GET, method: 'POST', headers: ['Accept: a'] }], 'touch', 'POST: 201.']);
  assert.deepEqual([changed, state.view.value, state.pinnedVersion.value], [true, view, 0]);
});

test('a lesson refuses a write, and lets reads pass', async () => {
  const { client, lab } = openClient({ rest: () => ok });
  lab.guard = async () => ({ refusal: 'Not now.' });
  const refused = await client.send({ ...GET, method: 'DELETE' }, 'console');
  assert.deepEqual([refused.status, JSON.parse(refused.answer).message], [403, 'Not now.']);
  assert.equal((await client.send(GET, 'console')).status, 200);
});

test('a request waits for the engine; without one, or when it fails, the answer is a Status', async () => {
  const { client, state, sent } = openClient({
    rest: () => {
      throw new Error('the engine is gone');
    },
  });
  state.phase.value = 'opening';
  const waiting = client.send(GET, 'fetch');
  await settle();
  assert.equal(sent()[0].status, 0);
  state.phase.value = 'failed';
  const failed = await waiting;
  assert.deepEqual([failed.status, JSON.parse(failed.answer).message], [503, 'The simulator could not start.']);
  state.phase.value = 'ready';
  assert.equal(JSON.parse((await client.send(GET, 'fetch')).answer).message, 'the engine is gone');
});

test('the last hundred exchanges are kept', async () => {
  const { client, sent } = openClient({ rest: () => ok });
  for (let i = 0; i < 105; i++) await client.send(GET, 'fetch');
  assert.deepEqual([sent().length, sent()[0].id, sent()[99].id], [100, 6, 105]);
});

/** Opens a watch. @param {any[]} news the answers to each poll */
async function openWatch(news, wants = () => true) {
  const polls = [...news];
  const world = openClient({
    rest: () => ({ ...ok, body: '', watch: 3 }),
    restPoll: () => polls.shift() ?? { frames: [], ended: false },
  });
  /** @type {string[]} */
  const told = [];
  const sent = await world.client.send(GET, 'fetch');
  world.client.follow(sent, { wants, tell: (frames) => told.push(...frames), end: () => told.push('end') });
  await settle();
  return { ...world, told };
}

test('a watch is followed until it ends, and the exchange keeps its frames', async () => {
  const { told, sent, state } = await openWatch([
    { frames: ['a', 'b'], ended: false },
    { frames: ['c'], ended: true },
  ]);
  assert.deepEqual([told, sent()[0].frames, sent()[0].open], [['a', 'b'], 2, true]);
  state.view.value = { cursor: { t: 8 } };
  await settle();
  assert.deepEqual(told, ['a', 'b', 'c', 'end']);
  assert.deepEqual([sent()[0].frames, sent()[0].answer, sent()[0].open, followers.size], [3, 'abc', false, 0]);
});

test('a reader without room is not asked for', async () => {
  let room = false;
  const { log, told, client } = await openWatch([{ frames: ['a'], ended: false }], () => room);
  const polled = log.some(([op]) => op === 'restPoll');
  assert.equal(polled, false);
  room = true;
  client.poll();
  await settle();
  assert.deepEqual(told, ['a']);
});

test('a watch that is closed tells the engine, once', async () => {
  const { client, told, log } = await openWatch([]);
  client.close(3);
  client.close(3);
  assert.deepEqual(told, ['end']);
  assert.equal(log.filter(([op]) => op === 'restClose').length, 1);
});

test('news that come after the watch was closed are told to nobody', async () => {
  /** @type {(news: object) => void} */
  let answer = () => {};
  const world = openClient({
    rest: () => ({ ...ok, watch: 3 }),
    restPoll: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  /** @type {string[]} */
  const told = [];
  world.client.follow(await world.client.send(GET, 'fetch'), {
    tell: (frames) => told.push(...frames),
    end: () => told.push('end'),
  });
  world.client.close(3);
  answer({ frames: ['late'], ended: true });
  await settle();
  assert.deepEqual(told, ['end']);
});

test('another engine knows nothing of the watch: it ends, and nothing is asked', async () => {
  const { client, told, log, lab } = await openWatch([]);
  log.length = 0;
  lab.source.restarts = 1;
  client.poll();
  await settle();
  assert.deepEqual([told, log], [['end'], []]);
});

test('a watch that cannot be polled has ended', async () => {
  const world = openClient({ rest: () => ({ ...ok, watch: 3 }), restPoll: () => Promise.reject(new Error('gone')) });
  let ended = false;
  world.client.follow(await world.client.send(GET, 'fetch'), { tell: () => {}, end: () => (ended = true) });
  await settle();
  assert.equal(ended, true);
});
