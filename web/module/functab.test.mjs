import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clearFunctab, writeFunctab } from './functab.mjs';
import { joinSegments } from './segments.mjs';
import { functionsOf } from './tracebacks.mjs';

const ENGINE = new URL('../../bin/engine.wasm', import.meta.url);
/** (module (memory (export "mem") 1) (func) (data (i32.const 0) "x")), with a section "type" of (i32) -> (). */
const SMALL = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 2, 1, 0],
  ...[5, 3, 1, 0, 1],
  ...[7, 7, 1, 3, 0x6d, 0x65, 0x6d, 2, 0],
  ...[10, 4, 1, 2, 0, 0x0b],
  ...[11, 7, 1, 0, 0x41, 0, 0x0b, 1, 0x78],
]);

test('a module writes the table when it is instantiated, and nothing else', () => {
  assert.ok(WebAssembly.validate(SMALL));
  const made = writeFunctab(SMALL, { at: 64, buckets: 33 }, 0);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(made));
  const memory = Buffer.from(/** @type {WebAssembly.Memory} */ (exports.mem).buffer);
  const expected = Buffer.alloc(memory.length);
  expected.write('x');
  for (let b = 0; b < 33; b++) expected.writeUInt32LE(b >> 4, 64 + 20 * b);
  assert.equal(memory.compare(expected), 0);
});

test(
  "the table of the engine's memory is the one that it writes, and any other is refused",
  { skip: existsSync(ENGINE) ? false : 'make wasm builds bin/engine.wasm' },
  () => {
    /** @type {Buffer} */
    let memory = Buffer.alloc(0);
    joinSegments(readFileSync(ENGINE), (whole) => {
      memory = Buffer.from(whole);
    });
    const before = Buffer.from(memory);
    const { header, list, count } = functionsOf(memory);
    const { at, buckets } = clearFunctab(memory, header, list, count);
    assert.ok(buckets > 50_000, `${buckets} buckets`);
    assert.ok(memory.subarray(at, at + 20 * (buckets - 1) + 4).every((byte) => byte === 0));
    for (let b = 0; b < buckets; b++) memory.writeUInt32LE(b >> 4, at + 20 * b);
    assert.equal(memory.compare(before), 0);
    memory[at + 20 * 40 + 7] = 1;
    assert.throws(() => clearFunctab(memory, header, list, count), /does not count up every sixteenth bucket/);
    assert.throws(() => clearFunctab(memory, header, list, count + 1), /no runtime.moduledata as Go 1.26/);
  },
);
