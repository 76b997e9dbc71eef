import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aLeaderDies, settle, setUp } from './lesson.testsupport.js';
import { Question } from './question.js';

/** @param {(params: any) => any} sweep */
function openQuestion(sweep) {
  const world = setUp();
  world.at({ step: aLeaderDies.steps.length - 1, acted: 1, placed: 'none', seen: true });
  const { log, lesson, steps } = world;
  const question = new Question(lesson, {
    sweep: async (params) => sweep(params),
    gapNs: () => 14.039e9,
    values: () => ({ gap: '14.039' }),
    scenario: async () => assert.fail('no number is measured'),
    expect: async () => assert.fail('no number is measured'),
    tell: (event) => steps.tell(event),
    say: (sentence) => log.push(sentence),
    fail: (message) => log.push(`failed: ${message}`),
    showResult: () => log.push('result'),
    focusSubmit: () => log.push('submit'),
  });
  return { ...world, question, transfer: lesson.transfer };
}
const done = { done: 200, of: 200, hereNs: 14.039e9, medianNs: 16e9, plainMedianNs: 16.3e9 };

test('nothing is re-run before an answer is chosen', async () => {
  const { question, log } = openQuestion(() => assert.fail('it was asked'));
  await question.answer(true);
  assert.deepEqual(log, ['Choose an answer first.']);
});

test('a wrong answer is re-run alone, and told with its numbers', async () => {
  /** @type {any[]} */
  const asked = [];
  const { question, transfer, lesson } = openQuestion((params) => {
    asked.push(params);
    return { ...done, hereNs: 15.655e9 };
  });
  question.choose('looks');
  await question.answer(true);
  assert.deepEqual(asked, [
    { patch: [{ path: 'elector.retryPeriod', value: '1s' }], after: 20e9, first: 1, count: 200 },
  ]);
  assert.equal(
    transfer.value.result,
    'Run again with retryPeriod 1 s (renew and read more often): 15.655 s in this run, instead of ' +
      '14.039 s. One run is partly luck. In 200 runs with different random waits, half take less than 16.000 ' +
      's. Without the change, half take less than 16.300 s. So it changes something. Try another.',
  );
  assert.deepEqual(
    [transfer.value.right, transfer.value.running, lesson.progress.value.answered],
    [false, null, ['looks']],
  );
  question.choose('looks');
  assert.notEqual(transfer.value.result, '');
  question.choose('lease');
  assert.equal(transfer.value.result, '', 'another answer has no verdict yet');
});

test('the right answer is re-run with all of them, and progress counts through', async () => {
  /** @type {number[]} */
  const counts = [];
  const half = { ...done, done: 100 };
  const answers = [half, done, done, { ...done, hereNs: undefined }];
  const { question, transfer, log } = openQuestion(() => answers.shift());
  transfer.subscribe(({ running }) => running && counts.push(running.done));
  question.choose('release');
  await question.answer(true);
  assert.deepEqual(counts, [0, 100, 200, 400, 600]);
  assert.match(
    transfer.value.result,
    /^Right\. .* no end in sight, as before\. .* half take less than 16\.000 s with leaseDuration 10 s,/,
  );
  assert.equal(transfer.value.right, true);
  assert.equal(log.at(-1), 'result');
});

test('“show me” shows the right answer, without praise', async () => {
  const { question, transfer } = openQuestion(() => done);
  await question.answer(false);
  assert.equal(transfer.value.chosen, 'release');
  assert.match(transfer.value.result, /^With it, a process releases the Lease before it exits/);
});

test('a re-run that was stopped, or whose lesson is over, tells nothing any more', async () => {
  for (const end of /** @type {("stop" | "cancel")[]} */ (['stop', 'cancel'])) {
    /** @type {(swept: any) => void} */
    let answer = () => {};
    const { question, transfer, log } = openQuestion(() => new Promise((resolve) => (answer = resolve)));
    question.choose('looks');
    const answered = question.answer(true);
    await settle();
    question[end]();
    if (end === 'stop') question.choose('lease');
    answer(done);
    await answered;
    assert.equal(transfer.value.result, '');
    assert.deepEqual(log, ['Running 200 times.', ...(end === 'stop' ? ['submit', 'Stopped.'] : [])]);
  }
});

test('what the engine refuses is told, and the question can be asked again', async () => {
  const { question, transfer, log } = openQuestion(() => {
    throw new Error('no engine');
  });
  question.choose('looks');
  await question.answer(true);
  assert.deepEqual(log, ['Running 200 times.', 'failed: no engine']);
  assert.equal(transfer.value.running, null);
});
