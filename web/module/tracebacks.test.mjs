import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropTracebacks } from './tracebacks.mjs';

const HEADER = 16; // its address
const [NAMES, UNITS, TABLES, LIST] = [72, 192, 200, 280]; // from the header
const at = { record: HEADER + LIST + 40, tables: HEADER + TABLES, units: HEADER + UNITS };
const RECORD = 120; // from one function's record to the next
const NONE = 0xffffffff;

const SOME_NAMES = '\0main.f\0';

/**
 * @typedef {{name?: number, frames: number, files: number, lines: number, byInstruction: number[], data: number[]}}
 *   Offsets of a function's tables
 */

/**
 * A program of functions, and the bytes of all their tables.
 * @param {Offsets[]} functions
 * @param {number[]} tables
 * @param {string} [names] that the functions' records point into
 */
function program(functions, tables, names = SOME_NAMES) {
  const memory = Buffer.alloc(1024);
  memory.write(names, HEADER + NAMES);
  memory.set([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8], HEADER);
  const word = (/** @type {number} */ offset, /** @type {number} */ value) =>
    memory.writeBigUInt64LE(BigInt(value), HEADER + offset);
  word(8, functions.length);
  word(32, NAMES);
  word(40, UNITS);
  word(56, TABLES);
  word(64, LIST);
  memory.fill(0x61, at.units, at.tables);
  functions.forEach(({ name = 1, frames, files, lines, byInstruction, data }, k) => {
    const record = at.record + k * RECORD;
    memory.writeUInt32LE(record - HEADER - LIST, HEADER + LIST + 8 * k + 4);
    const fields = [7, name, 9, 10, frames, files, lines, byInstruction.length, 5, 77, 0, ...byInstruction, ...data];
    for (const [i, field] of fields.entries()) memory.writeUInt32LE(field, record + 4 * i);
    memory[record + 43] = data.length;
  });
  memory.set(tables, at.tables);
  return memory;
}

/** @param {Buffer} memory @param {number} count */
const tablesOf = (memory, count) => [...memory.subarray(at.tables, at.tables + count)];
/** @param {Buffer} memory @param {number} i @param {number} [k] of which function */
const field = (memory, i, k = 0) => memory.readUInt32LE(at.record + k * RECORD + 4 * i);

test('what a printed stack needs goes, and what the runtime runs by stays', () => {
  // A first value 0 does not end a table, and numbers may have several bytes.
  const tables = [0, /**/ 2, 4, 0, /**/ 0, 3, 2, 1, 0, /**/ 0x80, 1, 0x81, 0x80, 1, 0, /**/ 6, 5, 0, /**/ 8, 9, 0];
  const data = [100, 101, 102, 103, 104, 105, 106, 107];
  const one = { frames: 1, files: 4, lines: 9, byInstruction: [18, 15, 15, 0], data };
  const other = { frames: 15, files: 4, lines: 4, byInstruction: [18], data: [200] };
  const memory = program([one, other], tables);
  assert.equal(dropTracebacks(memory), 11 + 3 + (TABLES - UNITS));
  assert.deepEqual(tablesOf(memory, 21), [0, 2, 4, 0, ...Array(11).fill(0), 6, 5, 0, 0, 0, 0]);
  const fields = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14].map((i) => field(memory, i));
  assert.deepEqual(fields, [7, 1, 9, 10, 1, 0, 0, 4, 0, 0, 0, 15, 15, 0]);
  const kept = data.map((_, i) => field(memory, 15 + i));
  assert.deepEqual(kept, [100, 101, 102, 103, 104, NONE, NONE, 107]);
  assert.deepEqual([...memory.subarray(at.units, at.tables)], Array(TABLES - UNITS).fill(0));
  // The second function has less data, and the bytes behind its data stay unchanged.
  const second = [4, 5, 6, 7, 11, 12, 13].map((i) => field(memory, i, 1));
  assert.deepEqual(second, [15, 0, 0, 1, 0, 200, 0]);
  assert.deepEqual([...memory.subarray(at.record + RECORD + 52)], Array(1024 - at.record - RECORD - 52).fill(0));
});

test('a table that is a frame table, too, stays', () => {
  const offsets = { frames: 1, files: 1, lines: 4, byInstruction: [1, 4], data: [] };
  const memory = program([offsets], [0, 2, 4, 0, 6, 5, 0]);
  assert.equal(dropTracebacks(memory), TABLES - UNITS);
  assert.deepEqual(tablesOf(memory, 7), [0, 2, 4, 0, 6, 5, 0]);
  assert.deepEqual([field(memory, 11), field(memory, 12)], [0, 4]);
});

test('another layout is refused, and two of them', () => {
  assert.throws(() => dropTracebacks(Buffer.alloc(64)), /in the layout of Go 1\.20 to 1\.26/);
  const twice = Buffer.concat([program([], []), program([], [])]);
  assert.throws(() => dropTracebacks(twice), /in the layout of Go 1\.20 to 1\.26/);
});

test('a function of another package keeps its package for a name, ours keep theirs', () => {
  const names = '\0runtime.bgsweep\0runtime.main\0sort.x\0github.com/leaselab/leaselab/core/elector.New\0main.main\0';
  const tables = { frames: 1, files: 1, lines: 1, byInstruction: [], data: [] };
  const offsets = ['runtime.bgsweep', 'runtime.main', 'sort.x', 'github.com', 'main.main\0'].map((name) =>
    names.indexOf(name),
  );
  const memory = program(
    offsets.map((name) => ({ ...tables, name })),
    [0, 2, 2, 0],
    names,
  );
  dropTracebacks(memory);
  const nameOf = (/** @type {number} */ k) => {
    const begin = HEADER + NAMES + memory.readUInt32LE(at.record + k * RECORD + 4);
    return memory.toString('utf8', begin, memory.indexOf(0, begin));
  };
  const named = offsets.map((_, k) => nameOf(k));
  assert.deepEqual(named, [
    'runtime.…',
    'runtime.…',
    'sort.x',
    'github.com/leaselab/leaselab/core/elector.New',
    'main.main',
  ]);
});
