/**
 * Shortens calls and returns. A function frees its frame and then the eight bytes of its return address, and one
 * addition can do both. After a call of a function that never returns, that panics or that moves the stack, the code
 * reloads the stack pointer and checks whether the goroutine must yield. But the answer is always yes. At the start of
 * each source line, the compiler also writes an instruction that does nothing.
 *
 * Guarantee: memory, globals and results are the same wherever another function sees them. Source: Go 1.26
 * cmd/internal/obj/wasm/wasmobj.go, obj.ARET, obj.ACALL and ACALLNORESUME; runtime/asm_wasm.s morestack.
 */
import { is, OP, operandOf, readSigned, signedOf } from './binary.mjs';

/** @typedef {import('./binary.mjs').Instruction} Instruction */

/** The global for the stack pointer, and the local in which every function keeps a copy of it. */
const [STACK, SP] = [0, 1];

/**
 * @param {Instruction[]} code the instructions after the pass sameExits
 * @param {Set<number>} [never] the numbers of the functions that never return
 */
export function fewerReturns(code, never) {
  /** @type {Instruction[]} */
  const out = [];
  for (let i = 0; i < code.length; i++) {
    if (code[i][0] === OP.nop) continue;
    out.push(code[i]);
    if (code[i][0] === OP.call && never?.has(operandOf(code[i]))) {
      const behind = afterCheck(code, i + 1);
      if (behind < 0) continue;
      out.push(Uint8Array.of(OP.return));
      i = behind - 1;
    }
    joinSums(out);
  }
  return out;
}

/**
 * The index after the check that follows a call; -1 without a check.
 * @param {Instruction[]} code
 * @param {number} at
 */
function afterCheck(code, at) {
  const start = is(code[at], OP.globalGet, STACK) && is(code[at + 1], OP.localSet, SP) ? at + 2 : at;
  const [jump, one, back, end] = code.slice(start, start + 4);
  if (jump?.[0] !== OP.if || one?.[0] !== OP.i32Const || readSigned(one, 1) !== 1) return -1;
  return back?.[0] === OP.return && end?.[0] === OP.end ? start + 4 : -1;
}

/** The instructions that add to the stack pointer. */
const SUM = [OP.localGet, OP.i32Const, OP.i32Add, OP.localTee, OP.globalSet];

/** Merges two additions at the end into one. @param {Instruction[]} out */
function joinSums(out) {
  const from = out.length - 2 * SUM.length;
  if (from < 0 || out.at(-1)?.[0] !== OP.globalSet) return;
  for (let i = 0; i < 2 * SUM.length; i++) {
    const one = out[from + i];
    const op = SUM[i % SUM.length];
    if (one[0] !== op) return;
    if ((op === OP.localGet || op === OP.localTee) && operandOf(one) !== SP) return;
    if (op === OP.globalSet && operandOf(one) !== STACK) return;
  }
  const sum = readSigned(out[from + 1], 1) + readSigned(out[from + 6], 1);
  out.splice(from, SUM.length);
  out[from + 1] = signedOf(OP.i32Const, sum);
}
