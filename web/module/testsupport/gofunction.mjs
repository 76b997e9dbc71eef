/**
 * Writes functions for tests, in the shape of Go's compiler: a loop around nested blocks with a table at the loop's
 * top, jumps by number, a check after each call, and stack addresses in 64 bits.
 */
import { createHash } from 'node:crypto';
import { instructions, OP, signedLeb, unsignedLeb, VOID } from '../binary.mjs';

/**
 * Locals: the number of the block to go to, the stack pointer, a counter. Globals: the stack pointer, the random state,
 * the fuel.
 */
const [PC_B, SP, COUNT] = [0, 1, 2];
const [STACK, RANDOM, FUEL] = [0, 1, 2];
/** The addresses at which the trace and the stack begin. */
const [TRACE_AT, STACK_AT] = [0, 32768];
const [STEP, MAIN] = [0, 1];
const I32 = 0x7f;
const FUNCTION_TYPE = 0x60;
/** Adds 1 to a stored number of 64 bits. The offset of the store follows. */
const INCREMENT = [0x29, 3, 0, OP.i64Const, 1, OP.i64Add, 0x37, 3];

/** @typedef {(below: number) => number} Draw a whole number from 0 */

/**
 * @param {Draw} draw
 * @param {number} blocks
 * @returns {{code: number[], forward: number, back: number}} the instructions, and how many jumps go where
 */
export function goFunction(draw, blocks) {
  let forward = 0;
  let back = 0;
  /** Jump to a block, out of block k and some ifs. @param {number} k @param {number} ifs @param {number} target */
  const jump = (k, ifs, target) => {
    if (target > k) forward++;
    else back++;
    return [OP.i32Const, ...signedLeb(target), OP.localSet, PC_B, OP.br, ...unsignedLeb(blocks - 1 - k + ifs)];
  };
  /** A call, and the check whether to yield. @param {number} k */
  const call = (k) => [
    ...[OP.i32Const, 0, OP.call, STEP, OP.globalGet, STACK, OP.localSet, SP],
    ...[OP.brIf, ...unsignedLeb(blocks - k)],
  ];
  /** A bit that depends on everything before it. */
  const bit = [OP.globalGet, RANDOM, OP.i32Const, ...signedLeb(1103515245), 0x6c, OP.i32Const, ...signedLeb(12345)];
  bit.push(OP.i32Add, OP.globalSet, RANDOM, OP.globalGet, RANDOM, OP.i32Const, 16, 0x76, OP.i32Const, 1, 0x71);
  /** sp + n, as Go writes it. @param {number} n */
  const address = (n) => [OP.localGet, SP, OP.extend, OP.i64Const, ...signedLeb(n), OP.i64Add, OP.wrap];
  const move = (/** @type {number} */ n) => [
    OP.localGet,
    SP,
    OP.i32Const,
    ...signedLeb(n),
    OP.i32Add,
    OP.localTee,
    SP,
    OP.globalSet,
    STACK,
  ];
  /** @param {number} k */
  const logBlock = (k) => [
    ...[OP.localGet, COUNT, OP.i32Const, ...signedLeb(k), 0x3a, 0, TRACE_AT],
    ...[OP.localGet, COUNT, OP.i32Const, 1, OP.i32Add, OP.localSet, COUNT],
    ...[OP.globalGet, FUEL, OP.i32Const, 1, 0x6b, OP.globalSet, FUEL, OP.globalGet, FUEL, 0x45],
    ...[OP.if, VOID, ...done(), OP.end],
  ];
  const done = () => [...move(draw(200)), ...move(8), OP.i32Const, 0, OP.return];
  /** @param {number} k */
  const statement = (k) => {
    const target = draw(blocks);
    const [from, to] = [8 * draw(40), 8 * draw(40)];
    switch (draw(6)) {
      case 0:
        return [...bit, OP.if, VOID, ...jump(k, 1, target), OP.end];
      case 1:
        return [...bit, 0x45, OP.if, VOID, ...logBlock(k + 100), ...jump(k, 1, target), OP.end];
      case 2:
        return [...bit, OP.if, VOID, ...bit, OP.if, VOID, ...jump(k, 2, target), OP.end, ...logBlock(k + 50), OP.end];
      case 3:
        return [...address(to), ...address(from), ...INCREMENT, ...unsignedLeb(8 * draw(3))];
      case 4: // an address in a local, and an address that the pass cannot fold
        return [...address(to), OP.localSet, 3, OP.localGet, 3, ...address(-8), 0x36, 2, 0];
      default:
        return call(k);
    }
  };
  const table = Array.from({ length: blocks }, (_, k) => k);
  const code = [OP.globalGet, STACK, OP.localSet, SP, OP.block, VOID, OP.loop, VOID];
  for (let k = 0; k < blocks; k++) code.push(OP.block, VOID);
  code.push(OP.localGet, PC_B, OP.brTable, ...unsignedLeb(blocks - 1), ...table);
  for (let k = 0; k < blocks; k++) {
    code.push(OP.end, ...logBlock(k));
    for (let n = draw(4); n > 0; n--) code.push(...statement(k));
    const ends = draw(3);
    if (ends === 0) code.push(...jump(k, 0, draw(blocks)));
    if (ends === 1) code.push(...call(k), OP.nop);
  }
  code.push(...done(), OP.end, OP.unreachable, OP.end, OP.i32Const, 1, OP.end);
  return { code, forward, back };
}

/**
 * The generator MINSTD, so that every run has the same functions. @param {number} seed @returns {(below: number) =>
 * number}
 */
export function drawing(seed) {
  let drawn = seed;
  return (below) => (drawn = (drawn * 48271) % 2147483647) % below;
}

/** A module with such a function. @param {number[] | Uint8Array} code */
export function goModule(code) {
  const section = (/** @type {number} */ id, /** @type {number[]} */ body) => [
    id,
    ...unsignedLeb(body.length),
    ...body,
  ];
  const body = (/** @type {number[]} */ locals, /** @type {number[]} */ code) => [
    ...unsignedLeb(locals.length + code.length),
    ...locals,
    ...code,
  ];
  // The called function: one time in eight, the caller must yield.
  const step = [OP.globalGet, RANDOM, OP.i32Const, 7, 0x71, 0x45, OP.end];
  const variable = (/** @type {number} */ value) => [I32, 1, OP.i32Const, ...signedLeb(value), OP.end];
  const name = (/** @type {string} */ text) => [text.length, ...Buffer.from(text)];
  return Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, FUNCTION_TYPE, 1, I32, 1, I32]),
    ...section(3, [2, 0, 0]),
    ...section(5, [1, 0, 1]),
    ...section(6, [3, ...variable(STACK_AT), ...variable(1), ...variable(0)]),
    ...section(7, [
      5,
      ...name('main'),
      0,
      MAIN,
      ...name('m'),
      2,
      0,
      ...name('stack'),
      3,
      STACK,
      ...name('random'),
      3,
      RANDOM,
      ...name('fuel'),
      3,
      FUEL,
    ]),
    ...section(10, [2, ...body([0], step), ...body([1, 3, I32], [...code])]),
  );
}

/**
 * Runs a module from a block. Returns the result, the globals and a hash of the memory.
 * @param {Uint8Array} module @param {number} block @param {number} seed
 */
export async function runModule(module, block, seed) {
  const { instance } = await WebAssembly.instantiate(/** @type {Uint8Array<ArrayBuffer>} */ (module));
  const { main, m, stack, random, fuel } = /** @type {any} */ (instance.exports);
  random.value = seed;
  fuel.value = 500;
  const result = main(block);
  const memory = createHash('sha256').update(new Uint8Array(m.buffer)).digest('hex');
  return { result, stack: stack.value, random: random.value, fuel: fuel.value, memory };
}

/**
 * A module with a section "producers" that names a version of Go.
 * @param {string} version
 * @param {Uint8Array} module
 */
export function withProducer(version, module) {
  const text = (/** @type {string} */ s) => [s.length, ...Buffer.from(s)];
  const body = [...text('producers'), 1, ...text('language'), 1, ...text('Go'), ...text(version)];
  return Buffer.from([...module, 0, ...unsignedLeb(body.length), ...body]);
}

/** The instructions as texts, for a test that compares them. @param {number[]} code */
export const texts = (code) => instructions(Uint8Array.from(code)).map((one) => Buffer.from(one).toString('hex'));
