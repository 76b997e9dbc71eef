import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computed, signal } from '@preact/signals-core';
import { fieldsOf } from './fields.js';

test('what reads a member is computed again when the member changes, and only then', () => {
  const view = signal({ t: 1, title: 'A', nodes: [{ name: 'a' }] });
  const fields = fieldsOf(view);
  let times = 0;
  const line = computed(() => {
    times++;
    return `${fields.title} ${fields.nodes.length}`;
  });
  assert.equal(line.value, 'A 1');
  for (let t = 2; t < 9; t++) {
    view.value = { t, title: 'A', nodes: [{ name: 'a' }] };
    assert.equal(line.value, 'A 1');
  }
  assert.equal(times, 1);
  view.value = { t: 9, title: 'A', nodes: [{ name: 'a' }, { name: 'b' }] };
  assert.equal(line.value, 'A 2');
  assert.equal(times, 2);
});

test('a member keeps its identity while it says the same', () => {
  const view = signal(/** @type {{acts?: string[]}} */ ({ acts: ['crash'] }));
  const fields = fieldsOf(view);
  const before = fields.acts;
  view.value = { acts: ['crash'] };
  assert.equal(fields.acts, before);
  view.value = {};
  assert.equal(fields.acts, undefined);
});
