/**
 * Turns forward jumps into plain branches. Go's compiler writes a function as one loop around nested blocks. A table at
 * the loop's top leads from a number to its block. The runtime needs the table to return into the middle of a function
 * when a goroutine resumes. But the compiler also writes every jump this way: the code puts the block's number into a
 * local, goes back to the top and looks the number up. If the target is ahead, its block is still open, and a plain
 * branch reaches it. This is true for nine out of ten jumps.
 *
 * Guarantee: the program runs the same instructions in the same order, except for the detour. A function without this
 * shape stays unchanged. Backward jumps stay, too. Source: Go 1.26
 * cmd/internal/obj/wasm/wasmobj.go, obj.AJMP and entryPointLoopBranches.
 */
import { Frames, is, OP, operandOf, readSigned, readUnsigned, unsignedOf, VOID } from './binary.mjs';

/** The local with the number of the block to go to (REG_PC_B). */
const PC_B = 0;

/** @typedef {import('./binary.mjs').Instruction} Instruction */

/** @param {Instruction[]} code */
export function straightenJumps(code) {
  const table = dispatch(code);
  if (table < 0) return code;
  const top = topOf(code, table);
  if (top < 0) return code;
  /** @type {Instruction[]} */
  const out = [];
  const frames = new Frames();
  /** @type {import('./binary.mjs').Frame[]} */
  let targets = [];
  for (let i = 0; i < code.length; i++) {
    const op = code[i][0];
    if (i === table) targets = labelsOf(code[i]).map((depth) => /** @type {any} */ (frames.frameOf(depth)));
    const jump = i > table ? jumpAt(code, i, frames, top) : -1;
    if (jump < 0 && i > table && toTheTop(code, i, frames, top)) return code;
    if (jump >= 0) {
      const target = targets[Math.min(jump, targets.length - 1)];
      const depth = frames.depthOf(target);
      if (depth >= 0 && target.op === OP.block) {
        const last = out.at(-1);
        const only = last?.[0] === OP.if && last[1] === VOID && frames.frameOf(0)?.opened === i - 1;
        if (only && code[i + 3]?.[0] === OP.end) {
          // For "if (jump) end", also remove the if, and with the if one frame.
          out[out.length - 1] = unsignedOf(OP.brIf, depth - 1);
          frames.step(OP.end, i + 3);
          i += 3;
        } else {
          out.push(unsignedOf(OP.br, depth));
          i += 2;
        }
        continue;
      }
    }
    frames.step(op, i);
    out.push(code[i]);
  }
  return out;
}

/**
 * The index of the table's instruction; -1 if the function has no table. Also -1 if any other instruction reads the
 * number, except for an indirect call right after the code has set the number.
 * @param {Instruction[]} code
 */
function dispatch(code) {
  let table = -1;
  for (let i = 0; i < code.length; i++) {
    if (!is(code[i], OP.localGet, PC_B)) continue;
    if (code[i + 1][0] === OP.brTable && table < 0) table = i + 1;
    else if (
      code[i + 1][0] !== OP.callIndirect ||
      code[i - 1]?.[0] !== OP.i32Const ||
      !is(code[i - 2], OP.localSet, PC_B)
    )
      return -1;
  }
  return table;
}

/** The loop around the table, if only blocks are in between. @param {Instruction[]} code @param {number} table */
function topOf(code, table) {
  let at = table - 2;
  while (at >= 0 && code[at][0] === OP.block && code[at][1] === VOID) at--;
  return at >= 0 && code[at][0] === OP.loop && code[at][1] === VOID ? at : -1;
}

/** @param {Instruction} table @returns {number[]} the last label is for all greater numbers */
function labelsOf(table) {
  let [others, at] = readUnsigned(table, 1);
  const labels = [];
  for (; others >= 0; others--) {
    const [label, next] = readUnsigned(table, at);
    labels.push(label);
    at = next;
  }
  return labels;
}

/**
 * Whether a branch goes to the top without setting the number, so that the number is unknown.
 * @param {Instruction[]} code
 * @param {number} i
 * @param {Frames} frames
 * @param {number} top
 */
function toTheTop(code, i, frames, top) {
  const op = code[i][0];
  const labels = op === OP.br || op === OP.brIf ? [operandOf(code[i])] : op === OP.brTable ? labelsOf(code[i]) : [];
  if (!labels.some((depth) => frames.frameOf(depth)?.opened === top)) return false;
  return op !== OP.br || jumpAt(code, i - 2, frames, top) < 0;
}

/**
 * The number of the block that a jump at i goes to; -1 without a jump.
 * @param {Instruction[]} code
 * @param {number} i
 * @param {Frames} frames
 * @param {number} top
 */
function jumpAt(code, i, frames, top) {
  if (code[i][0] !== OP.i32Const || !is(code[i + 1], OP.localSet, PC_B) || code[i + 2]?.[0] !== OP.br) return -1;
  return frames.frameOf(operandOf(code[i + 2]))?.opened === top ? readSigned(code[i], 1) : -1;
}
