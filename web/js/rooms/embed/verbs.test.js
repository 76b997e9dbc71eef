import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAt, recorder } from '../../lib/testsupport/calls.js';
import { createState } from '../../page/state.js';
import { obey } from './verbs.js';

/** A run of two nodes at 20 s of 60 s, with a log of the acts. @param {Record<string, unknown>} [lab] */
function page(lab = {}) {
  const state = createState();
  const nodes = ['leading', 'down'].map((role, i) => ({ name: 'ab'[i], role }));
  const acts = [{ node: 'b', act: 'crash', refusal: 'b is down.' }];
  state.view.value = /** @type {any} */ ({ ...placeAt(20e9), end: 60e9, nodes, lease: { holder: 'a' }, acts });
  state.hello.value = /** @type {any} */ ({ acts: [{ act: 'crash' }, { act: 'restart' }, { act: 'add' }] });
  state.phase.value = 'ready';
  const done = /** @type {unknown[][]} */ ([]);
  return { state, done, lab: recorder(done, lab) };
}

const isOpen = () => true;

test('each verb does what the page does', async () => {
  const { state, lab, done } = page();
  for (const request of /** @type {const} */ ([
    { verb: 'play' },
    { verb: 'pause' },
    { verb: 'goTo', t: 60e9 },
    { verb: 'act', act: 'crash' },
    { verb: 'act', act: 'restart', node: 'b' },
    { verb: 'act', act: 'add' },
  ]))
    assert.equal(await obey({ state, lab, play: lab.play, isOpen }, request), '');
  assert.deepEqual(done, [
    ['play'],
    ['pause'],
    ['goTo', 60e9],
    ['act', 'crash', 'a'],
    ['act', 'restart', 'b'],
    ['act', 'add', 'a'],
  ]);
});

test('what cannot be done is refused with a sentence, and not tried', async () => {
  const { state, lab, done } = page();
  const obeyRequest = (/** @type {any} */ request) => obey({ state, lab, play: lab.play, isOpen }, request);
  assert.equal(await obeyRequest({ verb: 'goTo', t: 61e9 }), 'The run ends at 01:00.000.');
  assert.equal(
    await obeyRequest({ verb: 'act', act: 'dance' }),
    '“dance” is not an act. The acts are crash, restart and add.',
  );
  assert.equal(
    await obeyRequest({ verb: 'act', act: 'crash', node: 'x' }),
    '“x” is not a node. The nodes are a and b.',
  );
  assert.equal(await obeyRequest({ verb: 'act', act: 'crash', node: 'b' }), 'b is down.');
  state.phase.value = 'failed';
  state.failure.value = 'The simulator could not start.';
  assert.equal(await obeyRequest({ verb: 'act', act: 'crash' }), 'The simulator could not start.');
  assert.deepEqual(done, []);
});

test('what the engine refuses is refused', async () => {
  const told = page();
  const act = async () => {
    told.state.toasts.value = [{ id: 1, text: 'a has no clock.', tone: 'error' }];
  };
  assert.equal(
    await obey(
      { state: told.state, lab: { ...told.lab, act }, play: told.lab.play, isOpen },
      { verb: 'act', act: 'crash' },
    ),
    'a has no clock.',
  );
});

test('a verb waits for the run that the address names', async () => {
  const { state, lab, done } = page();
  state.phase.value = 'opening';
  const waiting = obey(
    { state, lab, play: lab.play, isOpen: () => state.phase.value === 'ready' },
    { verb: 'goTo', t: 30e9 },
  );
  await Promise.resolve();
  assert.deepEqual(done, []);
  state.phase.value = 'ready';
  await waiting;
  assert.deepEqual(done, [['goTo', 30e9]]);
});
