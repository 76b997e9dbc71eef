import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrivalOf, firstSentence } from './arrival.js';

const scenarios = /** @type {any} */ ([
  { name: 'crash', title: 'A crash', summary: 'The leader crashes. Nobody is told.' },
]);
const arrival = (/** @type {object} */ linked) => arrivalOf(/** @type {any} */ (linked), scenarios);

test('a link is announced by its run, or by its lesson', () => {
  assert.deepEqual(arrival({ scenario: 'crash' }), { title: 'A crash', line: 'The leader crashes.' });
  assert.deepEqual(arrival({ scenario: 'b05-wiped-lease' }), { title: 'B05 wiped lease', line: '' });
  assert.deepEqual(arrival({ scenario: { name: 'mine', summary: 'Half a sentence' } }), {
    title: 'Mine',
    line: 'Half a sentence',
  });
  for (const scenario of ['', {}, { name: 7, title: {}, summary: [1] }])
    assert.deepEqual(arrival({ scenario }), { title: 'A run', line: '' });
  assert.match(arrival({ scenario: 'crash', lesson: { name: '3' } }).title, /lesson/);
});

test('the first sentence ends at its mark, not at a number', () => {
  assert.equal(firstSentence('It waits 2.4 s. Then it tries.'), 'It waits 2.4 s.');
  assert.equal(firstSentence('No mark'), 'No mark');
});
