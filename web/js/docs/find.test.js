import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each } from '../lib/testsupport/calls.js';
import { excerpt, finder, mark, wordsOf } from './find.js';

const section = (/** @type {string} */ heading, /** @type {string} */ text, names = '') => ({
  page: 'concepts.html',
  anchor: heading.toLowerCase(),
  title: 'Concepts',
  heading,
  names,
  text,
});
const find = finder([
  section('Fencing', 'A fencing token is a number that grows with each leader.'),
  section(
    'Margin',
    'After its last good renewal a leader waits retryPeriod, then tries for renewDeadline. No fencing.',
  ),
  { page: 'api.html', anchor: '', title: 'The API', heading: '', names: '', text: 'kubectl speaks to it.' },
]);
const headings = (/** @type {string} */ query) =>
  find(query).map(({ heading }) => heading.map(({ text }) => text).join(''));

test('a heading counts more than a text, and every word of a query must be found', () => {
  assert.deepEqual(headings('fencing'), ['Fencing', 'Margin']);
  assert.deepEqual(headings('fencing renewal'), ['Margin']);
  assert.deepEqual(headings('fencing kubectl'), []);
  assert.deepEqual(headings('?'), []);
  assert.deepEqual(headings(''), []);
});

test('first a heading that is the query, then whole words: in headings, among names, in the title, in the text', () => {
  const ranked = finder([
    section('Text', `A pause. ${'More words. '.repeat(20)}`),
    section('Pausing', 'Pauses, pauses, pauses.'),
    section('Names', 'Acts.', 'crash pause'),
    section('Why a pause is not a crash', 'No.'),
    section('A pause', 'Yes.'),
    { page: 'pause.html', anchor: 'x', title: 'Pause', heading: 'Inside', names: '', text: 'No.' },
  ]);
  assert.deepEqual(
    ranked('pause').map(({ heading }) => heading.map(({ text }) => text).join('')),
    ['A pause', 'Why a pause is not a crash', 'Names', 'Inside', 'Text', 'Pausing'],
  );
});

test('the beginning of a word, a part of a name and a misspelt word are enough', () => {
  assert.deepEqual(headings('renewd'), ['Margin']);
  assert.deepEqual(headings('deadline'), ['Margin']);
  assert.deepEqual(headings('fencng'), ['Fencing', 'Margin']);
  assert.deepEqual(wordsOf('the renewDeadline, 10 s'), ['the', 'renewDeadline', 'renew', 'Deadline', '10', 's']);
});

test('a result says where it is and marks what was found', () => {
  const [{ href, excerpt: shown }] = find('deadline');
  assert.equal(href, 'concepts.html#margin');
  assert.deepEqual(
    each(
      shown.filter((piece) => piece.marked),
      'text',
    ),
    ['Deadline'],
  );
  assert.equal(find('kubectl')[0].href, 'api.html', 'what stands before the first heading is the page');
});

test('only whole beginnings are marked, the longest first, and the pieces are the text', () => {
  const text = 'An act acts; the fact, onAct, ACT.';
  const pieces = mark(text, ['act', 'acts']);
  assert.deepEqual(
    each(
      pieces.filter((piece) => piece.marked),
      'text',
    ),
    ['act', 'acts', 'Act', 'ACT'],
  );
  assert.equal(pieces.map((piece) => piece.text).join(''), text);
});

test('an excerpt begins a little before the word and is cut at spaces', () => {
  const text = `${'before '.repeat(40)}lease ${'after '.repeat(60)}`.trim();
  const cut = excerpt(text, ['lease']);
  assert.match(cut, /^… (before )+lease (after )+…$/);
  assert.ok(cut.length < 170, `${cut.length} characters`);
  assert.equal(excerpt('short', ['none']), 'short');
});
