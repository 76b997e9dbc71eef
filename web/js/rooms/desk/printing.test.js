import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser } from '../../lib/testsupport/dom.js';
import { openPrinting } from './printing.js';

test('paper is light and has its own width; afterwards the page is as it was', () => {
  const { document, fire, body } = browser();
  const { dataset } = document.documentElement;
  /** @type {object[]} */
  const drawn = [];
  const layout = { lanes: [{}, {}] };
  const timeline = /** @type {any} */ ({ redrawNow: () => drawn.push({ ...dataset }), layout });
  const state = /** @type {any} */ ({
    timeline: { value: { lanes: [{}, {}, {}] } },
    events: { value: { total: 40 } },
  });
  openPrinting(timeline, state);
  for (const had of [{}, { theme: 'dark', projector: 'dark' }]) {
    Object.assign(dataset, had);
    fire('beforeprint');
    assert.deepEqual(
      body.children.map(({ textContent }) => textContent),
      [
        'Printed without 1 node, 40 events, controls and the panels that were closed. The whole run: ' +
          'https://example.org/lab/',
      ],
    );
    fire('afterprint');
    assert.equal(body.children.length, 0);
    assert.deepEqual(drawn.splice(0), [{ theme: 'light', printing: '' }, had]);
    assert.deepEqual({ ...dataset }, had);
  }
});
