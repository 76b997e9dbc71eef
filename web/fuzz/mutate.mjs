/** Makes wrong documents: changes a few places of a JSON tree, or a few characters of its text. */

/** A small generator that gives the same numbers everywhere (mulberry32). @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** @param {number} below */
    integer: (below) => Math.floor(next() * below),
    /** @template T @param {readonly T[]} all @returns {T} */
    pick: (all) => all[Math.floor(next() * all.length)],
  };
}
/** @typedef {ReturnType<typeof randomOf>} Random */

const deep = (/** @type {number} */ levels) => `${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}`;

/** Wrong values to put in place of others, as JSON. */
const WRONG = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  -0.0000001,
  2 ** 31,
  2 ** 53,
  2 ** 64,
  -(2 ** 63),
  1e300,
  7776000e9,
  '',
  ' ',
  'a',
  '0s',
  '-1s',
  '2160h',
  '99999999h',
  'x'.repeat(10_000),
  '\u0000',
  '\ud800',
  '‮abc',
  '<img src=x onerror=alert(1)>',
  '__proto__',
  'constructor',
  '../..',
  [],
  {},
  [[]],
  [null],
  [{}],
  { t: 0, n: 0 },
  { t: 9e15, n: -1 },
  { t: -5, n: 9e15 },
].map((value) => JSON.stringify(value));
WRONG.push(deep(20), deep(3000));

/** What no sentence has in it: words of Go, of JavaScript, and of what was forgotten. */
export const NO_WORDS = new RegExp(
  String.raw`json: |cannot unmarshal|Go (struct|value)|\bundefined\b|\bNaN\b|\[object |is not a function|` +
    String.raw`Cannot read prop|Unexpected token|runtime error|call stack|strconv\.|%!`,
);

/**
 * Every place of a tree: its parent, and its name there.
 * @param {any} tree
 * @returns {{holder: any, name: string | number}[]}
 */
function placesOf(tree) {
  /** @type {{holder: any, name: string | number}[]} */
  const places = [];
  const left = [tree];
  while (left.length > 0) {
    const holder = left.pop();
    for (const [name, value] of Object.entries(holder)) {
      places.push({ holder, name: Array.isArray(holder) ? Number(name) : name });
      if (value !== null && typeof value === 'object') left.push(value);
    }
  }
  return places;
}

/** @param {Random} random @param {any} root */
function changeTree(random, root) {
  const places = placesOf(root);
  if (places.length === 0) return;
  const { holder, name } = random.pick(places);
  const set = (/** @type {string | number} */ at, /** @type {any} */ value) =>
    Object.defineProperty(holder, at, { value, writable: true, enumerable: true, configurable: true });
  const copyOther = () => {
    const from = random.pick(places);
    return structuredClone(from.holder[from.name]);
  };
  switch (random.integer(8)) {
    case 0:
    case 1:
    case 2:
      return set(name, JSON.parse(random.pick(WRONG)));
    case 3:
      return set(name, copyOther());
    case 4:
      return Array.isArray(holder) ? holder.splice(Number(name), 1) : delete holder[name];
    case 5:
      return Array.isArray(holder)
        ? holder.splice(Number(name), 0, structuredClone(holder[Number(name)]))
        : set(random.pick(['__proto__', 'constructor', 'toString', 'x', 'kind', 'Kind']), copyOther());
    case 6:
      return typeof holder[name] === 'number'
        ? set(name, holder[name] * random.pick([-1, 0, 0.5, 2, 1000, 1e9, 1e15]))
        : set(name, JSON.parse(random.pick(WRONG)));
    default:
      return typeof holder[name] === 'string'
        ? set(name, changeText(random, holder[name]))
        : set(name, `${typeof holder[name] === 'object' ? name : holder[name]}`);
  }
}

/** @param {Random} random @param {string} text */
export function changeText(random, text) {
  const at = random.integer(text.length + 1);
  const piece = text.slice(at, at + 1 + random.integer(20));
  switch (random.integer(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + piece.length);
    case 2:
      return text.slice(0, at) + piece + text.slice(at);
    case 3:
      return (
        text.slice(0, at) +
        random.pick(['"', '\\', '{', '}', '[', ']', ',', ':', '\u0000', 'é', '1e999', '-']) +
        text.slice(at + 1)
      );
    default:
      return text.slice(0, at) + random.pick([...'0123456789abcdefxyz"{}']) + text.slice(at + 1);
  }
}

/**
 * The text of a similar document with up to four mistakes.
 * @param {Random} random
 * @param {any} document
 */
export function mutate(random, document) {
  const root = { document: structuredClone(document) };
  let text;
  try {
    for (let left = 1 + random.integer(2) * random.integer(4); left > 0; left--) changeTree(random, root);
    text = JSON.stringify(root.document) ?? '';
  } catch {
    text = '['.repeat(9000); // a value too deep for node to copy or write
  }
  if (random.integer(5) === 0) text = changeText(random, text);
  if (random.integer(20) === 0) text = text.replace(/"(\w+)":/, '"$1":7,"$1":');
  return text;
}
