import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effect } from '@preact/signals-core';
import { ACT, aLeaderDies, BET, LESSONS, SEE, settle, setUp } from './lesson.testsupport.js';
import { newProgress, progressAt, stepOf } from './progress.js';
import { destination } from './steps.js';

/** The calls when a step begins, besides moving the run. */
const ENTERED = ['panel', 'unmark', 'frame', 'heading'];

test('where the run goes for a step', () => {
  const view = { branch: 0, live: { t: 25e9, n: 0 } };
  assert.deepEqual(destination(aLeaderDies, newProgress(), view), { t: 12e9, speed: 0 });
  assert.deepEqual(destination(aLeaderDies, { ...newProgress(), step: 1 }, view), { t: 18.2e9, speed: 2 });
  assert.deepEqual(destination(aLeaderDies, { ...newProgress(), step: ACT, acted: 1 }, view), { t: 20e9 + 1 });
  assert.equal(destination(aLeaderDies, newProgress(), { ...view, branch: 1 }), null);
});

test('a lesson begins: its run is opened, framed and shown from the first step', async () => {
  const { steps, lesson, log } = setUp();
  await steps.begin(aLeaderDies);
  assert.deepEqual(log, ['panel', 'started', ...ENTERED]);
  assert.equal(lesson.on.value, aLeaderDies);
  assert.deepEqual(lesson.runs, [7]);
});

test('a lesson waits for the simulator, in words, and says when there will be none', async () => {
  const { steps, lesson, phase } = setUp();
  phase.value = 'opening';
  const begun = steps.begin(aLeaderDies);
  assert.equal(lesson.wait.value, 'The lesson begins when the simulator has loaded.');
  phase.value = 'failed';
  await begun;
  assert.equal(lesson.wait.value, 'The simulator could not start.');
  assert.equal(lesson.on.value, null);
});

test('a run that cannot be opened begins no lesson', async () => {
  const { steps, lesson } = setUp();
  steps.ports.open = async () => false;
  await steps.begin(aLeaderDies);
  assert.equal(lesson.on.value, null);
});

test('Next and Back enter the step; the act unselects what was selected', () => {
  const { steps, lesson, log, at } = setUp();
  at({ step: ACT - 1 });
  steps.go(1);
  assert.deepEqual(log, [...ENTERED, 'unselect']);
  steps.go(-1);
  assert.equal(lesson.progress.value.step, ACT - 1);
});

test('Next says what it waits for, and skips what is left to watch', async () => {
  const { steps, log, at } = setUp();
  at({ step: ACT });
  steps.go(1);
  assert.deepEqual(log, ['panel', 'say First crash a.']);
  at({ step: SEE, acted: 1, placed: 'none' });
  log.length = 0;
  steps.go(1);
  await settle();
  assert.deepEqual(log, ['panel', 'say Wait: the run continues.', 'play {"speed":1000,"until":36000000000}']);
});

test('a lesson that is left can be resumed while its run shows nothing of the future', () => {
  const { steps, lesson, log, at, show } = setUp();
  at({ step: BET, acted: 1 }, { run: 8, live: { t: 20e9, n: 0 } });
  assert.equal(steps.leave(true), true);
  assert.deepEqual(log, [
    'ended',
    'run',
    'say You left the lesson. The run stays, and the page Lessons goes on with the lesson.',
  ]);
  assert.equal(steps.leave(true), false);
  assert.equal(steps.canResume(), true);
  for (const change of [{ live: { t: 34e9, n: 0 } }, { run: 12 }, { branch: 1 }, { scenario: 'crash' }]) {
    show(change);
    assert.equal(steps.canResume(), false, JSON.stringify(change));
    steps.resume();
    assert.equal(lesson.on.value, null);
    show({ live: { t: 20e9, n: 0 }, run: 8, branch: 0, scenario: aLeaderDies.run.scenario });
  }
  log.length = 0;
  steps.resume();
  assert.equal(lesson.on.value, aLeaderDies);
  assert.equal(lesson.progress.value.step, BET);
  assert.deepEqual(log, ['started', ...ENTERED]);
});

test('a lesson that is left as its act was shown can be resumed: the act is a nanosecond after the curtain', () => {
  const { steps, at, show } = setUp();
  at({ step: BET, acted: 1 }, { run: 8, live: { t: 20e9 + 1, n: 0 } });
  steps.leave(false);
  assert.equal(steps.canResume(), true);
  show({ live: { t: 20e9 + 2, n: 0 } });
  assert.equal(steps.canResume(), false);
});

test('once the outcome was seen, the lesson can be resumed from any run of its scenario', () => {
  const { steps, at } = setUp();
  at({ step: SEE, acted: 1, placed: 'none', seen: true }, { run: 30, branch: 2 });
  steps.leave(false);
  assert.equal(steps.canResume(), true);
});

test('a lesson begins at any step: its run has the act, and is shown as far as the step before', async () => {
  const { steps, lesson, log, view } = setUp();
  await steps.begin(aLeaderDies, { step: SEE });
  assert.deepEqual(lesson.runs, [7, 8]);
  assert.equal(lesson.progress.value.placed, 'none');
  assert.ok(view.value.live.t >= aLeaderDies.run.actAt);
  assert.ok(!log.includes('explain'), 'the outcome is still to be seen');
  const after = setUp();
  await after.steps.begin(aLeaderDies, { step: SEE + 1 });
  assert.ok(after.log.includes('explain'));
});

test('a step that visits another run shows it, and the step after it has the own run again', async () => {
  const { steps, lesson, view, guard } = setUp();
  const visiting = { ...aLeaderDies.steps[SEE], kind: 'look', visits: { scenario: 'elsewhere', at: 240e9 } };
  const steps3 = aLeaderDies.steps.slice(0, SEE + 1);
  const last = aLeaderDies.steps[aLeaderDies.steps.length - 1];
  const visitor = /** @type {any} */ ({ ...aLeaderDies, steps: [...steps3, visiting, last] });
  await steps.begin(visitor, { step: SEE + 1 });
  await settle();
  assert.equal(view.value.scenario, 'elsewhere');
  guard.watch(view.value);
  assert.equal(lesson.on.value, visitor, 'it is not over');
  steps.ports.open = async () => {
    view.value = { ...view.value, scenario: aLeaderDies.run.scenario, run: 7 };
    return true;
  };
  steps.go(1);
  await settle();
  assert.deepEqual([view.value.scenario, lesson.visiting], [aLeaderDies.run.scenario, '']);
});

test('a lesson with fewer steps begins after the last step of a longer one: no step is ever missing', () => {
  const { lesson } = setUp();
  const [longer, shorter] = [...LESSONS]
    .sort((a, b) => b.steps.length - a.steps.length)
    .filter((_, i, all) => i === 0 || i === all.length - 1);
  assert.ok(longer.steps.length > shorter.steps.length);
  lesson.start(longer, progressAt(longer, { step: longer.steps.length - 1 }));
  /** @type {string[]} */
  const seen = [];
  effect(() => {
    const on = lesson.on.value;
    if (on) seen.push(`${on.name} ${stepOf(on, lesson.progress.value).name}`);
  });
  lesson.start(shorter);
  assert.deepEqual(seen, [`${longer.name} ${longer.steps.at(-1)?.name}`, `${shorter.name} ${shorter.steps[0].name}`]);
});
