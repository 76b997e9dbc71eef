import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from './facts.js';
import './lesson.testsupport.js';
import { each } from '../../lib/testsupport/calls.js';
import { predictionLesson } from './prediction.js';
import { curtainOf, newProgress, waitReason } from './progress.js';
import { fill } from './words.js';

const view = /** @type {any} */ ({
  ...{ scenario: 'mine', end: 120e9, live: { t: 24e9, n: -1 } },
  nodes: [{ name: 'a' }, { name: 'b' }, { name: 'api', server: {} }],
});
const whole = { name: 'mine' };
const stepsOf = (/** @type {any} */ predict) => /** @type {any[]} */ (predictionLesson(predict, view, whole).steps);

test('a prediction is a lesson about the run that is open: nothing goes on before it is locked in', () => {
  const lesson = predictionLesson({ ask: 'when', until: 36e9, change: 1 }, view, whole);
  assert.deepEqual(
    [lesson.number, lesson.curtained, lesson.explain, lesson.run.whole, lesson.run.from],
    [0, true, 1, whole, 24e9],
  );
  assert.equal(curtainOf(lesson, newProgress()), 24e9);
  assert.equal(
    waitReason(lesson, newProgress()),
    'What follows stays hidden until you predict: lock your prediction in.',
  );
  assert.deepEqual(each(lesson.steps, 'kind'), ['bet', 'see', 'why']);
  assert.deepEqual(lesson.run.viewport, { from: 12e9, to: 41e9 });
});

test('who leads: every candidate is an answer, and nobody; an API server is none', () => {
  const [bet, see] = stepsOf({ ask: 'leader', until: 36e9, text: 'Who wins?' });
  assert.deepEqual(Object.keys(bet.options), ['a', 'b', 'nobody']);
  assert.deepEqual(bet.text, [
    'Who wins?',
    'The run is at 24 s. What follows stays hidden until you lock in your prediction.',
  ]);
  assert.equal(fill(outcomeOf(see, 'b', bet.bet, {}), { answer: 'a' }), '**At 36 s the leader is a.**');
  assert.equal(see.thoughts.b, 'You said: b.');
});

test('lengths are measured between the instants of the question', () => {
  const { numbers, steps } = predictionLesson({ ask: 'two', until: 500e9 }, view, whole);
  const expect = { violation: 'moreThanOneActive', measure: 'total', from: '24000000000ns', until: '120000000000ns' };
  assert.deepEqual(numbers, [{ name: 'answer', expect }]);
  const [bet, see] = /** @type {any[]} */ (steps);
  assert.equal(bet.bet.most, 96, 'no longer than the run');
  const values = { answer: '3.000', bet: '1', off: '2.000', side: see.sides[0] };
  const missed = fill(outcomeOf(see, 1e9, bet.bet, { answer: 3e9 }), values);
  assert.equal(missed, '**Two lead at once for 3.000 s. You said 1 s: 2.000 s too short.**');
  const [gap] = stepsOf({ ask: 'gap', until: 36e9, change: 1 });
  assert.deepEqual(gap.bet, { kind: 'seconds', answer: 'gap', most: 12 });
});
