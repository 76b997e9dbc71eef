import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, exhibitsOf, filterExhibits } from './exhibits.js';

/** @param {string} name @param {object} [museum] */
const shipped = (name, museum) => /** @type {any} */ ({ name, title: name.toUpperCase(), museum });
const list = [
  shipped('plain'),
  shipped('z', {
    catalogue: 'B32',
    variant: 'failing',
    partner: 'z-fixed',
    class: 'gap',
    story: 'waits for a dead lease',
  }),
  shipped('z-fixed', { catalogue: 'B32', variant: 'fixed', partner: 'z', story: 'hands over' }),
  shipped('a', {
    catalogue: 'B08',
    variant: 'failing',
    partner: 'a-fixed',
    class: 'twoLeaders',
    lesson: 11,
    source: ['x/y#1'],
  }),
  shipped('a-fixed', { catalogue: 'B08', variant: 'fixed', partner: 'a' }),
  shipped('alone', { catalogue: 'B09', variant: 'failing', partner: 'nobody', class: 'gap' }),
];

test('two variants make an exhibit, in the order of the headings', () => {
  assert.deepEqual(
    exhibitsOf(list).map(({ id, failing, fixed, lesson }) => [id, failing.name, fixed.name, lesson]),
    [
      ['B08', 'a', 'a-fixed', 11],
      ['B32', 'z', 'z-fixed', 0],
    ],
  );
});

test('a search looks through titles, headings, stories and sources of both variants', () => {
  const all = exhibitsOf(list);
  const found = (/** @type {string} */ text) => filterExhibits(all, text).map(({ id }) => id);
  assert.deepEqual(found(''), ['B08', 'B32']);
  assert.deepEqual(found('hands over'), ['B32']);
  assert.deepEqual(found('two leaders'), ['B08']);
  assert.deepEqual(found('lesson 11 x/y#1'), ['B08']);
  assert.deepEqual(found('b32 leaders'), []);
});

test('the address of a source', () => {
  assert.equal(addressOf('kubernetes/client-go#448'), 'https://github.com/kubernetes/client-go/issues/448');
  assert.equal(addressOf('https://aws.amazon.com/message/101925/'), 'https://aws.amazon.com/message/101925/');
});
