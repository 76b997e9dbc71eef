/** What the engine weighs, by Go package. The module must carry its name section (linked without -s -w). */
import { gzipSync } from 'node:zlib';
import { CODE_SECTION, DATA_SECTION, sections, unsigned } from '../module/binary.mjs';

const [CUSTOM, IMPORT] = [0, 2];
const FUNCTION_NAMES = 1;

/** @typedef {{name: string, functions: number, bytes: number, gzip: number}} Weight */

/**
 * @param {Buffer} module
 * @param {Buffer} [named] the module that has the names: the passes take them out, and keep the order of the functions
 * @returns {{packages: Weight[], data: Weight}} the code of each package, compressed by itself, heaviest first; and the data
 */
export function weigh(module, named = module) {
  /** @type {Map<number, string>} */
  let names = new Map();
  let imports = 0;
  /** @type {Buffer[]} */
  let bodies = [];
  /** @type {Buffer} */
  let data = Buffer.alloc(0);
  for (const { id, body, to } of sections(module)) {
    if (id === IMPORT) [imports] = unsigned(module, body);
    if (id === CODE_SECTION) bodies = bodiesOf(module, body);
    if (id === DATA_SECTION) data = module.subarray(body, to);
  }
  for (const { id, body, to } of sections(named)) if (id === CUSTOM) names = namesOf(named, body, to) ?? names;
  if (names.size === 0) throw new Error('the module has no names: link it without -s and -w');
  /** @type {Map<string, Buffer[]>} */
  const by = new Map();
  bodies.forEach((code, i) => {
    const name = packageOf(names.get(i + imports) ?? '');
    by.set(name, [...(by.get(name) ?? []), code]);
  });
  const packages = [...by].map(([name, codes]) => weight(name, codes.length, Buffer.concat(codes)));
  return { packages: packages.sort((a, b) => b.gzip - a.gzip), data: weight('data', 0, data) };
}

/** @param {string} name @param {number} functions @param {Buffer} bytes @returns {Weight} */
function weight(name, functions, bytes) {
  return { name, functions, bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

/** The linker writes a path with _ for /; only a host has a dot. @param {string} symbol */
function packageOf(symbol) {
  const [, path = ''] = /^((?:github\.com|gopkg\.in)?[^.]*)\./.exec(symbol) ?? [];
  if (path === '' || path.startsWith('type_') || path.startsWith('go_')) return '(made by the compiler)';
  return path.replace(/^github\.com_leaselab_leaselab_/, 'leaselab ');
}

/** @param {Buffer} module @param {number} from @param {number} to */
function namesOf(module, from, to) {
  let [size, at] = unsigned(module, from);
  if (module.toString('utf8', at, at + size) !== 'name') return undefined;
  for (at += size; at < to; ) {
    const [length, body] = unsigned(module, at + 1);
    if (module[at] === FUNCTION_NAMES) {
      const names = new Map();
      let [count, next] = unsigned(module, body);
      for (; count > 0; count--) {
        const [index, afterIndex] = unsigned(module, next);
        [size, next] = unsigned(module, afterIndex);
        names.set(index, module.toString('utf8', next, next + size));
        next += size;
      }
      return names;
    }
    at = body + length;
  }
  return undefined;
}

/** @param {Buffer} module @param {number} at */
function bodiesOf(module, at) {
  const bodies = [];
  let [count, next] = unsigned(module, at);
  for (; count > 0; count--) {
    const [size, body] = unsigned(module, next);
    next = body + size;
    bodies.push(module.subarray(body, next));
  }
  return bodies;
}
