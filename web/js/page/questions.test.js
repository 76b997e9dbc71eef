import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { each, placeAt } from '../lib/testsupport/calls.js';
import { openQuestions } from './questions.js';
import { createState } from './state.js';

Object.defineProperty(globalThis, 'document', {
  configurable: true,
  value: { getElementById: () => ({ clientWidth: 900 }) },
});

/** A page at 20 s of a run that has been shown up to 40 s, and what it asks. */
function page() {
  const state = createState();
  const lease = { version: 5, versions: 7 };
  state.view.value = /** @type {any} */ ({ run: 1, branch: 0, ...placeAt(20e9, 40e9), lease });
  /** @type {[string, any][]} */
  const asked = [];
  /** @type {unknown[]} */
  const told = [];
  const lab = {
    source: {},
    ask: async (/** @type {string} */ op, /** @type {any} */ params) => {
      asked.push([op, params]);
      return { op, params };
    },
  };
  const questions = openQuestions(state, /** @type {any} */ (lab), (events) => told.push(events));
  const opsOf = () => asked.splice(0).map(([op, params]) => [op, params]);
  return { state, lab, told, opsOf, ...questions };
}

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

/** Answers arrive, and the gaps between two of the same question pass. */
async function passAnswers() {
  for (let k = 0; k < 2; k++) {
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(250);
  }
  await new Promise((resolve) => setImmediate(resolve));
}

test('a page asks for the timeline around the screen, the whole run, the events and the Lease, each once', async () => {
  const { ask, opsOf, state, overview, told } = page();
  ask();
  ask();
  const asked = opsOf();
  assert.deepEqual(each(asked, 0), ['timeline', 'timeline', 'events', 'object']);
  assert.ok(asked[0][1].to > state.viewport.value.to, 'more than the screen');
  assert.deepEqual(asked[1][1], { from: 0, to: 40e9, widthPx: 0 });
  assert.deepEqual(asked[2][1], { around: { t: 20e9, n: -1 }, count: 50 });
  assert.deepEqual(asked[3][1], { version: 5 });
  await passAnswers();
  assert.deepEqual(/** @type {any} */ (overview.value).params, asked[1][1]);
  assert.deepEqual(/** @type {any} */ (state.timeline.value).params, asked[0][1]);
  assert.equal(told.length, 1);
  ask();
  assert.deepEqual(opsOf(), [], 'nothing has changed');
});

test('a filter, a scrolled list and a pinned version are asked for; a filter asks for the events alone', async () => {
  const { ask, opsOf, state } = page();
  ask();
  await passAnswers();
  opsOf();
  state.filter.value = 'takes';
  state.filterNode.value = 'b';
  state.eventsFrom.value = 100;
  ask();
  assert.deepEqual(opsOf(), [
    ['events', { around: { t: 20e9, n: -1 }, count: 50, from: 100, filter: 'takes', node: 'b' }],
  ]);
  state.pinnedVersion.value = 9;
  ask();
  assert.deepEqual(opsOf(), [['object', { version: 7 }]], 'no version that does not exist yet');
});

test('the engine that takes over is asked everything again, except about a Lease that does not exist', async () => {
  const { ask, opsOf, state, lab } = page();
  ask();
  await passAnswers();
  opsOf();
  lab.source = {};
  state.view.value = /** @type {any} */ ({ ...state.view.value, lease: { version: 0, versions: 0 } });
  ask();
  assert.deepEqual(each(opsOf(), 0), ['timeline', 'timeline', 'events']);
  assert.equal(state.object.value, null);
});
