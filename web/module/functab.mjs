/**
 * Lets the engine write one table of its memory itself when it is instantiated: runtime.findfunctab, by which the runtime finds the
 * function of an address. In WebAssembly a function has 65,536 addresses, sixteen buckets of the table, so that it counts up every
 * sixteenth bucket and says nothing else: 1.9 MiB to unpack, 12 KiB to load.
 *
 * Guarantee: after instantiation the memory is the same byte for byte. A table that does not count so is an error.
 * Source: Go 1.26 runtime/symtab.go moduledata, findfunc, findfuncbucket; cmd/link/internal/ld/pcln.go findfunctab.
 */
import { changeSection, leb, OP, sections, signedLeb, unsigned } from './binary.mjs';

const [TYPE_SECTION, FUNCTION_SECTION, START_SECTION, CODE_SECTION] = [1, 3, 8, 10];
/** Offsets in runtime.moduledata: of the list of functions, its length, and the table. */
const [LIST, LENGTH, TABLE] = [128, 136, 152];
const BUCKET_BYTES = 20;
const BUCKETS_OF_ONE = 16;

/** @typedef {{at: number, buckets: number}} Functab where the table lies in memory, and how long it is */

/**
 * Clears the table in a memory.
 * @param {Buffer} memory
 * @param {number} header the address of the runtime's pcHeader
 * @param {number} list the address of the list of functions
 * @param {number} functions how many there are
 * @returns {Functab}
 */
export function clearFunctab(memory, header, list, functions) {
  const pointer = Buffer.alloc(8);
  pointer.writeBigUInt64LE(BigInt(header));
  const word = (/** @type {number} */ at) => Number(memory.readBigUInt64LE(at));
  let module = memory.indexOf(pointer);
  while (module >= 0 && (word(module + LIST) !== list || word(module + LENGTH) !== functions + 1))
    module = memory.indexOf(pointer, module + 1);
  if (module < 0) throw new Error('there is no runtime.moduledata as Go 1.26 lays it out: see web/module/functab.mjs');
  const at = word(module + TABLE);
  const buckets = (functions - 1) * BUCKETS_OF_ONE + 1; // the last function ends in its first bucket
  // The linker writes of the last bucket what the last function has addresses for. Other data may follow.
  const expected = Buffer.alloc((buckets - 1) * BUCKET_BYTES + 4);
  for (let b = 0; b < buckets; b++) expected.writeUInt32LE(Math.floor(b / BUCKETS_OF_ONE), b * BUCKET_BYTES);
  if (memory.compare(expected, 0, expected.length, at, at + expected.length) !== 0)
    throw new Error('runtime.findfunctab does not count up every sixteenth bucket: see web/module/functab.mjs');
  memory.fill(0, at, at + expected.length);
  return { at, buckets };
}

/**
 * The same module with a start function that writes the table.
 * @param {Uint8Array} module one without a start function
 * @param {Functab} table
 * @param {number} imports how many functions the module imports
 */
export function writeFunctab(module, { at, buckets }, imports) {
  let type = -1;
  let own = 0;
  let made = changeSection(module, TYPE_SECTION, (body) => {
    const [count, from] = unsigned(body, 0);
    type = count;
    return Buffer.concat([Buffer.from(leb(count + 1)), body.subarray(from), Buffer.from([0x60, 0, 0])]);
  });
  made = changeSection(made, FUNCTION_SECTION, (body) => {
    const [count, from] = unsigned(body, 0);
    own = count;
    return Buffer.concat([Buffer.from(leb(count + 1)), body.subarray(from), Buffer.from(leb(type))]);
  });
  made = changeSection(made, CODE_SECTION, (body) => {
    const [count, from] = unsigned(body, 0);
    const code = startCode(at, buckets);
    return Buffer.concat([
      Buffer.from(leb(count + 1)),
      body.subarray(from),
      Buffer.from([...leb(code.length), ...code]),
    ]);
  });
  const start = leb(imports + own);
  const before = sections(made).find(({ id }) => id > START_SECTION);
  if (type < 0 || !before) throw new Error('a module without types or code');
  return Buffer.concat([
    made.subarray(0, before.from),
    Buffer.from([START_SECTION, ...leb(start.length), ...start]),
    made.subarray(before.from),
  ]);
}

const [I32, I32_MUL, I32_SHIFT, I32_LESS, I32_STORE, VOID] = [0x7f, 0x6c, 0x76, 0x49, 0x36, 0x40];

/** for (bucket = 0; bucket < buckets; bucket++) memory[at + 20 * bucket] = bucket >> 4. @param {number} at @param {number} buckets */
function startCode(at, buckets) {
  const bucket = 0; // the only local
  return [
    ...[1, 1, I32, OP.loop, VOID],
    ...[OP.localGet, bucket, OP.i32Const, BUCKET_BYTES, I32_MUL],
    ...[OP.localGet, bucket, OP.i32Const, Math.log2(BUCKETS_OF_ONE), I32_SHIFT],
    ...[I32_STORE, 2, ...leb(at)],
    ...[OP.localGet, bucket, OP.i32Const, 1, OP.i32Add, OP.localTee, bucket],
    ...[OP.i32Const, ...signedLeb(buckets), I32_LESS, OP.brIf, 0, OP.end, OP.end],
  ];
}
