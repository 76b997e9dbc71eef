import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, sentIs } from './api.testsupport.js';
import { Requests } from './requests.js';

test('one watch is followed at a time', () => {
  const { client, watches } = clientOf();
  const requests = new Requests(client);
  /** @type {number[]} */
  const ended = [];
  for (const watch of [3, 4]) requests.follow(sentIs({ watch }), { tell: () => {}, end: () => ended.push(watch) });
  assert.deepEqual([[...watches.keys()], ended, requests.isFollowing()], [[4], [3], true]);
  requests.stop();
  requests.stop();
  assert.deepEqual([[...watches.keys()], ended, requests.isFollowing()], [[], [3, 4], false]);
});
