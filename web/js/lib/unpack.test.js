import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pack } from '../../module/pack.mjs';
import { unpack } from './unpack.js';

const MODULE = Uint8Array.from({ length: 300_000 }, (_, i) => (i < 4 ? [0, 0x61, 0x73, 0x6d][i] : (i * i) >> 9));
const packed = await pack(MODULE);

test('what was packed comes out the same', () => {
  assert.ok(packed.length < MODULE.length / 2);
  assert.deepEqual(unpack(packed), MODULE);
});

test('a module that the host or the browser has unpacked stays as it is', () => {
  assert.equal(unpack(MODULE), MODULE);
});

test('a file that ends too early, or is something else, is an error', () => {
  assert.throws(() => unpack(packed.slice(0, -100)), /the engine's file is broken: unexpected EOF/);
  assert.throws(() => unpack(packed.with(3, 0)), /the engine's file is broken: /);
});
