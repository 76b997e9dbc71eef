/**
 * Finds the numbers of the functions that the passes must know: functions that never return to their caller, the
 * function that runs deferred calls, and functions that take most of the time. It looks up their names in the runtime's
 * table of functions. Every Go program has this table, and the binaries of `go test` have names only in this table.
 *
 * Source: Go 1.26 runtime/panic.go, os_wasm.go sigpanic, asm_wasm.s morestack, cmd/link/internal/wasm/asm.go
 * funcValueOffset.
 */
import { countImported, goVersionOf } from './binary.mjs';
import { memoryIn } from './segments.mjs';
import { ENTRY, functionsOf, NAME, NAMES } from './tracebacks.mjs';

/**
 * Numbers of functions. never: functions that do not return. hot: functions in which a run spends most of its time.
 * @typedef {{never: Set<number>, hot: Set<number>, deferreturn: number}} Calls
 */

/** Functions that end in a panic, and functions that move the stack and restart the caller. */
const PANICS = 'divide|shift|overflow|float|mem|wrap|nildottype|dottype[EI]|rangestate|makeslice\\w+|unsafe\\w+';
const NEVER = new RegExp(`^runtime\\.(sigpanic|gopanic|goPanic\\w+|panic(${PANICS})|morestack(_noctxt)?)$`);
const MODULE = 'github.com/leaselab/leaselab';
/** The packages that take most of the time, as in HOT in the Makefile. */
export const HOT_PACKAGES = [
  ...['core/coordination', 'core/elector', 'core/random', 'core/step', 'core/storage', 'core/wide'],
  ...['sim/evidence', 'sim/judge/check', 'sim/network', 'sim/run', 'sim/trace'],
  ...['sim/world', 'sim/world/fencing', 'sim/world/process'],
];
/** The functions of these packages, and the compiler's functions that compare structs. */
const HOT = new RegExp(`^(type:\\.eq\\.|${MODULE}/(${HOT_PACKAGES.join('|')})\\.)`);
/** The address of a program's first function, in functions. */
const FIRST_ADDRESS = 0x1000;

/** @param {Uint8Array} module @returns {Calls | undefined} undefined for a module that Go did not write */
export function callsOf(module) {
  if (goVersionOf(module) === '') return undefined;
  const memory = memoryIn(module);
  if (!memory) return undefined;
  const { header, list, count } = functionsOf(memory);
  const names = header + Number(memory.readBigUInt64LE(header + NAMES));
  const first = countImported(module);
  const never = new Set();
  const hot = new Set();
  let deferreturn = -1;
  for (let i = 0; i < count; i++) {
    const at = list + i * ENTRY;
    const number = first + memory.readUInt32LE(at) - FIRST_ADDRESS;
    const from = names + memory.readUInt32LE(list + memory.readUInt32LE(at + 4) + NAME);
    const name = memory.toString('utf8', from, memory.indexOf(0, from));
    if (HOT.test(name)) hot.add(number);
    if (NEVER.test(name)) never.add(number);
    if (name === 'runtime.deferreturn') deferreturn = number;
  }
  if (deferreturn < 0) throw new Error('cannot find runtime.deferreturn: see web/module/calls.mjs');
  return { never, hot, deferreturn };
}
