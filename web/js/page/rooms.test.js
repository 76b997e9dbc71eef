import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rooms } from './rooms.js';

test('a room is opened once, with what the page gives it', async () => {
  let opened = 0;
  const load = rooms.openOnce('branches', (room) => `${typeof room.open} ${++opened}`);
  assert.deepEqual(await Promise.all([load(), load()]), ['function 1', 'function 1']);
});
