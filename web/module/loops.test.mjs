import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { instructions, OP, readUnsigned, signedLeb, unsignedLeb, VOID } from './binary.mjs';
import { callsOf, HOT_PACKAGES } from './calls.mjs';
import { realLoops } from './loops.mjs';
import { nameSection } from './names.mjs';
import { drawing, goFunction, goModule, runModule } from './testsupport/gofunction.mjs';

const ENGINE = new URL('../../bin/engine.wasm', import.meta.url);
/** No function that never returns, and none that runs deferred calls. */
const CALLS = { never: new Set(), hot: new Set(), deferreturn: -1 };
const STEP = 0;

/**
 * The names of a module's functions, by number; imported functions come first.
 * @param {Uint8Array} module
 * @returns {Map<number, string>}
 */
function functionNames(module) {
  /** @type {Map<number, string>} */
  const names = new Map();
  const found = nameSection(module);
  if (!found) return names;
  for (let at = found.body + 5; at < found.to; ) {
    const [length, from] = readUnsigned(module, at + 1);
    const kind = module[at];
    at = from + length;
    if (kind !== 1) continue;
    let [count, next] = readUnsigned(module, from);
    for (; count > 0; count--) {
      const [index, text] = readUnsigned(module, next);
      const [size, begins] = readUnsigned(module, text);
      next = begins + size;
      names.set(index, Buffer.from(module.subarray(begins, next)).toString());
    }
  }
  return names;
}

/** @param {number[]} code @param {import('./calls.mjs').Calls} [calls] */
const withLoops = (code, calls) => [...Buffer.concat(realLoops(instructions(Uint8Array.from(code)), calls))];

test('with what is known of the calls, a function does the same from its beginning and after each call', async () => {
  let entered = 0;
  let stopped = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const blocks = 2 + (seed % 23);
    const { code, resumed } = goFunction(drawing(seed), blocks);
    const [before, after] = [goModule(code), goModule(withLoops(code, CALLS))];
    for (let block = 0; block < blocks; block++) {
      const done = () => runModule(after, block, seed * 100 + block);
      if (block === 0 || resumed.includes(block)) {
        assert.deepEqual(
          await done(),
          await runModule(before, block, seed * 100 + block),
          `function ${seed} from ${block}`,
        );
        entered++;
      } else if (resumed.length > 0) {
        await assert.rejects(done, WebAssembly.RuntimeError, `function ${seed} from ${block}`);
        stopped++;
      }
    }
  }
  assert.ok(entered > 400 && stopped > 200, `entered at ${entered} blocks, stopped at ${stopped}`);
});

test('a jump back goes to its own loop, and none to the top', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const { code } = goFunction(drawing(seed), 2 + (seed % 23));
    const all = instructions(Uint8Array.from(withLoops(code)));
    const tops = all.findIndex((one) => one[0] === OP.brTable);
    assert.ok(!all.slice(0, Math.max(tops, 0)).some((one) => one[0] === OP.loop), `function ${seed} is one loop`);
  }
});

/** A function of three blocks, from the instructions of each block. @param {number[][]} blocks */
const function3 = (...blocks) => numberedLoop([0, 1, 2], blocks);
/** @param {number[]} numbers which block a number leads to @param {number[][]} blocks */
function numberedLoop(numbers, blocks, behind = STOPS) {
  const code = [OP.block, VOID, OP.loop, VOID, OP.block, VOID, OP.block, VOID, OP.block, VOID];
  code.push(OP.localGet, 0, OP.brTable, numbers.length - 1, ...numbers);
  code.push(OP.end, ...blocks[0], OP.end, ...blocks[1], OP.end, ...blocks[2]);
  return [...code, OP.end, ...behind, OP.end, OP.i32Const, 1, OP.end];
}
const STOPS = [OP.unreachable];
const back = (/** @type {number} */ block, /** @type {number} */ depth) => [
  ...[OP.i32Const, ...signedLeb(block), OP.localSet, 0],
  ...[OP.br, ...unsignedLeb(depth)],
];
const ifJump = (/** @type {number[]} */ jump) => [OP.localGet, 2, OP.if, VOID, ...jump, OP.end];
const call = (/** @type {number} */ number) => [OP.i32Const, 0, OP.call, number, OP.brIf];
const hex = (/** @type {number[]} */ code) => Buffer.from(code).toString('hex');
const DONE = [OP.i32Const, 0, OP.return];
const WORK = [OP.i32Const, 9, OP.localSet, 3];

test('a loop in which nothing is called needs no table', () => {
  const code = function3(WORK, ifJump(back(1, 2)), DONE);
  const wanted = [
    OP.block,
    VOID,
    ...WORK,
    OP.loop,
    VOID,
    OP.localGet,
    2,
    OP.brIf,
    0,
    OP.end,
    ...DONE,
    OP.unreachable,
    OP.end,
  ];
  assert.equal(hex(withLoops(code, CALLS)), hex([...wanted, OP.i32Const, 1, OP.end]));
});

test('a number above all others leads where the last one does', () => {
  const wanted = [
    OP.block,
    VOID,
    OP.block,
    VOID,
    OP.br,
    0,
    ...WORK,
    OP.end,
    ...DONE,
    OP.unreachable,
    OP.end,
    OP.i32Const,
    1,
    OP.end,
  ];
  assert.equal(hex(withLoops(function3(back(9, 2), WORK, DONE), CALLS)), hex(wanted));
});

test('a loop that is begun in its middle is told so by the number', () => {
  const code = function3(back(2, 2), WORK, [...ifJump(back(1, 1)), ...DONE]);
  const zero = [OP.i32Const, 0, OP.localSet, 0];
  const wanted = [OP.block, VOID, OP.block, VOID, OP.i32Const, 2, OP.localSet, 0, OP.br, 0, ...zero, OP.end];
  wanted.push(OP.loop, VOID, OP.block, VOID, OP.localGet, 0, OP.brIf, 0, ...WORK, OP.end);
  wanted.push(OP.localGet, 2, OP.if, VOID, ...zero, OP.br, 1, OP.end, ...DONE, OP.end, OP.unreachable, OP.end);
  assert.equal(hex(withLoops(code, CALLS)), hex([...wanted, OP.i32Const, 1, OP.end]));
});

test('after a call that never returns, nothing is entered', () => {
  const code = function3(WORK, [...call(STEP), 2], DONE);
  const table = (/** @type {number[]} */ code) => code.includes(OP.brTable);
  assert.ok(table(withLoops(code, CALLS)));
  assert.ok(!table(withLoops(code, { ...CALLS, never: new Set([STEP]) })));
  const reload = [OP.globalGet, 0, OP.localSet, 1];
  const reloads = function3(WORK, [OP.i32Const, 0, OP.call, STEP, ...reload, OP.brIf, 2], DONE);
  assert.ok(table(withLoops(reloads, CALLS)));
  assert.ok(!table(withLoops(reloads, { ...CALLS, never: new Set([STEP]) })));
});

test('the runtime goes on at the call of the deferred functions', () => {
  const code = function3(WORK, ifJump(back(2, 2)), [...call(STEP), 1, ...DONE]);
  const table = (/** @type {import('./calls.mjs').Calls} */ calls) =>
    instructions(Uint8Array.from(withLoops(code, calls))).filter((one) => one[0] === OP.brTable);
  assert.equal(table(CALLS).length, 0);
  const [found] = table({ ...CALLS, deferreturn: STEP });
  assert.equal(found[1], 3, 'the numbers 0, 1, 2 and all others');
  assert.notEqual(found[4], found[3], 'number 2 leads to the call, number 1 nowhere');
});

test('a function of another shape stays unchanged', () => {
  const expectSame = (/** @type {number[]} */ code) => assert.equal(hex(withLoops(code, CALLS)), hex(code));
  expectSame([OP.i32Const, 1, OP.end]);
  expectSame(function3([OP.localGet, 3, OP.brIf, 0], WORK, DONE)); // into a block, whatever the number is
  expectSame(function3([OP.localGet, 3, OP.brIf, 2], WORK, DONE)); // to the top
  expectSame(function3([OP.localGet, 0, OP.localSet, 3], WORK, DONE)); // another instruction reads the number
  expectSame(numberedLoop([1, 1, 2], [WORK, WORK, DONE])); // 0 is not the beginning of the function
  expectSame(numberedLoop([0, 1, 2], [WORK, WORK, DONE], [])); // the instruction after the blocks is not a stop
});

test('the packages that get loops are the ones that the Makefile inlines', () => {
  const makefile = readFileSync(new URL('../../Makefile', import.meta.url), 'utf8');
  const list = /^HOT := \$\(addprefix \$\(MODULE\)\/,((?:.|\\\n)*?)\)$/m.exec(makefile)?.[1];
  assert.deepEqual(list?.split(/[\s\\]+/), HOT_PACKAGES);
});

test(
  'functions are known by the same numbers as in the section of names',
  { skip: existsSync(ENGINE) ? false : 'make wasm builds bin/engine.wasm' },
  () => {
    const engine = readFileSync(ENGINE);
    const names = functionNames(engine);
    const { never, hot, deferreturn } = /** @type {import('./calls.mjs').Calls} */ (callsOf(engine));
    assert.equal(names.get(deferreturn), 'runtime.deferreturn');
    const named = new Set([...never].map((number) => names.get(number)));
    for (const name of ['runtime.sigpanic', 'runtime.goPanicIndex', 'runtime.gopanic', 'runtime.morestack_noctxt'])
      assert.ok(named.has(name), name);
    for (const name of ['runtime.panicCheck1', 'runtime.panicCheck2']) assert.ok(!named.has(name), `${name} returns`);
    for (const number of hot) assert.match(names.get(number) ?? '', /^(type_\.eq|github\.com_leaselab_leaselab_)/);
    assert.ok(hot.size > 500, `${hot.size} functions are hot`);
  },
);
