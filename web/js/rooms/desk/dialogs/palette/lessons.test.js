import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each } from '../../../../lib/testsupport/calls.js';
import { lessonTitles } from './lessons.js';

const FILE = [
  { number: 1, texts: { en: { title: 'First' }, de: { title: 'Erste' } } },
  { number: 16, texts: { en: { title: 'Last' } } },
];

const PLAYER = { en: { tab: 'Lesson' }, de: { tab: 'Lektion' } };
const URLS = { lessons: 'l.json', player: 'p.json' };

test('every lesson has its title in the language of the visitor, and the file is fetched once', async () => {
  let fetched = 0;
  globalThis.fetch = async (url) => {
    fetched++;
    return new Response(JSON.stringify(url === 'l.json' ? FILE : PLAYER));
  };
  const { titles, words, load } = lessonTitles(URLS, () => ['de-CH'], PLAYER.en);
  assert.equal(words.value.tab, 'Lesson', 'before the file is there');
  await load();
  await load();
  assert.deepEqual(titles.value, [
    { number: 1, title: 'Erste' },
    { number: 16, title: 'Last' },
  ]);
  assert.equal(words.value.tab, 'Lektion');
  assert.equal(fetched, 2);
});

test('without the file the first lesson is there, and the next time it is asked for again', async () => {
  globalThis.fetch = async () => {
    throw new Error('offline');
  };
  const { titles, load } = lessonTitles(URLS, () => ['en'], PLAYER.en);
  await load();
  assert.deepEqual(titles.value, [{ number: 1, title: 'A leader dies' }]);
  globalThis.fetch = async (url) => new Response(JSON.stringify(url === 'l.json' ? FILE : PLAYER));
  await load();
  assert.deepEqual(each(titles.value, 'number'), [1, 16]);
});
