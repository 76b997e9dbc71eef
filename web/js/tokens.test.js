/**
 * The colors, recomputed: contrast of every token that carries meaning, and the distance between colors that must not
 * be confused, also by eyes with a color deficiency. And: no color stands outside tokens.css.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  converter,
  differenceCiede2000,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  wcagContrast,
} from 'culori';

const web = fileURLToPath(new URL('..', import.meta.url));
const css = readFileSync(`${web}css/tokens.css`, 'utf8');

/** @import { Lrgb, Rgb } from 'culori' */

/** Colors by name of the first block after a mark. @param {string} after @returns {Record<string, string>} */
function block(after) {
  const from = css.indexOf('{', css.indexOf(after) + after.length - 1);
  const body = css.slice(from, css.indexOf('}', from));
  return Object.fromEntries([...body.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex]));
}
const BOTH = [...css.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)];
const THEMES = {
  light: Object.fromEntries(BOTH.map(([, name, light]) => [name, light])),
  dark: Object.fromEntries(BOTH.map(([, name, , dark]) => [name, dark])),
};

const contrast = wcagContrast;
const linear = converter('lrgb');

/**
 * What such an eye sees: Machado, Oliveira, Fernandes 2009, full severity, on linear RGB.
 * @param {string} hex @param {(color: Rgb) => Rgb} eye
 */
function seenBy(hex, eye) {
  const { r, g, b } = eye({ .../** @type {Lrgb} */ (linear(hex)), mode: 'rgb' });
  const [red, green, blue] = [r, g, b].map((v) => Math.min(1, Math.max(0, v)));
  return /** @type {Lrgb} */ ({ mode: 'lrgb', r: red, g: green, b: blue });
}
const EYES = {
  normal: (/** @type {Rgb} */ color) => color,
  protanopia: filterDeficiencyProt(1),
  deuteranopia: filterDeficiencyDeuter(1),
  tritanopia: filterDeficiencyTrit(1),
};
const distance = differenceCiede2000();

const GROUNDS = ['card', 'paper', 'sunk'];
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const STATES = ['bad', 'fault', 'good'];
const TEXT = ['ink', 'mute', ...IDS, ...STATES];
const MARKS = ['edge', 'hatch'];

for (const [theme, colors] of Object.entries(THEMES)) {
  test(`${theme}: contrast 4.5 for text, 3 for marks, on card, paper and sunk`, () => {
    for (const ground of GROUNDS) {
      for (const name of TEXT) enough(name, ground, 4.5);
      for (const name of MARKS) enough(name, ground, 3);
    }
    for (const name of STATES) {
      enough(name, `${name}bg`, 4.5);
      enough('ink', `${name}bg`, 4.5);
    }
    for (const name of [...IDS, 'bad']) enough('on', name, 4.5);
    enough('ink', 'mark', 4.5);
    enough('card', 'ink', 4.5);
    enough('card', 'mute', 4.5);
  });

  /** @param {string} name @param {string} ground @param {number} limit */
  function enough(name, ground, limit) {
    const value = contrast(colors[name], colors[ground]);
    assert.ok(value >= limit, `${theme}: ${name} on ${ground} has ${value.toFixed(2)}, less than ${limit}`);
  }

  for (const [name, eye] of Object.entries(EYES)) {
    test(`${theme}, ${name}: identities, fault and violation stay at least 12 apart`, () => {
      const names = ['a', 'b', 'c', 'd', 'fault', 'bad'];
      for (const [i, one] of names.entries()) {
        for (const other of names.slice(i + 1)) {
          const apart = distance(seenBy(colors[one], eye), seenBy(colors[other], eye));
          assert.ok(apart >= 12, `${one} and ${other} are ${apart.toFixed(1)} apart`);
        }
      }
    });
  }
}

test('on a projector the identities stand out from black, from one another and from the ground', () => {
  const colors = { ...THEMES.light, ...block(':root[data-projector="light"] {') };
  for (const eye of Object.values(EYES)) {
    const seenByEye = (/** @type {string} */ hex) => seenBy(hex, eye);
    const names = ['a', 'b', 'c', 'd', 'fault', 'bad'];
    for (const [i, one] of names.entries())
      for (const other of names.slice(i + 1))
        assert.ok(distance(seenByEye(colors[one]), seenByEye(colors[other])) >= 12, one);
    for (const name of ['b', 'c']) {
      assert.ok(distance(seenByEye(colors[name]), seenByEye('#000000')) >= 30, `${name} is not black`);
    }
  }
  // All text is large there: 3 is enough.
  for (const ground of GROUNDS)
    for (const name of ['a', 'b', 'c']) assert.ok(contrast(colors[name], colors[ground]) >= 3, `${name} on ${ground}`);
  for (const name of ['a', 'b', 'c']) assert.ok(contrast(colors.on, colors[name]) >= 3, `on ${name}`);
});

test('white words stand out from the bar of the margin', () => {
  for (const [theme, colors] of Object.entries(THEMES))
    for (const name of ['margin-1', 'margin-2', 'margin-safe', 'margin-none']) {
      const value = contrast('#ffffff', colors[name]);
      assert.ok(value >= 4.5, `${theme}: ${name} has ${value.toFixed(2)}`);
    }
});

test('in forced colors every color that carries meaning is one of the visitor', () => {
  const from = css.indexOf('@media (forced-colors: active)');
  const forced = css.slice(from, css.indexOf('\n}', from));
  for (const name of Object.keys(THEMES.light).filter((one) => !one.startsWith('margin-')))
    assert.match(forced, new RegExp(`--${name}: (Canvas|CanvasText|ButtonBorder|GrayText);`), name);
});

test('no color stands outside tokens.css', () => {
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
    // In scripts only whole strings can be colors; "#timeline" and the like are not hexadecimal.
    const text = readFileSync(`${web}js/${name}`, 'utf8');
    for (const [match] of text.matchAll(
      /['"`](?:#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})|(?:rgba?|hsla?|oklch)\([^'"`]*)['"`]/gi,
    ))
      found.push(`js/${name}: ${match}`);
  }
  assert.deepEqual(found, []);
});
