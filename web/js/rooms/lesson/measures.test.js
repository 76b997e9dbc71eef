import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Goal, goalText } from './goal.js';
import { aLeaderDies, LESSONS } from './lesson.testsupport.js';
import { measure, measureAll } from './measures.js';
import { LessonState } from './state.js';

const outage = LESSONS.find(({ run }) => run.scenario === 'b29-hang-or-refuse') ?? assert.fail('no lesson has it');
const document = { name: 'x', seed: 1, actions: [{ at: '20s', act: 'cut', mode: 'drop' }], expect: [] };

/** @param {(scenario: any) => any} expect */
function ports(expect) {
  return { scenario: async () => document, expect: async (/** @type {any} */ scenario) => [expect(scenario)] };
}

test('a number is measured in its own run, with its settings and its assertion alone', async () => {
  const refuse = outage.numbers.find(({ name }) => name === 'refuse') ?? assert.fail('no such number');
  const figure = await measure(
    outage,
    refuse,
    ports((scenario) => {
      assert.deepEqual(scenario.actions, [{ at: '20s', act: 'cut', mode: 'refuse', for: '8s' }]);
      assert.deepEqual(scenario.expect, [refuse.expect]);
      return { clause: '', met: true, measured: '1' };
    }),
  );
  assert.equal(figure?.value, 1);
  assert.deepEqual(document.actions, [{ at: '20s', act: 'cut', mode: 'drop' }], 'the shipped scenario stays as it is');
});

test('the act of the visitor belongs to the run', async () => {
  const number = { name: 'gap', expect: { measure: 'leaderlessLongest', atLeast: '0s' } };
  await measure(
    aLeaderDies,
    number,
    ports(({ actions }) => {
      assert.deepEqual(actions.at(-1), { at: '20000000001ns', act: 'crash', target: 'a' });
      return { clause: '', met: true, measured: '14 s' };
    }),
  );
});

test('over seeds the runs that meet the assertion are counted, until it is stopped', async () => {
  const number = { name: 'overlaps', seeds: 10, expect: { violation: 'moreThanOneActive' } };
  const met = ports(({ seed }) => ({ clause: '', met: seed % 2 === 0, measured: '1' }));
  /** @type {number[]} */
  const told = [];
  assert.equal((await measure(outage, number, met, { tell: (done) => told.push(done) }))?.text, '5');
  assert.equal(told.at(-1), 10);
  assert.equal(await measure(outage, number, met, { isStopped: () => true }), undefined);
});

test('all numbers of a lesson are measured once, and no more after it was left', async () => {
  const state = new LessonState();
  state.start(outage);
  let runs = 0;
  const counted = ports(() => {
    runs++;
    return { clause: '', met: true, measured: '2' };
  });
  await measureAll(outage, state, counted);
  assert.deepEqual(Object.keys(state.measured.value).sort(), outage.numbers.map(({ name }) => name).sort());
  assert.equal(runs, outage.numbers.length);
  await measureAll(outage, state, counted);
  assert.equal(runs, outage.numbers.length);
  state.start(aLeaderDies);
  await measureAll(outage, state, counted);
  assert.deepEqual(state.measured.value, {});
});

test('the goal is reached when every assertion is met', () => {
  const met = { clause: 'leaderlessLongest, at most 5s', met: true, measured: '4.2 s' };
  assert.equal(goalText([met], 3e9), 'Reached in this run: leaderlessLongest, at most 5 s: measured 4.2 s.');
  assert.equal(
    goalText([met, { ...met, met: false, measured: '14.038760558 s' }], 3e9),
    'Not yet: leaderlessLongest, at most 5 s: measured 14.039 s.',
  );
  assert.equal(
    goalText([met], -1.003e9),
    'Not yet: the safety margin is −1.003 s. Below 0 s two nodes can lead at once.',
  );
});

test('beside the goal stands what the run costs, with and without the change; the whole run is shown', async () => {
  const state = new LessonState();
  state.start(aLeaderDies);
  /** @type {any[]} */
  const asked = [];
  let shown = 0;
  let marginNs = 3e9;
  const goal = new Goal(state, {
    save: async () => /** @type {any} */ ({ scenario: { name: 'mine' } }),
    marginNs: () => marginNs,
    expect: async (/** @type {any} */ document) => {
      asked.push(document.name);
      return document.expect.map((/** @type {any} */ { measure }) => ({
        clause: 'x',
        met: true,
        measured: measure === 'requestsPerSecond' ? (document.name === 'mine' ? '4.5' : '1.1') : '2',
      }));
    },
    baseDocument: async () => ({ name: 'as it is' }),
    showRun: () => shown++,
    say: () => {},
    fail: assert.fail,
  });
  await goal.check();
  assert.deepEqual(asked, ['mine', 'as it is']);
  assert.match(
    state.goal.value,
    /^Reached in this run: .* The API server gets 4\.5 requests per second, and 1\.1 without your changes\.$/,
  );
  assert.equal(state.reached.value, true);
  assert.equal(shown, 1);
  marginNs = -1;
  await goal.check();
  assert.equal(state.reached.value, false, 'two may lead');
});
