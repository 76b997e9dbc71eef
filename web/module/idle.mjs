/**
 * Functions of Go's runtime that are called only when the execution tracer runs, when a profile is taken, when GODEBUG asks for
 * more, when runtime/metrics is read, or to dump memory that the collector finds broken, just before it ends the program. The page
 * sets no GODEBUG and imports none of them: instead of their code these functions have one instruction that stops the program.
 *
 * Guarantee: the other functions stay as they are, and a module without names of functions stays whole.
 * Source: Go 1.26 runtime/metrics.go, trace*.go, profbuf.go, proc.go (schedtrace), mcleanup.go (checkFinalizersAndCleanups),
 * mcheckmark.go, hexdump.go, internal/bisect (GODEBUG=name=value#pattern).
 */
import { changeFunctions, OP, sections, unsigned } from './binary.mjs';

/** @typedef {import('./binary.mjs').Instruction} Instruction */

const IDLE =
  /^internal_bisect\.(?!init)|^runtime\.((set|start|end)Checkmarks?(\.func\d+)?|gcDumpObject|badPointer|dumpgstatus|hexdump.*|__hexdumper_\..*|__mspan_\.reportZombies|printAncestorTraceback(FuncInfo)?|initMetrics(\.func\d+)?|schedtrace(\.func\d+)?|checkFinalizersAndCleanups(\.func\d+)?|dump(Stacks|Types)Rec|dumpScanStats|traceAdvance(\.func[\d.]+)?|traceReadCPU|traceWriter\..*|traceLocker\.(?!ok$).*|__trace(StringTable|Map|RegionAlloc|StackTable|TypeTable)_\..*|__profBuf_\..*)$/;

/** The names of a module's functions, by number; imported functions come first. @param {Uint8Array} module @returns {Map<number, string>} */
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

/** How many functions a module imports: they are counted before its own. @param {Uint8Array} module */
export function imported(module) {
  const found = sections(module).find(({ id }) => id === 2);
  if (!found) return 0;
  let [count, at] = unsigned(module, found.body);
  let functions = 0;
  for (; count > 0; count--) {
    for (let texts = 0; texts < 2; texts++) {
      const [size, from] = unsigned(module, at);
      at = from + size;
    }
    if (module[at++] !== 0) throw new Error('an import that is no function is not known here');
    functions++;
    at = unsigned(module, at)[1];
  }
  return functions;
}

/**
 * The same module with empty idle functions.
 * @param {Uint8Array} module
 * @returns {{module: Uint8Array, changed?: number}} changed: which share of the functions; absent when the module has no names,
 *   as a binary of `go test` has none
 */
export function emptyIdle(module) {
  const names = functionNames(module);
  if (names.size === 0) return { module };
  const first = imported(module);
  let index = first;
  let emptied = 0;
  const pass = (/** @type {Instruction[]} */ code) => {
    if (!IDLE.test(names.get(index++) ?? '')) return code;
    emptied++;
    return [Uint8Array.of(OP.unreachable), Uint8Array.of(OP.end)];
  };
  const made = changeFunctions(module, [pass]);
  return { module: made, changed: emptied / (index - first) };
}
