/**
 * Shortens the code for addresses on the stack. Go's compiler computes the address of an argument or a result in 64
 * bits, even though the stack pointer has only 32. The code extends the pointer, adds a constant, and wraps the sum.
 * But every load and every store can add a constant to its address. This pass moves the constant there.
 *
 * Guarantee: the program reads and writes the same addresses. A load adds without wrapping, but a sum of 32 bits wraps.
 * The two results differ only if the pointer is less than MOST below 4 GiB, which never happens to Go's stacks. Source:
 * Go 1.26 cmd/compile/internal/wasm/ssa.go, getValue64 of the stack pointer.
 */
import { OP, readSigned, readUnsigned, signedOf, unsignedLeb } from './binary.mjs';

/** @typedef {import('./binary.mjs').Instruction} Instruction */

/** The pass moves a constant up to this size into a load or store. */
const MOST = 0xffff;

/** @param {Instruction[]} code */
export function shortAddresses(code) {
  /** @type {Instruction[]} */
  const out = [];
  /** The constants that stores add, by index of the store. @type {Map<number, number>} */
  const added = new Map();
  for (let i = 0; i < code.length; i++) {
    const constant = sumAt(code, i);
    if (constant === undefined) {
      out.push(added.has(i) ? plus(code[i], added.get(i) ?? 0) : code[i]);
      continue;
    }
    i += 3;
    const user = constant >= 0 && constant <= MOST ? userOf(code, i + 1) : -1;
    if (user >= 0 && offsetOf(code[user]) + constant < 2 ** 32) added.set(user, constant);
    else out.push(signedOf(OP.i32Const, constant | 0), Uint8Array.of(OP.i32Add));
  }
  return out;
}

/** The constant of the sum that begins at i, if one does. @param {Instruction[]} code @param {number} i */
function sumAt(code, i) {
  const [extend, constant, add, wrap] = [code[i], code[i + 1], code[i + 2], code[i + 3]];
  if (extend[0] !== OP.extend || constant?.[0] !== OP.i64Const) return undefined;
  if (add?.[0] !== OP.i64Add || wrap?.[0] !== OP.wrap || constant.length > 5) return undefined;
  return readSigned(constant, 1);
}

/**
 * Finds the load or store that uses the address on the stack before instruction i; -1 if that is unclear. Before a
 * store, the instructions of its value come in between.
 * @param {Instruction[]} code
 * @param {number} i
 */
function userOf(code, i) {
  // The number of values above the address.
  for (let above = 0; i < code.length; i++) {
    const op = code[i][0];
    const effect = EFFECTS[op];
    if (effect === undefined) return -1;
    const [pops, pushes] = effect;
    if (pops > above) {
      const load = op >= OP.firstLoad && op <= OP.lastLoad;
      const store = op >= OP.firstStore && op <= OP.lastStore && above === 1;
      return load || store ? i : -1;
    }
    above += pushes - pops;
  }
  return -1;
}

/** The constant that a load or a store adds to the address. @param {Instruction} access */
const offsetOf = (access) => readUnsigned(access, readUnsigned(access, 1)[1])[0];

/** The same load or store at a larger address. @param {Instruction} access @param {number} constant */
function plus(access, constant) {
  const [, at] = readUnsigned(access, 1);
  return Uint8Array.of(...access.subarray(0, at), ...unsignedLeb(offsetOf(access) + constant));
}

/**
 * How many values each instruction without control flow takes from the stack and puts on it.
 * @type {([number, number] | undefined)[]}
 */
const EFFECTS = [];
/** @param {number} from @param {number} to @param {[number, number]} effect */
function effects(from, to, effect) {
  for (let op = from; op <= to; op++) EFFECTS[op] = effect;
}
effects(OP.select, OP.select, [3, 1]);
effects(OP.localGet, OP.localGet, [0, 1]);
effects(OP.localSet, OP.localSet, [1, 0]);
effects(OP.localTee, OP.localTee, [1, 1]);
effects(OP.globalGet, OP.globalGet, [0, 1]);
effects(OP.firstLoad, OP.lastLoad, [1, 1]);
effects(OP.firstStore, OP.lastStore, [2, 0]);
effects(OP.i32Const, OP.f64Const, [0, 1]);
effects(0x45, 0xc4, [2, 1]); // comparisons and arithmetic take two numbers, except for these
for (const [from, to] of [
  [0x45, 0x45], // i32.eqz
  [0x50, 0x50], // i64.eqz
  [0x67, 0x69], // i32.clz, ctz, popcnt
  [0x79, 0x7b], // i64.clz, ctz, popcnt
  [0x8b, 0x91], // f32.abs to sqrt
  [0x99, 0x9f], // f64.abs to sqrt
  [0xa7, 0xc4], // conversions
])
  effects(from, to, [1, 1]);
