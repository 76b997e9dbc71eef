import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { betText, factsOf, figureOf, outcomeOf, pointsOf, thoughtOf, valuesOf } from './facts.js';
import { aLeaderDies } from './lesson.testsupport.js';
import { stepOfKind } from './lessons.js';
import { fill } from './words.js';

/** @import { BetStep, SeeStep } from './lessons.js' */

/** "A leader dies" as the engine explains it; a Go test has the same numbers. @type {any} */
const why = {
  change: { index: 1, at: 34_038_760_571, from: 'a', to: 'b', leaderlessNs: 14_038_760_570 },
  counts: [
    { node: 'b', index: 1, seen: 18_165_118_204, until: 33_165_118_204 },
    { node: 'c', index: 2, seen: 20_270_200_000, until: 35_270_200_000 },
  ],
  lookedAt: 34_028_757_003,
  addends: [],
};
const seconds = (/** @type {number} */ s) => Math.round(s * 1000) * 1e6;
const see = /** @type {SeeStep} */ (stepOfKind(aLeaderDies, 'see'));
const { bet: asked } = /** @type {BetStep} */ (stepOfKind(aLeaderDies, 'bet'));
const knobs = [
  { path: 'elector.leaseDuration', value: '15s' },
  { path: 'elector.renewDeadline', value: '10s' },
  { path: 'elector.retryPeriod', value: '2s' },
  { path: 'elector.requestTimeout', value: '5s' },
];
const points = pointsOf(aLeaderDies, {}, why, knobs);

const cases = JSON.parse(
  readFileSync(new URL('../../../../sim/lesson/testdata/thoughts.json', import.meta.url), 'utf8'),
);
for (const { counts, values, rules, bets } of cases) {
  for (const [bet, thought] of bets) {
    test(`a prediction of ${bet} is the thought “${thought}”, as in Go`, () => {
      assert.equal(thoughtOf(bet, rules, values, counts ? 'count' : 'marker'), thought);
    });
  }
}

test('no prediction is a thought of its own, and an option names its thought', () => {
  assert.equal(thoughtOf(null, see.rules, points, 'marker'), 'none');
  assert.equal(thoughtOf('both', [], points, 'choice'), 'both');
});

test('in lesson 1, each countdown that one can read off the chart has its own thought', () => {
  const run = { ...points, tookAt: 34_190_576_194, freeAt: 33_441_322_005 };
  const thoughts =
    '21 noticed, 30 gaveUp, 32.1 checked, 32.503 before, 33.06 renewal, 33.4 read, 33.8 read, 34.19 spotOn, ' +
    '34.6 careful, 35 crash, 35.33 other, 55 careful';
  for (const one of thoughts.split(', ')) {
    const [bet, thought] = one.split(' ');
    assert.equal(thoughtOf(seconds(Number(bet)), see.rules, run, 'marker'), thought, one);
  }
});

test('what an assertion measured is a length, a count or a name', () => {
  assert.deepEqual(figureOf('14.038760558 s'), { text: '14.038760558 s', value: 14_038_760_558, length: true });
  assert.deepEqual(figureOf('68'), { text: '68', value: 68, length: false });
  assert.equal(figureOf('b').text, 'b');
  assert.equal(Number.isNaN(figureOf('b').value), true);
});

/** @param {number | null} bet */
function lines(bet) {
  const at = bet === null ? null : seconds(bet);
  const thought = see.thoughts[thoughtOf(at, see.rules, points, 'marker')];
  const values = valuesOf(aLeaderDies, { measured: {}, why, bet: at, knobs });
  return [outcomeOf(see, at, asked, points), thought].map((text) => fill(text, values));
}

test('the feedback is filled with the numbers of the run', () => {
  assert.deepEqual(lines(30), [
    '**b leads at 34.039 s, 14.039 s after the crash. You said 30 s: 4.039 s too early.**',
    "10 s is *renewDeadline*, after which a **living** leader that can't renew gives up. A dead one can't give up, " +
      'and the others wait for their countdowns.',
  ]);
  assert.equal(
    lines(25.5)[1],
    'Nobody checks whether a is alive. The others wait for their countdowns, and at your 25.5 s b still has ' +
      '7.665 s to go.',
  );
  assert.equal(
    lines(33)[1],
    'You counted 15 s from the last renewal, at 18.060 s. b counts from its own read of that renewal. ' +
      'So it may take over from 33.165 s on.',
  );
  assert.equal(
    lines(35)[1],
    "You counted 15 s from the crash. b's countdown began 1.835 s earlier, when it last saw a change.",
  );
  assert.match(lines(40)[0], /You said 40 s: 5\.961 s too late\./);
  assert.deepEqual(lines(null), [
    '**b leads at 34.039 s, 14.039 s after the crash.**',
    "No prediction, fine. Watch b's slope: it reaches zero at 33.165 s, and b tries at 34.029 s.",
  ]);
  assert.match(lines(34.039)[0], /You said 34\.039 s: right to the millisecond\./);
});

test('where the time went has the other countdown too', () => {
  const step = /** @type {import('./lessons.js').WhyStep} */ (stepOfKind(aLeaderDies, 'why'));
  assert.equal(
    fill(step.other, valuesOf(aLeaderDies, { measured: {}, why, bet: null, knobs })),
    'Why not c? c saw the same renewal later, at 20.270 s, when a was already dead. Its countdown lasts ' +
      'until 35.270 s. *One note, two countdowns: each copy counts from its own read.*',
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

test('a step can be read before the engine has explained the change', () => {
  const known = { measured: {}, why: null, bet: null, knobs };
  assert.equal(fill('{winner} leads at {tookAt} s', valuesOf(aLeaderDies, known)), '… leads at … s');
  assert.throws(() => fill('{winner}', valuesOf({ ...aLeaderDies, explain: 0 }, known)), /winner/);
});
