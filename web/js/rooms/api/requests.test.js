import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals-core';
import { clientOf, sentIs } from './api.testsupport.js';
import { Requests } from './requests.js';

test('at the cursor reads see the past, and writes are not allowed', async () => {
  const { client, asked } = clientOf();
  const atCursor = signal(false);
  const requests = new Requests(client, atCursor);
  const ask = { method: 'GET', target: '/version', headers: [], body: '' };
  await requests.send(ask);
  assert.equal(requests.allows({ method: 'DELETE' }), true);
  atCursor.value = true;
  await requests.send(ask);
  await requests.send({ ...ask, method: 'PUT' });
  assert.deepEqual(
    asked.map((one) => one.atCursor),
    [undefined, true, undefined],
  );
  assert.deepEqual([requests.allows(ask), requests.allows({ method: 'DELETE' })], [true, false]);
});

test('one watch is followed at a time', () => {
  const { client, watches } = clientOf();
  const requests = new Requests(client, signal(false));
  /** @type {number[]} */
  const ended = [];
  for (const watch of [3, 4]) requests.follow(sentIs({ watch }), { tell: () => {}, end: () => ended.push(watch) });
  assert.deepEqual([[...watches.keys()], ended, requests.following()], [[4], [3], true]);
  requests.stop();
  requests.stop();
  assert.deepEqual([[...watches.keys()], ended, requests.following()], [[], [3, 4], false]);
});
