import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEYS } from '../../page/keys.js';
import { labelOf } from './keylabels.js';

test('every key says what it does', () => {
  const labels = KEYS.map(labelOf);
  assert.equal(new Set(labels).size, KEYS.length);
  for (const label of labels) assert.match(label, /^[A-Z]/);
});
