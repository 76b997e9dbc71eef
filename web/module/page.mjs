/**
 * Makes the page's module out of what Go's compiler wrote, in passes. Each pass says what it keeps; all of them keep what the
 * program does. `make test-wasm` runs the Go tests with the passes over functions, and some with all passes; `make bench`
 * leaves out one pass at a time and prints what it saves in size and time.
 */
import { shortAddresses } from './addresses.mjs';
import { changeFunctions, goVersionOf } from './binary.mjs';
import { callsOf } from './calls.mjs';
import { sameExits } from './exits.mjs';
import { clearFunctab, writeFunctab } from './functab.mjs';
import { emptyIdle, imported, withoutNames } from './idle.mjs';
import { straightAhead } from './jumps.mjs';
import { realLoops } from './loops.mjs';
import { fewerReturns } from './returns.mjs';
import { changeMemory, joinSegments } from './segments.mjs';
import { dropTracebacks, functionsOf } from './tracebacks.mjs';

/** @typedef {import('./binary.mjs').Instruction} Instruction */
/** @typedef {import('./calls.mjs').Calls} Calls */
/** @typedef {'loops' | 'jumps' | 'addresses' | 'exits' | 'returns' | 'segments' | 'unused'} Pass */

/** In this order. @type {Record<string, (code: Instruction[], calls: Calls | undefined, hot: boolean) => Instruction[]>} */
const OVER_FUNCTIONS = {
  loops: (code, calls, hot) => (hot ? realLoops(code, calls) : code),
  jumps: straightAhead,
  addresses: shortAddresses,
  exits: sameExits,
  returns: fewerReturns,
};
/** All passes. unused takes out what the page never uses or need not load: code that only a tracer calls, tables that only a printed stack reads, and a table that the engine writes itself. @type {Pass[]} */
export const PASSES = ['loops', 'jumps', 'addresses', 'exits', 'returns', 'segments', 'unused'];
/**
 * The Go version whose memory layout dropTracebacks knows. It must be the version in go.mod, too: page.test.mjs compares.
 * Before you raise it, read what changed in runtime/symtab.go and internal/abi/symtab.go.
 */
export const GO_VERSION = 'go1.26';

/**
 * What each pass must at least change in a Go program: a share of the functions, for tables of the memory. A pass that
 * no longer recognises what a new compiler writes stops the build instead of doing nothing in silence. page.test.mjs prints
 * the shares of the engine.
 * @type {Record<string, number>}
 */
const LEAST = { idle: 0.004, loops: 0.01, jumps: 0.3, addresses: 0.3, exits: 0.3, returns: 0.3, tracebacks: 0.04 };

/**
 * The same functions in less code.
 * @param {Uint8Array} module
 * @param {Pass[]} [without]
 * @returns {{module: Uint8Array, changed: Record<string, number>}} changed: which share of the functions each pass changed
 */
export function shorten(module, without = []) {
  /** @type {Record<string, number>} */
  const changed = {};
  let functions = 0;
  const calls = callsOf(module);
  const first = imported(module);
  const passes = Object.entries(OVER_FUNCTIONS)
    .filter(([name]) => !without.includes(/** @type {Pass} */ (name)))
    .map(([name, pass]) => {
      changed[name] = 0;
      return (/** @type {Instruction[]} */ code) => {
        // Where nothing is known of the functions, all of them are taken for hot.
        const made = pass(code, calls, !calls || calls.hot.has(first + functions - 1));
        if (made.length !== code.length || made.some((one, i) => one !== code[i])) changed[name]++;
        return made;
      };
    });
  const count = (/** @type {Instruction[]} */ code) => {
    functions++;
    return code;
  };
  const shorter = changeFunctions(module, [count, ...passes]);
  for (const name in changed) changed[name] /= functions;
  return { module: shorter, changed };
}

/**
 * The page's module. Errors when it is not valid, when another Go wrote it than dropTracebacks knows, and when a pass changes
 * less than it should.
 * @param {Uint8Array} module
 * @param {Pass[]} [without] passes to leave out
 */
export function forThePage(module, without = []) {
  const idle = without.includes('unused') ? undefined : emptyIdle(module);
  const { module: shorter, changed } = shorten(withoutNames(idle?.module ?? module), without);
  if (idle?.changed !== undefined) changed.idle = idle.changed;
  const go = goVersionOf(module);
  let drop;
  /** @type {import('./functab.mjs').Functab | undefined} */
  let functab;
  if (!without.includes('unused')) {
    if (!`${go}.`.startsWith(`${GO_VERSION}.`))
      throw new Error(
        `${go || 'no Go'} wrote this module; web/module/tracebacks.mjs knows the tables of ${GO_VERSION}: build with --plain, or read what changed`,
      );
    drop = (/** @type {Buffer<ArrayBuffer>} */ memory) => {
      const { header, list, count } = functionsOf(memory);
      functab = clearFunctab(memory, header, list, count);
      changed.tracebacks = dropTracebacks(memory) / memory.length;
    };
  }
  const joined = without.includes('segments') ? changeMemory(shorter, drop) : joinSegments(shorter, drop);
  const made = Buffer.from(functab ? writeFunctab(joined, functab, imported(module)) : joined);
  for (const [name, share] of Object.entries(changed))
    if (share < LEAST[name])
      throw new Error(
        `the pass ${name} changed ${(100 * share).toFixed(1)} % of the module, less than ${100 * LEAST[name]} %: ${go} writes other code than web/module/${name}.mjs knows; build with --plain`,
      );
  if (!WebAssembly.validate(made)) throw new Error('the rewritten module is not valid: see web/module');
  return made;
}
