import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachesOf } from './caches.testsupport.js';
import { Copies } from './copies.js';
import { relay } from './relay.js';
import { routeOf, targetOf } from './routes.js';

const site = new URL('https://host.example/lab/');
const LEASES = 'apis/coordination.k8s.io/v1/leases';

test('where a request goes', () => {
  for (const [url, method, mode, route] of [
    ['/lab/', 'GET', 'navigate', 'page'],
    ['/lab/app-1.js', 'GET', 'cors', 'part'],
    ['/lab/app-1.js', 'POST', 'cors', 'network'],
    [`/lab/${LEASES}`, 'GET', 'cors', 'api'],
    [`/${LEASES}`, 'PATCH', 'cors', 'api'],
    [`/lab/${LEASES}`, 'GET', 'navigate', 'api'],
    // A form of another site that writes here.
    [`/lab/${LEASES}`, 'POST', 'navigate', 'refuse'],
    ['/lab/', 'POST', 'navigate', 'refuse'],
    ['https://elsewhere.example/lab/', 'GET', 'cors', 'refuse'],
    ['https://elsewhere.example/lab/', 'GET', 'navigate', 'refuse'],
  ])
    assert.equal(routeOf({ url: new URL(url, site).href, method, mode }, site), route, `${method} ${url} ${mode}`);
});

test('a target is what the API server knows, under the path of the site or at the root', () => {
  const target = (/** @type {string} */ path) => targetOf(new URL(path, site), site.pathname);
  assert.equal(target('/lab/version?x=1'), '/version?x=1');
  assert.equal(target(`/${LEASES}`), `/${LEASES}`);
  for (const path of ['/lab/', '/lab/apiserver', '/other/apis', '/lab/version.json']) assert.equal(target(path), '');
});

const offline = async () => {
  throw new TypeError('no network');
};
const request = (/** @type {string} */ path) => new Request(new URL(path, site));

test('a version is kept; its folder is asked for as a browser does', async () => {
  const { caches, all } = cachesOf({});
  const servePage = async (/** @type {Request} */ { url, headers }) =>
    new Response(`${new URL(url).pathname} ${headers.get('accept')}`, { headers: { 'content-type': 'text/html' } });
  await new Copies(caches, { site, version: 'v2', fetch: servePage }).keep(['./', 'docs/api.html', 'app-2.js']);
  assert.deepEqual(all, {
    'leaselab /lab/ v2': { '/lab/': '/lab/ text/html', '/lab/docs/api.html': 'added', '/lab/app-2.js': 'added' },
  });
});

test('from a bucket, which has no index of a folder, the page is kept by its name', async () => {
  const html = { headers: { 'content-type': 'text/html; charset=utf-8' } };
  for (const folder of [
    () => new Response('', { status: 404 }),
    () => new Response('<ListBucketResult/>', { headers: { 'content-type': 'application/xml' } }),
  ]) {
    const { caches, all } = cachesOf({});
    const bucket = async (/** @type {Request} */ { url }) =>
      url.endsWith('/index.html') ? new Response('page', html) : folder();
    await new Copies(caches, { site, version: 'v2', fetch: bucket }).keep(['./', 'app-2.js']);
    assert.deepEqual(all, { 'leaselab /lab/ v2': { '/lab/': 'page', '/lab/app-2.js': 'added' } });
  }
  const { caches } = cachesOf({});
  const none = new Copies(caches, { site, version: 'v2', fetch: async () => new Response('', { status: 404 }) });
  await assert.rejects(none.keep(['./']), /has no page/);
});

test('a file that is kept on use is kept when it came whole, and not in copies that are gone', async () => {
  const { caches, all } = cachesOf({ 'leaselab /lab/ v2': {} });
  const copies = (/** @type {string} */ version, /** @type {number} */ status) =>
    new Copies(caches, { site, version, onUse: ['tools.wasm'], fetch: async () => new Response('all', { status }) });
  const useFile = async (/** @type {Copies} */ of, /** @type {string} */ path) => {
    await of.part(request(path));
    await new Promise((resolve) => setImmediate(resolve));
    return all['leaselab /lab/ v2'];
  };
  assert.deepEqual(await useFile(copies('v2', 404), '/lab/tools.wasm'), {});
  assert.deepEqual(await useFile(copies('v2', 200), '/lab/other.wasm'), {});
  assert.deepEqual(await useFile(copies('v2', 200), '/lab/tools.wasm'), { '/lab/tools.wasm': 'all' });
  await useFile(copies('v1', 200), '/lab/tools.wasm');
  assert.deepEqual(Object.keys(all), ['leaselab /lab/ v2']);
});

test('older versions of this very site go, and nothing else', async () => {
  const { caches, all } = cachesOf({
    'leaselab /lab/ v1': {},
    'leaselab /lab/ v2': {},
    'leaselab /other/ v1': {},
    theirs: {},
    'leaselab /lab/ unpacked': { '/lab/engine-1.wasm.zst': 'older', '/lab/engine-2.wasm.zst': 'kept' },
  });
  await new Copies(caches, { site, version: 'v2', fetch: offline }).dropOlder(['./', 'engine-2.wasm.zst']);
  assert.deepEqual(Object.keys(all), ['leaselab /lab/ v2', 'leaselab /other/ v1', 'theirs', 'leaselab /lab/ unpacked']);
  assert.deepEqual(all['leaselab /lab/ unpacked'], { '/lab/engine-2.wasm.zst': 'kept' });
});

test('the page comes from the network, and without one from the copy', async () => {
  const { caches } = cachesOf({
    'leaselab /lab/ v2': { '/lab/': 'kept', '/lab/docs/api.html': 'docs', '/lab/docs/index.html': 'home' },
  });
  const copies = (/** @type {any} */ fetch) => new Copies(caches, { site, version: 'v2', fetch });
  assert.equal(await (await copies(async () => new Response('new')).page(request('/lab/'))).text(), 'new');
  assert.equal(await (await copies(offline).page(request('/lab/?embed'))).text(), 'kept');
  assert.equal(await (await copies(offline).page(request('/lab/docs/api.html'))).text(), 'docs');
  assert.equal(await (await copies(offline).page(request('/lab/docs/'))).text(), 'home');
  assert.equal(
    (await new Copies(caches, { site, version: 'v3', fetch: offline }).page(request('/lab/'))).type,
    'error',
  );
});

test('a part comes from the copy, then from the network, then from the copy of another version', async () => {
  const { caches } = cachesOf({
    'leaselab /lab/ v1': { '/lab/museum-1.js': 'older' },
    'leaselab /lab/ v2': { '/lab/app-2.js': 'kept' },
  });
  const copies = (/** @type {any} */ fetch) => new Copies(caches, { site, version: 'v2', fetch });
  const gone = async () => new Response('', { status: 404 });
  const text = async (/** @type {any} */ fetch, /** @type {string} */ path) =>
    (await copies(fetch).part(request(path))).text();
  assert.equal(await text(offline, '/lab/app-2.js'), 'kept');
  assert.equal(await text(async () => new Response('new'), '/lab/museum-1.js'), 'new');
  assert.equal(await text(gone, '/lab/museum-1.js'), 'older');
  assert.equal(await text(offline, '/lab/museum-1.js'), 'older');
  assert.equal((await copies(gone).part(request('/lab/none.js'))).status, 404);
  await assert.rejects(copies(offline).part(request('/lab/none.js')), /no network/);
});

test('a page that has found its copy broken gets the file from the host, and the copy is replaced', async () => {
  const { caches, all } = cachesOf({ 'leaselab /lab/ v2': { '/lab/engine-2.wasm.zst': 'broken' } });
  const copies = new Copies(caches, { site, version: 'v2', fetch: async () => new Response('whole') });
  const asked = new Request(new URL('/lab/engine-2.wasm.zst', site), { cache: 'reload' });
  assert.equal(await (await copies.part(asked)).text(), 'whole');
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(all, { 'leaselab /lab/ v2': { '/lab/engine-2.wasm.zst': 'whole' } });
});

/** A page that answers over its port. @param {(data: any, port: MessagePort) => void} answer */
function pageOf(answer) {
  return {
    postMessage: (/** @type {any} */ { type }, /** @type {any} */ [port]) => {
      assert.equal(type, 'knock');
      port.onmessage = (/** @type {any} */ { data }) => answer(data, port);
      port.postMessage({ type: 'here' });
    },
  };
}
/** @param {any[]} open */
const pages = (...open) => ({ get: async () => undefined, matchAll: async () => open });
const event = (/** @type {any} */ init) => ({
  request: new Request(new URL('/lab/version', site), init),
  clientId: 'x',
});

test('a request is sent once the page listens, and its answer comes back whole', async () => {
  /** @type {any} */
  let asked;
  const page = pageOf((data, port) => {
    asked = data.ask;
    port.postMessage({ type: 'answer', status: 201, headers: ['content-type: text/plain', 'x: a:b'], body: 'done' });
  });
  const answer = await relay(
    event({ method: 'POST', body: 'hello', headers: { accept: 'x' } }),
    '/version',
    pages(page),
  );
  assert.deepEqual([answer.status, await answer.text(), answer.headers.get('x')], [201, 'done', 'a:b']);
  assert.deepEqual([asked.method, asked.target, asked.body], ['POST', '/version', 'hello']);
  assert.ok(asked.headers.includes('accept: x'));
});

test('the frames of a watch come as they are asked for, until it ends', async () => {
  const frames = ['one\n', 'two\n'];
  const page = pageOf((data, port) => {
    if (data.type === 'request') port.postMessage({ type: 'answer', status: 200, headers: [], streams: true });
    else if (data.type === 'more') {
      const text = frames.shift();
      port.postMessage(text ? { type: 'frames', text } : { type: 'end' });
    }
  });
  const answer = await relay(event({}), '/version', pages(page));
  assert.equal(await answer.text(), 'one\ntwo\n');
});

test('a request that is aborted closes its watch', async () => {
  const abort = new AbortController();
  let onClose = () => {};
  const close = new Promise((resolve) => {
    onClose = () => resolve(undefined);
  });
  const page = pageOf((data, port) => {
    if (data.type === 'request') port.postMessage({ type: 'answer', status: 200, headers: [], streams: true });
    else if (data.type === 'close') {
      onClose();
      port.close();
    }
  });
  await relay(event({ signal: abort.signal }), '/version', pages(page));
  abort.abort();
  await close;
});

test('without a page, or one that listens, the answer says so', async () => {
  const none = await relay(event({}), '/version', pages());
  assert.match((await none.json()).message, /No tab has leaselab open/);
  const deaf = { postMessage: (/** @type {any} */ _, /** @type {any} */ [port]) => port.close() };
  const silent = await relay(event({}), '/version', pages(deaf), { knockMs: 1, knocks: 2 });
  assert.deepEqual([silent.status, (await silent.json()).message], [503, 'The leaselab page does not answer.']);
});
