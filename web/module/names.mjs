/** The section of a module that names its functions: 49 KiB that only a debugger reads. */
import { sections, unsigned } from './binary.mjs';

/**
 * The names of a module's functions, by number; imported functions come first.
 * @param {Uint8Array} module
 * @returns {Map<number, string>}
 */
export function functionNames(module) {
  /** @type {Map<number, string>} */
  const names = new Map();
  const found = nameSection(module);
  if (!found) return names;
  for (let at = found.body + 5; at < found.to; ) {
    const [length, from] = unsigned(module, at + 1);
    const kind = module[at];
    at = from + length;
    if (kind !== 1) continue;
    let [count, next] = unsigned(module, from);
    for (; count > 0; count--) {
      const [index, text] = unsigned(module, next);
      const [size, begins] = unsigned(module, text);
      next = begins + size;
      names.set(index, Buffer.from(module.subarray(begins, next)).toString());
    }
  }
  return names;
}

/** @param {Uint8Array} module */
function nameSection(module) {
  return sections(module).find(
    ({ id, body }) => id === 0 && Buffer.from(module.subarray(body, body + 5)).toString('latin1') === '\x04name',
  );
}

/** The same module without the names of its functions. @param {Uint8Array} module */
export function withoutNames(module) {
  const found = nameSection(module);
  return found ? Buffer.concat([module.subarray(0, found.from), module.subarray(found.to)]) : module;
}
