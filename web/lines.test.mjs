import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropLines } from './lines.mjs';

const HEADER = 16; // its address
const [TABLES, LIST] = [80, 120]; // from the header
const at = { record: HEADER + LIST + 24, tables: HEADER + TABLES };

/** A program of one function with these offsets of its tables, and the bytes of all tables. @param {Record<string, number>} offsets @param {number[]} tables */
function program({ frames, files, lines, pcdata }, tables) {
  const memory = Buffer.alloc(256);
  memory.set([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8], HEADER);
  const word = (/** @type {number} */ offset, /** @type {number} */ value) =>
    memory.writeBigUInt64LE(BigInt(value), HEADER + offset);
  word(8, 1);
  word(56, TABLES);
  word(64, LIST);
  memory.writeUInt32LE(at.record - HEADER - LIST, HEADER + LIST + 4);
  for (const [i, field] of [7, 8, 9, 10, frames, files, lines, 1, 5, 77, 0, pcdata].entries())
    memory.writeUInt32LE(field, at.record + 4 * i);
  memory.set(tables, at.tables);
  return memory;
}

/** @param {Buffer} memory @param {number} count */
const tablesOf = (memory, count) => [...memory.subarray(at.tables, at.tables + count)];

test('files and lines go, and what the runtime runs by stays', () => {
  // A first value 0 does not end a table, and numbers may have several bytes.
  const tables = [0, /**/ 2, 4, 0, /**/ 0, 3, 2, 1, 0, /**/ 0x80, 1, 0x81, 0x80, 1, 0, /**/ 6, 5, 0];
  const memory = program({ frames: 1, files: 4, lines: 9, pcdata: 15 }, tables);
  assert.equal(dropLines(memory), 11);
  assert.deepEqual(tablesOf(memory, 18), [0, 2, 4, 0, ...Array(11).fill(0), 6, 5, 0]);
  const field = (/** @type {number} */ i) => memory.readUInt32LE(at.record + 4 * i);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11].map(field), [7, 8, 9, 10, 1, 0, 0, 1, 0, 0, 15]);
});

test('a table that is a frame table, too, stays', () => {
  const memory = program({ frames: 1, files: 1, lines: 4, pcdata: 4 }, [0, 2, 4, 0, 6, 5, 0]);
  assert.equal(dropLines(memory), 0);
  assert.deepEqual(tablesOf(memory, 7), [0, 2, 4, 0, 6, 5, 0]);
});

test('another layout is refused', () => {
  assert.throws(() => dropLines(Buffer.alloc(64)), /as Go 1\.20 to 1\.26 lay it out/);
});
