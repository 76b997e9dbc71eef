import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachesOf } from './sw/caches.testsupport.js';

/** The service worker's scope, with a site of one file, and what it did. @type {any} */
const scope = Object.assign(new EventTarget(), {
  registration: { scope: 'https://example.org/lab/' },
  clients: { claim: async () => done.push('claim'), get: async () => undefined, matchAll: async () => [] },
});
/** @type {string[]} */
const done = [];
const { caches, all } = cachesOf({});
Object.assign(globalThis, {
  self: scope,
  __VERSION__: 'v2',
  __KEPT__: ['./', 'app-2.js'],
  __KEPT_ON_USE__: ['tools-2.wasm.zst'],
  caches,
  fetch: async () => new Response('from the network', { headers: { 'content-type': 'text/html' } }),
});
await import('./sw.js');

/** Sends an event, and waits for what it waits for. @param {string} type @param {object} [more] */
async function event(type, more) {
  /** @type {Promise<unknown> | undefined} */
  let work;
  const one = Object.assign(new Event(type), more, {
    waitUntil: (/** @type {Promise<unknown>} */ promise) => {
      work = promise;
    },
  });
  scope.dispatchEvent(one);
  await work;
}

/**
 * What the worker answers to a request; undefined: the browser's own business.
 * @param {string} url
 * @param {string} [mode]
 */
async function answer(url, mode = 'cors') {
  /** @type {Promise<Response> | undefined} */
  let response;
  const request = Object.defineProperty(new Request(new URL(url, scope.registration.scope)), 'mode', { value: mode });
  scope.dispatchEvent(
    Object.assign(new Event('fetch'), {
      request,
      clientId: 'x',
      respondWith: (/** @type {Promise<Response>} */ promise) => {
        response = promise;
      },
    }),
  );
  return response;
}

test('a version keeps its files when it is installed, and older copies go when it takes over', async () => {
  all['leaselab /lab/ v1'] = {};
  await event('install');
  assert.deepEqual(Object.keys(all['leaselab /lab/ v2']), ['/lab/app-2.js', '/lab/']);
  assert.ok('leaselab /lab/ v1' in all, 'a page of the older version may still be open');
  await event('activate');
  assert.ok(!('leaselab /lab/ v1' in all));
  assert.deepEqual(done, ['claim']);
});

test('what few visitors need is kept once a page has asked for it, and not before', async () => {
  const has = () => '/lab/tools-2.wasm.zst' in all['leaselab /lab/ v2'];
  await event('message', { data: { type: 'ping' } });
  assert.equal(await (await answer('other-2.js'))?.text(), 'from the network');
  assert.equal(has(), false);
  assert.equal(await (await answer('tools-2.wasm.zst'))?.text(), 'from the network');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(has(), true);
});

test('a file comes from the copy, the page from the network', async () => {
  assert.equal(await (await answer('app-2.js'))?.text(), 'added');
  assert.equal(await (await answer('./', 'navigate'))?.text(), 'from the network');
});

test('no request leaves the origin', async () => {
  assert.equal((await answer('https://elsewhere.example/x.js'))?.type, 'error');
});

test('a request for the Kubernetes API goes to a page; without one the answer says so', async () => {
  const refused = await answer('apis/coordination.k8s.io/v1/leases');
  assert.equal(refused?.status, 503);
  assert.match((await /** @type {Response} */ (refused).json()).message, /No tab has leaselab open/);
});
