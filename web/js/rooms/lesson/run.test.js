import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle, setUp } from './lesson.testsupport.js';

test('what was shown before is sought, what was not is played', async () => {
  const { run, log } = setUp();
  await run.reach(10e9, 2);
  await run.reach(18e9, 2);
  assert.deepEqual(log, [
    'seek {"cursor":{"t":10000000000,"n":-1}}',
    'seek {"cursor":{"t":12000000000,"n":-1}}',
    'play {"speed":2,"until":18000000000}',
  ]);
});

test('nothing is asked for where the run already stands', async () => {
  const { run, log } = setUp();
  await run.reach(12e9, 2);
  assert.deepEqual(log, []);
});

test('a run that plays is paused first, and two ways never cross', async () => {
  const { run, log, show } = setUp();
  show({ playing: true });
  await Promise.all([run.reach(14e9, 1), run.reach(16e9, 3)]);
  assert.deepEqual(log, ['pause', 'play {"speed":1,"until":14000000000}', 'play {"speed":3,"until":16000000000}']);
});

test('a visitor who wants no motion gets none', async () => {
  const { run, log } = setUp();
  run.reducedMotion = () => true;
  await run.reach(14e9, 1);
  assert.deepEqual(log, ['play {"speed":1000,"until":14000000000}']);
});

test('a jump resolves when the run is there', async () => {
  const { run, show, view } = setUp();
  run.change = async () => show({ playing: true });
  let there = false;
  const jump = run.jump(20e9).then(() => {
    there = true;
  });
  await settle();
  assert.equal(there, false);
  show({ cursor: { t: 20e9, n: -1 }, playing: view.value.playing });
  await jump;
});

test('the lesson passes its own guard, also after an error', async () => {
  const { run } = setUp();
  run.change = () => {
    throw new Error('no engine');
  };
  assert.throws(() => run.drive('pause'));
  assert.equal(run.isDriving, false);
});
