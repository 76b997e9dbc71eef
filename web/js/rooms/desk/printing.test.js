import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser } from '../../lib/testsupport/dom.js';
import { openPrinting } from './printing.js';

test('paper is light and has its own width; afterwards the page is as it was', () => {
  const { document, fire } = browser();
  const { dataset } = document.documentElement;
  /** @type {object[]} */
  const drawn = [];
  openPrinting({ redrawNow: () => drawn.push({ ...dataset }) });
  for (const had of [{}, { theme: 'dark', projector: 'dark' }]) {
    Object.assign(dataset, had);
    fire('beforeprint');
    fire('afterprint');
    assert.deepEqual(drawn.splice(0), [{ theme: 'light', printing: '' }, had]);
    assert.deepEqual({ ...dataset }, had);
  }
});
