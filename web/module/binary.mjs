/**
 * The part of the WebAssembly binary format that Go's compiler uses: numbers, sections, and a function's instructions.
 * An instruction is an array of its bytes.
 *
 * Guarantee: unchanged parts come out byte for byte, and an instruction that Go's compiler never writes is an error.
 * Non-guarantee: this is not a validator; `WebAssembly.validate` is. Source: WebAssembly Core Specification 2.0, 5
 * Binary Format.
 */

/** @typedef {Uint8Array} Instruction */

export const [CODE_SECTION, DATA_SECTION] = [10, 11];
const CUSTOM_SECTION = 0;
export const OP = Object.freeze({
  unreachable: 0x00,
  nop: 0x01,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  firstLoad: 0x28,
  lastLoad: 0x35,
  firstStore: 0x36,
  lastStore: 0x3e,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  f32Const: 0x43,
  f64Const: 0x44,
  i32Add: 0x6a,
  i64Add: 0x7c,
  wrap: 0xa7,
  extend: 0xad,
  bulk: 0xfc,
});
/** The type of a block without a result. */
export const VOID = 0x40;
const [LAST_TRUNCATION, MEMORY_COPY, MEMORY_FILL] = [7, 10, 11];
const [FIRST_NUMERIC, LAST_NUMERIC] = [0x45, 0xc4];
/** Instructions without operands, including else and drop. */
const PLAIN = new Set([OP.unreachable, OP.nop, 0x05, OP.end, OP.return, 0x1a, OP.select]);

/**
 * Reads an unsigned LEB128 number.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {[number, number]} the value, and the offset of its end
 */
export function readUnsigned(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

/** Reads a signed LEB128 number, which must fit exactly in a double. @param {Uint8Array} bytes @param {number} at */
export function readSigned(bytes, at) {
  let value = 0;
  for (let shift = 0; ; ) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (byte < 0x80) return byte & 0x40 ? value - 2 ** shift : value;
  }
}

/** @param {number} value @returns {number[]} */
export function unsignedLeb(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

/** @param {number} value @returns {number[]} */
export function signedLeb(value) {
  const bytes = [];
  for (;;) {
    const low = ((value % 128) + 128) % 128;
    value = Math.floor(value / 128);
    if ((value === 0 && low < 0x40) || (value === -1 && low >= 0x40)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

/**
 * The sections of a module, in order.
 * @param {Uint8Array} module
 * @returns {{id: number, from: number, body: number, to: number}[]} from: the start of the header, body: the start of
 * the content
 */
export function sections(module) {
  const all = [];
  for (let from = 8; from < module.length; ) {
    const [length, body] = readUnsigned(module, from + 1);
    all.push({ id: module[from], from, body, to: body + length });
    from = body + length;
  }
  return all;
}

/**
 * The version of Go that wrote a module, "go1.26.8"; "" if its section "producers" names none.
 * @param {Uint8Array} module
 */
export function goVersionOf(module) {
  for (const { id, body, to } of sections(module)) {
    const text = id === CUSTOM_SECTION ? Buffer.from(module.subarray(body, to)).toString('latin1') : '';
    if (text.slice(1).startsWith('producers')) return /\bGo.(go[\d.]+)/s.exec(text)?.[1] ?? '';
  }
  return '';
}

/**
 * The number of functions that a module imports. These functions have lower numbers than the module's own functions.
 * @param {Uint8Array} module
 */
export function countImported(module) {
  const found = sections(module).find(({ id }) => id === 2);
  if (!found) return 0;
  let [count, at] = readUnsigned(module, found.body);
  let functions = 0;
  for (; count > 0; count--) {
    for (let texts = 0; texts < 2; texts++) {
      const [size, from] = readUnsigned(module, at);
      at = from + size;
    }
    if (module[at++] !== 0) throw new Error('cannot rewrite an import that is not a function');
    functions++;
    at = readUnsigned(module, at)[1];
  }
  return functions;
}

/**
 * The same module with a new body for one section.
 * @param {Uint8Array} module
 * @param {number} id
 * @param {(body: Uint8Array) => Uint8Array} change
 */
export function changeSection(module, id, change) {
  const found = sections(module).find((section) => section.id === id);
  if (!found) return module;
  const body = change(module.subarray(found.body, found.to));
  return Buffer.concat([
    module.subarray(0, found.from),
    Buffer.from([id, ...unsignedLeb(body.length)]),
    body,
    module.subarray(found.to),
  ]);
}

/**
 * The same module with new instructions in its functions.
 * @param {Uint8Array} module
 * @param {((code: Instruction[]) => Instruction[])[]} passes each pass changes one function at a time
 */
export function changeFunctions(module, passes) {
  return changeSection(module, CODE_SECTION, (section) => {
    let [count, at] = readUnsigned(section, 0);
    /** @type {Uint8Array[]} */
    const out = [Buffer.from(unsignedLeb(count))];
    for (; count > 0; count--) {
      const [size, from] = readUnsigned(section, at);
      at = from + size;
      const body = section.subarray(from, at);
      const start = endOfLocals(body);
      const before = instructions(body.subarray(start));
      const code = passes.reduce((code, pass) => pass(code), before);
      const changed = code === before ? body : Buffer.concat([body.subarray(0, start), ...code]);
      out.push(Buffer.from(unsignedLeb(changed.length)), changed);
    }
    return Buffer.concat(out);
  });
}

/** Where a function's instructions begin. @param {Uint8Array} body */
function endOfLocals(body) {
  let [groups, at] = readUnsigned(body, 0);
  for (; groups > 0; groups--) at = endOfNumber(body, at) + 1;
  return at;
}

/** @param {Uint8Array} code @returns {Instruction[]} */
export function instructions(code) {
  const all = [];
  for (let at = 0; at < code.length; ) {
    const end = endOfInstruction(code, at);
    if (end > code.length) throw new Error('a function ends within an instruction');
    all.push(code.subarray(at, end));
    at = end;
  }
  return all;
}

/** @param {Uint8Array} code @param {number} at */
function endOfInstruction(code, at) {
  const op = code[at++];
  if ((op >= OP.block && op <= OP.if) || op === OP.memorySize || op === OP.memoryGrow) return at + 1;
  if (op === OP.br || op === OP.brIf || op === OP.call || (op >= OP.localGet && op <= OP.globalSet))
    return endOfNumber(code, at);
  if (op === OP.i32Const || op === OP.i64Const) return endOfNumber(code, at);
  if ((op >= OP.firstLoad && op <= OP.lastStore) || op === OP.callIndirect)
    return endOfNumber(code, endOfNumber(code, at));
  if (op === OP.f32Const) return at + 4;
  if (op === OP.f64Const) return at + 8;
  if (op === OP.brTable) {
    let [others, next] = readUnsigned(code, at);
    for (; others >= 0; others--) next = endOfNumber(code, next);
    return next;
  }
  if (op === OP.bulk && code[at] <= LAST_TRUNCATION) return at + 1;
  if (op === OP.bulk && code[at] === MEMORY_COPY) return at + 3;
  if (op === OP.bulk && code[at] === MEMORY_FILL) return at + 2;
  if (PLAIN.has(op) || (op >= FIRST_NUMERIC && op <= LAST_NUMERIC)) return at;
  throw new Error(`an instruction that is not known here: 0x${op.toString(16)} at ${at - 1}`);
}

/** @param {Uint8Array} bytes @param {number} at */
function endOfNumber(bytes, at) {
  while (bytes[at] >= 0x80) at++;
  return at + 1;
}

/** @param {number} op @param {number} operand @returns {Instruction} */
export const unsignedOf = (op, operand) => Uint8Array.of(op, ...unsignedLeb(operand));

/** @param {number} op @param {number} operand @returns {Instruction} */
export const signedOf = (op, operand) => Uint8Array.of(op, ...signedLeb(operand));

/** The first operand of an instruction. @param {Instruction} instruction */
export const operandOf = (instruction) => readUnsigned(instruction, 1)[0];

/** @param {Instruction | undefined} instruction @param {number} op @param {number} operand */
export const is = (instruction, op, operand) => instruction?.[0] === op && operandOf(instruction) === operand;

/**
 * A block, a loop or an if whose end has not come yet, or the whole function.
 * @typedef {{op: number, opened: number}} Frame opened: the index of its instruction, -1 for the function
 */

/** The open blocks at an instruction, for a reader that starts at the function's beginning. */
export class Frames {
  constructor() {
    /** @type {Frame[]} */
    this.open = [{ op: 0, opened: -1 }];
  }

  /**
   * Advances to an instruction.
   * @param {number} op
   * @param {number} index
   */
  step(op, index) {
    if (op >= OP.block && op <= OP.if) this.open.push({ op, opened: index });
    else if (op === OP.end) this.open.pop();
  }

  /** The frame of a label, counted from here. @param {number} depth @returns {Frame | undefined} */
  frameOf(depth) {
    return this.open[this.open.length - 1 - depth];
  }

  /** The label of a frame, counted from here; -1 if the frame is not open. @param {Frame | undefined} frame */
  depthOf(frame) {
    const index = frame ? this.open.lastIndexOf(frame) : -1;
    return index < 0 ? -1 : this.open.length - 1 - index;
  }
}
