import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal, Stopped } from './pool.js';
import { Study } from './study.js';
import { paceText } from './studypanel.js';

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

/** A pool with one worker of its own, whose third slice is the last. */
function pooled() {
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
      return { over: done === 3, report: report(done) };
    },
    free: () => {
      told.freed++;
    },
  };
  const pool = /** @type {any} */ ({ ask: async () => form, own: async () => worker });
  let ms = 0;
  const study = new Study(pool, 'hunt', () => {
    ms += 500;
    return ms;
  });
  return { study, told, waiting };
}

test('a study goes on slice by slice, with what was filled in, and gives its worker back', async () => {
  const { study, told } = pooled();
  study.values.value = { seed: '7' };
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
  const { study, told, waiting } = pooled();
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

test('stop keeps what was found, and drops the slice under way', async () => {
  const { study, told, waiting } = pooled();
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

test('a refusal names its field; a stopped worker says nothing', async () => {
  const { study, told } = pooled();
  await study.ask({});
  told.refusal = new Refusal({ code: 'input', message: 'runs must be 1 to 10,000,000', path: 'runs' });
  await study.start({});
  assert.deepEqual(
    [study.error.value, study.status.value],
    [{ message: 'runs must be 1 to 10,000,000', path: 'runs' }, ''],
  );
  told.refusal = new Stopped('Stopped.');
  await study.start({});
  assert.equal(study.error.value, null);
});

test('progress says how much is done, the pace and what was found', () => {
  const progress = { done: 1200, of: 20_000, unit: 'runs', more: '2 failures', rate: 830, left: 22.6 };
  assert.equal(paceText(progress, true), '1,200 of 20,000 runs, 830 a second, 23 s left; 2 failures');
  assert.equal(paceText({ ...progress, of: 0, left: Number.NaN, more: '' }, true), '1,200 runs, 830 a second');
});
