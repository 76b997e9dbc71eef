/**
 * Finds the numbers of the functions that never return to their caller. It looks up their names in the runtime's table
 * of functions. Every Go program has this table, and the binaries of `go test` have names only in this table.
 *
 * Source: Go 1.26 runtime/panic.go, os_wasm.go sigpanic, asm_wasm.s morestack, cmd/link/internal/wasm/asm.go
 * funcValueOffset.
 */
import { countImported, goVersionOf } from './binary.mjs';
import { memoryIn } from './segments.mjs';
import { ENTRY, functionsOf, NAME, NAMES } from './tracebacks.mjs';

/** Functions that end in a panic, and functions that move the stack and restart the caller. */
const PANICS = 'divide|shift|overflow|float|mem|wrap|nildottype|dottype[EI]|rangestate|makeslice\\w+|unsafe\\w+';
const NEVER = new RegExp(`^runtime\\.(sigpanic|gopanic|goPanic\\w+|panic(${PANICS})|morestack(_noctxt)?)$`);
/** The address of a program's first function, in functions. */
const FIRST_ADDRESS = 0x1000;

/**
 * @param {Uint8Array} module
 * @returns {Set<number> | undefined} undefined for a module that Go did not write
 */
export function neverReturning(module) {
  if (goVersionOf(module) === '') return undefined;
  const memory = memoryIn(module);
  if (!memory) return undefined;
  const { header, list, count } = functionsOf(memory);
  const names = header + Number(memory.readBigUInt64LE(header + NAMES));
  const first = countImported(module);
  const never = new Set();
  for (let i = 0; i < count; i++) {
    const at = list + i * ENTRY;
    const number = first + memory.readUInt32LE(at) - FIRST_ADDRESS;
    const from = names + memory.readUInt32LE(list + memory.readUInt32LE(at + 4) + NAME);
    const name = memory.toString('utf8', from, memory.indexOf(0, from));
    if (NEVER.test(name)) never.add(number);
  }
  if (never.size === 0) throw new Error('cannot find runtime.gopanic: see web/module/calls.mjs');
  return never;
}
