import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { docs } from './docs.mjs';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(here(path), 'utf8'));
const made = () => ({
  schema: read('../bin/scenario.schema.json'),
  reference: read('../bin/reference.json'),
  styles: 'docs.css',
});

test('every link of the documentation leads somewhere', () => {
  const pages = docs(here('docs'), made());
  const scenarios = new Set(read('../bin/scenarios.json').map((/** @type {{name: string}} */ one) => one.name));
  let links = 0;
  for (const [name, html] of pages)
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) {
      links++;
      const [, slug] = /^\.\.\/#([a-z0-9-]+)$/.exec(href) ?? [];
      if (slug) {
        assert.ok(scenarios.has(slug), `${name} links to ${href}: no such scenario`);
        continue;
      }
      if (/^(https?:|\.\.\/(icon\.svg|docs\.css|scenario\.schema\.json)?$)/.test(href)) continue;
      const [file, anchor] = href.split('#');
      const target = pages.get(file || name);
      assert.ok(target, `${name} links to ${href}`);
      if (anchor) assert.ok(target.includes(`id="${anchor}"`), `${name} links to ${href}: no such heading`);
    }
  assert.ok(links > 150, `${links} links`);
});

test('every act, field, checker and command has its row', () => {
  const { schema, reference } = made();
  const pages = docs(here('docs'), { schema, reference, styles: 'docs.css' });
  const page = (/** @type {string} */ name) => pages.get(`${name}.html`) ?? '';
  const rows = (/** @type {string} */ name) => page(name).split('<tr>').length;
  for (const act of schema.$defs.Action.properties.act.enum)
    assert.match(page('acts'), new RegExp(`<td><code>${act}</code></td>`));
  for (const group of Object.values(schema.$defs).filter((one) => one !== schema.$defs.Action))
    for (const field of Object.keys(group.properties))
      assert.ok(page('settings').includes(`<code>${field}</code>`), field);
  for (const { name } of reference.checkers) assert.ok(page('checkers').includes(`id="${name.toLowerCase()}"`), name);
  for (const { line } of reference.commands) assert.ok(page('command').includes(`>${line}</h2>`), line);
  assert.ok(rows('settings') > 100, `${rows('settings')} rows`);
});

test('a slot that nothing makes, a page without navigation and a checker without words stop the build', () => {
  const { schema, reference } = made();
  const unknown = {
    ...reference,
    checkers: [...reference.checkers, { number: 99, name: 'unknown', severity: 'safety', title: 'x' }],
  };
  assert.throws(() => docs(here('docs'), { schema, reference: unknown, styles: '' }), /no section "### unknown"/);
});

test('what the documentation tells to run exists', () => {
  const makefile = readFileSync(here('../Makefile'), 'utf8');
  const pages = docs(here('docs'), made());
  const readme = readFileSync(here('../README.md'), 'utf8');
  let told = 0;
  for (const text of [...pages.values(), readme]) {
    for (const [, verb] of text.matchAll(/(?:`|<code>|^)make ([a-z][a-z0-9-]*)/gm)) {
      told++;
      assert.ok(makefile.includes(`.PHONY: ${verb}\n`), `make ${verb}`);
    }
    for (const [, folder] of text.matchAll(/go test (?:-v )?\.\/([a-z/]+?)(?:\/\.\.\.)?(?=[\s`<])/g)) {
      told++;
      assert.ok(existsSync(here(`../${folder}`)), `go test ./${folder}`);
    }
  }
  assert.ok(told > 10, `${told} commands`);
});

test('each of the ten checks of the page names tests that exist', () => {
  const text = readFileSync(here('docs/develop.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| \d+\. /.test(line));
  assert.deepEqual(
    rows.map((row) => Number.parseInt(row.slice(2), 10)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  const homes = ['e2e', 'js', '../sim/lab', '../sim/explain'];
  for (const row of rows) {
    const named = [...row.matchAll(/`(\S+\.(?:spec\.mjs|test\.js|_test\.go|go))` "([^"]+)"( \(nightly\))?/g)];
    assert.ok(named.length > 0, row);
    for (const [, file, title, nightly] of named) {
      const home = homes.find((folder) => existsSync(here(`${folder}/${file}`)));
      assert.ok(home, `${file} does not exist`);
      const lines = readFileSync(here(`${home}/${file}`), 'utf8').split('\n');
      const at = lines.findIndex((line) => line.includes(title));
      assert.ok(at >= 0, `${file} has no test "${title}"`);
      const isNightly = lines.slice(at, at + 3).some((line) => line.includes('nightly('));
      assert.equal(isNightly, Boolean(nightly), `${file} "${title}": nightly`);
    }
  }
});

test('the map of the README names every room there is', () => {
  const map = /^```\n(core\/[\s\S]*?)^```/m.exec(readFileSync(here('../README.md'), 'utf8'))?.[1] ?? '';
  let top = '';
  /** @type {Record<string, string[]>} */
  const named = {};
  for (const line of map.split('\n')) {
    const [, indent, room] = /^( *)([a-z/]+)\/\s/.exec(line) ?? [];
    if (!room) continue;
    if (indent === '') top = room;
    else if (indent === '  ') (named[top] ??= []).push(room);
  }
  for (const top of ['core', 'sim']) {
    const there = readdirSync(here(`../${top}`), { withFileTypes: true })
      .filter((one) => one.isDirectory() && one.name !== 'testdata')
      .map((one) => (one.name === 'cmd' ? 'cmd/leaselab' : one.name));
    assert.deepEqual([...(named[top] ?? [])].sort(), there.sort(), top);
  }
});
