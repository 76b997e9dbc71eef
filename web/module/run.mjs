/**
 * Runs a Go program in node with the functions that it would have in the page: `go test -exec "node web/module/run.mjs
 * RUNNER"`, RUNNER being Go's own go_js_wasm_exec, which is given the changed module and the arguments. What a printed stack
 * needs stays: a test that fails says where.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { argv, exit } from 'node:process';
import { shorten } from './page.mjs';
import { joinSegments } from './segments.mjs';

const [, , runner, program, ...args] = argv;
const folder = mkdtempSync(join(tmpdir(), 'leaselab-'));
let code = 1;
try {
  const changed = join(folder, basename(program));
  writeFileSync(changed, joinSegments(shorten(readFileSync(program))));
  code = spawnSync(runner, [changed, ...args], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
exit(code);
