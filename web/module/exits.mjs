/**
 * Ways out of a function. Go's compiler asks after each call whether the goroutine must yield, and if so branches to
 * the function's end, where 1 is returned: another label for each call. Returning 1 on the spot is the same
 * instructions every time, which compress to almost nothing.
 *
 * Guarantee: the same values are returned, with the same stack pointer.
 * Source: Go 1.26 cmd/internal/obj/wasm/wasmobj.go, unwindExitBranches.
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
    if (op === OP.brIf && frames.at(operandOf(code[i]))?.opened === outer) out.push(...RETURN_1);
    else out.push(code[i]);
  }
  return out;
}

/**
 * Where the block begins after which a function returns 1 and nothing else; -1 if there is none.
 * @param {Instruction[]} code
 */
function outermost(code) {
  const [end, one, last] = code.slice(-3);
  if (end?.[0] !== OP.end || last?.[0] !== OP.end || one[0] !== OP.i32Const || readSigned(one, 1) !== 1) return -1;
  const frames = new Frames();
  for (let i = 0; i < code.length - 3; i++) frames.step(code[i][0], i);
  const block = frames.at(0);
  return block?.op === OP.block && code[block.opened][1] === VOID ? block.opened : -1;
}
