/** Removes the section that names a module's functions: 49 KiB that only a debugger uses. */
import { sections } from './binary.mjs';

/** @param {Uint8Array} module */
export function nameSection(module) {
  return sections(module).find(
    ({ id, body }) => id === 0 && Buffer.from(module.subarray(body, body + 5)).toString('latin1') === '\x04name',
  );
}

/** The same module without the names of its functions. @param {Uint8Array} module */
export function withoutNames(module) {
  const found = nameSection(module);
  return found ? Buffer.concat([module.subarray(0, found.from), module.subarray(found.to)]) : module;
}
