import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each, settle } from '#dom';
import { Cancelled, Reading } from './reading.js';

Object.assign(globalThis, { __EVIDENCE__: 'evidence.js', document: { baseURI: 'https://example.org/lab/' } });
const assets = /** @type {any} */ ({ exec: 'exec.js', tools: { wasm: 'tools.wasm', module: {} } });

/** A reading with scripted workers. */
function begun() {
  /** @type {any[]} */
  const workers = [];
  const makeWorker = (/** @type {string} */ url) => {
    const worker = /** @type {any} */ ({
      url,
      sent: [],
      ended: false,
      postMessage: (/** @type {any} */ message) => worker.sent.push(message),
      terminate: () => {
        worker.ended = true;
      },
      says: (/** @type {any} */ data) => worker.onmessage({ data }),
    });
    workers.push(worker);
    return worker;
  };
  return { workers, reading: new Reading(assets, { makeWorker, fetchScenarios: async () => [{}] }) };
}
const files = [{ name: 'a.log', file: new Blob(['x']) }];

test('files are read by a worker of their own, and asked about', async () => {
  const { workers, reading } = begun();
  /** @type {number[][]} */
  const progress = [];
  const answer = reading.read(files, { year: 2026 }, (...at) => progress.push(at));
  const [worker] = workers;
  assert.equal(worker.url, 'evidence.js');
  assert.equal(worker.sent[0].wasm, 'https://example.org/lab/tools.wasm');
  worker.says({ type: 'ready' });
  assert.deepEqual(worker.sent[1], { type: 'read', files, params: { year: 2026 } });
  worker.says({ type: 'read', bytes: 1, of: 2 });
  worker.says({ type: 'found', found: { text: 'x' }, notes: ['n'] });
  assert.deepEqual((await answer).notes, ['n']);
  assert.deepEqual(progress, [[1, 2]]);

  const chart = reading.ask('evidenceChart', { lease: 'a/b', from: 0, to: 0, steps: 1 });
  const { request } = worker.sent[2];
  worker.says({ type: 'reply', reply: { id: request.id, ok: true, result: { rows: [] } } });
  assert.deepEqual(await chart, { rows: [] });
  const refused = reading.lines(files[0], `${files[0].name}/a.log`, 3);
  assert.equal(worker.sent[3].member, `${files[0].name}/a.log`);
  worker.says({ type: 'reply', reply: { id: worker.sent[3].id, ok: false, error: { message: 'No.' } } });
  await assert.rejects(refused, /No\./);
});

test('the worker learns of the museum once, before it makes a run', async () => {
  const { workers, reading } = begun();
  reading.read(files, { year: 2026 }, () => {});
  const [worker] = workers;
  const ops = () => worker.sent.flatMap((/** @type {any} */ one) => one.request?.op ?? []);
  const answerLast = () =>
    worker.says({ type: 'reply', reply: { id: worker.sent.at(-1).request.id, ok: true, result: {} } });
  for (const expected of [
    ['hello', 'evidenceAgain'],
    ['hello', 'evidenceAgain', 'evidenceAgain'],
  ]) {
    const made = reading.scenarioOf('a/b');
    for (let n = 0; n < 4 && ops().length < expected.length; n++) {
      await settle();
      if (ops().at(-1) === 'hello') answerLast();
    }
    await settle();
    assert.deepEqual(ops(), expected);
    answerLast();
    await made;
  }
});

test('reading others, and cancelling, ends the worker and what it was asked', async () => {
  const { workers, reading } = begun();
  const first = assert.rejects(
    reading.read(files, { year: 2026 }, () => {}),
    Cancelled,
  );
  const second = assert.rejects(
    reading.read(files, { year: 2026 }, () => {}),
    Cancelled,
  );
  const asked = assert.rejects(reading.ask('evidenceReport'), Cancelled);
  reading.cancel();
  await Promise.all([first, second, asked]);
  assert.deepEqual(each(workers, 'ended'), [true, true]);
  await assert.rejects(reading.ask('evidenceReport'), /has closed these files/);
});

test('a worker that fails says why', async () => {
  const { workers, reading } = begun();
  const answer = reading.read(files, { year: 2026 }, () => {});
  workers[0].says({ type: 'failed', message: 'out of memory' });
  await assert.rejects(answer, /out of memory/);
});
