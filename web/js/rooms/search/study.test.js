import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../lib/engineerror.js';
import { paceText } from './form.js';
import { Stopped } from './pool.js';
import { Study } from './study.js';

/** @import { Report } from '../../protocol.js' */

const form = {
  says: 'It hunts.',
  start: 'Hunt',
  fields: [
    { name: 'runs', label: 'Runs', help: '', value: '100' },
    { name: 'seed', label: 'Seed', help: '', value: '1' },
  ],
};
/** @param {number} done */
const report = (done) =>
  /** @type {Report} */ ({
    done,
    of: 3,
    unit: 'runs',
    progress: '',
    title: '',
    tone: '',
    sentences: [],
    items: [],
    command: '',
  });
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A pool with one separate worker, whose third slice is the last. */
function makePool() {
  const told = {
    asked: /** @type {any[]} */ ([]),
    freed: 0,
    holds: false,
    refusal: /** @type {Error | undefined} */ (undefined),
  };
  /** @type {(() => void)[]} */
  const waiting = [];
  let done = 0;
  const worker = {
    ask: async (/** @type {string} */ _op, /** @type {any} */ params) => {
      told.asked.push(params);
      if (told.holds) await /** @type {Promise<void>} */ (new Promise((resolve) => waiting.push(resolve)));
      if (told.refusal) throw told.refusal;
      done++;
      return { over: done === 3, report: report(done), parts: [] };
    },
    free: () => {
      told.freed++;
    },
  };
  const pool = /** @type {any} */ ({ size: 1, ask: async () => form, reserve: async () => worker });
  let ms = 0;
  const study = new Study(pool, 'hunt', () => {
    ms += 500;
    return ms;
  });
  return { study, told, waiting };
}

test('a study goes on slice by slice, with what was filled in, and gives its worker back', async () => {
  const { study, told } = makePool();
  study.fill('seed', '7');
  await study.ask({ name: 'crash' });
  assert.deepEqual(study.values.value, { runs: '100', seed: '7' }, 'a field that was filled in stays');
  await study.start({ name: 'crash' });
  assert.equal(study.status.value, 'done');
  assert.equal(told.asked.length, 3);
  assert.deepEqual(told.asked[0].study, {
    kind: 'hunt',
    scenario: { name: 'crash' },
    values: [
      { name: 'runs', value: '100' },
      { name: 'seed', value: '7' },
    ],
  });
  assert.equal(told.freed, 1);
  assert.deepEqual([study.progress.done, study.progress.rate], [3, 2]);
});

test('pause keeps the worker, resume goes on with the same study', async () => {
  const { study, told, waiting } = makePool();
  await study.ask({});
  told.holds = true;
  const started = study.start({});
  await settle();
  study.pause();
  waiting.shift()?.();
  await started;
  assert.deepEqual([study.status.value, told.freed, study.report.value?.done], ['paused', 0, 1]);
  told.holds = false;
  await study.resume();
  assert.deepEqual([study.status.value, told.freed, study.report.value?.done], ['done', 1, 3]);
});

test('resumed before the slice under way has answered: no second slice is asked beside it', async () => {
  const { study, told, waiting } = makePool();
  await study.ask({});
  told.holds = true;
  study.start({});
  await settle();
  study.pause();
  study.resume();
  study.pause();
  study.resume();
  await settle();
  assert.equal(told.asked.length, 1);
  for (let slice = 1; slice <= 3; slice++) {
    assert.equal(waiting.length, 1);
    waiting.shift()?.();
    await settle();
  }
  assert.deepEqual([study.status.value, told.asked.length, study.report.value?.done], ['done', 3, 3]);
});

test('a worker that cannot be had is an error, and the study can be started again', async () => {
  const { study } = makePool();
  await study.ask({});
  const { reserve } = study.pool;
  study.pool.reserve = async () => {
    throw new Error('The simulator could not be loaded.');
  };
  await study.start({});
  assert.deepEqual([study.status.value, study.error.value?.message], ['', 'The simulator could not be loaded.']);
  study.pool.reserve = reserve;
  await study.start({});
  assert.deepEqual([study.status.value, study.error.value], ['done', null]);
});

test('what nobody has changed follows the scenario, what was filled in stays', async () => {
  const { study } = makePool();
  const pool = /** @type {any} */ (study.pool);
  await study.ask({});
  study.fill('seed', '7');
  pool.ask = async () => ({ ...form, fields: [{ ...form.fields[0], value: '300' }, form.fields[1]] });
  await study.ask({ name: 'another' });
  assert.deepEqual(study.values.value, { runs: '300', seed: '7' });
});

test('stop keeps what was found, and drops the slice under way', async () => {
  const { study, told, waiting } = makePool();
  await study.ask({});
  told.holds = true;
  study.start({});
  await settle();
  waiting.shift()?.();
  await settle();
  study.stop();
  waiting.shift()?.();
  await settle();
  assert.deepEqual([study.status.value, told.freed, study.report.value?.done], ['stopped', 1, 1]);
});

test('several workers make the parts of a study beside each other, and the results go back once', async () => {
  const asked = /** @type {any[]} */ ([]);
  const made = /** @type {number[]} */ ([]);
  let most = 0;
  let under = 0;
  const worker = {
    ask: async (/** @type {string} */ _op, /** @type {any} */ params) => {
      asked.push(params);
      const back = asked.flatMap(({ results }) => results).length;
      const next = asked.slice(0, -1).reduce((sum, { handed }) => sum + handed, 0);
      const parts = Array.from({ length: Math.min(params.parts, 7 - next) }, (_, i) => ({ part: next + i, work: {} }));
      params.handed = parts.length;
      return { over: back === 7, report: params.quiet && back < 7 ? undefined : report(back), parts };
    },
    free: () => {},
  };
  const pool = {
    size: 2,
    reserve: async () => worker,
    ask: async (/** @type {string} */ op, /** @type {any} */ { part }) => {
      if (op === 'studyForm') return form;
      most = Math.max(most, ++under);
      await settle();
      under--;
      made.push(part.part);
      return { part: part.part, result: {} };
    },
  };
  let ms = 0;
  const study = new Study(/** @type {any} */ (pool), 'hunt', () => {
    ms += 40;
    return ms;
  });
  await study.ask({});
  await study.start({});
  assert.deepEqual([study.status.value, study.error.value], ['done', null]);
  assert.deepEqual(made.sort(), [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(most, 4, 'two at work, and two that wait');
  assert.equal(study.report.value?.done, 7);
  const quietly = asked.some(({ quiet }) => quiet);
  assert.equal(quietly, true, 'not every slice is drawn');
});

test('a refusal names its field; a stopped worker says nothing', async () => {
  const { study, told } = makePool();
  await study.ask({});
  told.refusal = new EngineError({ code: 'input', message: 'runs must be 1 to 10,000,000', path: 'runs' });
  await study.start({});
  assert.deepEqual(
    [study.error.value, study.status.value],
    [{ message: 'runs must be 1 to 10,000,000', path: 'runs' }, ''],
  );
  told.refusal = new Stopped('Stopped.');
  await study.start({});
  assert.equal(study.error.value, null);
});

test('what a refused start or an early stop would have replaced stays', async () => {
  const { study, told, waiting } = makePool();
  await study.ask({});
  await study.start({ name: 'crash' });
  const found = study.report.value;
  told.refusal = new EngineError({ code: 'input', message: 'runs must be 1 to 10,000,000', path: 'runs' });
  await study.start({ name: 'another' });
  assert.deepEqual(
    [study.error.value?.path, study.report.value, study.spec?.scenario],
    ['runs', found, { name: 'crash' }],
  );
  told.refusal = undefined;
  told.holds = true;
  study.start({ name: 'another' });
  await settle();
  assert.equal(study.report.value, null);
  study.stop();
  waiting.shift()?.();
  await settle();
  assert.deepEqual([study.report.value, study.spec?.scenario], [found, { name: 'crash' }]);
});

test('the pace is that of the last seconds, and there is none until it can be told', async () => {
  const { study, told, waiting } = makePool();
  let ms = 0;
  study.now = () => ms;
  await study.ask({});
  told.holds = true;
  study.start({});
  await settle();
  ms = 2400; // planning
  waiting.shift()?.();
  await settle();
  assert.deepEqual([study.progress.done, study.progress.rate], [1, 0]);
  ms = 4400;
  waiting.shift()?.();
  await settle();
  assert.deepEqual([study.progress.done, study.progress.rate, study.progress.left], [2, 0.5, 2]);
  study.stop();
});

test('progress says how much is done, the pace and what was found', () => {
  const progress = { done: 1200, of: 20_000, unit: 'runs', more: '2 failures', rate: 830, left: 22.6 };
  assert.equal(paceText(progress, true), '1,200 of 20,000 runs, 830 a second, 23 s left; 2 failures');
  assert.equal(paceText({ ...progress, done: 1, of: 0, unit: 'states', more: '' }, false), '1 state, 830 a second');
  assert.equal(paceText({ ...progress, of: 0, left: Number.NaN, more: '' }, true), '1,200 runs, 830 a second');
});
