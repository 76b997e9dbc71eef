import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { changeFunctions, OP } from './binary.mjs';
import { emptyIdle, functionNames, imported, withoutNames } from './idle.mjs';

const ENGINE = new URL('../../bin/engine.wasm', import.meta.url);

/** The code of each function, in order. @param {Uint8Array} module */
function codeOf(module) {
  /** @type {Uint8Array[][]} */
  const all = [];
  changeFunctions(module, [
    (code) => {
      all.push(code);
      return code;
    },
  ]);
  return all;
}

test(
  'what only a tracer, a profile or GODEBUG calls is emptied, and nothing else',
  { skip: !existsSync(ENGINE) },
  () => {
    const engine = readFileSync(ENGINE);
    const names = functionNames(engine);
    const before = codeOf(engine);
    const { module, changed } = emptyIdle(engine);
    const after = codeOf(module);
    const first = imported(engine);
    const emptied = before.flatMap((code, i) => (code.length === after[i].length ? [] : [names.get(first + i)]));
    assert.ok(emptied.includes('runtime.initMetrics'));
    assert.ok(!emptied.includes('runtime.traceLocker.ok'), 'it is asked whether the tracer runs');
    assert.ok(emptied.includes('internal_bisect.New'));
    assert.ok(emptied.every((name) => /^(runtime|internal_bisect)\./.test(name ?? '')));
    assert.ok(changed !== undefined && Math.abs(changed - emptied.length / before.length) < 1e-9);
    for (const code of after.filter((code, i) => code.length !== before[i].length))
      assert.deepEqual(
        code.map((one) => one[0]),
        [0, OP.end],
      );
    assert.equal(functionNames(withoutNames(module)).size, 0);
    assert.equal(emptyIdle(withoutNames(engine)).changed, undefined, 'without names nothing is known to be idle');
  },
);
