import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bet } from './bet.js';
import { BET, SEE, setUp } from './lesson.testsupport.js';

/** @param {import('./lessons.js').Question} [asked] */
function openBet(asked = { kind: 'marker', answer: 'tookAt' }) {
  const world = setUp();
  world.at({ step: BET, acted: 1 });
  const bet = new Bet(world.lesson, {
    currentBet: () => asked,
    range: () => ({ from: 20e9, to: 120e9, actAt: 20e9, act: 'crash' }),
    tell: (event) => world.steps.tell(event),
    focusField: () => world.log.push('field'),
    onShown: () => world.log.push('shown'),
  });
  const { progress, field } = world.lesson;
  return { ...world, bet, progress, field };
}

test('a bet is typed in seconds, with a point or a comma, to the millisecond', () => {
  const { bet, progress, field } = openBet();
  bet.type('33.5');
  assert.equal(progress.value.bet, 33.5e9);
  bet.type('33,12345');
  assert.equal(progress.value.bet, 33.123e9);
  bet.type('19.999');
  assert.equal(progress.value.bet, 19.999e9, 'the live instant may lie a fraction of a millisecond after it');
  for (const wrong of ['soon', '', '121']) {
    bet.type(wrong);
    assert.equal(progress.value.bet, null, wrong);
    assert.equal(field.value.text, wrong);
  }
});

test('an instant and a length since the act are both understood, and the page says how it reads a length', () => {
  const { bet, progress, field } = openBet();
  bet.type('35');
  assert.deepEqual([progress.value.bet, field.value.read], [35e9, '']);
  for (const [typed, at] of /** @type {const} */ ([
    ['15', 35],
    ['15 s', 35],
    ['14,5', 34.5],
  ])) {
    bet.type(typed);
    assert.equal(progress.value.bet, at * 1e9, typed);
    assert.equal(field.value.read, `${at - 20} s after the crash is ${at} s on the time axis.`);
    assert.equal(field.value.text, typed);
  }
});

test('buttons move the bet from the live instant, and never out of the run', () => {
  const { bet, progress, field } = openBet();
  bet.nudge(1);
  assert.equal(field.value.text, '20.5');
  bet.nudge(-1);
  bet.nudge(-1);
  assert.equal(progress.value.bet, 20e9);
  bet.put(119.8e9);
  bet.nudge(1);
  assert.equal(progress.value.bet, 120e9);
});

test('a bet is placed once it is one', () => {
  const { bet, progress, field, log } = openBet();
  bet.place();
  assert.equal(field.value.error, 'Your prediction is a time from 20 to 120 s, or the seconds after the crash.');
  bet.type('soon');
  bet.place();
  assert.equal(field.value.error, '“soon” must be a time from 20 to 120 s, or the seconds after the crash.');
  assert.deepEqual(log, ['field', 'field']);
  bet.type('30');
  bet.place();
  assert.deepEqual([progress.value.placed, progress.value.step, field.value.error], ['bet', SEE, '']);
  assert.equal(log.at(-1), 'shown');
});

test('no bet is a way on, too', () => {
  const { bet, progress, log } = openBet();
  bet.giveUp();
  assert.deepEqual([progress.value.placed, progress.value.bet, log], ['none', null, ['shown']]);
});

test('a length has no place on the axis, and lies between 0 and the most that makes sense', () => {
  const { bet, progress, field } = openBet({ kind: 'seconds', answer: 'overlap', most: 30 });
  bet.type('5,2');
  assert.deepEqual([progress.value.bet, field.value.read], [5.2e9, '']);
  bet.nudge(-1);
  assert.deepEqual([progress.value.bet, field.value.text], [4.7e9, '4.7']);
  bet.type('31');
  bet.place();
  assert.equal(field.value.error, '“31” must be a length from 0 to 30 s.');
});

test('a count is a whole number', () => {
  const { bet, progress, field } = openBet({ kind: 'count', answer: 'overlaps', most: 150 });
  bet.nudge(1);
  assert.deepEqual([progress.value.bet, field.value.text], [1, '1']);
  for (const wrong of ['2.5', '-1', '151']) {
    bet.type(wrong);
    assert.equal(progress.value.bet, null, wrong);
  }
  bet.place();
  assert.equal(field.value.error, '“151” must be a whole number from 0 to 150.');
});

test('a choice is one of its options', () => {
  const { bet, progress, field } = openBet({ kind: 'choice', answer: 'hang refuse' });
  bet.place();
  assert.equal(field.value.error, 'Your prediction is one of the answers.');
  bet.choose('both');
  bet.place();
  assert.deepEqual([progress.value.bet, progress.value.placed], ['both', 'bet']);
});
