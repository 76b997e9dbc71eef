import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, mock, test } from 'node:test';
import { each } from '../lib/testsupport/calls.js';

/** A module that exports a memory of one page, called "mem", and nothing else. */
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // \0asm, version 1
  ...[5, 3, 1, 0, 1], // one memory
  ...[7, 7, 1, 3, 0x6d, 0x65, 0x6d, 2, 0], // export "mem"
]);
/** The same in a Zstandard frame: one raw block. */
const PACKED = Uint8Array.from([
  ...[0x28, 0xb5, 0x2f, 0xfd, 0x20, MODULE.length],
  ...[(MODULE.length << 3) | 1, 0, 0],
  ...MODULE,
]);
const SHA256 = createHash('sha256').update(MODULE).digest('hex');
const WASM = 'https://example.org/lab/engine.wasm.zst';
const PARTS = { exec: 'exec.js', wasm: WASM, module: { bytes: PACKED.length, size: MODULE.length, sha256: SHA256 } };

/** The scope of the worker, what it posts, and what its engine was asked. @type {any} */
let scope;
/** @type {any[]} */
let posted = [];
/** @type {any[]} */
let asked = [];
/** The engine: the result of a request. @type {(request: any) => any} */
let engine = () => ({});
/** The modules of earlier visits, by address. @type {Map<string, Response>} */
const cached = new Map();
/** What the network answers, and the caches on the way to it. @type {(cache?: RequestCache) => Response} */
let network = () => new Response(PACKED);
/** The engine exits. */
let exit = () => {};
let workers = 0;

beforeEach(() => {
  mock.timers.reset();
  engine = () => ({});
  network = () => new Response(PACKED);
  cached.clear();
  renew();
});

/** Another scope: a worker takes from its own what leads to the network. */
function renew() {
  [posted, asked] = [[], []];
  const cache = {
    keys: async () => [...cached.keys()],
    delete: async (/** @type {string} */ key) => cached.delete(key),
    put: async (/** @type {string} */ key, /** @type {Response} */ value) => cached.set(key, value),
  };
  scope = {
    location: new URL('https://example.org/lab/worker.js'),
    crypto,
    fetch: () => {},
    WebSocket: class {},
    caches: { open: async () => cache, match: async (/** @type {string} */ key) => cached.get(key)?.clone() },
    postMessage: (/** @type {any} */ message) => posted.push(message),
    importScripts() {
      scope.Go = class {
        importObject = {};
        run() {
          scope.leaselab = (/** @type {string} */ text) => {
            const request = JSON.parse(text);
            asked.push(request);
            return `{"id":${request.id},"ok":true,"result":${JSON.stringify(engine(request) ?? {})}}`;
          };
          return new Promise((resolve) => {
            exit = () => resolve(undefined);
          });
        }
      };
    },
  };
  Object.assign(globalThis, { self: scope });
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ _, /** @type {RequestInit} */ { cache }) => network(cache)
  );
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const send = (/** @type {object} */ data) => scope.onmessage({ data });
const types = () => posted.map(({ type }) => type);

/** A worker that has started, or failed. @param {object} [more] of the message that starts it */
async function startWorker(more = {}) {
  await import(`./worker.js?${++workers}`);
  send({ type: 'start', ...PARTS, ...more });
  while (!types().some((type) => type === 'ready' || type === 'failed')) await turn();
  return posted.splice(0);
}

test('the engine is fetched, checked, and kept unpacked for the next visit', async () => {
  cached.set('https://example.org/lab/older.wasm.zst', new Response());
  const [progress, ready] = await startWorker();
  assert.deepEqual(progress, { type: 'progress', loaded: PACKED.length, total: PACKED.length });
  assert.ok(ready.compiled instanceof WebAssembly.Module);
  assert.deepEqual([...cached.keys()], [WASM], 'those of other versions are gone');
  const kept = /** @type {Response} */ (cached.get(WASM));
  assert.equal(kept.headers.get('content-type'), 'application/wasm');
  assert.deepEqual(new Uint8Array(await kept.arrayBuffer()), MODULE);
});

test('a later visit asks the network for nothing, and a later worker compiles nothing', async () => {
  network = () => assert.fail('asked the network');
  cached.set(WASM, new Response(MODULE, { headers: { 'content-type': 'application/wasm' } }));
  const [{ type, compiled }] = await startWorker();
  assert.equal(type, 'ready');
  cached.clear();
  renew();
  assert.equal((await startWorker({ compiled }))[0].compiled, compiled);
});

const startTypes = async () => each(await startWorker(), 'type');
const wasm = { headers: { 'content-type': 'application/wasm' } };
const flipped = (/** @type {Uint8Array} */ bytes, /** @type {number} */ at) =>
  Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 1 : byte));
for (const [damage, kept] of /** @type {[string, () => Response][]} */ ([
  ['another module', () => new Response(MODULE.slice(0, 8), wasm)],
  ['one flipped bit that still compiles', () => new Response(flipped(MODULE, MODULE.length - 3), wasm)],
  ['half of the bytes', () => new Response(MODULE.slice(0, MODULE.length / 2), wasm)],
  ['nothing', () => new Response('', wasm)],
  ['the page of a login', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
]))
  test(`a kept module with damage is loaded again, and the next visit is ready: ${damage}`, async () => {
    cached.set(WASM, kept());
    assert.deepEqual(await startTypes(), ['progress', 'ready']);
    await turn();
    network = () => assert.fail('asked the network');
    renew();
    assert.deepEqual(await startTypes(), ['ready']);
  });

test('a kept module that does not start is loaded again', async () => {
  cached.set(WASM, new Response(MODULE, wasm));
  const load = scope.importScripts;
  scope.importScripts = () => {
    load();
    const { run } = scope.Go.prototype;
    scope.Go.prototype.run = async () => {
      scope.Go.prototype.run = run;
    };
  };
  assert.deepEqual(await startTypes(), ['progress', 'ready']);
});

for (const [damage, packed] of /** @type {[string, Uint8Array<ArrayBuffer>][]} */ ([
  ['one flipped bit', flipped(PACKED, PACKED.length - 3)],
  ['half of the bytes', PACKED.slice(0, PACKED.length / 2)],
]))
  test(`if a cache on the way has a broken copy, the host sends another: ${damage}`, async () => {
    network = (cache) => new Response(cache === 'reload' ? PACKED : packed);
    assert.deepEqual(await startTypes(), ['progress', 'progress', 'ready']);
    network = () => new Response(packed);
    cached.clear();
    renew();
    assert.match((await startWorker()).at(-1).message, /the engine's file is broken/);
  });

test('a module that is not the one that was built is refused, and so is none', async () => {
  const other = { ...PARTS.module, sha256: '0'.repeat(64) };
  assert.match((await startWorker({ module: other })).at(-1).message, /it is not the one that was built/);
  network = () => new Response('', { status: 404 });
  renew();
  assert.match((await startWorker()).at(-1).message, /could not be fetched \(HTTP 404\)/);
});

test('without a network, what only a room needs says that it needs the network once', async () => {
  network = () => {
    throw new TypeError('Failed to fetch');
  };
  assert.equal((await startWorker()).at(-1).message, 'Failed to fetch');
  renew();
  assert.match((await startWorker({ passing: true })).at(-1).message, /needs the network once/);
  network = () => new Response('', { status: 404 });
  renew();
  assert.match((await startWorker({ passing: true })).at(-1).message, /a newer version may have replaced this one/);
});

test('once the engine runs, the worker has no way to the network', async () => {
  await startWorker();
  for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts']) {
    assert.equal(scope[name], undefined, name);
    assert.throws(() => Object.defineProperty(scope, name, { value: () => {} }), name);
  }
});

test('an engine that exits is a failure', async () => {
  await startWorker();
  exit();
  await turn();
  assert.deepEqual(posted, [{ type: 'failed', message: 'the engine stopped' }]);
});

test('an engine that never begins is a failure', async () => {
  scope.importScripts = () => {
    scope.Go = class {
      importObject = {};
      run = async () => {};
    };
  };
  assert.equal((await startWorker()).at(-1).message, 'the engine did not start');
});

test('a ping tells how much memory the engine has', async () => {
  await startWorker();
  send({ type: 'ping' });
  scope.leaselabAlive();
  assert.deepEqual(posted, [
    { type: 'here', bytes: 65536 },
    { type: 'here', bytes: 65536 },
  ]);
});

test('a request is named, then answered; what changes the run comes with a snapshot, in the same message', async () => {
  await startWorker();
  const ops = [
    { name: 'act', kind: 'changes' },
    { name: 'why', kind: 'asks' },
  ];
  engine = ({ op }) => ({ hello: { ops }, snapshot: { acts: 'ab' } })[String(op)];
  send({ type: 'request', request: { id: 2, op: 'hello' } });
  posted.splice(0);
  send({ type: 'request', request: { id: 3, op: 'why' } });
  send({ type: 'request', request: { id: 4, op: 'act' } });
  assert.deepEqual(
    posted.map(({ type, id, reply, snapshot }) => [type, id ?? reply.id, snapshot]),
    [
      ['busy', 3, undefined],
      ['reply', 3, undefined],
      ['busy', 4, undefined],
      ['reply', 4, '{"acts":"ab"}'],
    ],
  );
});

test('a request to the API comes with a snapshot if it has changed the run', async () => {
  await startWorker();
  let changed = true;
  engine = ({ op }) => (op === 'snapshot' ? { acts: 'a' } : { changed });
  send({ type: 'request', request: { id: 1, op: 'rest' } });
  changed = false;
  send({ type: 'request', request: { id: 2, op: 'rest' } });
  assert.deepEqual(
    each(
      posted.filter(({ type }) => type === 'reply'),
      'snapshot',
    ),
    ['{"acts":"a"}', undefined],
  );
});

test('a computation that is not done yet has no snapshot; its last slice has one', async () => {
  await startWorker();
  engine = ({ op }) => (op === 'snapshot' ? { acts: 'a' } : { done: false, at: 1, of: 2 });
  send({ type: 'request', request: { id: 1, op: 'goOn' } });
  engine = ({ op }) => (op === 'snapshot' ? { acts: 'b' } : {});
  send({ type: 'request', request: { id: 2, op: 'goOn' } });
  assert.deepEqual(
    each(
      posted.filter(({ type }) => type === 'reply'),
      'snapshot',
    ),
    [undefined, '{"acts":"b"}'],
  );
});

test('an engine that panics is answered as one, also while it takes the snapshot', async () => {
  await startWorker();
  scope.leaselab = () => {
    throw new Error('unreachable');
  };
  send({ type: 'request', request: { id: 1, op: 'act' } });
  scope.leaselab = (/** @type {string} */ text) =>
    text.includes('snapshot') ? '{"id":0,"ok":false,"error":{"message":"no room"}}' : '{"id":2,"ok":true,"result":{}}';
  send({ type: 'request', request: { id: 2, op: 'goOn' } });
  const replies = posted.filter(({ type }) => type === 'reply').map(({ reply }) => reply);
  assert.deepEqual(
    replies.map(({ id, ok, error }) => [id, ok, error.code, error.message]),
    [
      [1, false, 'panic', 'Error: unreachable'],
      [2, false, 'panic', 'Error: no room'],
    ],
  );
});

test('what an earlier engine left is opened as it was written, at its place', async () => {
  await startWorker();
  const kept = { text: '{"seed":12345678901234567890}', cursor: { t: 5, n: 1 }, live: { t: 9, n: -1 } };
  let text = '';
  scope.leaselab = (/** @type {string} */ request) => {
    text = request;
    return '{"id":7,"ok":true,"result":{}}';
  };
  send({ type: 'request', request: { id: 7, op: 'open' }, kept });
  assert.equal(
    text,
    '{"id":7,"op":"open","params":{"scenario":{"seed":12345678901234567890},' +
      '"cursor":{"t":5,"n":1},"live":{"t":9,"n":-1}}}',
  );
});

test('the long lists of a timeline go as arrays that are handed over in one piece', async () => {
  await startWorker();
  engine = () => ({ lanes: [{ buckets: { requests: [1, 2], worstNs: [3e9, 4e9] } }, {}] });
  send({ type: 'request', request: { id: 1, op: 'timeline' } });
  const [{ buckets }, { buckets: none }] = posted.at(-1).reply.result.lanes;
  assert.deepEqual([buckets.requests, buckets.worstNs], [Uint32Array.of(1, 2), Float64Array.of(3e9, 4e9)]);
  assert.equal(none, undefined);
});

test('while the run plays it ticks, each view is posted, and it stops where the engine says so', async () => {
  await startWorker();
  mock.timers.enable({ apis: ['setTimeout'] });
  let t = 0;
  engine = ({ op }) => {
    if (op === 'play') return { playing: true };
    if (op !== 'tick') return {};
    t++;
    return t === 2 ? {} : { cursor: { t }, playing: t < 4 };
  };
  send({ type: 'request', request: { id: 1, op: 'play' } });
  posted.splice(0);
  for (let i = 0; i < 10; i++) mock.timers.tick(16);
  const places = posted.map(({ view }) => view.cursor.t);
  assert.deepEqual(places, [1, 3, 4], 'a tick that changes nothing posts nothing');
});

test('a request that pauses ends the ticks, and a tick that panics does too', async () => {
  await startWorker();
  mock.timers.enable({ apis: ['setTimeout'] });
  engine = ({ op }) => (op === 'tick' ? { cursor: { t: 1 }, playing: true } : { playing: op === 'play' });
  send({ type: 'request', request: { id: 1, op: 'play' } });
  send({ type: 'request', request: { id: 2, op: 'pause' } });
  posted.splice(0);
  mock.timers.tick(100);
  assert.deepEqual(posted, []);
  send({ type: 'request', request: { id: 3, op: 'play' } });
  scope.leaselab = () => {
    throw new Error('unreachable');
  };
  posted.splice(0);
  mock.timers.tick(16);
  mock.timers.tick(16);
  const refused = /** @type {any[]} */ (posted).map(({ reply }) => [reply.id, reply.error.code]);
  assert.deepEqual(refused, [[0, 'panic']]);
});
