import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each } from '../../../../lib/testsupport/calls.js';
import { lessonTitles } from './lessons.js';

const FILE = [
  { number: 1, title: 'First' },
  { number: 16, title: 'Last' },
];

test('every lesson has its title, and the file is fetched once', async () => {
  /** @type {unknown[]} */
  const fetched = [];
  globalThis.fetch = async (url) => {
    fetched.push(url);
    return new Response(JSON.stringify(FILE));
  };
  const { titles, load } = lessonTitles('l.json');
  await load();
  await load();
  assert.deepEqual(titles.value, FILE);
  assert.deepEqual(fetched, ['l.json']);
});

test('without the file the first lesson is there, and the next time it is asked for again', async () => {
  globalThis.fetch = async () => {
    throw new Error('offline');
  };
  const { titles, load } = lessonTitles('l.json');
  await load();
  assert.deepEqual(titles.value, [{ number: 1, title: 'A leader dies' }]);
  globalThis.fetch = async () => new Response(JSON.stringify(FILE));
  await load();
  assert.deepEqual(each(titles.value, 'number'), [1, 16]);
});
