import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals-core';
import { all } from '#dom';
import { createState } from '../../page/state.js';
import { openInspecting } from './inspecting.js';

const lease = {
  kind: 'Lease',
  name: 'demo',
  version: 2,
  versions: 3,
  t: 5e9,
  by: 'a',
  text: 'holderIdentity: a\n',
  json: '{}',
  yaml: [{ text: 'holderIdentity: a', field: 'holderIdentity', mark: '' }],
};
const candidate = { ...lease, kind: 'LeaseCandidate', name: 'c', version: 1, versions: 4 };

/** The panel with the Lease, or with another object. @param {object | null} [other] */
function panel(other = null) {
  const state = createState();
  state.view.value = /** @type {any} */ ({ lease: { exists: true, name: 'demo', holder: 'a', version: 2 } });
  state.object.value = /** @type {any} */ (lease);
  /** @type {unknown[]} */
  const done = [];
  const lab = { copy: (/** @type {string} */ what, /** @type {string} */ name) => done.push([what, name]) };
  const picked = { other: signal(other), pinned: signal(0), pick: (/** @type {unknown} */ one) => done.push(one) };
  const template = openInspecting(/** @type {any} */ ({ state, lab }), /** @type {any} */ (picked));
  return { state, done, template, picked };
}

test('versions of the Lease are steps of the page; those of another object are its own', () => {
  const { state, template } = panel();
  const step = (/** @type {number} */ i) => all(template(), 'button')[i].click();
  step(1);
  assert.equal(state.pinnedVersion.value, 3);
  assert.deepEqual(state.selection.value, { kind: 'version', version: 3 });
  step(0);
  assert.equal(state.pinnedVersion.value, 1);
  const another = panel(candidate);
  all(another.template(), 'button')[1].click();
  assert.equal(another.picked.pinned.value, 2);
  assert.equal(another.state.pinnedVersion.value, 0);
});

test('what is copied is what is shown', () => {
  const { state, done, template } = panel();
  const copy = () => all(template(), 'button')[4].click();
  copy();
  state.format.value = 'json';
  copy();
  assert.deepEqual(done, [
    ['holderIdentity: a\n', 'Lease demo'],
    ['{}', 'Lease demo'],
  ]);
  assert.equal(all(template(), '[aria-label="Copy the JSON"]').length, 1);
});
