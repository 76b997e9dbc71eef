import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from '#dom';
import { placeAt } from '../../lib/testsupport/calls.js';
import { createState } from '../../page/state.js';
import { openRunning } from './running.js';

/** The commands for a run at 20 s, with a log of their effects. */
function desk() {
  const state = createState();
  state.phase.value = 'ready';
  const nodes = [{ name: 'a', role: 'leading' }];
  state.view.value = /** @type {any} */ ({ ...placeAt(20e9), end: 60e9, seed: 7, nodes });
  /** @type {unknown[]} */
  const done = [];
  let instant = 20e9;
  let arrives = 34e9;
  const lab = {
    now: () => instant,
    touch: () => {},
    fit: () => done.push('fit'),
    open: async (/** @type {unknown} */ params) => done.push(['open', params]),
    change: async (/** @type {string} */ op, /** @type {unknown} */ params, /** @type {string} */ sentence) => {
      done.push([op, params, sentence]);
      const toast = arrives < 60e9 ? '' : 'No breakpoint fires.';
      state.view.value = { ...state.view.value, ...placeAt(arrives), toast };
      return state.view.value;
    },
  };
  const notifier = {
    say: (/** @type {string} */ text) => done.push(text),
    notify: (/** @type {string} */ text, /** @type {any} */ how) =>
      done.push(how?.action ? `! ${text} ${how.action.label}` : `! ${text}`),
  };
  const ports = {
    state,
    lab: { ...lab, notifier },
    notifier,
    select: (/** @type {unknown} */ one) => done.push(one),
    key: () => 'M',
  };
  const running = openRunning(/** @type {any} */ (ports));
  const end = () => (arrives = 60e9);
  return { ...running, state, done, end, at: (/** @type {number} */ t) => (instant = t) };
}

test('running ahead says where the run is now, and the view follows', async () => {
  const { commands, done, state } = desk();
  state.viewport.value = { from: 0, to: 10e9 };
  await commands.toLeaderChange();
  assert.deepEqual(done, [
    ['runTo', { what: 'leaderChange' }, 'The run will go to the next leader change'],
    '00:34.000.',
  ]);
  assert.ok(state.viewport.value.to > 34e9);
});

test('the end of the run is shown whole', async () => {
  const { commands, done } = desk();
  await commands.toEnd();
  assert.equal(done.at(-1), 'fit');
});

test('where nothing comes before the end, the run can last longer; at a chosen end it is silent', async () => {
  const { commands, done, end } = desk();
  end();
  await commands.toBreakpoint();
  assert.equal(done.at(-1), '! No breakpoint fires. Let it run until 02:00');
  done.length = 0;
  await commands.toEnd();
  assert.equal(done.at(-1), 'fit');
});

test('breakpoints need the engine', async () => {
  const { commands, done, state } = desk();
  state.phase.value = 'opening';
  await commands.toBreakpoint();
  assert.deepEqual(done, ['! The simulator is still loading.']);
});

test('a seed changes the run from 0; what is none is refused, and the field shows the seed in force', async () => {
  const { commands, done } = desk();
  await commands.seed?.({ value: '12' });
  assert.deepEqual(done[0], ['edit', { path: 'seed', value: '12', mode: 'rerun' }, 'seed will be 12']);
  const input = { value: 'twelve' };
  await commands.seed?.(input);
  assert.match(String(done.at(-1)), /^! /);
  assert.equal(input.value, '7');
});

test('a span is marked by its two ends, in either order', () => {
  const { commands, done, state, at } = desk();
  commands.markSpan();
  assert.match(String(done.shift()), /^! The span starts at 00:20\.000\. .* press M again/);
  at(12e9);
  commands.markSpan();
  assert.deepEqual(done, [{ kind: 'span', from: 12e9, to: 20e9 }, 'From 00:12.000 to 00:20.000.']);
  assert.equal(state.spanStart.value, null);
});

test('a run that starts again with a seed plays to where the change was made, if acts play on', async () => {
  const { commands, done, state } = desk();
  await commands.seed?.({ value: '12' });
  await settle();
  assert.deepEqual(done.at(-1), ['play', { speed: 0, until: 20e9 }, undefined]);
  state.playOn.value = false;
  await commands.seed?.({ value: '13' });
  await settle();
  assert.equal(done.at(-1), 'seed is 13.');
});
