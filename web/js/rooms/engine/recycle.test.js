import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recycler } from './recycle.js';

const MIB = 1 << 20;

/** An engine with a lot of memory. Its replacement has less. @param {number} [after] MiB */
function heavy(after = 12) {
  const engine = {
    wasmBytes: 150 * MIB,
    view: /** @type {any} */ ({ playing: false, totals: { requests: 1000 } }),
    state: /** @type {any} */ ('running'),
    pending: new Map(),
    computing: 0,
    replaced: 0,
    async replace() {
      engine.replaced++;
      return true;
    },
    beat: () => {
      engine.wasmBytes = after * MIB;
    },
  };
  return engine;
}
const nobody = () => false;

test('an idle engine that has taken much is replaced, once', async () => {
  const engine = heavy();
  const check = recycler(engine, nobody);
  assert.equal(await check(), true);
  assert.equal(await check(), false, 'the next beat has not come');
  engine.beat();
  assert.equal(await check(), false);
  assert.equal(engine.replaced, 1);
});

test('not while it is needed, and not where it would take long', async () => {
  for (const busy of [
    { view: { playing: true, totals: { requests: 1000 } } },
    { view: { playing: false, totals: { requests: 1_000_000 } } },
    { view: undefined },
    { state: 'starting' },
    { pending: new Map([[1, {}]]) },
    { computing: 7 },
    { wasmBytes: 50 * MIB },
  ]) {
    const engine = Object.assign(heavy(), busy);
    assert.equal(await recycler(/** @type {any} */ (engine), nobody)(), false, JSON.stringify(busy));
  }
  assert.equal(await recycler(heavy(), () => true)(), false, 'a watch is followed');
});

test('a run that needs the memory is not opened again and again', async () => {
  const engine = heavy(110);
  const check = recycler(engine, nobody);
  assert.equal(await check(), true);
  engine.beat();
  for (let i = 0; i < 5; i++) assert.equal(await check(), false);
  engine.wasmBytes = 170 * MIB;
  assert.equal(await check(), true, 'it has grown far beyond that');
});
