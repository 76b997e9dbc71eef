/**
 * Makes the module of the page out of what Go's compiler wrote. Each step says what it keeps; all of them keep what the program
 * does. `make test-wasm` runs the Go tests with the functions that it makes, and some with all of it.
 */
import { shortAddresses } from './addresses.mjs';
import { changeFunctions } from './binary.mjs';
import { oneStep, sameExits } from './exits.mjs';
import { straightAhead } from './jumps.mjs';
import { joinSegments } from './segments.mjs';
import { dropTracebacks } from './tracebacks.mjs';

/** The same functions in less code. @param {Uint8Array} module */
export function shorten(module) {
  return changeFunctions(module, [straightAhead, shortAddresses, sameExits, oneStep]);
}

/** The module of the page. Errors when it would be none. @param {Uint8Array} module */
export function forThePage(module) {
  const made = Buffer.from(joinSegments(shorten(module), dropTracebacks));
  if (!WebAssembly.validate(made)) throw new Error('the rewritten module is not valid: see web/module');
  return made;
}
