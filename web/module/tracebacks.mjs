/**
 * Removes from a Go program's memory what only a printed stack needs: the file and line of each instruction, the
 * display of arguments, and the names of other packages' functions. It also removes the table of safe points for
 * interrupts, because WebAssembly never interrupts a thread. The page shows a stack only after a crash of the
 * simulator. That stack still names our functions, and the same scenario and seed crash the command, which names the
 * lines. The page loads 175 KiB less in gzip.
 *
 * Guarantee: everything that the runtime needs stays: frame sizes, stack maps, deferred calls, and the inlining tree,
 * which tells recover() whether a deferred function called it. Non-guarantee: every file becomes "?" and every line 0,
 * even for runtime.Caller, and the name of another package's function is only its package. Source: Go 1.26
 * runtime/symtab.go pcHeader, pcvalue (an offset of 0 means: no table), runtime2.go _func, panic.go gorecover,
 * internal/abi/symtab.go.
 */

/**
 * The first bytes of the header: Go 1.20's magic number, two zeros, then the sizes of an instruction (1) and a pointer
 * (8).
 */
const HEADER = Buffer.from([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]);
/** Offsets in the header. */
const [FUNCTIONS, UNITS, PC_TABLES, FUNCTION_TABLE] = [8, 40, 56, 64];
export const NAMES = 32;
/** Offsets in a function's record. */
const [FRAME_SIZES, FILES, LINES, TABLES, UNIT, FIRST_LINE, DATA, TABLE_LIST] = [16, 20, 24, 28, 32, 36, 43, 44];
export const NAME = 4;
/** An entry of the function table: the offset of the code, and the offset of the record. */
export const ENTRY = 8;
/** Indices of tables by instruction: unsafe points, and which arguments are alive. */
const PRINTED_TABLES = [0, 3];
/** Indices of data about a function: its arguments, and which of its arguments are alive. */
const PRINTED_DATA = [5, 6];
const NO_DATA = 0xffffffff;

/**
 * The addresses of the table of functions in a program's memory: the header, and the list after the header.
 * @param {Buffer} memory
 */
export function functionsOf(memory) {
  const header = memory.indexOf(HEADER);
  if (header < 0 || memory.indexOf(HEADER, header + 1) >= 0)
    throw new Error('expected one table of functions in the layout of Go 1.20 to 1.26: see web/module/tracebacks.mjs');
  const word = (/** @type {number} */ at) => Number(memory.readBigUInt64LE(header + at));
  return { header, list: header + word(FUNCTION_TABLE), count: word(FUNCTIONS) };
}

/**
 * @param {Buffer} memory
 * @returns {number} how many bytes of tables this removed
 */
export function dropTracebacks(memory) {
  const { header, list } = functionsOf(memory);
  const word = (/** @type {number} */ at) => Number(memory.readBigUInt64LE(header + at));
  const tables = header + word(PC_TABLES);
  /** @type {Set<number>} */
  const used = new Set();
  /** @type {Set<number>} */
  const unused = new Set();
  for (let i = 0; i < word(FUNCTIONS); i++) {
    const record = list + memory.readUInt32LE(list + i * ENTRY + 4);
    used.add(memory.readUInt32LE(record + FRAME_SIZES));
    for (const field of [FILES, LINES]) unused.add(memory.readUInt32LE(record + field));
    for (const field of [FILES, LINES, UNIT, FIRST_LINE]) memory.writeUInt32LE(0, record + field);
    const count = memory.readUInt32LE(record + TABLES);
    for (let k = 0; k < count; k++) {
      const at = record + TABLE_LIST + 4 * k;
      (PRINTED_TABLES.includes(k) ? unused : used).add(memory.readUInt32LE(at));
      if (PRINTED_TABLES.includes(k)) memory.writeUInt32LE(0, at);
    }
    for (const k of PRINTED_DATA)
      if (k < memory[record + DATA]) memory.writeUInt32LE(NO_DATA, record + TABLE_LIST + 4 * (count + k));
  }
  const records = Array.from({ length: word(FUNCTIONS) }, (_, i) => list + memory.readUInt32LE(list + i * ENTRY + 4));
  let bytes = shortenNames(memory, header + word(NAMES), header + word(UNITS), records) + tables - header - word(UNITS);
  memory.fill(0, header + word(UNITS), tables); // the files' names, by unit
  for (const offset of unused) {
    if (used.has(offset) || offset === 0) continue; // identical tables share their bytes
    const end = endOf(memory, tables + offset);
    memory.fill(0, tables + offset, end);
    bytes += end - tables - offset;
  }
  return bytes;
}

/**
 * The end of a table, which holds pairs of a value and a distance. The table ends at a value 0 that is not the first
 * value.
 * @param {Buffer} memory
 * @param {number} begin
 */
function endOf(memory, begin) {
  for (let at = begin; ; ) {
    if (memory[at] === 0 && at > begin) return at + 1;
    for (let numbers = 2; numbers > 0; at++) if (memory[at] < 0x80) numbers--;
  }
}

/** Functions that keep their full names in a printed stack. */
const OURS = /^(github\.com\/leaselab\/leaselab\/|main\.)/;

/**
 * Shortens the name of every function of another package to its package, such as "encoding/json.…". A stack on the page
 * is about our functions, and the other names take as much space as ours. A name keeps its package because the prefix
 * "runtime." tells the runtime which goroutines are its own. Source: Go 1.26 runtime/traceback.go isSystemGoroutine.
 * @param {Buffer} memory @param {number} begin @param {number} end of the names @param {number[]} records of the
 *   functions
 * @returns {number} how many bytes of names this removed
 */
function shortenNames(memory, begin, end, records) {
  const nameAt = (/** @type {number} */ at) => memory.toString('utf8', at, memory.indexOf(0, at));
  /** @type {Map<string, number>} from a package to its name's offset */
  const packages = new Map();
  const ours = Buffer.alloc(end - begin);
  for (let at = begin; at < end; ) {
    const name = nameAt(at);
    const length = Buffer.byteLength(name) + 1;
    if (OURS.test(name)) memory.copy(ours, at - begin, at, at + length);
    at += length;
  }
  for (const record of records) {
    const offset = memory.readUInt32LE(record + NAME);
    const name = nameAt(begin + offset);
    const dot = name.indexOf('.', name.lastIndexOf('/', name.includes('[') ? name.indexOf('[') : undefined) + 1);
    if (OURS.test(name) || dot < 0) {
      ours.write(name, offset);
      continue;
    }
    const owner = name.slice(0, dot + 1);
    if (!packages.has(owner) && Buffer.byteLength(`${owner}…`) <= Buffer.byteLength(name)) {
      packages.set(owner, offset);
      ours.write(`${owner}…`, offset);
    }
    const shared = packages.get(owner);
    if (shared === undefined) ours.write(name, offset);
    else memory.writeUInt32LE(shared, record + NAME);
  }
  const before = end - begin - zeros(memory.subarray(begin, end));
  ours.copy(memory, begin);
  return before - (end - begin - zeros(ours));
}

/** @param {Uint8Array} bytes */
const zeros = (bytes) => bytes.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0);
