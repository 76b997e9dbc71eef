import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instructions, OP, signedLeb, unsignedLeb, VOID } from './binary.mjs';
import { fewerReturns } from './returns.mjs';
import { drawing, goFunction } from './testsupport/gofunction.mjs';

const [STACK, SP, NEVER, OTHER] = [0, 1, 7, 8];
const NEVERS = new Set([NEVER]);
const hex = (/** @type {number[]} */ code) => Buffer.from(code).toString('hex');
const fewer = (/** @type {number[]} */ code, never = NEVERS) =>
  Buffer.concat(fewerReturns(instructions(Uint8Array.from(code)), never)).toString('hex');
/** Adds to the stack pointer. @param {number} n */
const plus = (n, local = SP, global = STACK) => [
  ...[OP.localGet, local, OP.i32Const, ...signedLeb(n), OP.i32Add],
  ...[OP.localTee, local, OP.globalSet, global],
];
const RETURN = [OP.i32Const, 0, OP.return];

test('the frame and the return address are given back at once', () => {
  assert.equal(fewer([...plus(40), ...plus(8), ...RETURN]), hex([...plus(48), ...RETURN]));
  assert.equal(fewer([...plus(60), ...plus(8), ...RETURN]), hex([...plus(68), ...RETURN]), 'a longer number');
  for (const two of [
    [...plus(40, 2), ...plus(8, 2)],
    [...plus(40, SP, 1), ...plus(8, SP, 1)],
    [...plus(40), OP.localGet, 2, OP.localSet, 3, ...plus(8)],
    [...plus(40), OP.block, VOID, ...plus(8), OP.end],
  ])
    assert.equal(fewer(two), hex(two), 'another local, another global, something between');
});

test('after a call of what never returns, nobody asks', () => {
  const reload = [OP.globalGet, STACK, OP.localSet, SP];
  const asks = [OP.if, VOID, OP.i32Const, 1, OP.return, OP.end];
  const call = (/** @type {number} */ f) => [OP.i32Const, 0, OP.call, ...unsignedLeb(f)];
  const rest = [OP.localGet, 2, OP.localSet, 3];
  const short = hex([...call(NEVER), OP.return, ...rest]);
  assert.equal(fewer([...call(NEVER), ...reload, ...asks, ...rest]), short);
  assert.equal(fewer([...call(NEVER), ...asks, ...rest]), short);
  const zero = [OP.if, VOID, OP.i32Const, 0, OP.return, OP.end];
  for (const code of [
    [...call(OTHER), ...reload, ...asks],
    [...call(NEVER), ...reload, ...zero],
    [...call(NEVER), ...rest],
  ])
    assert.equal(fewer(code), hex(code), 'of another function, another result, no question');
  const all = [...call(NEVER), ...reload, ...asks];
  assert.equal(Buffer.concat(fewerReturns(instructions(Uint8Array.from(all)))).toString('hex'), hex(all), 'not known');
});

test('what does nothing goes, and nothing else', () => {
  assert.equal(fewer([OP.localGet, 2, OP.nop, OP.localSet, 3, OP.nop]), hex([OP.localGet, 2, OP.localSet, 3]));
  for (let seed = 1; seed <= 50; seed++) {
    const { code } = goFunction(drawing(seed), 9);
    const kept = instructions(Uint8Array.from(code)).filter((one) => one[0] !== OP.nop).length;
    const after = fewerReturns(instructions(Uint8Array.from(code)));
    const returns = after.filter((one) => one[0] === OP.return).length;
    assert.equal(after.length, kept - 5 * returns, 'a sum of five instructions less for each return');
  }
});
