/**
 * Restores loops. Go's compiler writes a function as one loop around nested blocks (see jumps.mjs), and every jump
 * back, however short, goes to the top of that loop. So an optimizing compiler sees a single loop with the whole
 * function inside, and keeps every local alive throughout the loop. This pass makes a separate loop from the blocks
 * between a jump back and its target, and removes the loop around the function. The table stays for the runtime, which
 * enters a function after a call when a goroutine resumes. For a block inside a loop, the table leads to the loop's
 * start, where another table leads to the block.
 *
 * Loops need more code than jumps, so only the functions that take most of the time get loops (calls.mjs). Elections
 * become a tenth faster, for 3 KiB of code.
 *
 * Guarantee: from each number at which the runtime may enter, the program runs the same instructions in the same order,
 * except for the detour. Any other number stops the program. A function with another shape stays unchanged. Source: Go
 * 1.26 cmd/internal/obj/wasm/wasmobj.go, obj.AJMP, obj.ACALL, ARESUMEPOINT and entryPointLoopBranches;
 * cmd/compile/internal/wasm/ssa.go, ssaGenBlock and ssaGenValue.
 */
import { Frames, OP, operandOf, signedOf, unsignedLeb, unsignedOf, VOID } from './binary.mjs';
import { dispatch, jumpAt, labelsOf, PC_B, topOf } from './jumps.mjs';

const [I32_EQZ, I32_SUB] = [0x45, 0x6b];

/** @typedef {import('./binary.mjs').Instruction} Instruction */
/** @typedef {import('./calls.mjs').Calls} Calls */
/**
 * A part of a block: an instruction, or a branch out of the function's loop, past `out` frames around the loop, or a
 * jump to the block of a number. `when`: the jump takes a condition from the stack.
 * @typedef {Instruction | {out: number, op: number} | {to: number, when: boolean}} Item
 */
/**
 * A function of the shape that Go's compiler writes.
 * @typedef {object} Shape
 * @property {Instruction[]} before the instructions before the loop
 * @property {Instruction[]} after the instructions after the loop, beginning with the one that stops the program
 * @property {Item[][]} blocks
 * @property {number[]} numbers the block of each number; the last entry is for all greater numbers
 */
/**
 * The blocks from the target of a jump back to the jump itself. entered: the blocks among these that code outside the
 * loop jumps to.
 * @typedef {{from: number, to: number, entered: number[]}} Loop
 */

/**
 * @param {Instruction[]} code
 * @param {Calls} [calls] without it, the runtime may enter a function at each of its blocks
 */
export function realLoops(code, calls) {
  const shape = shapeOf(code);
  if (!shape) return code;
  const entries = entriesOf(shape, calls);
  return new Writer(shape, entries, loopsOf(shape, entries)).rewrite();
}

/** @param {Instruction[]} code @returns {Shape | undefined} */
function shapeOf(code) {
  const table = dispatch(code);
  const top = table < 0 ? -1 : topOf(code, table);
  if (top < 0 || code[table + 1]?.[0] !== OP.end) return undefined;
  const count = table - 2 - top;
  const numbers = labelsOf(code[table]);
  if (numbers[0] !== 0 || numbers.some((block) => block >= count)) return undefined;
  const frames = new Frames();
  for (let i = 0; i <= table + 1; i++) frames.step(code[i][0], i);
  const outside = frames.open.length - (count - 1); // the number of open frames around the last block
  /** @type {Item[][]} */
  const blocks = [[]];
  for (let i = table + 2; i < code.length; i++) {
    const op = code[i][0];
    const depth = frames.open.length - (outside + count - blocks.length); // of ifs in this block
    if (op === OP.end && depth === 0) {
      if (blocks.length === count) {
        const after = code.slice(i + 1);
        return after[0]?.[0] === OP.unreachable ? { before: code.slice(0, top), after, blocks, numbers } : undefined;
      }
      blocks.push([]);
      frames.step(op, i);
      continue;
    }
    const items = /** @type {Item[]} */ (blocks.at(-1));
    const jump = jumpAt(code, i, frames, top);
    if (jump >= 0) {
      const last = items.at(-1);
      const only = last instanceof Uint8Array && last[0] === OP.if && last[1] === VOID && code[i + 3]?.[0] === OP.end;
      if (only && frames.frameOf(0)?.opened === i - 1) {
        // if (jump) end
        items.pop();
        frames.step(OP.end, i + 3);
        i++;
      }
      items.push({ to: Math.min(jump, numbers.length - 1), when: only });
      i += 2;
      continue;
    }
    if (op === OP.br || op === OP.brIf || op === OP.brTable) {
      const labels = op === OP.brTable ? labelsOf(code[i]) : [operandOf(code[i])];
      if (labels.some((label) => label >= depth)) {
        const out = labels[0] - depth - (count - blocks.length) - 1;
        // such a branch goes to a block of the function without a new number
        if (op === OP.brTable || out < 0) return undefined;
        items.push({ out, op });
        continue;
      }
    }
    frames.step(op, i);
    items.push(code[i]);
  }
  return undefined;
}

/**
 * The blocks at which the runtime may enter a function: the first one; the one after a call that returns, because such
 * a call ends a block; and the call of the deferred functions, where the function goes on after one of them has
 * recovered from a panic.
 * @param {Shape} shape @param {Calls} [calls] @returns {Set<number>}
 */
function entriesOf({ blocks, numbers }, calls) {
  const entries = new Set([0]);
  if (!calls) return new Set([0, ...numbers]);
  blocks.forEach((items, k) => {
    const called = items.filter((item) => item instanceof Uint8Array && item[0] === OP.call);
    if (called.some((item) => operandOf(/** @type {Instruction} */ (item)) === calls.deferreturn)) entries.add(k);
    const branchAt = items.findLastIndex((item) => !(item instanceof Uint8Array) || item[0] !== OP.nop);
    const condition = items[branchAt];
    if (!condition || condition instanceof Uint8Array || !('out' in condition) || k + 1 === blocks.length) return;
    const call = items[branchAt - 1];
    // the code may reload the stack pointer between the call and the check
    const reloads = call instanceof Uint8Array && call[0] === OP.localSet;
    const before = reloads ? items[branchAt - 3] : call;
    const never = before instanceof Uint8Array && before[0] === OP.call && calls.never.has(operandOf(before));
    if (!never) entries.add(k + 1);
  });
  return entries;
}

/**
 * The loops. Any two loops are either nested or separate.
 * @param {Shape} shape @param {Set<number>} entries @returns {Loop[]} outer ones first
 */
function loopsOf({ blocks, numbers }, entries) {
  /** @type {{from: number, to: number}[]} */
  const jumps = [];
  blocks.forEach((items, from) => {
    for (const item of items)
      if (!(item instanceof Uint8Array) && 'to' in item) jumps.push({ from, to: numbers[item.to] });
  });
  /** The last block of the loop that begins at a block. @type {Map<number, number>} */
  const ends = new Map();
  for (const { from, to } of jumps) if (to <= from) ends.set(to, from); // the last jump to a block determines the end
  for (let changed = true; changed; ) {
    changed = false;
    for (const [from, to] of ends)
      for (const [inner, end] of ends)
        if (from < inner && inner <= to && end > to) {
          ends.set(from, end);
          changed = true;
        }
  }
  return [...ends]
    .map(([from, to]) => {
      const entered = new Set([...entries].filter((k) => from < k && k <= to));
      for (const jump of jumps)
        if (from < jump.to && jump.to <= to && (jump.from < from || jump.from > to)) entered.add(jump.to);
      return { from, to, entered: [...entered].sort((a, b) => a - b) };
    })
    .sort((a, b) => a.from - b.from || b.to - a.to);
}

/** Writes a function with its loops. */
class Writer {
  /** @param {Shape} shape @param {Set<number>} entries @param {Loop[]} loops */
  constructor(shape, entries, loops) {
    this.shape = shape;
    this.entries = [...entries].sort((a, b) => a - b);
    this.loops = loops;
    /** @type {Instruction[]} */
    this.out = [];
    /** The open frames by name; undefined for ifs inside a block. @type {(string | undefined)[]} */
    this.open = [];
    /** The labels that a branch uses. @type {Set<string>} */
    this.used = new Set();
    /** The labels to write; undefined means all of them. @type {Set<string> | undefined} */
    this.needed = undefined;
  }

  rewrite() {
    const { blocks, before, after } = this.shape;
    this.range(0, blocks.length - 1);
    // Write everything again, now without the unused labels.
    this.out = [];
    this.needed = this.used;
    this.range(0, blocks.length - 1);
    return [...before, ...this.out, ...after];
  }

  /**
   * The outermost loop that a jump to `block` enters if it comes from the block `from`.
   * @param {number} block
   * @param {number} from
   */
  loopEntered(block, from) {
    return this.loops.find((loop) => hasBlock(loop, block) && !hasBlock(loop, from));
  }

  /**
   * Writes blocks, with the loops among them.
   * @param {number} from
   * @param {number} to
   * @param {Loop} [own] the loop whose blocks they are
   */
  range(from, to, own) {
    /** @type {{at: number, loop?: Loop}[]} */
    const units = [];
    for (let at = from; at <= to; ) {
      const loop = this.loops.find((loop) => loop !== own && loop.from === at && (!own || loop.to <= own.to));
      units.push({ at, loop });
      at = (loop?.to ?? at) + 1;
    }
    const entered = own ? own.entered : this.entries.filter((k) => k > 0);
    if (!own && entered.length > 0) this.begin('nowhere');
    for (const { at, loop } of [...units].reverse()) {
      if (loop && loop.entered.length > 0) this.begin(`into ${at}`);
      this.begin(`to ${at}`);
    }
    if (entered.length > 0) this.table(units, entered, own);
    for (const { at, loop } of units) {
      this.end(`to ${at}`);
      if (!loop) {
        for (const item of this.shape.blocks[at]) this.write(item, at);
        continue;
      }
      if (loop.entered.length > 0) {
        this.out.push(signedOf(OP.i32Const, 0), unsignedOf(OP.localSet, PC_B));
        this.end(`into ${at}`);
      }
      this.out.push(Uint8Array.of(OP.loop, VOID));
      this.open.push(`loop ${at}`);
      this.range(loop.from, loop.to, loop);
      this.open.pop();
      this.out.push(Uint8Array.of(OP.end));
    }
    if (!own && entered.length > 0) this.end('nowhere');
  }

  /**
   * Writes the table that leads from each number to its block, and from 0 to the first block.
   * @param {{at: number, loop?: Loop}[]} units
   * @param {number[]} entered
   * @param {Loop} [own]
   */
  table(units, entered, own) {
    const { numbers } = this.shape;
    /** @param {number} block */
    const labelOf = (block) => {
      const unit = units.findLast(({ at }) => at <= block);
      return this.label(unit?.loop && unit.loop.from < block ? `into ${unit.at}` : `to ${block}`);
    };
    const number = unsignedOf(OP.localGet, PC_B);
    if (own && entered.length === 1) {
      this.out.push(number, unsignedOf(OP.brIf, labelOf(entered[0])));
      return; // to the first block, which follows
    }
    const first = labelOf(units[0].at);
    this.out.push(number, Uint8Array.of(I32_EQZ), unsignedOf(OP.brIf, first), number);
    const nowhere = own ? first : this.label('nowhere');
    const least = own ? numbers.findIndex((block) => entered.includes(block)) : 0;
    const most = numbers.findLastIndex((block) => entered.includes(block));
    const labels = numbers
      .slice(least, most + 1)
      .map((block) => (entered.includes(block) ? labelOf(block) : block === 0 && !own ? first : nowhere));
    if (least > 0) this.out.push(signedOf(OP.i32Const, least), Uint8Array.of(I32_SUB));
    this.out.push(tableOf([...labels, nowhere]));
  }

  /** @param {Item} item @param {number} block the block that contains the item */
  write(item, block) {
    if (item instanceof Uint8Array) {
      const op = item[0];
      if (op >= OP.block && op <= OP.if) this.open.push(undefined);
      else if (op === OP.end) this.open.pop();
      this.out.push(item);
      return;
    }
    if ('out' in item) {
      this.out.push(unsignedOf(item.op, this.open.length + item.out));
      return;
    }
    const to = this.shape.numbers[item.to];
    const entered = this.loopEntered(to, block);
    let number = -1;
    let label = `to ${to}`;
    if (entered && entered.from !== to) [number, label] = [item.to, `into ${entered.from}`];
    else if (to <= block) {
      label = `loop ${to}`;
      if (this.loops.some((loop) => loop.from === to && loop.entered.length > 0)) number = 0;
    }
    if (number < 0) {
      this.out.push(unsignedOf(item.when ? OP.brIf : OP.br, this.label(label)));
      return;
    }
    if (item.when) this.begin(undefined, OP.if);
    this.out.push(signedOf(OP.i32Const, number), unsignedOf(OP.localSet, PC_B), unsignedOf(OP.br, this.label(label)));
    if (item.when) this.end(undefined);
  }

  /** @param {string | undefined} name @param {number} [op] */
  begin(name, op = OP.block) {
    if (name && this.needed && !this.needed.has(name)) return;
    this.open.push(name);
    this.out.push(Uint8Array.of(op, VOID));
  }

  /** @param {string | undefined} name */
  end(name) {
    if (name && this.needed && !this.needed.has(name)) return;
    this.open.pop();
    this.out.push(Uint8Array.of(OP.end));
  }

  /** The number of frames between here and a label. @param {string} name */
  label(name) {
    this.used.add(name);
    const at = this.open.lastIndexOf(name);
    if (at < 0) throw new Error(`a jump to a label that is not open: ${name}`);
    return this.open.length - 1 - at;
  }
}

/** @param {Loop} loop @param {number} block */
const hasBlock = (loop, block) => loop.from <= block && block <= loop.to;

/** @param {number[]} labels the last label is for all greater numbers */
const tableOf = (labels) =>
  Uint8Array.of(OP.brTable, ...unsignedLeb(labels.length - 1), ...labels.flatMap((label) => unsignedLeb(label)));
