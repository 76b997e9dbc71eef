import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { goParts, inOrder, licenseOf, licensesText, licenseTexts, npmParts } from './parts.mjs';
import { sbom, sourceDate } from './sbom.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const web = join(root, 'web');
const BUNDLED = [
  'js/app.js',
  ...['lit-html/lit-html.js', '@preact/signals-core/dist/a.mjs'].map((f) => `node_modules/${f}`),
];
const go = goParts(root);
const parts = inOrder([...go, ...npmParts(web, BUNDLED)]);
const BUILD = { version: '1', sha256: 'ab'.repeat(32), created: new Date(1_700_000_000_000) };

/** A folder with files, for one test. @param {import('node:test').TestContext} t @param {Record<string, string>} files */
function folder(t, files) {
  const top = mkdtempSync(join(tmpdir(), 'shipped-'));
  t.after(() => rmSync(top, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(top, name, '..'), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  return top;
}

test('what the engine and the command are linked from has its licence in the text', () => {
  const linked = (/** @type {string} */ main, /** @type {Record<string, string>} */ env) =>
    execFileSync('go', ['list', '-deps', '-f', '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}', main], {
      cwd: root,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
      .split('\n')
      .filter(Boolean);
  const inside = (/** @type {string} */ what) =>
    new Set(go.filter((one) => one.inside.includes(what)).map((one) => one.name));
  assert.deepEqual(inside('engine'), new Set(['Go', ...linked('./wasm', { GOOS: 'js', GOARCH: 'wasm' })].sort()));
  const here = linked('./sim/cmd/leaselab', {});
  for (const path of here) assert.ok(inside('command').has(path), path);
  assert.ok(inside('page').has('Go'), 'the loader of the engine');

  const text = licensesText('our own', parts);
  for (const one of parts) {
    assert.ok(text.includes(`${one.name} ${one.version}\n${one.license}\n`), one.name);
    for (const { text: words } of one.texts) assert.ok(text.includes(words.trimEnd()), one.name);
  }
  assert.match(text, /Copyright 2009 The Go Authors|Copyright \(c\) 2009 The Go Authors/);
});

test('the licences are those that the parts have', () => {
  const of = Object.fromEntries(parts.map(({ name, license }) => [name, license]));
  assert.equal(of.Go, 'BSD-3-Clause');
  assert.equal(of['github.com/benbjohnson/clock'], 'MIT');
  assert.equal(of['github.com/hack-pad/safejs'], 'Apache-2.0');
  assert.equal(of['gopkg.in/evanphx/json-patch.v4'], 'BSD-3-Clause');
  assert.equal(of['go.yaml.in/yaml/v3'], 'Apache-2.0 AND MIT');
  const notice = parts.find(({ name }) => name === 'go.yaml.in/yaml/v3')?.texts.map(({ file }) => file);
  assert.deepEqual(notice, ['LICENSE', 'NOTICE'], 'Apache-2.0 asks that its notice goes along');
});

test('a part without a licence, or with one that is not known, ends the build', (t) => {
  const top = folder(t, { 'README.md': 'MIT', 'license.go': 'package license', NOTICE: 'see elsewhere' });
  assert.throws(() => licenseOf('bare', licenseTexts(top, [])), /^Error: build: bare ships and has no licence file$/);
  const odd = folder(t, { LICENSE: 'All rights reserved.' });
  assert.throws(() => licenseOf('odd', licenseTexts(odd, [])), /the licence of odd is not known by its words/);
  const granted = 'Permission is hereby granted, free of charge, to any person obtaining';
  const deep = folder(t, {
    LICENSE: granted,
    'a/b/LICENSE.txt': granted,
    'a/b/c/c.go': 'package c',
    'd/LICENSE': granted,
  });
  const files = licenseTexts(deep, [join(deep, 'a/b/c')]).map(({ file }) => file);
  assert.deepEqual(files, ['LICENSE', 'a/b/LICENSE.txt']);
});

test('an npm package says the licence that it has, and is the one of the lock file', (t) => {
  const top = folder(t, {
    'package-lock.json': '{"packages": {"node_modules/a": {}}}',
    'node_modules/a/package.json': '{"name": "a", "version": "1.0.0", "license": "MIT"}',
    'node_modules/a/LICENSE': 'Permission is hereby granted, free of charge, to any person obtaining a copy',
    'node_modules/b/package.json': '{"name": "b", "version": "1.0.0", "license": "ISC"}',
    'node_modules/b/LICENSE': 'Permission is hereby granted, free of charge, to any person obtaining a copy',
  });
  assert.throws(() => npmParts(top, ['node_modules/a/index.js']), /package-lock.json has no SHA-512 of a$/);
  assert.throws(() => npmParts(top, ['node_modules/b/index.js']), /b says ISC, its licence file MIT$/);
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
  const of = (/** @type {string} */ system) =>
    updates
      .filter((/** @type {any} */ one) => one['package-ecosystem'] === system)
      .map((/** @type {any} */ one) => one.directory);
  const hidden = (/** @type {string} */ name) => name.startsWith('.') || ['node_modules', 'dist', 'bin'].includes(name);
  /** @param {string} folder @param {string} file @returns {string[]} */
  const holding = (folder, file) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((one) => {
      if (one.isDirectory()) return hidden(one.name) ? [] : holding(join(folder, one.name), file);
      return one.name === file ? [folder] : [];
    });
  assert.deepEqual(of('gomod').sort(), holding('/', 'go.mod').sort());
  assert.deepEqual(of('npm').sort(), holding('/', 'package-lock.json').sort());
  assert.deepEqual(of('github-actions'), ['/']);
});

test('every action is pinned by its commit', () => {
  const folder = join(root, '.github/workflows');
  for (const file of readdirSync(folder))
    for (const [, used] of readFileSync(join(folder, file), 'utf8').matchAll(/uses: *(.*)/g))
      assert.match(used, /^[\w./-]+@[0-9a-f]{40} # v[\d.]+$/, file);
});

test('the bill of materials is a document of SPDX 2.3', () => {
  const document = JSON.parse(sbom(parts, BUILD));
  assert.equal(document.spdxVersion, 'SPDX-2.3');
  assert.equal(document.dataLicense, 'CC0-1.0');
  assert.equal(document.SPDXID, 'SPDXRef-DOCUMENT');
  assert.match(document.documentNamespace, /^https:\/\/[^#\s]+\/[0-9a-f]{64}$/);
  assert.equal(document.creationInfo.created, '2023-11-14T22:13:20Z');
  for (const creator of document.creationInfo.creators) assert.match(creator, /^(Tool|Person|Organization): \S/);

  const ids = new Set(['SPDXRef-DOCUMENT']);
  const KNOWN = new Set(['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);
  const LENGTHS = /** @type {Record<string, number>} */ ({ SHA256: 64, SHA512: 128 });
  for (const one of document.packages) {
    assert.match(one.SPDXID, /^SPDXRef-[A-Za-z0-9.-]+$/);
    assert.ok(!ids.has(one.SPDXID), `${one.SPDXID} twice`);
    ids.add(one.SPDXID);
    assert.ok(one.name && one.versionInfo && one.downloadLocation, one.SPDXID);
    assert.equal(one.filesAnalyzed, false);
    for (const id of one.licenseDeclared.split(' AND ')) assert.ok(KNOWN.has(id), `${one.name}: ${id}`);
    for (const { algorithm, checksumValue } of one.checksums ?? [])
      assert.match(checksumValue, new RegExp(`^[0-9a-f]{${LENGTHS[algorithm]}}$`), one.name);
    for (const ref of one.externalRefs ?? []) {
      assert.equal(ref.referenceCategory, 'PACKAGE-MANAGER');
      assert.equal(ref.referenceType, 'purl');
      assert.match(ref.referenceLocator, /^pkg:(golang|npm)\/[^\s@]+@[^\s@]+$/);
    }
  }
  const KINDS = new Set(['DESCRIBES', 'CONTAINS', 'STATIC_LINK']);
  for (const { spdxElementId, relationshipType, relatedSpdxElement } of document.relationships) {
    assert.ok(ids.has(spdxElementId) && ids.has(relatedSpdxElement), `${spdxElementId} ${relatedSpdxElement}`);
    assert.ok(KINDS.has(relationshipType));
  }
  const reached = new Set(document.relationships.map((/** @type {any} */ one) => one.relatedSpdxElement));
  for (const { SPDXID } of document.packages) assert.ok(reached.has(SPDXID), `nothing leads to ${SPDXID}`);
});

test('it names every part with its version and hash, the engine too, and is the same each time', () => {
  const text = sbom(parts, BUILD);
  assert.equal(sbom(inOrder([...parts].reverse()), BUILD), text);
  const { packages } = JSON.parse(text);
  const of = (/** @type {string} */ name) => packages.find((/** @type {any} */ one) => one.name === name);
  assert.equal(of('leaselab-engine').checksums[0].checksumValue, BUILD.sha256);
  assert.equal(packages.length, parts.length + 3);
  for (const one of parts) {
    assert.equal(of(one.name).versionInfo, one.version);
    // The standard library comes with the compiler: go.sum has no line for it.
    assert.equal((of(one.name).checksums ?? []).length, one.name === 'Go' ? 0 : 1, one.name);
  }
  const { name, versionInfo, checksums } = of('github.com/benbjohnson/clock');
  const sum = Buffer.from(checksums[0].checksumValue, 'hex').toString('base64');
  assert.ok(readFileSync(join(root, 'go.sum'), 'utf8').includes(`${name} ${versionInfo} h1:${sum}\n`));
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
