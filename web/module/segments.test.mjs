import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinSegments } from './segments.mjs';

/** A module with one page of memory, exported as m, and these segments. @param {[number, number[]][]} segments */
function moduleWith(segments) {
  const section = (/** @type {number} */ id, /** @type {number[]} */ body) => [id, body.length, ...body];
  const data = segments.flatMap(([at, bytes]) => [0, 0x41, ...place(at), 0x0b, bytes.length, ...bytes]);
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(5, [1, 0, 1]),
    ...section(7, [1, 1, 0x6d, 2, 0]),
    ...section(11, [segments.length, ...data]),
  ]);
}

/** A number as two bytes, which is enough for these tests. @param {number} at */
const place = (at) => [(at & 0x7f) | 0x80, (at >> 7) & 0x3f];

/** @param {Uint8Array} bytes */
async function memoryOf(bytes) {
  const { instance } = await WebAssembly.instantiate(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
  return new Uint8Array(/** @type {WebAssembly.Memory} */ (instance.exports.m).buffer);
}

/** How many data segments a small module has. @param {Uint8Array} bytes */
const count = (bytes) => bytes[bytes.indexOf(11, 19) + 2];

test('the memory stays the same, whatever lies between the segments', async () => {
  const module = moduleWith([
    [64, [1, 2, 3]],
    [70, [4]],
    [0, [9]],
    [5000, [5, 6]],
    [8000, [7]],
  ]);
  const joined = joinSegments(module);
  assert.deepEqual(await memoryOf(joined), await memoryOf(module));
  assert.equal(count(module), 5);
  assert.equal(count(joined), 3);
});

test('a module without data, or with data that cannot be joined, is not touched or refused', () => {
  const empty = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  assert.equal(joinSegments(empty), empty);
  assert.throws(
    () =>
      joinSegments(
        moduleWith([
          [64, [1, 2, 3]],
          [65, [4]],
        ]),
      ),
    /lie over each other/,
  );
  const computed = moduleWith([[64, [1]]]);
  computed[computed.lastIndexOf(0x0b)] = 0x6a;
  assert.throws(() => joinSegments(computed), /is computed/);
  const passive = moduleWith([[64, [1]]]);
  passive[passive.lastIndexOf(0x41) - 1] = 1;
  assert.throws(() => joinSegments(passive), /not simply put at a place/);
});
