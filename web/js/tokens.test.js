/**
 * The colours, recomputed: contrast of every token that carries meaning, and the distance between those that must not
 * be taken for one another, also by eyes with a colour deficiency. And: no colour stands outside tokens.css.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const css = readFileSync(`${web}css/tokens.css`, 'utf8');

/** @typedef {[number, number, number]} Triple */

/** Colours by name of the first block after a mark. @param {string} after @returns {Record<string, string>} */
function block(after) {
  const from = css.indexOf('{', css.indexOf(after) + after.length - 1);
  const body = css.slice(from, css.indexOf('}', from));
  return Object.fromEntries([...body.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]));
}
const BOTH = [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)];
const THEMES = {
  light: Object.fromEntries(BOTH.map(([, name, light]) => [name, light])),
  dark: Object.fromEntries(BOTH.map(([, name, , dark]) => [name, dark])),
};

/** @param {string} hex @returns {Triple} 0…1 */
const srgb = (hex) => /** @type {Triple} */ ([1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255));
/** @param {Triple} colour @returns {Triple} */
const linear = (colour) =>
  /** @type {Triple} */ (colour.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)));

/** WCAG 2: (L1 + 0.05) / (L2 + 0.05). @param {string} one @param {string} other */
function contrast(one, other) {
  const [a, b] = [one, other].map((hex) => {
    const [r, g, blue] = linear(srgb(hex));
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  });
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** @param {number[][]} matrix @param {Triple} v @returns {Triple} */
const times = (matrix, v) => /** @type {Triple} */ (matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]));

/** Machado, Oliveira, Fernandes 2009, full severity, on linear RGB. */
const EYES = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const XYZ = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE = [0.95047, 1, 1.08883];

/** CIELAB of what such an eye sees. @param {string} hex @param {number[][]} eye @returns {Triple} */
function lab(hex, eye) {
  const seen = /** @type {Triple} */ (times(eye, linear(srgb(hex))).map((v) => Math.min(1, Math.max(0, v))));
  const [x, y, z] = times(XYZ, seen).map((v, i) => {
    const t = v / WHITE[i];
    return t > (6 / 29) ** 3 ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000 (Sharma, Wu, Dalal 2005). @param {Triple} one @param {Triple} other */
function distance([l1, a1, b1], [l2, a2, b2]) {
  const rad = Math.PI / 180;
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const polar = (/** @type {number} */ a, /** @type {number} */ b) => {
    const wide = a * (1 + g);
    return { c: Math.hypot(wide, b), h: wide === 0 && b === 0 ? 0 : (Math.atan2(b, wide) / rad + 360) % 360 };
  };
  const p = polar(a1, b1);
  const q = polar(a2, b2);
  const grey = p.c * q.c === 0;
  let turn = q.h - p.h;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  if (grey) turn = 0;
  const dh = 2 * Math.sqrt(p.c * q.c) * Math.sin((turn / 2) * rad);
  let hue = (p.h + q.h) / 2;
  if (grey) hue = p.h + q.h;
  else if (Math.abs(p.h - q.h) > 180) hue += p.h + q.h < 360 ? 180 : -180;
  const light = (l1 + l2) / 2;
  const chroma = (p.c + q.c) / 2;
  const cos = (/** @type {number} */ degrees) => Math.cos(degrees * rad);
  const t = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63);
  const sl = 1 + (0.015 * (light - 50) ** 2) / Math.sqrt(20 + (light - 50) ** 2);
  const sc = 1 + 0.045 * chroma;
  const sh = 1 + 0.015 * chroma * t;
  const rotation =
    -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * Math.sin(60 * Math.exp(-(((hue - 275) / 25) ** 2)) * rad);
  const [dl, dc, dhue] = [(l2 - l1) / sl, (q.c - p.c) / sc, dh / sh];
  return Math.sqrt(dl ** 2 + dc ** 2 + dhue ** 2 + rotation * dc * dhue);
}

test('the formulae agree with their published examples', () => {
  // Sharma, Wu, Dalal: pairs 1, 7, 17 and 25 of their table.
  const near = (/** @type {number} */ value, /** @type {number} */ wanted) =>
    assert.ok(Math.abs(value - wanted) < 1e-4, `${value} is not ${wanted}`);
  near(distance([50, 2.6772, -79.7751], [50, 0, -82.7485]), 2.0425);
  near(distance([50, 0, 0], [50, -1, 2]), 2.3669);
  near(distance([50, 2.5, 0], [73, 25, -18]), 27.1492);
  near(distance([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387]), 1.2644);
  near(contrast('#000000', '#ffffff'), 21);
});

const GROUNDS = ['panel', 'paper', 'chip'];
const TEXT = ['ink', 'soft', 'a', 'b', 'c', 'd', 'bad'];
const MARKS = ['edge', 'fault', 'none'];

for (const [theme, colours] of Object.entries(THEMES)) {
  test(`${theme}: contrast 4.5 for text, 3 for marks, on panel, paper and chip`, () => {
    for (const ground of GROUNDS) {
      for (const name of TEXT) enough(name, ground, 4.5);
      for (const name of MARKS) enough(name, ground, 3);
    }
    for (const name of ['a', 'b', 'c', 'd', 'bad']) enough('on', name, 4.5);
    enough('ink', 'mark', 4.5);
    enough('panel', 'ink', 4.5);
    enough('panel', 'soft', 4.5);
  });

  /** @param {string} name @param {string} ground @param {number} limit */
  function enough(name, ground, limit) {
    const value = contrast(colours[name], colours[ground]);
    assert.ok(value >= limit, `${theme}: ${name} on ${ground} has ${value.toFixed(2)}, less than ${limit}`);
  }

  for (const [eye, matrix] of Object.entries(EYES)) {
    test(`${theme}, ${eye}: identities, fault and violation stay at least 12 apart`, () => {
      const names = ['a', 'b', 'c', 'd', 'fault', 'bad'];
      for (const [i, one] of names.entries()) {
        for (const other of names.slice(i + 1)) {
          const apart = distance(lab(colours[one], matrix), lab(colours[other], matrix));
          assert.ok(apart >= 12, `${one} and ${other} are ${apart.toFixed(1)} apart`);
        }
      }
    });
  }
}

test('on a projector the identities stand out from black, from one another and from the ground', () => {
  const colours = { ...THEMES.light, ...block(':root[data-projector="light"] {') };
  for (const matrix of Object.values(EYES)) {
    const seen = (/** @type {string} */ hex) => lab(hex, matrix);
    const names = ['a', 'b', 'c', 'd', 'fault', 'bad'];
    for (const [i, one] of names.entries())
      for (const other of names.slice(i + 1)) assert.ok(distance(seen(colours[one]), seen(colours[other])) >= 12, one);
    for (const name of ['b', 'c']) {
      assert.ok(distance(seen(colours[name]), seen('#000000')) >= 30, `${name} is not black`);
    }
  }
  // All text is large there: 3 is enough.
  for (const ground of GROUNDS)
    for (const name of ['a', 'b', 'c'])
      assert.ok(contrast(colours[name], colours[ground]) >= 3, `${name} on ${ground}`);
  for (const name of ['a', 'b', 'c']) assert.ok(contrast(colours.on, colours[name]) >= 3, `on ${name}`);
});

test('no colour stands outside tokens.css', () => {
  const literal = new RegExp(
    String.raw`#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(|` +
      String.raw`[:\s](?:black|white|red|green|blue|yellow|orange|purple|gr[ae]y)\s*[;,)]`,
    'gi',
  );
  const found = [];
  const read = (/** @type {string} */ file, /** @type {string} */ text) => {
    for (const [i, line] of text.split('\n').entries()) {
      for (const [match] of line.matchAll(literal)) found.push(`${file}:${i + 1}: ${match.trim()}`);
    }
  };
  for (const name of readdirSync(`${web}css`)) {
    if (name !== 'tokens.css')
      read(`css/${name}`, readFileSync(`${web}css/${name}`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''));
  }
  for (const name of /** @type {string[]} */ (readdirSync(`${web}js`, { recursive: true }))) {
    if (!name.endsWith('.js') || name.endsWith('.test.js')) continue;
    // In scripts only whole strings can be colours; "#timeline" and the like are not hexadecimal.
    const text = readFileSync(`${web}js/${name}`, 'utf8');
    for (const [match] of text.matchAll(
      /['"`](?:#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})|(?:rgba?|hsla?|oklch)\([^'"`]*)['"`]/gi,
    ))
      found.push(`js/${name}: ${match}`);
  }
  assert.deepEqual(found, []);
});
