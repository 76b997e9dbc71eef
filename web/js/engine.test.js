import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engine } from './engine.js';

const share = {
  scenario: 'x',
  patch: [],
  actions: [],
  seed: 1,
  engine: 3,
  hash: 'h',
  cursor: { t: 5, n: -1 },
  edge: { t: 9, n: -1 },
};

/** A worker that answers by script, and panics at every "act". */
class FakeWorker {
  /** @type {FakeWorker[]} */
  static made = [];
  /** @type {any[]} */
  asked = [];
  /** @type {any} */
  onmessage = null;
  constructor() {
    FakeWorker.made.push(this);
  }
  terminate() {
    this.dead = true;
  }
  /** @param {any} message */
  postMessage(message) {
    if (message.type === 'start') return this.tell({ type: 'ready' });
    this.asked.push(message.request);
    const { id, op } = message.request;
    if (op === 'act')
      return this.tell({
        type: 'reply',
        reply: { id, ok: false, error: { code: 'panic', message: 'boom', stack: 'at x' } },
      });
    const result = op === 'share' ? share : op === 'hello' ? { engine: 3 } : { playing: false, title: op };
    this.tell({ type: 'reply', reply: { id, ok: true, result } });
  }
  /** @param {any} data */
  tell(data) {
    queueMicrotask(() => this.dead || this.onmessage?.({ data }));
  }
}

function makeEngine() {
  FakeWorker.made = [];
  const engine = new Engine(
    { worker: 'w', exec: 'e', wasm: 'm', module: { bytes: 1, size: 2, sha256: 'h' }, scenarios: 's' },
    () => /** @type {any} */ (new FakeWorker()),
  );
  engine.shipped = Promise.resolve([{ name: 'x' }]);
  return engine;
}

test('a request becomes a promise, and the shipped scenarios are handed over first', async () => {
  const engine = makeEngine();
  assert.deepEqual(await engine.start(), { engine: 3 });
  assert.deepEqual(FakeWorker.made[0].asked[0], { id: 1, op: 'hello', params: { scenarios: [{ name: 'x' }] } });
  assert.equal((await engine.request('open', {})).title, 'open');
});

test('a panic costs the act alone: new worker, same run, a report; the same place is not tried twice', async () => {
  const engine = makeEngine();
  await engine.start();
  await engine.request('open', {});
  await engine.request('share');
  /** @type {any} */
  let report;
  const recovered = new Promise((resolve) => {
    engine.onPanic = (given, view) => {
      report = { ...given, view };
      resolve(report);
    };
  });
  await assert.rejects(engine.request('act', { act: 'crash' }), /boom/);
  await recovered;
  assert.equal(FakeWorker.made.length, 2);
  assert.equal(FakeWorker.made[0].dead, true);
  const again = FakeWorker.made[1].asked.map((request) => request.op);
  assert.deepEqual(again.slice(0, 2), ['hello', 'open']);
  const { scenario, patch, actions, seed, cursor, edge } = share;
  assert.deepEqual(FakeWorker.made[1].asked[1].params, { scenario, patch, actions, seed, cursor, edge });
  assert.equal(report.op, 'act');
  assert.equal(report.stack, 'at x');
  assert.equal(report.engine, 3);
  assert.deepEqual(report.share, share);
  assert.equal(report.view.title, 'open');
  await assert.rejects(engine.request('act', { act: 'crash' }), /crashed at this very step before/);
  assert.equal(FakeWorker.made.length, 2);
  assert.equal((await engine.request('seek', {})).title, 'seek');
});

test('something long goes on share by share, is told, and can be stopped', async () => {
  const engine = makeEngine();
  await engine.start();
  engine.patienceMs = 0;
  const [worker] = FakeWorker.made;
  let at = 0;
  let left = false;
  worker.postMessage = ({ request }) => {
    const { id, op } = request;
    worker.asked.push(request);
    if (op === 'pause') left = true;
    else at += 10;
    const result = at < 50 && !left && op !== 'share' ? { done: false, at, of: 50 } : { title: op, at };
    worker.tell({ type: 'reply', reply: { id, ok: true, result } });
  };
  /** @type {any[]} */
  const told = [];
  engine.onComputing = (computing) => told.push(computing?.at);
  assert.equal((await engine.request('runTo', { what: 'end' })).at, 50);
  assert.deepEqual(told, [10, 20, 30, 40, undefined]);
  const asked = worker.asked.slice(1, 6);
  assert.deepEqual(
    asked.map(({ op }) => op),
    ['runTo', 'goOn', 'goOn', 'goOn', 'goOn'],
  );
  assert.equal(new Set(asked.map(({ id }) => id)).size, 1);

  at = 0;
  engine.onComputing = (computing) => computing?.at === 20 && computing.stop();
  const stood = await engine.request('runTo', { what: 'end' });
  assert.ok(stood.at < 50, 'what was begun ends where the run stands');
  assert.equal(engine.pending.size - 1, 0, 'besides what is remembered');
});
