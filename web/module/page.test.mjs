import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortAddresses } from './addresses.mjs';
import { changeFunctions, instructions, leb, OP, sections, signed, signedLeb, unsigned, VOID } from './binary.mjs';
import { oneStep, sameExits } from './exits.mjs';
import { doneBy, goFunction, goModule, texts } from './gofunction.mjs';
import { straightAhead } from './jumps.mjs';
import { shorten } from './page.mjs';

/** MINSTD: the same functions in every run. @param {number} seed @returns {(below: number) => number} */
function drawing(seed) {
  let drawn = seed;
  return (below) => (drawn = (drawn * 48271) % 2147483647) % below;
}

const SAMPLES = Array.from({ length: 150 }, (_, i) => ({ seed: i + 1, ...goFunction(drawing(i + 1), 2 + (i % 17)) }));

/** How many instructions of an op a function has. @param {Iterable<Uint8Array>} code @param {number} op */
const count = (code, op) => [...code].filter((one) => one[0] === op).length;

test('random functions do the same, from each of their blocks', async () => {
  let steps = 0;
  for (const { seed, code } of SAMPLES) {
    const before = goModule(code);
    const after = shorten(before);
    for (let block = 0; block < 2 + (seed % 7); block++) {
      const done = await doneBy(before, block, seed * 100 + block);
      assert.deepEqual(await doneBy(after, block, seed * 100 + block), done, `function ${seed} from block ${block}`);
      steps += 500 - done.fuel;
    }
  }
  assert.ok(steps > 50_000, `${steps} blocks were run`);
});

test('every jump ahead goes straight there, no jump back does', () => {
  for (const { code, forward, back } of SAMPLES) {
    const before = instructions(Uint8Array.from(code));
    const after = straightAhead(before);
    const sets = (/** @type {Uint8Array[]} */ all) =>
      all.filter((one) => one[0] === OP.localSet && one[1] === 0).length;
    assert.equal(sets(before), forward + back);
    assert.equal(sets(after), back);
  }
  assert.ok(SAMPLES.reduce((sum, one) => sum + one.forward, 0) > 500);
});

test('a function of another shape stays as it is', () => {
  const [{ code }] = SAMPLES;
  const before = instructions(Uint8Array.from(code));
  const reads = [Uint8Array.of(OP.localGet, 0), Uint8Array.of(OP.localSet, 3)];
  const other = [...reads, ...before];
  assert.equal(straightAhead(other), other);
  const plain = instructions(Uint8Array.of(OP.i32Const, 1, OP.end));
  assert.equal(straightAhead(plain), plain);
  assert.equal(sameExits(plain), plain);
});

test('an indirect call may set the number for itself', () => {
  const { code, back } = SAMPLES[5];
  const before = instructions(Uint8Array.from(code));
  const call = instructions(Uint8Array.of(OP.localSet, 0, OP.i32Const, 0, OP.localGet, 0, OP.callIndirect, 0, 0));
  const after = straightAhead([...before.slice(0, -1), ...call, ...before.slice(-1)]);
  assert.equal(after.filter((one) => one[0] === OP.localSet && one[1] === 0).length, back + 1);
});

test('addresses go into the load or the store that uses them', () => {
  const address = (/** @type {number} */ n) => [0x20, 1, 0xad, 0x42, ...signedLeb(n), 0x7c, 0xa7];
  const short = (/** @type {number[]} */ code) =>
    shortAddresses(instructions(Uint8Array.from(code))).map((one) => Buffer.from(one).toString('hex'));
  assert.deepEqual(short([...address(16), 0x29, 3, 8]), texts([0x20, 1, 0x29, 3, 24]));
  assert.deepEqual(short([...address(200), 0x42, 7, 0x37, 3, 0]), texts([0x20, 1, 0x42, 7, 0x37, 3, ...leb(200)]));
  // The value is read from an address itself, and computed.
  assert.deepEqual(
    short([...address(8), ...address(24), 0x29, 3, 0, 0x50, 0xad, 0x37, 3, 0]),
    texts([0x20, 1, 0x20, 1, 0x29, 3, 24, 0x50, 0xad, 0x37, 3, 8]),
  );
  // It is the value that is stored, or it is negative, or too large, or a block comes between: then it is only added.
  const added = (/** @type {number} */ n) => [0x20, 1, 0x41, ...signedLeb(n), 0x6a];
  assert.deepEqual(short([0x20, 2, ...address(8), 0x36, 2, 0]), texts([0x20, 2, ...added(8), 0x36, 2, 0]));
  assert.deepEqual(short([...address(-8), 0x29, 3, 0]), texts([...added(-8), 0x29, 3, 0]));
  assert.deepEqual(short([...address(65536), 0x29, 3, 0]), texts([...added(65536), 0x29, 3, 0]));
  const between = [OP.block, VOID, OP.end, 0x42, 7, 0x37, 3, 0];
  assert.deepEqual(short([...address(8), ...between]), texts([...added(8), ...between]));
});

test('each question after a call returns on the spot', () => {
  for (const { code } of SAMPLES) {
    const before = instructions(Uint8Array.from(code));
    const after = sameExits(before);
    assert.equal(count(after, OP.brIf), 0);
    assert.equal(count(after, OP.return), count(before, OP.return) + count(before, OP.brIf));
  }
});

test('only the steps of one local and one global are made one', () => {
  const step = (/** @type {number} */ n, local = 1, global = 0) => [
    0x20,
    local,
    0x41,
    ...signedLeb(n),
    0x6a,
    0x22,
    local,
    0x24,
    global,
  ];
  const one = (/** @type {number[]} */ code) =>
    oneStep(instructions(Uint8Array.from(code))).map((x) => Buffer.from(x).toString('hex'));
  assert.deepEqual(one([...step(280), ...step(8)]), texts(step(288)));
  for (const other of [step(8, 2), step(8, 1, 2)])
    assert.deepEqual(one([...step(280), ...other]), texts([...step(280), ...other]));
});

test('numbers and instructions are read as they are written', () => {
  for (const value of [0, 1, 63, 64, 127, 128, 8191, 8192, 2 ** 31 - 1, 2 ** 32 + 5]) {
    const bytes = leb(value);
    assert.deepEqual(unsigned(Uint8Array.from(bytes), 0), [value, bytes.length]);
    for (const one of [value, -value - 1]) assert.equal(signed(Uint8Array.from(signedLeb(one)), 0), one);
  }
  // Those with operands of their own kind.
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

test('what no pass changes comes out byte for byte', () => {
  const module = goModule(SAMPLES[3].code);
  assert.deepEqual(Buffer.from(changeFunctions(module, [])), Buffer.from(module));
  assert.deepEqual(
    sections(module).map(({ id }) => id),
    [1, 3, 5, 6, 7, 10],
  );
});
