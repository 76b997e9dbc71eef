import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aLeaderDies } from './a-leader-dies.js';
import { betText, factsOf, outcomeOf, thoughtOf, valuesOf } from './facts.js';
import { fill } from './words.js';

/** "A leader dies" as the engine explains it; a Go test has the same numbers. @type {any} */
const why = {
  change: { index: 1, at: 34_038_760_571, from: 'a', to: 'b', leaderlessNs: 14_038_760_570 },
  rules: { leaseNs: 15e9, renewDeadlineNs: 10e9, retryPeriodNs: 2e9 },
  counts: [
    { node: 'b', index: 1, seen: 18_165_118_204, until: 33_165_118_204 },
    { node: 'c', index: 2, seen: 20_270_200_000, until: 35_270_200_000 },
  ],
  lookedAt: 34_028_757_003,
  addends: [],
};
const facts = factsOf(why);
const seconds = (/** @type {number} */ s) => Math.round(s * 1000) * 1e6;
const see = /** @type {import('./lessons.js').SeeStep} */ (aLeaderDies.steps.find((step) => step.kind === 'see'));

/** Every edge between two thoughts, from both sides, a millisecond apart where a bet can be so fine. */
const CASES = /** @type {[number, string][]} */ ([
  [20, 'noticed'],
  [21.999, 'noticed'],
  [22, 'checked'],
  [28.999, 'checked'],
  [29, 'gaveUp'],
  [30, 'gaveUp'],
  [31, 'gaveUp'],
  [31.001, 'checked'],
  [32.499, 'checked'],
  [32.5, 'renewal'],
  [33.165, 'renewal'],
  [33.699, 'renewal'],
  [33.7, 'spotOn'],
  [34.039, 'spotOn'],
  [34.4, 'spotOn'],
  [34.401, 'crash'],
  [35, 'crash'],
  [35.6, 'crash'],
  [35.601, 'careful'],
  [120, 'careful'],
]);

for (const [bet, thought] of CASES) {
  test(`a bet on ${bet} s is the thought “${thought}”`, () => {
    assert.equal(thoughtOf(seconds(bet), facts), thought);
  });
}

test('no bet is a thought of its own', () => {
  assert.equal(thoughtOf(null, facts), 'none');
});

test('the edges follow the run: with other settings and at another time they lie elsewhere', () => {
  const later = factsOf({
    ...why,
    change: { ...why.change, at: 109_000_000_000, leaderlessNs: 9_000_000_000 },
    rules: { leaseNs: 10e9, renewDeadlineNs: 6e9, retryPeriodNs: 1e9 },
    counts: [{ node: 'b', index: 1, seen: 98_500_000_000, until: 108_500_000_000 }],
  });
  const of = (/** @type {number} */ s) => thoughtOf(seconds(s), later);
  assert.deepEqual([100.5, 103, 106, 108, 108.5, 109, 110, 112].map(of), [
    'noticed',
    'checked',
    'gaveUp',
    'checked',
    'renewal',
    'spotOn',
    'crash',
    'careful',
  ]);
});

test('every bet has a thought, and far apart thoughts come in the order of time', () => {
  const order = ['noticed', 'checked', 'gaveUp', 'checked', 'renewal', 'spotOn', 'crash', 'careful'];
  /** @type {string[]} */
  const met = [];
  for (let bet = 20; bet <= 60; bet += 0.001) {
    const thought = thoughtOf(seconds(bet), facts);
    if (met.at(-1) !== thought) met.push(thought);
  }
  assert.deepEqual(met, order);
});

/** @param {number | null} bet */
function lines(bet) {
  const at = bet === null ? null : seconds(bet);
  return [outcomeOf(see, at, facts), see.thoughts[thoughtOf(at, facts)]].map((text) => fill(text, valuesOf(why, at)));
}

test('the feedback is filled with the numbers of the run', () => {
  assert.deepEqual(lines(30), [
    '**b leads at 34.039 s, 14.039 s after the crash. You said 30 s: 4.039 s too early.**',
    '10 s is *renewDeadline*: after that a **living** leader gives up. A dead one cannot.',
  ]);
  assert.equal(
    lines(25.5)[1],
    'Nobody checks whether a lives. They wait for their countdown, and at your 25.5 s b still has 7.665 s to go.',
  );
  assert.equal(
    lines(33)[1],
    'You counted 15 s from the last renewal. Very close: b could take over from 33.165. But it only finds out at its next attempt, at 34.029.',
  );
  assert.equal(
    lines(35)[1],
    "You counted 15 s from the crash. b's countdown began 1.835 s earlier, when it last saw a change.",
  );
  assert.match(lines(40)[0], /You said 40 s: 5\.961 s too late\./);
  assert.deepEqual(lines(null), [
    '**b leads at 34.039 s, 14.039 s after the crash.**',
    "No prediction, fine. Watch b's slope: it reaches zero at 33.165, and b tries at 34.029.",
  ]);
  assert.match(lines(34.039)[0], /You said 34\.039 s: right to the millisecond\./);
});

test('where the time went has the other countdown too', () => {
  const step = /** @type {import('./lessons.js').WhyStep} */ (aLeaderDies.steps.find(({ kind }) => kind === 'why'));
  assert.equal(
    fill(step.other, valuesOf(why, null)),
    'Why not c? c saw the same renewal later, at 20.270, when a was already dead. Its countdown lasts until 35.270. *Same note, two countdowns: each counts from its own look.*',
  );
});

test('a bet is written as it was made', () => {
  assert.deepEqual([30e9, 33.5e9, 34.039e9, 100e9, 20.05e9].map(betText), ['30', '33.5', '34.039', '100', '20.05']);
});

test('a takeover nobody had to wait for still has facts', () => {
  const { freeAt, seenAt } = factsOf({ ...why, counts: [] });
  assert.equal(freeAt, 20_000_000_001);
  assert.equal(seenAt, 20_000_000_001);
});
