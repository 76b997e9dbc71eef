/**
 * Runs the engine in node, as the page loads it. Every shipped scenario must have the trace hash of the native runs in
 * sim/world/testdata/hashes.txt. `make test-wasm` runs it; the files' own tests as WebAssembly are in `make test-long`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startEngine } from '../../fuzz/engine.mjs';

const table = readFileSync(new URL('../../../sim/world/testdata/hashes.txt', import.meta.url), 'utf8');
const [version, ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

test(`${rows.length} runs of engine ${version[1]} have their hash in WebAssembly`, async () => {
  const engine = await startEngine();
  /** @type {string[]} */
  const wrong = [];
  for (const [name, seed, , hash] of rows) {
    /** @param {string} op @param {any} params */
    const answer = (op, params) => {
      const reply = engine.finish(engine.ask(op, params));
      assert.ok(reply.ok, `${op} ${name}: ${reply.error?.message}`);
      return reply.result;
    };
    answer('open', { scenario: name, seed: Number(seed) });
    const view = answer('runTo', { what: 'end' });
    if (view.hash !== hash) wrong.push(`${name} with seed ${seed}: ${view.hash}, natively ${hash}`);
  }
  assert.deepEqual(wrong, []);
});
