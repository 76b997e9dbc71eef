import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { each } from '../js/lib/testsupport/calls.js';
import { shortAddresses } from './addresses.mjs';
import {
  changeFunctions,
  goVersionOf,
  instructions,
  OP,
  readSigned,
  readUnsigned,
  sections,
  signedLeb,
  unsignedLeb,
  VOID,
} from './binary.mjs';
import { sameExits } from './exits.mjs';
import { straightenJumps } from './jumps.mjs';
import { GO_VERSION, PASSES, shorten, shrinkForPage } from './page.mjs';
import { drawing, goFunction, goModule, runModule, texts, withProducer } from './testsupport/gofunction.mjs';

const ENGINE = new URL('../../bin/engine.wasm', import.meta.url);

const SAMPLES = Array.from({ length: 150 }, (_, i) => {
  const blocks = 2 + (i % 17);
  return { seed: i + 1, blocks, ...goFunction(drawing(i + 1), blocks) };
});

/** A module that Go might have written. */
const PLAIN = goModule(SAMPLES[0].code);

/** How many instructions of an op a function has. @param {Iterable<Uint8Array>} code @param {number} op */
const count = (code, op) => [...code].filter((one) => one[0] === op).length;

test('random functions do the same, from each of their blocks', async () => {
  let steps = 0;
  let changed = 0;
  for (const { seed, code, blocks, forward } of SAMPLES) {
    const before = goModule(code);
    const { module: after, changed: by } = shorten(before);
    assert.equal(by.jumps > 0, forward > 0, `function ${seed} has its branches`);
    changed += Number(Buffer.compare(Buffer.from(after), Buffer.from(before)) !== 0);
    for (let block = 0; block < Math.min(blocks, 2 + (seed % 7)); block++) {
      const done = await runModule(before, block, seed * 100 + block);
      assert.deepEqual(await runModule(after, block, seed * 100 + block), done, `function ${seed} from block ${block}`);
      steps += 500 - done.fuel;
    }
  }
  assert.ok(steps > 50_000, `${steps} blocks were run`);
  assert.ok(changed > 0.9 * SAMPLES.length, `${changed} of ${SAMPLES.length} are other modules`);
});

test('every jump ahead goes straight there, no jump back does', () => {
  for (const { code, forward, back } of SAMPLES) {
    const before = instructions(Uint8Array.from(code));
    const after = straightenJumps(before);
    const sets = (/** @type {Uint8Array[]} */ all) =>
      all.filter((one) => one[0] === OP.localSet && one[1] === 0).length;
    assert.equal(sets(before), forward + back);
    assert.equal(sets(after), back);
  }
  assert.ok(SAMPLES.reduce((sum, one) => sum + one.forward, 0) > 500);
});

/**
 * A loop with a table of labels at its top, and with these instructions in its first block.
 * @param {number[]} labels
 * @param {number[]} body
 */
const loopCode = (labels, body) =>
  instructions(
    Uint8Array.of(
      ...[OP.block, VOID, OP.loop, VOID, OP.block, VOID, OP.block, VOID, OP.localGet, 0],
      ...[OP.brTable, labels.length - 1, ...labels, OP.end, ...body, OP.end, OP.end, OP.end, OP.i32Const, 1, OP.end],
    ),
  );
const jumpTo = (/** @type {number} */ block, /** @type {number} */ depth) => [
  ...[OP.i32Const, block, OP.localSet, 0],
  ...[OP.br, depth],
];

test('only a jump ahead by number is made a branch', () => {
  const ahead = (/** @type {number[]} */ labels, /** @type {number[]} */ body) =>
    straightenJumps(loopCode(labels, body))
      .map((one) => Buffer.from(one).toString('hex'))
      .join(' ');
  const expectSame = (/** @type {number[]} */ labels, /** @type {number[]} */ body) =>
    loopCode(labels, body)
      .map((one) => Buffer.from(one).toString('hex'))
      .join(' ');
  // Blocks 0 and 1 are the two inner blocks. The greatest number is for all greater numbers, too.
  assert.equal(ahead([0, 1], jumpTo(1, 1)), expectSame([0, 1], [OP.br, 0]));
  assert.equal(ahead([0, 1], jumpTo(5, 1)), expectSame([0, 1], [OP.br, 0]));
  assert.equal(
    ahead([0, 1], [OP.localGet, 3, OP.if, VOID, ...jumpTo(1, 2), OP.end]),
    expectSame([0, 1], [OP.localGet, 3, OP.brIf, 0]),
  );
  for (const [labels, body] of /** @type {[number[], number[]][]} */ ([
    [[0, 1], jumpTo(0, 1)], // back
    [[0, 2], jumpTo(1, 1)], // to the loop itself
    [[0, 1], jumpTo(1, 2)], // out of the loop: not by number
    [
      [0, 1],
      [...jumpTo(1, 1), OP.localGet, 3, OP.brIf, 1],
    ], // to the top without setting the number
    [
      [0, 1],
      [...jumpTo(1, 1), OP.localGet, 3, OP.brTable, 1, 0, 1],
    ],
    [
      [0, 1],
      [...jumpTo(1, 1), OP.localGet, 0, OP.localSet, 3],
    ], // another instruction reads the number
    [
      [0, 1],
      [...jumpTo(1, 1), OP.localGet, 0, OP.brTable, 0, 0],
    ],
    [
      [0, 1],
      [...jumpTo(1, 1), OP.localGet, 0, OP.callIndirect, 0, 0],
    ],
  ]))
    assert.equal(ahead(labels, body), expectSame(labels, body), `${labels}: ${body}`);
  // An if that holds more than the jump stays.
  const more = [OP.localGet, 3, OP.if, VOID, OP.localGet, 3, OP.localSet, 3, ...jumpTo(1, 2), OP.end];
  const kept = [OP.localGet, 3, OP.if, VOID, OP.localGet, 3, OP.localSet, 3, OP.br, 1, OP.end];
  assert.equal(ahead([0, 1], more), expectSame([0, 1], kept));
  const other = [OP.localGet, 3, OP.if, VOID, ...jumpTo(1, 2), 0x05, OP.localGet, 3, OP.localSet, 3, OP.end];
  const branch = [OP.localGet, 3, OP.if, VOID, OP.br, 1, 0x05, OP.localGet, 3, OP.localSet, 3, OP.end];
  assert.equal(ahead([0, 1], other), expectSame([0, 1], branch));
});

test('a function of another shape stays unchanged', () => {
  const [{ code }] = SAMPLES;
  const before = instructions(Uint8Array.from(code));
  const reads = [Uint8Array.of(OP.localGet, 0), Uint8Array.of(OP.localSet, 3)];
  const other = [...reads, ...before];
  assert.equal(straightenJumps(other), other);
  const plain = instructions(Uint8Array.of(OP.i32Const, 1, OP.end));
  assert.equal(straightenJumps(plain), plain);
  assert.equal(sameExits(plain), plain);
});

test('an indirect call may set the number for itself', () => {
  const { code, back } = SAMPLES[5];
  const before = instructions(Uint8Array.from(code));
  const call = instructions(Uint8Array.of(OP.localSet, 0, OP.i32Const, 0, OP.localGet, 0, OP.callIndirect, 0, 0));
  const after = straightenJumps([...before.slice(0, -1), ...call, ...before.slice(-1)]);
  assert.equal(after.filter((one) => one[0] === OP.localSet && one[1] === 0).length, back + 1);
});

test('addresses go into the load or the store that uses them', () => {
  const address = (/** @type {number} */ n) => [0x20, 1, 0xad, 0x42, ...signedLeb(n), 0x7c, 0xa7];
  const short = (/** @type {number[]} */ code) =>
    shortAddresses(instructions(Uint8Array.from(code))).map((one) => Buffer.from(one).toString('hex'));
  assert.deepEqual(short([...address(16), 0x29, 3, 8]), texts([0x20, 1, 0x29, 3, 24]));
  assert.deepEqual(
    short([...address(200), 0x42, 7, 0x37, 3, 0]),
    texts([0x20, 1, 0x42, 7, 0x37, 3, ...unsignedLeb(200)]),
  );
  // The stored value comes from a load, and from a computation.
  assert.deepEqual(
    short([...address(8), ...address(24), 0x29, 3, 0, 0x50, 0xad, 0x37, 3, 0]),
    texts([0x20, 1, 0x20, 1, 0x29, 3, 24, 0x50, 0xad, 0x37, 3, 8]),
  );
  // If the sum is the stored value, or the constant is negative or too large, or a block is in between, the addition
  // stays.
  const addCode = (/** @type {number} */ n) => [0x20, 1, 0x41, ...signedLeb(n), 0x6a];
  assert.deepEqual(short([0x20, 2, ...address(8), 0x36, 2, 0]), texts([0x20, 2, ...addCode(8), 0x36, 2, 0]));
  assert.deepEqual(short([...address(-8), 0x29, 3, 0]), texts([...addCode(-8), 0x29, 3, 0]));
  assert.deepEqual(short([...address(65536), 0x29, 3, 0]), texts([...addCode(65536), 0x29, 3, 0]));
  const between = [OP.block, VOID, OP.end, 0x42, 7, 0x37, 3, 0];
  assert.deepEqual(short([...address(8), ...between]), texts([...addCode(8), ...between]));
});

test('what comes between an address and its store is counted right', () => {
  const address = [0x20, 1, 0xad, 0x42, 16, 0x7c, 0xa7];
  const get = [0x20, 2];
  /** Instructions that leave one more value on the stack. @type {[string, number[]][]} */
  const values = [
    ['local.get', get],
    ['local.tee', [...get, 0x22, 3]],
    ['local.set', [...get, ...get, 0x21, 3]],
    ['global.get', [0x23, 0]],
    ['select', [...get, ...get, ...get, OP.select]],
    ['load', [...get, 0x29, 3, 0]],
    ['store', [...get, ...get, ...get, 0x37, 3, 0]],
    ['a sum', [...get, ...get, 0x7c]],
    ['a comparison', [...get, ...get, 0x51]],
    ['a number', [0x44, 0, 0, 0, 0, 0, 0, 0, 0]],
    ...[0x45, 0x50, 0x67, 0x69, 0x79, 0x7b, 0x8b, 0x91, 0x99, 0x9f, 0xa7, 0xc4].map(
      (op) => /** @type {[string, number[]]} */ ([`0x${op.toString(16)}`, [...get, op]]),
    ),
    ...[0x46, 0x66, 0x6a, 0x78, 0x8a, 0x92, 0x98, 0xa0, 0xa6].map(
      (op) => /** @type {[string, number[]]} */ ([`0x${op.toString(16)}`, [...get, ...get, op]]),
    ),
  ];
  const short = (/** @type {number[]} */ code) =>
    shortAddresses(instructions(Uint8Array.from(code))).map((one) => Buffer.from(one).toString('hex'));
  for (const [name, value] of values) {
    const folded = texts([0x20, 1, ...value, 0x37, 3, 16]);
    assert.deepEqual(short([...address, ...value, 0x37, 3, 0]), folded, name);
  }
  // An offset that would become too large.
  const far = [0x28, 2, ...unsignedLeb(2 ** 32 - 2)];
  assert.deepEqual(short([...address, ...far]), texts([0x20, 1, 0x41, 16, 0x6a, ...far]));
});

test('each question after a call returns on the spot', () => {
  for (const { code } of SAMPLES) {
    const before = instructions(Uint8Array.from(code));
    const after = sameExits(before);
    assert.equal(count(after, OP.brIf), 0);
    assert.equal(count(after, OP.return), count(before, OP.return) + count(before, OP.brIf));
  }
  // The pass changes neither an unconditional branch nor a return of another value.
  const ends = (/** @type {number} */ op, /** @type {number} */ value) =>
    instructions(Uint8Array.of(OP.block, VOID, OP.localGet, 0, op, 0, OP.end, OP.i32Const, value, OP.end));
  assert.equal(count(sameExits(ends(OP.brIf, 1)), OP.return), 1);
  assert.equal(count(sameExits(ends(OP.brIf, 0)), OP.return), 0);
  assert.equal(count(sameExits(ends(OP.br, 1)), OP.return), 0);
});

test('numbers and instructions are read as written', () => {
  for (const value of [0, 1, 63, 64, 127, 128, 8191, 8192, 2 ** 31 - 1, 2 ** 32 + 5]) {
    const bytes = unsignedLeb(value);
    assert.deepEqual(readUnsigned(Uint8Array.from(bytes), 0), [value, bytes.length]);
    for (const one of [value, -value - 1]) assert.equal(readSigned(Uint8Array.from(signedLeb(one)), 0), one);
  }
  // Instructions with a special kind of operand.
  const all = [
    [0x02, 0x40],
    [0x0e, 2, 1, 0x80, 1, 0],
    [0x11, 0x81, 1, 0],
    [0x29, 3, 0x90, 1],
    [0x3f, 0],
    [0x43, 1, 2, 3, 4],
  ];
  all.push([0x44, 1, 2, 3, 4, 5, 6, 7, 8], [0xfc, 7], [0xfc, 10, 0, 0], [0xfc, 11, 0], [0x42, 0xff, 0x7f], [0x1a]);
  assert.deepEqual(
    instructions(Uint8Array.from(all.flat())).map((one) => [...one]),
    all,
  );
});

test('an unknown instruction is an error, and so is a file that is not a module', () => {
  for (const [op, ...rest] of [
    [0x12, 0],
    [0x1c, 1, 0x7f],
    [0xfc, 8, 0, 0],
    [0xfd, 12],
    [0xfe, 0],
  ])
    assert.throws(() => instructions(Uint8Array.of(op, ...rest)), /not known here: 0x/);
  assert.throws(() => instructions(Uint8Array.of(0x44, 1, 2)), /ends within an instruction/);
  // A function without its end.
  assert.throws(() => shrinkForPage(goModule(SAMPLES[0].code.slice(0, -1)), PASSES), /not valid/);
  assert.throws(
    () => shrinkForPage(goModule(SAMPLES[0].code)),
    /^Error: no Go wrote this module; .* build with --plain/,
  );
});

test('what no pass changes comes out byte for byte', () => {
  const module = goModule(SAMPLES[3].code);
  assert.deepEqual(Buffer.from(changeFunctions(module, [])), Buffer.from(module));
  assert.deepEqual(each(sections(module), 'id'), [1, 3, 5, 6, 7, 10]);
});

test('a module of another Go is refused, and built without the pass that knows one Go only', () => {
  assert.equal(goVersionOf(withProducer('go1.26.8', PLAIN)), 'go1.26.8');
  assert.equal(goVersionOf(goModule(SAMPLES[0].code)), '');
  for (const other of ['go1.27', 'go1.2', 'go1.260.1'])
    assert.throws(
      () => shrinkForPage(withProducer(other, PLAIN)),
      new RegExp(`${other} wrote this module; .* knows the code of ${GO_VERSION}`),
    );
  assert.ok(shrinkForPage(withProducer('go1.27', PLAIN), PASSES).length > 0);
});

test('the Go that the passes know is the one of go.mod', () => {
  const mod = readFileSync(new URL('../../go.mod', import.meta.url), 'utf8');
  assert.match(mod, new RegExp(`^go ${GO_VERSION.slice(2)}(\\.\\d+)?$`, 'm'));
});

test('a pass that no longer finds what it knows stops the build', () => {
  const idle = withProducer('go1.26', goModule([OP.i32Const, 1, OP.end]));
  assert.throws(
    () => shrinkForPage(idle, ['tracebacks']),
    /the pass jumps changed 0.0 % of the module, less than 30 %: go1.26 writes other code/,
  );
});

test(
  'every pass fires on the engine',
  { skip: existsSync(ENGINE) ? false : 'make wasm builds bin/engine.wasm' },
  () => {
    const engine = readFileSync(ENGINE);
    const { changed } = shorten(engine);
    assert.deepEqual(Object.keys(changed), ['jumps', 'addresses', 'exits', 'returns']);
    for (const [name, share] of Object.entries(changed))
      console.log(`# ${name} changed ${(100 * share).toFixed(0)} % of the functions`);
    shrinkForPage(readFileSync(ENGINE));
  },
);
