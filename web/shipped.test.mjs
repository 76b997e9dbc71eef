import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { bill, goParts, licensesText, licenseTexts, npmParts, sourceDate } from './shipped.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'web');
const BUNDLED = ['js/app.js', 'node_modules/lit-html/lit-html.js', 'node_modules/@preact/signals-core/dist/a.mjs'];
const modules = goParts(root);
const BUILD = { version: '1', sha256: 'ab'.repeat(32), created: new Date(1_700_000_000_000) };

/**
 * Makes a folder with files, for one test.
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} files
 */
function folder(t, files) {
  const top = mkdtempSync(join(tmpdir(), 'shipped-'));
  t.after(() => rmSync(top, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(top, name, '..'), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  return top;
}

test('what the engine and the command are linked from has its license in the text', () => {
  const named = new Set(modules.map(({ name }) => name));
  for (const [main, env] of /** @type {[string, Record<string, string>][]} */ ([
    ['./wasm', { GOOS: 'js', GOARCH: 'wasm' }],
    ['./sim/cmd/leaselab', {}],
  ])) {
    const args = ['list', '-deps', '-f', '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}', main];
    const linked = execFileSync('go', args, { cwd: root, env: { ...process.env, ...env }, encoding: 'utf8' });
    for (const path of linked.split('\n').filter(Boolean)) assert.ok(named.has(path), path);
  }
  const parts = [...modules, ...npmParts(web, BUNDLED)];
  const text = licensesText('our own', parts);
  for (const { name, version, texts } of parts) {
    assert.ok(text.includes(`${name} ${version}\n`), name);
    for (const one of texts) assert.ok(text.includes(one.text.trimEnd()), name);
  }
  assert.match(text, /Copyright 2009 The Go Authors|Copyright \(c\) 2009 The Go Authors/);
  const notice = parts.find(({ name }) => name === 'go.yaml.in/yaml/v3')?.texts.map(({ file }) => file);
  assert.deepEqual(notice, ['LICENSE', 'NOTICE'], 'Apache-2.0 asks that its notice goes along');
});

test('a part without a license ends the build', (t) => {
  const top = folder(t, { 'README.md': 'MIT', 'license.go': 'package license', NOTICE: 'see elsewhere' });
  assert.throws(() => licenseTexts('bare', top), /^Error: build: bare ships and has no license file$/);
  const deep = folder(t, { LICENSE: 'a', 'a/b/LICENSE.txt': 'b', 'a/b/c/c.go': 'package c', 'd/LICENSE': 'd' });
  const files = licenseTexts('deep', deep, [join(deep, 'a/b/c')]).map(({ file }) => file);
  assert.deepEqual(files, ['LICENSE', 'a/b/LICENSE.txt']);
});

test('every package of the lock file has a hash, and none a host', () => {
  const lock = JSON.parse(readFileSync(join(web, 'package-lock.json'), 'utf8')).packages;
  for (const [path, one] of Object.entries(lock)) {
    if (path === '') continue;
    assert.match(one.integrity ?? '', /^sha512-[\w+/]{86}==$/, path);
    assert.equal(one.resolved, undefined, `${path} is fetched from the reader's own registry`);
  }
});

test('every module, the page and the actions are asked for updates', () => {
  /** @type {any} */
  const { updates } = load(readFileSync(join(root, '.github/dependabot.yml'), 'utf8'));
  const updatesOf = (/** @type {string} */ system) =>
    updates
      .filter((/** @type {any} */ one) => one['package-ecosystem'] === system)
      .map((/** @type {any} */ one) => one.directory);
  const isHidden = (/** @type {string} */ name) =>
    (name.startsWith('.') && name !== '.github') || ['node_modules', 'dist', 'bin'].includes(name);
  /** @param {string} folder @param {string} file @returns {string[]} */
  const foldersWith = (folder, file) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((one) => {
      if (one.isDirectory()) return isHidden(one.name) ? [] : foldersWith(join(folder, one.name), file);
      return one.name === file ? [folder] : [];
    });
  assert.deepEqual(updatesOf('gomod').sort(), foldersWith('/', 'go.mod').sort());
  assert.deepEqual(updatesOf('npm').sort(), foldersWith('/', 'package-lock.json').sort());
  assert.deepEqual(updatesOf('github-actions'), ['/']);
});

test('every action is pinned by its commit', () => {
  const folder = join(root, '.github/workflows');
  for (const file of readdirSync(folder))
    for (const [, used] of readFileSync(join(folder, file), 'utf8').matchAll(/uses: *(.*)/g))
      assert.match(used, /^[\w./-]+@[0-9a-f]{40} # v[\d.]+$/, file);
});

test('the bill of materials names what ships with its version, and is the same each time', () => {
  const text = bill(web, modules, BUILD);
  assert.equal(bill(web, modules, BUILD), text);
  const document = JSON.parse(text);
  assert.equal(document.spdxVersion, 'SPDX-2.3');
  assert.match(document.documentNamespace, /^http:\/\/[^#\s]+[0-9a-f]{64}$/);
  assert.equal(document.creationInfo.created, '2023-11-14T22:13:20Z');
  const ids = new Set(document.packages.map((/** @type {any} */ { SPDXID }) => SPDXID));
  assert.equal(ids.size, document.packages.length);
  for (const id of ids) assert.match(id, /^SPDXRef-[A-Za-z0-9.-]+$/);
  const related = document.relationships.flatMap((/** @type {any} */ one) => [
    one.spdxElementId,
    one.relatedSpdxElement,
  ]);
  assert.deepEqual(new Set(related), ids.add('SPDXRef-DOCUMENT'));
  const packageOf = (/** @type {string} */ name) =>
    document.packages.find((/** @type {any} */ one) => one.name === name);
  assert.equal(packageOf('leaselab-engine').checksums[0].checksumValue, BUILD.sha256);
  for (const { name, version } of [...modules, ...npmParts(web, BUNDLED)])
    assert.equal(packageOf(name)?.versionInfo, version, name);
});

test('its date is that of the source', (t) => {
  const before = process.env.SOURCE_DATE_EPOCH;
  t.after(() => {
    if (before === undefined) delete process.env.SOURCE_DATE_EPOCH;
    else process.env.SOURCE_DATE_EPOCH = before;
  });
  process.env.SOURCE_DATE_EPOCH = '86400';
  assert.equal(sourceDate(root).toISOString(), '1970-01-02T00:00:00.000Z');
  process.env.SOURCE_DATE_EPOCH = 'today';
  assert.throws(() => sourceDate(root), /SOURCE_DATE_EPOCH is “today”, and not a number of seconds/);
  delete process.env.SOURCE_DATE_EPOCH;
  assert.equal(sourceDate(folder(t, {})).getTime(), 0, 'without a history');
});
