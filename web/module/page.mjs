/**
 * Makes the page's module from the output of Go's compiler, in passes. Each pass documents what it preserves. All
 * passes preserve the behavior of the program. `make test-wasm-long` runs the Go tests with the passes over functions,
 * and some with all passes. web/docs/develop.md says how much each pass saves.
 */
import { shortAddresses } from './addresses.mjs';
import { changeFunctions, goVersionOf } from './binary.mjs';
import { neverReturning } from './calls.mjs';
import { sameExits } from './exits.mjs';
import { straightenJumps } from './jumps.mjs';
import { withoutNames } from './names.mjs';
import { fewerReturns } from './returns.mjs';
import { changeMemory, joinSegments } from './segments.mjs';
import { dropTracebacks } from './tracebacks.mjs';

/** @typedef {import('./binary.mjs').Instruction} Instruction */
/** @typedef {'jumps' | 'addresses' | 'exits' | 'returns' | 'segments' | 'tracebacks'} Pass */

/**
 * In this order. The set has the numbers of the functions that never return.
 * @type {Record<string, (code: Instruction[], never: Set<number> | undefined) => Instruction[]>}
 */
const OVER_FUNCTIONS = {
  jumps: straightenJumps,
  addresses: shortAddresses,
  exits: sameExits,
  returns: fewerReturns,
};
/** All passes. @type {Pass[]} */
export const PASSES = ['jumps', 'addresses', 'exits', 'returns', 'segments', 'tracebacks'];
/**
 * The Go version whose memory layout dropTracebacks knows. It must be the version in go.mod, too: page.test.mjs
 * compares. Before you raise it, read what changed in runtime/symtab.go and internal/abi/symtab.go.
 */
export const GO_VERSION = 'go1.26';

/**
 * The minimum that each pass must change in a Go program: a share of the functions, or for tables a share of the
 * memory. If a pass no longer recognizes the output of a new compiler, the build stops, rather than silently skip the
 * pass. page.test.mjs prints the shares of the engine.
 * @type {Record<string, number>}
 */
const LEAST = { jumps: 0.3, addresses: 0.3, exits: 0.3, returns: 0.3, tracebacks: 0.04 };

/**
 * The same functions in less code.
 * @param {Uint8Array} module
 * @param {Pass[]} [without]
 * @returns {{module: Uint8Array, changed: Record<string, number>}} changed: the share of the functions that each pass
 *   changed
 */
export function shorten(module, without = []) {
  /** @type {Record<string, number>} */
  const changed = {};
  let functions = 0;
  const never = neverReturning(module);
  const passes = Object.entries(OVER_FUNCTIONS)
    .filter(([name]) => !without.includes(/** @type {Pass} */ (name)))
    .map(([name, pass]) => {
      changed[name] = 0;
      return (/** @type {Instruction[]} */ code) => {
        const body = pass(code, never);
        if (body.length !== code.length || body.some((one, i) => one !== code[i])) changed[name]++;
        return body;
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
 * The reason to skip all passes: an unknown Go version wrote the module. "" for a known version.
 * @param {Uint8Array} module
 */
export function unknownGo(module) {
  const go = goVersionOf(module);
  if (`${go}.`.startsWith(`${GO_VERSION}.`)) return '';
  return `${go || 'no Go'} wrote this module; web/module knows the code of ${GO_VERSION}`;
}

/**
 * Makes the page's module. Throws if the result is not valid, if a Go version that dropTracebacks does not know wrote
 * it, or if a pass changes less than it should.
 * @param {Uint8Array} module
 * @param {Pass[]} [without] passes to leave out
 */
export function shrinkForPage(module, without = []) {
  const go = goVersionOf(module);
  const { module: shorter, changed } = shorten(withoutNames(module), without);
  let drop;
  if (!without.includes('tracebacks')) {
    const unknown = unknownGo(module);
    if (unknown) throw new Error(`${unknown}: build with --plain, or read what changed`);
    drop = (/** @type {Buffer<ArrayBuffer>} */ memory) => {
      changed.tracebacks = dropTracebacks(memory) / memory.length;
    };
  }
  const result = Buffer.from(without.includes('segments') ? changeMemory(shorter, drop) : joinSegments(shorter, drop));
  for (const [name, share] of Object.entries(changed))
    if (share < LEAST[name])
      throw new Error(
        `the pass ${name} changed ${(100 * share).toFixed(1)} % of the module, less than ${100 * LEAST[name]} %: ` +
          `${go} writes other code than web/module/${name}.mjs knows; build with --plain`,
      );
  if (!WebAssembly.validate(result)) throw new Error('the rewritten module is not valid: see web/module');
  return result;
}
