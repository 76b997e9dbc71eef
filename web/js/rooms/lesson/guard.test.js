import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACT, aLeaderDies, BET, SEE, settle, setUp } from './lesson.testsupport.js';

const LIVE = { t: 20e9, n: -1 };
const BETTING = { step: BET, acted: 1 };
const HIDDEN = "The future stays hidden until you predict. Lock your prediction in, or choose “I don't know, show me”.";

test('before the bet nothing shows the future', async () => {
  const { guard, at, events } = setUp();
  at(BETTING, { run: 8, cursor: LIVE, live: LIVE });
  assert.deepEqual(await guard.judge('runTo', { what: 'end' }), { refusal: HIDDEN });
  assert.deepEqual(await guard.judge('play', { speed: 1 }), { refusal: HIDDEN });
  assert.deepEqual(await guard.judge('step', { direction: 1, unit: 'event' }), { refusal: HIDDEN });
  assert.deepEqual(await guard.judge('step', { direction: 1, unit: 'landmark' }), { refusal: HIDDEN });
  assert.deepEqual(await guard.judge('step', { direction: -1, unit: 'event' }), {});
  events.at = 2;
  assert.deepEqual(await guard.judge('step', { direction: 1, unit: 'event' }), {});
  assert.deepEqual(await guard.judge('seek', { cursor: LIVE }), {});
});

test('play goes as far as the lesson allows, and the request itself stays as it was', async () => {
  const { guard, at } = setUp();
  at(BETTING, { run: 8, cursor: { t: 15e9, n: -1 }, live: LIVE });
  const params = { speed: 2 };
  assert.deepEqual(await guard.judge('play', params), { params: { speed: 2, until: 20e9 } });
  assert.deepEqual(params, { speed: 2 });
  // The page has shown more of the run than this step asks for, because the visitor went back.
  at({ step: 0 }, { run: 7, cursor: { t: 12e9, n: -1 }, live: LIVE });
  assert.deepEqual(await guard.judge('play', params), { params: { speed: 2, until: 20e9 } });
});

test('at any other step the way on is Next', async () => {
  const { guard, at } = setUp();
  at({});
  assert.deepEqual(await guard.judge('runTo', { what: 'end' }), { refusal: 'Time stops here. Choose Next to go on.' });
});

test('another scenario, the end of the lesson and the lesson itself are not held back', async () => {
  const { guard, at, run, show } = setUp();
  assert.deepEqual(await guard.judge('runTo', { what: 'end' }), {});
  at(BETTING, { run: 8, cursor: LIVE, live: LIVE });
  run.isDriving = true;
  assert.deepEqual(await guard.judge('runTo', { what: 'end' }), {});
  run.isDriving = false;
  show({ scenario: 'crash' });
  assert.deepEqual(await guard.judge('runTo', { what: 'end' }), {});
  at({ step: SEE, acted: 1, placed: 'none', seen: true }, { scenario: aLeaderDies.run.scenario });
  assert.deepEqual(await guard.judge('runTo', { what: 'end' }), {});
});

test('opening another run ends the lesson for good', async () => {
  const { guard, at, lesson, log } = setUp();
  at({});
  await guard.judge('open', { scenario: 'other' });
  assert.equal(lesson.on.value, null);
  assert.equal(lesson.left.value, null);
  assert.deepEqual(log, ['ended']);
});

test('the act that the lesson asked for happens at its instant, and becomes the second run', async () => {
  const { guard, at, lesson, log, show, view } = setUp();
  at({ step: ACT }, { cursor: { t: 19e9, n: 3 }, live: { t: 19e9, n: 3 } });
  await guard.judge('act', { act: 'crash', node: 'a' });
  assert.deepEqual(log, ['play {"speed":1000,"until":20000000000}']);
  show({ run: 9 });
  assert.equal(guard.watch(view.value), false);
  assert.deepEqual(lesson.runs, [7, 9]);
  assert.equal(lesson.progress.value.acted, 1);
  await settle();
  assert.equal(log.at(-1), 'say a is gone. It had no time to say so: the note still names it.');
});

test('any other act makes a branch, and the lesson says what to do', async () => {
  const { guard, at, lesson, log, show, view } = setUp();
  at({ step: ACT }, { cursor: LIVE, live: LIVE });
  await guard.judge('act', { act: 'cut', node: 'b' });
  assert.deepEqual(log, ['seek {"cursor":{"t":20000000000,"n":0}}']);
  show({ run: 9, branch: 1 });
  guard.watch(view.value);
  assert.equal(lesson.progress.value.strayed, 'cut b');
  await settle();
  assert.match(log.at(-1) ?? '', /^say That was cut b\. .* Undo, then crash a\.$/);
  show({ run: 7, branch: 0 });
  guard.watch(view.value);
  assert.equal(lesson.progress.value.strayed, '');
});

test('a request and an edit are named as what they are', async () => {
  const { guard, at, lesson, show, view } = setUp();
  for (const [op, params, verb] of /** @type {any[]} */ ([
    ['rest', { method: 'DELETE' }, 'a DELETE request'],
    ['edit', { path: 'seed', value: '2' }, 'seed 2'],
    ['edit', { path: '', value: '', changes: [{ path: 'elector.retryPeriod', value: '1s' }] }, 'retryPeriod 1s'],
  ])) {
    at({ step: ACT }, { cursor: LIVE, live: LIVE, branch: 0, run: 7 });
    await guard.judge(op, params);
    show({ branch: 1 });
    guard.watch(view.value);
    assert.equal(lesson.progress.value.strayed, verb);
  }
});

test('the act undone: back to the act, with the heading in focus', () => {
  const { guard, at, lesson, log, view } = setUp();
  at(BETTING, { run: 7, cursor: LIVE, live: LIVE });
  guard.watch(view.value);
  assert.equal(lesson.progress.value.step, ACT);
  assert.deepEqual(log, ['heading']);
});

test('the outcome is told once the run has been shown to it', () => {
  const { guard, at, show, view } = setUp();
  at({ step: SEE, acted: 1, placed: 'none' }, { run: 8, live: { t: 35e9, n: 0 } });
  assert.equal(guard.watch(view.value), false);
  show({ live: { t: 36e9, n: 0 } });
  assert.equal(guard.watch(view.value), true);
});

test('another scenario ends the lesson without a word', () => {
  const { guard, at, lesson, log, show, view } = setUp();
  at({});
  show({ scenario: 'crash' });
  assert.equal(guard.watch(view.value), false);
  assert.equal(lesson.on.value, null);
  assert.deepEqual(log, ['ended']);
});
