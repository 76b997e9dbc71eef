import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn, newsOf, originOf, reader, reportOf, requestOf } from './host.js';

const HOST = 'https://docs.example.com';

test('only an origin may speak: scheme, host and port', () => {
  for (const origin of [HOST, 'http://localhost:3000']) assert.equal(originOf(origin), origin);
  for (const other of [
    null,
    '',
    '*',
    'docs.example.com',
    `${HOST}/`,
    `${HOST}/page`,
    'null',
    'data:text/plain,x',
    'HTTPS://docs.example.com',
  ])
    assert.equal(originOf(other), undefined, `${other}`);
});

test('the four verbs', () => {
  for (const [data, request] of [
    [{ leaselab: 'play' }, { verb: 'play' }],
    [{ leaselab: 'pause', more: 1 }, { verb: 'pause' }],
    [
      { leaselab: 'goTo', t: 34.5 },
      { verb: 'goTo', t: 34_500_000_000 },
    ],
    [
      { leaselab: 'goTo', t: '1m20s' },
      { verb: 'goTo', t: 80_000_000_000 },
    ],
    [
      { leaselab: 'act', act: 'crash' },
      { verb: 'act', act: 'crash' },
    ],
    [
      { leaselab: 'act', act: 'cut', node: 'b' },
      { verb: 'act', act: 'cut', node: 'b' },
    ],
  ])
    assert.deepEqual(requestOf(data), request);
});

test('a message of another shape is told by its first wrong part', () => {
  for (const [data, words] of /** @type {[unknown, RegExp][]} */ ([
    [undefined, /must be an object/],
    ['play', /must be an object/],
    [['play'], /must be an object/],
    [{ type: 'play' }, /leaselab must be/],
    [{ leaselab: 'toString' }, /leaselab must be/],
    [{ leaselab: 'goTo' }, /^t must be/],
    [{ leaselab: 'goTo', t: 'noon' }, /^t must be/],
    [{ leaselab: 'goTo', t: -1 }, /^t must be/],
    [{ leaselab: 'goTo', t: Number.NaN }, /^t must be/],
    [{ leaselab: 'act', act: 7 }, /^act must be/],
    [{ leaselab: 'act', act: 'crash', node: {} }, /^node must be/],
  ])) {
    const wrong = requestOf(data);
    assert.ok(typeof wrong === 'string', `${JSON.stringify(data)} was taken`);
    assert.match(wrong, words);
  }
});

/** An embed's frame, with the requests that it took and the sentences that it logged. @param {string} [host] */
function frame(host) {
  const parent = /** @type {any} */ ({ name: 'parent' });
  const taken = /** @type {unknown[]} */ ([]);
  const logged = /** @type {string[]} */ ([]);
  const read = reader({
    host,
    parent,
    take: (request) => taken.push(request),
    log: (sentence) => logged.push(sentence),
  });
  const hear = (/** @type {unknown} */ data, origin = HOST, source = parent) => read({ data, origin, source });
  return { hear, taken, logged };
}

test('the origin of the address is heard, and only from the page around the frame', () => {
  const { hear, taken, logged } = frame(HOST);
  hear({ leaselab: 'play' });
  assert.deepEqual(taken, [{ verb: 'play' }]);
  assert.deepEqual(logged, []);
  hear({ leaselab: 'play' }, HOST, { name: 'a frame beside it' });
  hear({ leaselab: 'play' }, 'https://elsewhere.example');
  hear({ leaselab: 'dance' });
  assert.equal(taken.length, 1);
  assert.equal(logged.length, 3);
  assert.match(logged[0], /does not come from the page around this frame/);
  assert.match(
    logged[1],
    /comes from https:\/\/elsewhere\.example, and the address of this frame names https:\/\/docs/,
  );
  assert.match(logged[2], /leaselab must be/);
});

test('what is ignored again is not logged again', () => {
  const { hear, logged } = frame(HOST);
  for (const origin of ['https://one.example', 'https://two.example']) hear({ leaselab: 'play' }, origin);
  for (const data of [{}, { leaselab: 'goTo' }, 7]) hear(data);
  assert.equal(logged.length, 2);
});

test('an address without an origin hears nobody', () => {
  const { hear, taken, logged } = frame();
  hear({ leaselab: 'play' });
  hear({ leaselab: 'play' });
  assert.deepEqual(taken, []);
  assert.equal(logged.length, 1);
  assert.match(logged[0], /names no origin/);
});

const view = /** @type {any} */ ({
  scenario: 'a-leader-dies',
  seed: 7,
  cursor: { t: 30e9, n: -1 },
  live: { t: 36e9, n: -1 },
  end: 120e9,
  playing: false,
  nodes: [
    { name: 'a', role: 'down' },
    { name: 'b', role: 'leading' },
  ],
  headline: { title: 'Nobody leads: {elapsed} so far.', sinceT: 20e9 },
});

test('requests are taken one after another, and of goTo in a row only the first and the last', async () => {
  const taken = /** @type {unknown[]} */ ([]);
  let running = 0;
  const take = inTurn(async (request) => {
    assert.equal(++running, 1);
    taken.push('t' in request ? request.t : request.verb);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  });
  const done = take({ verb: 'goTo', t: 0 });
  for (let t = 1; t <= 20_000; t++) take({ verb: 'goTo', t });
  for (const verb of /** @type {const} */ (['pause', 'play'])) take({ verb });
  for (const act of ['crash', 'crash']) take({ verb: 'act', act });
  for (const t of [3, 4]) take({ verb: 'goTo', t });
  await done;
  assert.deepEqual(taken, [0, 20_000, 'pause', 'play', 'act', 'act', 4]);
  // The messages of a page come as separate tasks.
  for (let t = 0; t < 20; t++) {
    take({ verb: 'goTo', t });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await take({ verb: 'pause' });
  assert.ok(taken.length < 20, `${taken}`);
});

test('the host is told what the page shows, in seconds', () => {
  assert.deepEqual(reportOf(view, 'ready'), {
    scenario: 'a-leader-dies',
    seed: 7,
    t: 30,
    live: 36,
    end: 120,
    playing: false,
    leaders: ['b'],
    headline: 'Nobody leads: 10.0 s so far.',
    phase: 'ready',
  });
});

test('an instant that is told is one that goTo takes back', () => {
  const { t } = reportOf({ ...view, cursor: { t: 34_038_760_571, n: -1 } }, 'ready');
  assert.deepEqual(requestOf({ leaselab: 'goTo', t }), { verb: 'goTo', t: 34_038_760_571 });
});

test('while the run plays only what happens is news', () => {
  const told = reportOf(view, 'ready');
  const later = { ...told, t: 31, live: 37, headline: 'Nobody leads: 11.0 s so far.' };
  assert.notEqual(newsOf(told), newsOf(later));
  assert.equal(newsOf({ ...told, playing: true }), newsOf({ ...later, playing: true }));
  assert.notEqual(newsOf({ ...told, playing: true }), newsOf({ ...later, playing: true, leaders: [] }));
  assert.notEqual(newsOf(told), newsOf({ ...told, playing: true }));
});
