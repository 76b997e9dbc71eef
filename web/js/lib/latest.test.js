import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures, Latest } from './latest.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a failure is told, the caller gets null, and the next question is asked', async () => {
  /** @type {unknown[]} */
  const told = [];
  failures.tell = (error, expected) => told.push([error instanceof Error && error.message, expected]);
  /** @type {unknown[]} */
  const answers = [];
  const ask = async (/** @type {string} */ what) => {
    if (what === 'bad') throw new TypeError('x is undefined');
    return what;
  };
  const latest = new Latest(ask, (answer) => answers.push(answer));
  latest.want('1', 'bad');
  await settle();
  latest.want('2', 'good');
  await settle();
  assert.deepEqual(answers, [null, 'good']);
  assert.deepEqual(told, [['x is undefined', false]]);
  const lenient = new Latest(ask, () => {}, 0, { refusals: true });
  lenient.want('1', 'bad');
  await settle();
  assert.deepEqual(told[1], ['x is undefined', true]);
});

test('the failure of a question that is not asked any more is nobody’s', async () => {
  /** @type {unknown[]} */
  const told = [];
  failures.tell = (error) => told.push(error);
  const latest = new Latest(
    async () => Promise.reject(new Error('late')),
    () => told.push('an answer'),
  );
  latest.want('1', 0);
  latest.reset();
  await settle();
  assert.deepEqual(told, []);
});

test('a failure is not told while a newer question waits: it was about a run that is gone', async () => {
  /** @type {unknown[]} */
  const told = [];
  failures.tell = (error) => told.push(error);
  const latest = new Latest(
    async (/** @type {number} */ version) => (version > 11 ? Promise.reject(new Error('no version 15')) : version),
    (answer) => told.push(answer),
  );
  latest.want('old run', 15);
  latest.want('new run', 11);
  await settle();
  assert.deepEqual(told, [null, 11]);
});

test('a bug in what is done with an answer is told, and does not stop the questions', async () => {
  /** @type {unknown[]} */
  const told = [];
  failures.tell = (error) => told.push(error);
  let asked = 0;
  const latest = new Latest(
    async () => ++asked,
    () => {
      throw new TypeError('no such element');
    },
  );
  latest.want('1', 0);
  await settle();
  latest.want('2', 0);
  await settle();
  assert.equal(asked, 2);
  assert.equal(told.length, 2);
});

test('of many questions the newest is asked, one at a time', async () => {
  /** @type {any[]} */
  const asked = [];
  /** @type {any[]} */
  const told = [];
  const latest = new Latest(
    async (params) => {
      asked.push(params);
      await new Promise((resolve) => setImmediate(resolve));
      return params;
    },
    (answer) => told.push(answer),
  );
  for (let i = 0; i < 5; i++) latest.want(String(i), i);
  latest.want('4', 4);
  while (latest.busy) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(asked, [0, 4]);
  assert.deepEqual(told, [0, 4]);
});
