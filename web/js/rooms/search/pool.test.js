import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each } from '../../lib/testsupport/calls.js';
import { Pool, poolSize, Stopped } from './pool.js';

/** @typedef {{type: string, compiled?: object, request?: {op: string, params: any}}} Told */

const assets = /** @type {any} */ ({
  worker: 'worker.js',
  exec: 'exec.js',
  tools: { wasm: 'tools.wasm', module: {} },
});
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A worker that answers hello, and keeps other requests until `answer`. */
class FakeWorker {
  /** @type {Told[]} */
  told = [];
  ended = false;
  /** @type {((event: any) => void)} */
  onmessage = () => {};
  /** @type {((event: any) => void)} */
  onerror = () => {};

  /** @param {Told} message */
  postMessage(message) {
    this.told.push(message);
    if (message.type === 'start')
      setImmediate(() => this.onmessage({ data: { type: 'ready', compiled: { module: 1 } } }));
    else if (message.request?.op === 'hello') setImmediate(() => this.answer({ hello: {} }));
  }

  terminate() {
    this.ended = true;
  }

  /** @param {object} result */
  answer(result) {
    this.onmessage({ data: { type: 'reply', reply: { id: 1, ok: true, result } } });
  }

  /** @param {object} error */
  refuse(error) {
    this.onmessage({ data: { type: 'reply', reply: { id: 1, ok: false, error } } });
  }

  get asked() {
    return this.told.filter(({ request }) => request && request.op !== 'hello').map(({ request }) => request?.params);
  }
}

/** @param {number} size @param {() => Promise<any[]>} [fetchScenarios] */
function makePool(size, fetchScenarios = async () => []) {
  /** @type {FakeWorker[]} */
  const workers = [];
  const makeWorker = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return /** @type {any} */ (worker);
  };
  const pool = new Pool(assets, { size, makeWorker, fetchScenarios });
  return { pool, workers };
}
globalThis.document ??= /** @type {any} */ ({ baseURI: 'http://localhost/' });

/** Starts this many workers. */
async function startWorkers() {
  for (let i = 0; i < 8; i++) await settle();
}

/** A pool with one reserved worker. @param {number} size */
async function poolWithOwner(size) {
  const { pool, workers } = makePool(size);
  const own = pool.reserve();
  await startWorkers();
  return { pool, workers, owned: await own };
}

test('the page keeps a core, and there is always a worker', () => {
  assert.deepEqual([poolSize(1), poolSize(2), poolSize(8), poolSize(0)], [1, 2, 8, 2]);
});

test('the first worker loads the module, the others get it compiled; each makes one request at a time', async () => {
  const { pool, workers } = makePool(2);
  const answers = [1, 2, 3].map((cell) => pool.ask('heatCells', /** @type {any} */ ({ cell })));
  await startWorkers();
  assert.equal(workers.length, 2, 'no more than there are cores for');
  assert.equal(workers[0].told[0].compiled, undefined);
  assert.deepEqual(workers[1].told[0].compiled, { module: 1 });
  assert.deepEqual([...workers[0].asked, ...workers[1].asked], [{ cell: 1 }, { cell: 2 }]);
  workers[1].answer({ cells: 'two' });
  assert.deepEqual(workers[1].asked.at(-1), { cell: 3 });
  workers[0].answer({ cells: 'one' });
  workers[1].answer({ cells: 'three' });
  assert.deepEqual(each(await Promise.all(answers), 'cells'), ['one', 'two', 'three']);
});

test('a refusal has the field that it is about', async () => {
  const { pool, workers } = makePool(1);
  const asked = pool.ask('heatPlan', /** @type {any} */ ({}));
  await startWorkers();
  const reply = { code: 'input', message: 'must be 1 or more', path: 'seeds' };
  workers[0].refuse(reply);
  // With the reply, the page does not report a bug.
  await assert.rejects(asked, { message: 'must be 1 or more', reply });
});

test('stop ends busy workers and what waits; the next request gets a new worker with the compiled module', async () => {
  const { pool, workers } = makePool(1);
  const study = {};
  const asked = [1, 2].map(() => pool.ask('heatCells', /** @type {any} */ ({}), study));
  const failures = asked.map((one) => one.catch((/** @type {Error} */ error) => error));
  await startWorkers();
  pool.stop(study);
  for (const one of failures) assert.ok((await one) instanceof Stopped);
  assert.equal(workers[0].ended, true);
  const again = pool.ask('heatCells', /** @type {any} */ ({ again: 1 }));
  await startWorkers();
  assert.deepEqual(workers[1].told[0].compiled, { module: 1 });
  workers[1].answer({ cells: [] });
  assert.deepEqual(await again, { cells: [] });
});

test('stop leaves the requests of other studies alone: those under way, and those that wait', async () => {
  const { pool, workers } = makePool(1);
  const map = {};
  const hunted = [1, 2].map(() => pool.ask('studyMake', /** @type {any} */ ({})));
  const stopped = pool.ask('heatCells', /** @type {any} */ ({}), map).catch((/** @type {Error} */ error) => error);
  await startWorkers();
  pool.stop(map);
  assert.ok((await stopped) instanceof Stopped);
  assert.equal(workers[0].ended, false);
  workers[0].answer({ part: 1 });
  await startWorkers();
  workers[0].answer({ part: 2 });
  assert.deepEqual(await Promise.all(hunted), [{ part: 1 }, { part: 2 }]);
});

test('a worker that fails or panics is replaced, and its request fails with a sentence', async () => {
  const { pool, workers } = makePool(1);
  const first = pool.ask('heatCells', /** @type {any} */ ({})).catch((/** @type {Error} */ error) => error.message);
  await startWorkers();
  workers[0].onmessage({ data: { type: 'failed', message: 'the engine stopped' } });
  assert.equal(await first, 'The simulator stopped: the engine stopped. Start the study again.');
  const second = pool.ask('heatCells', /** @type {any} */ ({})).catch((/** @type {Error} */ error) => error.message);
  await startWorkers();
  workers[1].refuse({ code: 'panic', message: 'This is a bug in leaselab.' });
  assert.equal(await second, 'This is a bug in leaselab.');
  assert.equal(workers[1].ended, true);
});

test('a worker of its own takes no other request until it is given back', async () => {
  const { pool, workers, owned } = await poolWithOwner(2);
  const mine = owned.ask('heatRuns', /** @type {any} */ ({ mine: 1 }));
  workers[0].answer({ runs: 'mine' });
  assert.deepEqual(await mine, { runs: 'mine' });
  const other = pool.ask('heatRuns', /** @type {any} */ ({ other: 1 }));
  await startWorkers();
  assert.deepEqual(workers[0].asked, [{ mine: 1 }]);
  workers[1].answer({ runs: 'other' });
  await other;
  const left = owned.ask('heatRuns', /** @type {any} */ ({})).catch((/** @type {Error} */ error) => error);
  owned.free();
  assert.ok((await left) instanceof Stopped, 'giving it back ends what is under way');
  assert.equal(workers[0].ended, true);
});

test('requests to a worker of its own wait for each other, and giving it back ends all of them', async () => {
  const { workers, owned } = await poolWithOwner(1);
  const go = owned.ask('heatRuns', /** @type {any} */ ({ go: 1 }));
  const keep = owned.ask('heatRuns', /** @type {any} */ ({ keep: 1 }));
  const last = owned.ask('heatRuns', /** @type {any} */ ({ last: 1 })).catch((/** @type {Error} */ error) => error);
  await startWorkers();
  assert.deepEqual(workers[0].asked, [{ go: 1 }]);
  workers[0].answer({ runs: 'go' });
  assert.deepEqual(await go, { runs: 'go' });
  await startWorkers();
  assert.deepEqual(workers[0].asked.at(-1), { keep: 1 });
  const kept = keep.catch((/** @type {Error} */ error) => error);
  owned.free();
  assert.ok((await kept) instanceof Stopped);
  assert.ok((await last) instanceof Stopped);
});

test('a worker of its own that fails between two requests says so when it is asked again', async () => {
  const { workers, owned } = await poolWithOwner(1);
  workers[0].onmessage({ data: { type: 'failed', message: 'out of memory' } });
  await assert.rejects(owned.ask('studyGo', /** @type {any} */ ({})), (error) => {
    assert.ok(!(error instanceof Stopped), 'nobody has stopped it');
    return /has ended. Start it again/.test(/** @type {Error} */ (error).message);
  });
});

test('scenarios that could not be fetched are fetched again for the next request', async () => {
  let fetches = 0;
  const { pool, workers } = makePool(1, async () => {
    if (fetches++ === 0) throw new Error('offline');
    return [];
  });
  await assert.rejects(pool.ask('heatPlan', /** @type {any} */ ({})), /offline/);
  const asked = pool.ask('heatPlan', /** @type {any} */ ({}));
  await startWorkers();
  workers.at(-1)?.answer({ x: [] });
  assert.deepEqual(await Promise.race([asked, startWorkers()]), { x: [] });
});
