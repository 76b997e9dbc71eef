import assert from 'node:assert/strict';
import { test } from 'node:test';
import jsqr from 'jsqr';
import { codeOf } from './index.js';

/** The code as a picture with a light border, as a reader sees it. @param {{path: string, size: number}} code */
function pictureOf({ path, size }) {
  const [scale, border] = [3, 4];
  const side = (size + 2 * border) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const dark = modulesOf(path, size);
  for (let y = 0; y < size * scale; y++)
    for (let x = 0; x < size * scale; x++) {
      if (!dark[Math.floor(y / scale) * size + Math.floor(x / scale)]) continue;
      pixels.set([0, 0, 0], ((y + border * scale) * side + x + border * scale) * 4);
    }
  return /** @type {const} */ ([pixels, side, side]);
}

/**
 * The modules inside a path of M, h, v, H, V, L and z, by the even-odd rule: each vertical edge flips all modules to
 * its right.
 * @param {string} path
 * @param {number} size
 */
function modulesOf(path, size) {
  const dark = new Uint8Array(size * size);
  let [x, y, x0, y0] = [0, 0, 0, 0];
  const drawTo = (/** @type {number} */ nx, /** @type {number} */ ny) => {
    for (let row = Math.min(y, ny); row < Math.max(y, ny); row++)
      for (let column = nx; column < size; column++) dark[row * size + column] ^= 1;
    [x, y] = [nx, ny];
  };
  for (const [, letter, numbers] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const n = (numbers.match(/-?\d+/g) ?? []).map(Number);
    if (letter === 'M') [x, y, x0, y0] = [n[0], n[1], n[0], n[1]];
    else if (letter === 'h') drawTo(x + n[0], y);
    else if (letter === 'H') drawTo(n[0], y);
    else if (letter === 'v') drawTo(x, y + n[0]);
    else if (letter === 'V') drawTo(x, n[0]);
    else if (letter === 'L') drawTo(n[0], n[1]);
    else if (letter.toLowerCase() === 'z') drawTo(x0, y0);
    else throw new Error(`the path has ${letter}, which this test does not read`);
  }
  return dark;
}

test('a reader of QR codes reads the link', () => {
  for (const link of [
    'https://lab.example/#lesson=slow-is-not-dead&step=4&bet=33.5',
    `https://lab.example/sub/path/#v1.${'aZ09_-'.repeat(150)}`,
    `https://lab.example/#v1.${'aZ09_-'.repeat(400)}`,
  ]) {
    const code = codeOf(link);
    assert.ok(code);
    assert.equal(jsqr(...pictureOf(code))?.data, link);
  }
});

test('a link that no code holds is none', () => {
  assert.equal(codeOf('x'.repeat(8000)), undefined);
});
