import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { docs } from './docs.mjs';
import { finder } from './js/docs/find.js';
import { decodeLink } from './js/lib/share.js';

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(pathOf(path), 'utf8'));
const readInput = () => ({
  schema: read('../bin/scenario.schema.json'),
  reference: read('../bin/reference.json'),
  url: '',
});
const AT = { styles: 'docs.css', script: 'docs.js' };
const pagesOf = async () => (await docs(pathOf('docs'), readInput())).pages(AT);

test('every link of the documentation leads somewhere', async () => {
  const pages = await pagesOf();
  const scenarios = new Set(read('../bin/scenarios.json').map((/** @type {{name: string}} */ one) => one.name));
  let links = 0;
  for (const [name, html] of pages)
    for (const [, href] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      links++;
      const [, slug] = /^\.\.\/index\.html(?:\?embed)?#([a-z0-9-]+)(&amp;[a-z]+=[0-9a-z.]+)*$/.exec(href) ?? [];
      if (slug) {
        assert.ok(scenarios.has(slug), `${name} links to ${href}: no such scenario`);
        continue;
      }
      if (href.startsWith('../index.html#v1.')) {
        assert.ok(await decodeLink(href.slice('../index.html'.length)), href);
        continue;
      }
      const files = ['icon.svg', 'manifest.webmanifest', 'docs.css', 'docs.js', 'scenario.schema.json', 'index.html'];
      if (/^https?:/.test(href) || files.some((file) => href === `../${file}`)) continue;
      const [file, anchor] = href.split('#');
      const target = pages.get(file || name);
      assert.ok(target, `${name} links to ${href}`);
      if (anchor) assert.ok(target.includes(`id="${anchor}"`), `${name} links to ${href}: no such heading`);
    }
  assert.ok(links > 150, `${links} links`);
});

test('every act, field, checker and command has its row', async () => {
  const { schema, reference } = readInput();
  const pages = await pagesOf();
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

test('a slot that nothing makes, a page without navigation and a checker without words stop the build', async () => {
  const { schema, reference, url } = readInput();
  const unknown = {
    ...reference,
    checkers: [...reference.checkers, { number: 99, name: 'unknown', severity: 'safety', title: 'x' }],
  };
  await assert.rejects(docs(pathOf('docs'), { schema, reference: unknown, url }), /no section "### unknown"/);
});

test('each page has a title, a description, the pages beside it, and sections that the search finds', async () => {
  const { sections, pages } = await docs(pathOf('docs'), readInput());
  const all = pages(AT);
  const descriptions = [...all.values()].map((html) => /name="description" content="(.*?)"/.exec(html)?.[1] ?? '');
  assert.equal(new Set(descriptions).size, all.size);
  for (const text of descriptions) assert.ok(text.length > 40 && text.length <= 170, text);
  for (const html of all.values()) {
    assert.match(html, /<title>\S.* · leaselab<\/title>/);
    assert.match(html, /rel="(next|prev)"/);
  }
  for (const { page, anchor, text } of sections) {
    assert.ok(!anchor || all.get(page)?.includes(`id="${anchor}"`), `${page}#${anchor}`);
    // The one tag in the page's text.
    assert.doesNotMatch(text.replace('</iframe>', ''), /<\/|&[a-z]+;/, `${page}#${anchor}`);
  }
  const find = finder(sections);
  for (const [query, href] of [
    ['fencing token', 'guarantees.html#when-you-need-fencing'],
    ['marginNegative', 'checkers.html#marginnegative'],
    ['exit codes', 'command.html'],
  ])
    assert.ok(
      find(query).some((one) => one.href.startsWith(href)),
      `${query}: ${find(query).map((one) => one.href)}`,
    );
  const yaml = all.get('scenarios.html') ?? '';
  assert.ok(yaml.split('>Edit this scenario</a>').length > 2, 'whole scenarios open in the page');
});

test('what the documentation and the workflows tell to run exists', async () => {
  const makefile = readFileSync(pathOf('../Makefile'), 'utf8');
  const pages = await pagesOf();
  const workflows = readdirSync(pathOf('../.github/workflows')).map((file) =>
    readFileSync(pathOf(`../.github/workflows/${file}`), 'utf8').replaceAll('run: make', '`make'),
  );
  const readme = readFileSync(pathOf('../README.md'), 'utf8');
  let told = 0;
  for (const text of [...pages.values(), readme, ...workflows]) {
    for (const [, verb] of text.matchAll(/(?:`|<code>|^)make ([a-z][a-z0-9-]*)(?![\w/-])/gm)) {
      told++;
      assert.match(makefile, new RegExp(`^\\.PHONY:.* ${verb}( |$)`, 'm'), `make ${verb}`);
    }
    for (const [, folder] of text.matchAll(/go test (?:-v )?\.\/([a-z/]+?)(?:\/\.\.\.)?(?=[\s`<])/g)) {
      told++;
      assert.ok(existsSync(pathOf(`../${folder}`)), `go test ./${folder}`);
    }
  }
  assert.ok(told > 10, `${told} commands`);
});

test('each of the ten checks of the page names tests that exist', () => {
  const text = readFileSync(pathOf('docs/develop.md'), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| \d+\. /.test(line));
  assert.deepEqual(
    rows.map((row) => Number.parseInt(row.slice(2), 10)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  const homes = ['e2e', 'js', 'js/page', '../sim/lab', '../sim/explain'];
  for (const row of rows) {
    const named = [...row.matchAll(/`(\S+\.(?:spec\.mjs|test\.js|_test\.go|go))` "([^"]+)"( \(nightly\))?/g)];
    assert.ok(named.length > 0, row);
    for (const [, file, title, nightly] of named) {
      const home = homes.find((folder) => existsSync(pathOf(`${folder}/${file}`)));
      assert.ok(home, `${file} does not exist`);
      const lines = readFileSync(pathOf(`${home}/${file}`), 'utf8').split('\n');
      const at = lines.findIndex((line) => line.includes(title));
      assert.ok(at >= 0, `${file} has no test "${title}"`);
      const isNightly = lines.slice(at, at + 3).some((line) => line.includes('nightly('));
      assert.equal(isNightly, Boolean(nightly), `${file} "${title}": nightly`);
    }
  }
});

test('the map of the README names every room there is', () => {
  const map = /^```\n(core\/[\s\S]*?)^```/m.exec(readFileSync(pathOf('../README.md'), 'utf8'))?.[1] ?? '';
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
    const there = readdirSync(pathOf(`../${top}`), { withFileTypes: true })
      .filter((one) => one.isDirectory() && one.name !== 'testdata')
      .map((one) => (one.name === 'cmd' ? 'cmd/leaselab' : one.name));
    assert.deepEqual([...(named[top] ?? [])].sort(), there.sort(), top);
  }
});
