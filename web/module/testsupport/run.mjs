/**
 * Runs a Go program in node with the functions that it would have in the page: `go test -exec "node
 * web/module/testsupport/run.mjs RUNNER"`. RUNNER is Go's own go_js_wasm_exec, and gets the changed module and the
 * arguments. The module keeps the tables for printed stacks, so that a failing test shows where it failed. With --whole
 * before RUNNER, the module loses these tables, too, as in the page.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { shorten, shrinkForPage } from '../page.mjs';
import { joinSegments } from '../segments.mjs';

const words = process.argv.slice(2);
const whole = words[0] === '--whole';
const [runner, program, ...args] = whole ? words.slice(1) : words;
const folder = mkdtempSync(join(tmpdir(), 'leaselab-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const module = readFileSync(program);
const changed = join(folder, basename(program));
writeFileSync(changed, whole ? shrinkForPage(module) : joinSegments(shorten(module).module));
const child = spawn(runner, [changed, ...args], { stdio: 'inherit' });
// If a test hangs, `go test` ends it with a signal to this process.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGQUIT']))
  process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`run.mjs: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code) => process.exit(code ?? 1));
