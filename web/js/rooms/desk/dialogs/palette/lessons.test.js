import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lessonTitles } from './lessons.js';

const FILE = [
  { number: 1, texts: { en: { title: 'First' }, de: { title: 'Erste' } } },
  { number: 16, texts: { en: { title: 'Last' } } },
];

test('every lesson has its title in the language of the visitor, and the file is fetched once', async () => {
  let fetched = 0;
  globalThis.fetch = async () => {
    fetched++;
    return new Response(JSON.stringify(FILE));
  };
  const { titles, load } = lessonTitles('lessons.json', () => ['de-CH']);
  await load();
  await load();
  assert.deepEqual(titles.value, [
    { number: 1, title: 'Erste' },
    { number: 16, title: 'Last' },
  ]);
  assert.equal(fetched, 1);
});

test('without the file the first lesson is there, and the next time it is asked for again', async () => {
  globalThis.fetch = async () => {
    throw new Error('offline');
  };
  const { titles, load } = lessonTitles('lessons.json', () => ['en']);
  await load();
  assert.deepEqual(titles.value, [{ number: 1, title: 'A leader dies' }]);
  globalThis.fetch = async () => new Response(JSON.stringify(FILE));
  await load();
  assert.deepEqual(
    titles.value.map(({ number }) => number),
    [1, 16],
  );
});
