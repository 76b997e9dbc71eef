/**
 * Shortens the exits of a function. After each call, Go's compiler checks whether the goroutine must yield. If so, the
 * code branches to the function's end, which returns 1. The label of that branch differs from call to call. This pass
 * replaces the branch by instructions that return 1. They are the same after every call, so they compress to almost
 * nothing.
 *
 * Guarantee: functions return the same values with the same stack pointer. Source: Go 1.26
 * cmd/internal/obj/wasm/wasmobj.go, unwindExitBranches.
 */
import { Frames, instructions, OP, operandOf, readSigned, VOID } from './binary.mjs';

/** @typedef {import('./binary.mjs').Instruction} Instruction */

const RETURN_1 = instructions(Uint8Array.of(OP.if, VOID, OP.i32Const, 1, OP.return, OP.end));

/** @param {Instruction[]} code */
export function sameExits(code) {
  const outer = outermost(code);
  if (outer < 0) return code;
  const frames = new Frames();
  /** @type {Instruction[]} */
  const out = [];
  for (let i = 0; i < code.length; i++) {
    const op = code[i][0];
    frames.step(op, i);
    if (op === OP.brIf && frames.frameOf(operandOf(code[i]))?.opened === outer) out.push(...RETURN_1);
    else out.push(code[i]);
  }
  return out;
}

/**
 * The start of the block after which a function only returns 1; -1 without such a block.
 * @param {Instruction[]} code
 */
function outermost(code) {
  const [end, one, last] = code.slice(-3);
  if (end?.[0] !== OP.end || last?.[0] !== OP.end || one[0] !== OP.i32Const || readSigned(one, 1) !== 1) return -1;
  const frames = new Frames();
  for (let i = 0; i < code.length - 3; i++) frames.step(code[i][0], i);
  const block = frames.frameOf(0);
  return block?.op === OP.block && code[block.opened][1] === VOID ? block.opened : -1;
}
