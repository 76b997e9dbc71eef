import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { drawing, goFunction, goModule, withProducer } from './module/testsupport/gofunction.mjs';

const home = mkdtempSync(join(tmpdir(), 'leaselab-build-'));
after(() => rmSync(home, { recursive: true }));
const skip = existsSync(new URL('../bin/opening.json', import.meta.url))
  ? false
  : 'make documents writes what it reads';

/** Builds a page with a module from a given version of Go. @param {string} go @param {Record<string, string>} env */
function runBuild(go, env) {
  const module = join(home, 'module.wasm');
  writeFileSync(module, withProducer(go, goModule(goFunction(drawing(1), 4).code)));
  const out = join(home, 'site');
  return spawnSync(process.execPath, ['build.mjs', '--wasm', module, '--tools', module, '--out', out, '--budget'], {
    cwd: new URL('.', import.meta.url),
    env: { ...process.env, CI: '', ...env },
    encoding: 'utf8',
  });
}

test('with another Go the page is built without the passes, and only CI refuses', { skip }, () => {
  const { status, stdout, stderr } = runBuild('go1.99', {});
  assert.equal(status, 0, stderr);
  assert.match(
    stderr,
    /^build: go1\.99 wrote this module; web\/module knows the code of go1\.\d+\. .*larger and slower/m,
  );
  for (const what of ['the engine and its worker', 'the tools'])
    assert.match(stdout, new RegExp(`^not limited to \\d+ KiB, because it is as Go wrote it: ${what}$`, 'm'));
  const ci = runBuild('go1.99', { CI: 'true' });
  assert.equal(ci.status, 1);
  assert.match(ci.stderr, /go1\.99 wrote this module/);
});
