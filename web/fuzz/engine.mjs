/**
 * The page's engine in node: the module as the page loads it, without its worker. `make wasm documents` builds what it
 * needs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { shrinkForPage } from '../module/page.mjs';

const bin = new URL('../../bin/', import.meta.url);
const goRoot = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
runInThisContext(readFileSync(join(goRoot, 'lib/wasm/wasm_exec.js'), 'utf8'));
const compiled = await WebAssembly.compile(shrinkForPage(readFileSync(new URL('engine.wasm', bin))));
/** @type {any} */
const scope = globalThis;
scope.leaselabAlive = () => {}; // its signs of life, which this program ignores

/** @type {any[]} */
export const scenarios = JSON.parse(readFileSync(new URL('scenarios.json', bin), 'utf8'));
export const opening = JSON.parse(readFileSync(new URL('opening.json', bin), 'utf8'));

/** How much of a long computation runs before the stop. */
const SHARES = 10;

/** A new engine that knows the shipped scenarios. */
export async function startEngine() {
  const go = new scope.Go();
  const instance = await WebAssembly.instantiate(compiled, go.importObject);
  go.run(instance);
  const answer = scope.leaselab;
  const memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
  let id = 0;
  const engine = {
    /** The engine's answer to the exact text of a request. @param {string} text */
    send: (text) => JSON.parse(answer(text)),
    /** @param {string} op @param {any} [params] */
    ask: (op, params) => engine.send(JSON.stringify({ id: ++id, op, ...(params === undefined ? {} : { params }) })),
    /** Continues a computation until it is done. @param {any} reply */
    finish(reply) {
      let last = reply;
      while (last.ok && last.result?.done === false) last = engine.ask('goOn');
      return last;
    },
    /** Continues a computation for a while and then stops it. @param {any} reply */
    goOn(reply) {
      let last = reply;
      for (let share = 0; share < SHARES && last.ok && last.result?.done === false; share++) last = engine.ask('goOn');
      return last.ok && last.result?.done === false ? engine.ask('pause') : last;
    },
    mebibytes: () => memory.buffer.byteLength / 2 ** 20,
  };
  const hello = engine.ask('hello', { scenarios });
  if (!hello.ok) throw new Error(hello.error.message);
  return engine;
}
/** @typedef {Awaited<ReturnType<typeof startEngine>>} FuzzEngine */
