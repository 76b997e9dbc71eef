import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, the } from '#dom';
import { stripTemplate, stripWords, totalsOf } from './strip.js';

/** a leads until 60 s, pauses from 20 s on, and the Lease names c from 36 s on. */
const PAUSED = {
  end: 80e3,
  led: [
    [0, 10, 20e3, 0],
    [0, 20e3, 36e3, 0],
    [0, 36e3, 60e3, 1],
    [2, 36e3, 80e3, 0],
  ],
  bands: [
    [0, 10, 0],
    [36e3, 60e3, 2],
  ],
};
const boxes = (/** @type {unknown} */ drawn, /** @type {string} */ selector) =>
  all(drawn, selector).map((one) => ['x', 'width', 'y'].map((name) => one.getAttribute(name)));

test('the totals leave out the time before the first leader', () => {
  assert.deepEqual(totalsOf(PAUSED), { two: 24e3, nobody: 0 });
  assert.equal(stripWords(PAUSED), 'Two led for 24.0 s.');
  assert.equal(stripWords({ ...PAUSED, bands: [] }), 'One led all the time.');
});

test('each node has a row; what touches is one bar, and an outline where the Lease names another', () => {
  const drawn = stripTemplate(PAUSED);
  assert.deepEqual(boxes(drawn, '.led'), [
    ['0.01%', '44.99%', '4'],
    ['45.00%', '55.00%', '14'],
  ]);
  assert.deepEqual(boxes(drawn, '.lost'), [['45.00%', '30.00%', '4.75']]);
  assert.deepEqual(boxes(drawn, '.two'), [['45.00%', '30.00%', '0']]);
  assert.equal(all(drawn, '.nobody').length, 0, 'the first leader starts at once');
  assert.equal(the(drawn, '[role="img"]').getAttribute('aria-label'), 'Two led for 24.0 s.');
});

test('a third node takes the row that is free', () => {
  const led = [
    [0, 0, 10, 0],
    [1, 10, 30, 0],
    [2, 20, 40, 0],
  ];
  const rows = boxes(stripTemplate({ end: 40, led, bands: [] }), '.led').map(([, , y]) => y);
  assert.deepEqual(rows, ['4', '14', '4']);
});

test('a curtain hides the end, for a screen reader as well', () => {
  const drawn = stripTemplate(PAUSED, { curtain: 20e3 });
  assert.deepEqual(boxes(drawn, 'svg svg'), [['25.00%', '75.00%', null]]);
  assert.equal(the(drawn, '[role="img"]').getAttribute('aria-label'), 'Hidden until you have guessed.');
});

test('bars stand in place of the leaders, as high as the highest of two strips', () => {
  const bars = [0, 150, 300];
  const heights = (/** @type {any} */ how) =>
    all(stripTemplate({ end: 3e3, led: [], bands: [], bars }, how), '.bar').map((one) => one.getAttribute('height'));
  assert.deepEqual(heights({}), ['10.5', '21']);
  assert.deepEqual(heights({ most: 600, label: '' }), ['5.25', '10.5']);
});
