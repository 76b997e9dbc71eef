import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { each } from '../../lib/testsupport/calls.js';
import { openFacade } from './facade.js';

/**
 * The page's end of the relay, with a log of its messages.
 * @param {Partial<import('./client.js').SentRequest>} [sent] the server's answers
 */
function facade(sent = {}) {
  /** @type {any[]} */
  const pings = [];
  const container = Object.assign(new EventTarget(), {
    controller: { postMessage: (/** @type {any} */ message) => pings.push(message.type) },
    startMessages: () => {},
    ready: new Promise(() => {}),
  });
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { serviceWorker: container } });
  /** @type {any[]} */
  const asked = [];
  /** @type {number[]} */
  const closed = [];
  /** @type {any} */
  let follower;
  openFacade(
    /** @type {any} */ ({
      send: async (/** @type {any} */ ask, /** @type {string} */ by) => {
        asked.push({ ...ask, by });
        return { status: 200, headers: ['content-type: application/json'], answer: '{}', watch: 0, ...sent };
      },
      follow: (/** @type {any} */ _, /** @type {any} */ on) => {
        follower = on;
      },
      close: (/** @type {number} */ watch) => {
        closed.push(watch);
        follower?.end();
      },
      poll: () => asked.push('poll'),
    }),
  );
  /** Connects like the service worker. Returns the page's messages and a function that sends a message to the page. */
  function knock() {
    /** @type {any[]} */
    const posted = [];
    const port = {
      onmessage: /** @type {any} */ (null),
      postMessage: (/** @type {any} */ message) => posted.push(message),
    };
    container.dispatchEvent(Object.assign(new Event('message'), { data: { type: 'knock' }, ports: [port] }));
    return { posted, write: (/** @type {any} */ data) => port.onmessage({ data }) };
  }
  return { knock, asked, closed, pings, container, follower: () => follower };
}
const ASK = { method: 'GET', target: '/apis', headers: ['accept: application/json'], body: '' };

afterEach(() => mock.timers.reset());

test('a knock is answered at once; the request goes to the engine, and its answer back', async () => {
  const { knock, asked } = facade();
  const { posted, write } = knock();
  assert.deepEqual(posted, [{ type: 'here' }]);
  await write({ type: 'request', ask: ASK });
  assert.deepEqual(asked, [{ ...ASK, by: 'fetch' }]);
  assert.deepEqual(posted.at(-1), {
    type: 'answer',
    status: 200,
    headers: ['content-type: application/json'],
    body: '{}',
    streams: false,
  });
});

test('other messages of the service worker are left alone', () => {
  const { container, asked, pings } = facade();
  container.dispatchEvent(Object.assign(new Event('message'), { data: { type: 'else' }, ports: [] }));
  container.dispatchEvent(Object.assign(new Event('message'), { data: null, ports: [] }));
  const port = { onmessage: null, postMessage: () => assert.fail('it answers') };
  container.dispatchEvent(Object.assign(new Event('message'), { data: { type: 'else' }, ports: [port] }));
  assert.deepEqual([port.onmessage, asked, pings], [null, [], []]);
});

test('a body in YAML becomes JSON; one that cannot be read goes as it is', async () => {
  const { knock, asked } = facade();
  const headers = ['content-type: application/yaml'];
  const { write } = knock();
  await write({ type: 'request', ask: { ...ASK, method: 'POST', headers, body: 'kind: Lease' } });
  await write({ type: 'request', ask: { ...ASK, method: 'POST', headers, body: 'kind: [' } });
  await write({ type: 'request', ask: { ...ASK, method: 'POST', headers, body: '{"kind":"Lease" }' } });
  await write({ type: 'request', ask: { ...ASK, method: 'POST', body: 'kind: Lease' } });
  assert.deepEqual(each(asked, 'body'), ['{"kind":"Lease"}', 'kind: [', '{"kind":"Lease" }', 'kind: Lease']);
});

test('the frames of a watch go as fast as the reader takes them', async () => {
  const { knock, follower, asked } = facade({ watch: 4 });
  const { posted, write } = knock();
  await write({ type: 'request', ask: ASK });
  assert.equal(posted.at(-1).streams, true);
  assert.equal(follower().wants(), false, 'nobody has asked for more');
  await write({ type: 'more' });
  assert.equal(asked.at(-1), 'poll');
  assert.equal(follower().wants(), true);
  follower().tell(['one\n', 'two\n']);
  assert.deepEqual(posted.at(-1), { type: 'frames', text: 'one\ntwo\n' });
  assert.equal(follower().wants(), false);
  follower().end();
  assert.deepEqual(posted.at(-1), { type: 'end' });
});

test('a reader that leaves closes its watch, also one that leaves before the answer', async () => {
  const first = facade({ watch: 4 });
  const reader = first.knock();
  await reader.write({ type: 'request', ask: ASK });
  await reader.write({ type: 'close' });
  assert.deepEqual(first.closed, [4]);
  const second = facade({ watch: 5 });
  const hasty = second.knock();
  const asking = hasty.write({ type: 'request', ask: ASK });
  await hasty.write({ type: 'close' });
  await asking;
  assert.deepEqual(second.closed, [5]);
});

test('while a watch is open the service worker is kept alive, and no longer', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const { knock, follower, pings } = facade({ watch: 4 });
  mock.timers.tick(20_000);
  assert.deepEqual(pings, []);
  await knock().write({ type: 'request', ask: ASK });
  mock.timers.tick(17_000);
  assert.deepEqual(pings, ['ping', 'ping']);
  follower().end();
  mock.timers.tick(20_000);
  assert.equal(pings.length, 2);
});

test('a browser without service workers has no facade, and no error', () => {
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {} });
  assert.equal(openFacade(/** @type {any} */ ({})), undefined);
});
