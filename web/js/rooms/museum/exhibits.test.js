import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, exhibitsOf, filterExhibits, likeIt, missingText } from './exhibits.js';

/** @param {string} name @param {object} [museum] */
const scenario = (name, museum) =>
  /** @type {any} */ ({ name, title: name.toUpperCase(), museum, actions: name === 'a' ? [{ act: 'pause' }] : [] });
const list = [
  scenario('plain'),
  scenario('z', {
    catalogue: 'B32',
    variant: 'failing',
    partner: 'z-fixed',
    class: 'gap',
    story: 'waits for a dead lease',
  }),
  scenario('z-fixed', { catalogue: 'B32', variant: 'fixed', partner: 'z', story: 'hands over' }),
  scenario('a', {
    catalogue: 'B08',
    variant: 'failing',
    partner: 'a-fixed',
    class: 'twoLeaders',
    lesson: 11,
    source: ['x/y#1'],
  }),
  scenario('a-fixed', { catalogue: 'B08', variant: 'fixed', partner: 'a' }),
  scenario('alone', { catalogue: 'B09', variant: 'failing', partner: 'nobody', class: 'gap' }),
];

test('two variants make an exhibit, in the order of the catalogue', () => {
  assert.deepEqual(
    exhibitsOf(list).map(({ id, failing, fixed, lesson }) => [id, failing.name, fixed.name, lesson]),
    [
      ['B08', 'a', 'a-fixed', 11],
      ['B32', 'z', 'z-fixed', 0],
    ],
  );
});

test('a search looks through titles, headings, stories and sources of both variants, and knows other words', () => {
  const all = exhibitsOf(list);
  const search = (/** @type {string} */ text) => filterExhibits(all, text).map(({ id }) => id);
  assert.deepEqual(search(''), ['B08', 'B32']);
  assert.deepEqual(search('hands over'), ['B32']);
  for (const text of ['two leaders', 'Split brain', 'lesson 11 x/y#1', 'vm migration', 'GC'])
    assert.deepEqual(search(text), ['B08'], text);
  assert.deepEqual(search('b32 leaders'), []);
});

test('a number without an exhibit has its reason', () => {
  assert.match(missingText(' b17 '), /sessions/);
  assert.match(missingText('B46'), /Reviewers/);
  assert.equal(missingText('pause'), '');
});

test('the exhibits like one have its faults or its kind', () => {
  const of = (/** @type {string} */ id, /** @type {string} */ kind, /** @type {string[]} */ ...acts) =>
    /** @type {any} */ ({ id, kind, failing: { actions: acts.map((act) => ({ act })) } });
  const paused = of('B03', 'twoLeaders', 'pause');
  const all = [of('B01', 'twoLeaders', 'cut'), of('B43', 'herd', 'pause'), paused, of('B19', 'twoLeaders', 'pause')];
  assert.deepEqual(
    likeIt(paused, all).map(({ id }) => id),
    ['B19', 'B43'],
  );
});

test('the address of a source', () => {
  assert.equal(addressOf('kubernetes/client-go#448'), 'https://github.com/kubernetes/client-go/issues/448');
  assert.equal(addressOf('https://aws.amazon.com/message/101925/'), 'https://aws.amazon.com/message/101925/');
});
