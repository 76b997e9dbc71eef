import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEEP_REST, keepRest } from './offline.js';

/** @param {object} [connection] of the visitor */
function visitor(connection) {
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { connection } });
}

test('the service worker is asked when it is active and the page is idle, and not before', async () => {
  visitor();
  /** @type {unknown[]} */
  const asked = [];
  let activate = (/** @type {object} */ _) => {};
  const container = /** @type {any} */ ({
    ready: new Promise((resolve) => {
      activate = resolve;
    }),
  });
  let idle = () => {};
  const kept = keepRest(container, (ask) => {
    idle = ask;
  });
  idle();
  activate({ active: { postMessage: (/** @type {unknown} */ message) => asked.push(message) } });
  await kept;
  assert.deepEqual(asked, []);
  idle();
  assert.deepEqual(asked, [{ type: KEEP_REST }]);
});

test('nothing is asked for without service workers, or where the visitor saves data', async () => {
  const fails = () => assert.fail('nothing waits');
  await keepRest(undefined, fails);
  visitor({ saveData: true });
  await keepRest(/** @type {any} */ ({ ready: Promise.resolve({}) }), fails);
});
