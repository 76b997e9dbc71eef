import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { browser, recorder } from '#dom';
import { Course } from './course.js';
import { readKept, writeKept } from './kept.js';
import { ACT, aLeaderDies, BET, LESSONS, SEE } from './lesson.testsupport.js';
import { linkTo, placeOf } from './place.js';
import { clickOf, newProgress, progressAt } from './progress.js';
import { LessonState } from './state.js';

browser();

/** @type {Map<string, string>} */
const stored = new Map();
globalThis.localStorage = /** @type {any} */ ({
  getItem: (/** @type {string} */ name) => stored.get(name) ?? null,
  setItem: (/** @type {string} */ name, /** @type {string} */ value) => stored.set(name, value),
});
beforeEach(() => stored.clear());

const came = { step: 2, bet: null, answered: [], done: false, goal: false };

test('progress survives the visit, and what another page wrote in its place is left out', () => {
  writeKept({ 'a-leader-dies': came });
  assert.deepEqual(readKept(), { 'a-leader-dies': came });
  const [[name]] = stored;
  for (const value of ['', '7', '[]', '{"a-leader-dies": {"step": "two"}, "<b>": {}}']) {
    stored.set(name, value);
    assert.deepEqual(readKept(), {}, value);
  }
});

/** A course with a log of its messages. */
function course() {
  /** @type {any[][]} */
  const done = [];
  const it = new Course(recorder(done));
  return { it, done, last: () => done.at(-1) };
}

test('each step is noted; the first alone is none', () => {
  const { it } = course();
  const lesson = new LessonState();
  lesson.start(aLeaderDies);
  it.note(lesson);
  assert.deepEqual(it.kept.value, {});
  lesson.progress.value = {
    ...newProgress(),
    step: aLeaderDies.steps.length - 1,
    placed: 'bet',
    bet: 33e9,
    answered: ['release'],
  };
  it.note(lesson);
  assert.equal(it.kept.value[aLeaderDies.name].done, true);
  lesson.start(aLeaderDies);
  it.note(lesson);
  assert.deepEqual(readKept()[aLeaderDies.name], { ...came, step: 0, done: true });
});

test('progress is cleared with a way back', () => {
  writeKept({ clocks: came });
  const { it, last } = course();
  const clocks = /** @type {import('./lessons.js').Lesson} */ (LESSONS.find(({ name }) => name === 'clocks'));
  it.clear(clocks);
  assert.deepEqual(readKept(), {});
  last()?.[2].action.run();
  assert.deepEqual(readKept(), { clocks: came });
  it.clear();
  assert.deepEqual(readKept(), {});
});

test('a link to a step says where, and comes back as a place', () => {
  const at = { ...newProgress(), step: SEE, placed: /** @type {const} */ ('bet'), bet: 33.5e9 };
  assert.equal(linkTo(aLeaderDies, newProgress()), 'lesson=a-leader-dies');
  assert.equal(linkTo(aLeaderDies, at), `lesson=a-leader-dies&step=${SEE + 1}&bet=33.5`);
  assert.deepEqual(placeOf({ name: '1', step: SEE + 1, bet: '33.5' }, LESSONS), {
    ...{ lesson: aLeaderDies, refusal: '' },
    place: { step: SEE, bet: 33.5e9 },
  });
  const choice = LESSONS.find(({ steps }) => steps.some((step) => step.kind === 'bet' && step.bet.kind === 'choice'));
  assert.equal(placeOf({ name: `${choice?.name}`, step: 4, bet: 'nothing' }, LESSONS).place?.bet, null);
  assert.match(placeOf({ name: 'nowhere' }, LESSONS).refusal, /the lesson nowhere, which does not exist/);
  const beyond = placeOf({ name: '1', step: 99 }, LESSONS);
  assert.deepEqual([beyond.lesson, beyond.place], [aLeaderDies, undefined]);
  assert.match(beyond.refusal, /link names step 99, but lesson 1 has only 8 steps/);
});

test('who comes to a step has done the act before it, and made the prediction or passed it over', () => {
  assert.deepEqual(progressAt(aLeaderDies), newProgress());
  assert.deepEqual(progressAt(aLeaderDies, { step: ACT }), { ...newProgress(), step: ACT });
  assert.deepEqual(progressAt(aLeaderDies, { step: BET }), { ...newProgress(), step: BET, acted: 1 });
  const after = { ...newProgress(), step: SEE, acted: 1 };
  assert.deepEqual(progressAt(aLeaderDies, { step: SEE }), { ...after, placed: 'none' });
  assert.deepEqual(progressAt(aLeaderDies, { step: SEE, bet: 30e9 }), { ...after, placed: 'bet', bet: 30e9 });
});

test('the one button of a clicker does what the step asks for, and goes on', () => {
  const { steps } = aLeaderDies;
  const last = steps[steps.length - 1];
  assert.deepEqual(
    [
      clickOf(steps[ACT], newProgress()),
      clickOf(steps[ACT], { ...newProgress(), acted: 1 }),
      clickOf(steps[BET], newProgress()),
      clickOf(steps[BET], { ...newProgress(), bet: 30e9 }),
      clickOf(last, newProgress()),
      clickOf(last, { ...newProgress(), answered: ['release'] }),
    ],
    ['doIt', 'next', 'show', 'place', 'showAnswer', 'next'],
  );
});
