import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answers } from './answers.mjs';
import { docs, missingPage } from './docs.mjs';
import { finder } from './js/docs/find.js';
import { decodeLink } from './js/lib/share.js';
import { PLACES } from './js/page/bar/places.js';
import { readFigures } from './stills.mjs';

const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(pathOf(path), 'utf8'));
const FIGURES = readFigures(pathOf('docs/figures.yaml'));
/** A measurement whose every number is 1. */
const STILL = {
  numbers: new Proxy({}, { get: () => '1' }),
  says: 'One leads.',
  html: '<svg class="run"/>',
  link: 'crash',
};
const RUNS = ['a-leader-dies', 'paused-leader', 'b36-half-open-connection'];
const readInput = () => ({
  schema: read('../bin/scenario.schema.json'),
  reference: read('../bin/reference.json'),
  url: '',
  brand: '<a class="brand" href="./index.html">leaselab</a>',
  counts: { lessons: 16, incidents: 57 },
  strips: {
    ...read('../bin/stills/strips.json'),
    ...Object.fromEntries(
      RUNS.map((run) => [
        run,
        {
          end: 40,
          led: [
            [0, 0, 20],
            [1, 34, 40, 1],
          ],
          bands: [[20, 34, 0]],
        },
      ]),
    ),
  },
  shipped: read('../bin/scenarios.json'),
  lessons: read('../bin/lessons.json'),
  command: pathOf('../bin/leaselab'),
  figures: FIGURES,
  stills: Object.fromEntries(Object.keys(FIGURES).map((name) => [name, STILL])),
  titles: { 'a-leader-dies': 'A leader dies', 'paused-leader': '', 'b36-half-open-connection': '' },
});
const AT = { styles: 'docs.css', script: 'docs.js' };
const toText = (/** @type {string} */ html) =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const pagesOf = async () => (await docs(pathOf('docs'), readInput())).pages(AT);
/** A link as if its page were in docs/ itself. @param {string} page @param {string} href */
const inDocs = (page, href) => (page.includes('/') && !/^(#|https?:)/.test(href) ? href.replace(/^\.\.\//, '') : href);

/**
 * A question with one figure: its text, and what the run measures. @param {string} run @param {string} path
 * @param {string} [name] of the figure in the head @param {string} [see]
 */
async function measuredQuestion(run, path, name = 'gap', see = 'B03') {
  const folder = mkdtempSync(join(tmpdir(), 'questions-'));
  cpSync(pathOf('docs/checkers.md'), join(folder, 'checkers.md'));
  const head = `id: Q1\nrun: crash\ncaption: x\nnumbers:\n  ${name}: [run ${run}, ${path}]\nsee: [${see}]\nthreads: []`;
  cpSync(pathOf('docs/q/exit-on-loss.md'), join(folder, 'q/one.md'));
  writeFileSync(
    join(folder, 'q/one.md'),
    `---\n${head}\n---\n# One?\n\n\`\`\`\nx\n\`\`\`\n\nHere nobody leads for {gap} s.\n\n## What to change\n`,
  );
  const input = readInput();
  const [one] = await answers(folder, input, []);
  const result = JSON.parse(
    execFileSync(input.command, ['run', ...run.split(' '), '-o', 'json'], { encoding: 'utf8' }),
  );
  const measured = path.split('.').reduce((value, key) => value?.[key], result);
  return { text: one.text, measured };
}

test('every link of the documentation leads somewhere', async () => {
  const pages = await pagesOf();
  const scenarios = new Set(read('../bin/scenarios.json').map((/** @type {{name: string}} */ one) => one.name));
  let links = 0;
  for (const [name, html] of pages)
    for (const [, written] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const href = inDocs(name, written);
      links++;
      if (PLACES.some(([, , address]) => href === `../index.html${address}`)) continue;
      const [, slug] = /^\.\.\/index\.html(?:\?embed)?#([a-z0-9-]+)(&amp;[a-z]+=[0-9a-z.]+)*$/.exec(href) ?? [];
      const [, still] = /^\.\.\/stills\/(.+)\.svg$/.exec(href) ?? [];
      if (still?.startsWith('q-')) continue; // The build draws it.
      if (still) {
        assert.ok(existsSync(pathOf(`../bin/stills/${still}.svg`)), `${name} shows ${href}: no such picture`);
        continue;
      }
      const [, room, number] = /^\.\.\/index\.html#(museum|lesson)=(\w+)$/.exec(href) ?? [];
      if (room) {
        assert.ok(existsSync(pathOf(`../bin/stills/${room}-${number}.svg`)), `${name} links to ${href}`);
        continue;
      }
      if (slug) {
        assert.ok(scenarios.has(slug), `${name} links to ${href}: no such scenario`);
        continue;
      }
      if (href.startsWith('../index.html#v1.')) {
        assert.ok(await decodeLink(href.slice('../index.html'.length)), href);
        continue;
      }
      const files = ['icon.svg', 'manifest.webmanifest', 'docs.css', 'docs.js', 'scenario.schema.json'];
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

test('the home has three doors, each with a run, and leads to every page', async () => {
  const pages = await pagesOf();
  const home = pages.get('index.html') ?? '';
  assert.deepEqual(
    [...home.matchAll(/<section class="door">[\s\S]*?<h2 id="(\w+)">/g)].map(([, id]) => id),
    ['learn', 'teach', 'debug'],
  );
  assert.match(home, /index\.html#a-leader-dies"><svg class="run".*\n?.* aria-label="A leader dies">/);
  assert.equal(home.split('data-index="').length, 1 + 3 * 2, 'a bar for each leader');
  const all = home + pages.get('symptoms.html');
  for (const name of pages.keys()) if (name !== 'index.html') assert.ok(all.includes(`href="${name}`), name);
});

test('a page has the header of the lab, the list of its section, and its own headings in it', async () => {
  const page = (await pagesOf()).get('guarantees.html') ?? '';
  assert.match(page, /<a class="brand" href="\.\.\/index\.html">/);
  const [, main] = /<nav class="pages" aria-label="Main">(.*?)<\/nav>/.exec(page) ?? [];
  assert.equal(
    main.replaceAll(/<.*?>/g, ' ').replaceAll(/ +/g, ' ').trim(),
    'Lab Lessons 16 Museum 57 Studies Numbers Your logs Docs',
  );
  const [, list] = /<nav class="list" aria-label="Learn">(.*?)<\/nav>/s.exec(page) ?? [];
  assert.deepEqual(
    [...list.matchAll(/href="([^#"]*)"/g)].map(([, href]) => href),
    [
      'index.html',
      'how-leader-election-works.html',
      'concepts.html',
      'guarantees.html',
      'numbers.html',
      'settings.html',
    ],
  );
  assert.match(list, /href="guarantees\.html" aria-current="page">.*<ul><li><a href="#what-holds">What holds</);
});

test('the page for an unknown address needs no other file, and leads on', () => {
  const page = missingPage(pathOf('docs'), readInput(), { styles: 'h1{color:red}', script: 'f()' });
  assert.doesNotMatch(page, /<link|src=/);
  for (const [, href] of page.matchAll(/href="([^"]*)"/g)) assert.match(href, /^(index|docs\/index)\.html(#\w+)?$/);
  for (const [tag, directive] of [
    ['style', 'style-src'],
    ['script', 'script-src'],
  ]) {
    const [, text] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page) ?? [];
    const hash = createHash('sha256').update(text).digest('base64');
    assert.ok(page.includes(`${directive} 'sha256-${hash}'`), tag);
  }
});

test('a slot that nothing makes, a page without navigation and a checker without words stop the build', async () => {
  const input = readInput();
  const unknown = { number: 99, name: 'unknown', severity: 'safety', title: 'x' };
  const reference = { ...input.reference, checkers: [...input.reference.checkers, unknown] };
  await assert.rejects(docs(pathOf('docs'), { ...input, reference }), /no section "### unknown"/);
});

test('each page has a title, a description, the pages beside it, and sections that the search finds', async () => {
  const { sections, pages } = await docs(pathOf('docs'), readInput());
  const all = pages(AT);
  const descriptions = [...all.values()].map((html) => /name="description" content="(.*?)"/.exec(html)?.[1] ?? '');
  assert.equal(new Set(descriptions).size, all.size);
  for (const text of descriptions.map(toText)) assert.ok(text.length > 40 && text.length <= 170, text);
  for (const [name, html] of all) {
    assert.match(html, /<title>\S.* · leaselab<\/title>/);
    assert.equal(/rel="(next|prev)"/.test(html), name !== 'index.html');
  }
  for (const { page, anchor, text } of sections) {
    assert.ok(!anchor || all.get(page)?.includes(`id="${anchor}"`), `${page}#${anchor}`);
    // The one tag and the one escape sequence in the page's text.
    assert.doesNotMatch(text.replace('</iframe>', '').replace('(&quot;)', ''), /<\/|&[a-z]+;/, `${page}#${anchor}`);
  }
  const find = finder(sections);
  for (const [query, href] of [
    ['fencing token', 'guarantees.html#when-you-need-fencing'],
    ['marginNegative', 'checkers.html#marginnegative'],
    ['exit codes', 'command.html'],
    ['lease', 'concepts.html#the-lease'],
    ['settings', 'settings.html'],
    ['embed', 'embed.html'],
    ['kubectl', 'api.html'],
    ['pause', 'acts.html'],
    ['margin', 'guarantees.html#the-margin'],
    ['renewDeadline', 'settings.html#elector'],
    ['nginx', 'hosting.html#nginx'],
    ['preferredHolder', 'settings.html#leasespec'],
  ])
    assert.equal(find(query)[0]?.href, href, `${query}: ${find(query).map((one) => one.href)}`);
  const yaml = all.get('scenarios.html') ?? '';
  assert.ok(yaml.split('Open in the lab</a>').length > 2, 'whole scenarios open in the page');
});

test('each of the 26 questions has its page: the lines, three sentences, a run, a cure and threads', async () => {
  const input = readInput();
  const all = await pagesOf();
  const pages = [...all].filter(([name]) => name.startsWith('q/'));
  const ids = pages.map(([, html]) => Number(/>Question Q(\d+)</.exec(html)?.[1]));
  assert.deepEqual(
    ids,
    Array.from({ length: 26 }, (_, i) => i + 1),
  );
  for (const [name, html] of pages) {
    const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
    const answer = toText(/<\/pre>\s*<p>([\s\S]*?)<\/p>/.exec(main)?.[1] ?? '').replaceAll(/<[^>]+>/g, '');
    const sentences = answer.split(/(?<=[.?!])\s+(?=[A-Z0-9`])/).length;
    assert.ok(sentences === 3, `${name}: ${sentences} sentences: ${answer}`);
    assert.match(
      main,
      /<figure class="embed">\s*<a href="\.\.\/\.\.\/index\.html#\S+"><img src="\.\.\/\.\.\/stills\//,
      name,
    );
    assert.match(main, /<h2 id="what-to-(change|do)">/, name);
    const threads = [...main.matchAll(/href="https:\/\/github\.com\/([^"]+)\/issues\/(\d+)">([^<]+)</g)];
    assert.ok(threads.length > 1, `${name} names ${threads.length} threads`);
    for (const [, repository, number, said] of threads) assert.equal(said, `${repository}#${number}`);
    assert.ok(main.includes('<h2 id="measure-it-yourself">'), name);
    assert.doesNotMatch(main.replaceAll(/<pre[\s\S]*?<\/pre>/g, ''), /\{\w+\}|undefined|NaN/, name);
  }
  const kinds = ['incident', 'lesson', 'checker'].map(
    (kind) => [...all.keys()].filter((name) => name.startsWith(`${kind}/`)).length,
  );
  const failing = input.shipped.filter((/** @type {any} */ one) => one.museum?.variant === 'failing').length;
  assert.deepEqual(kinds, [failing, input.lessons.length, input.reference.checkers.length]);
  for (const lesson of input.lessons) {
    const hidden = lesson.steps.find((/** @type {any} */ step) => step.name === 'outcome')?.says.outcome ?? '';
    assert.ok(
      !hidden || !all.get(`lesson/${lesson.name}.html`)?.includes('led.**'),
      'no outcome before the prediction',
    );
  }
});

test('a figure is what its run measures, and a page that measures what it never says stops the build', async () => {
  const { text, measured } = await measuredQuestion('crash', 'leaderChanges.1.leaderlessSeconds');
  assert.ok(text.includes(`nobody leads for ${measured.toFixed(1)} s`), text);
  const other = await measuredQuestion('crash --seed 17', 'leaderChanges.1.leaderlessSeconds');
  assert.notEqual(other.text, text);
  await assert.rejects(measuredQuestion('crash', 'leaderChanges.9.leaderlessSeconds'), /not a number/);
  await assert.rejects(measuredQuestion('crash', 'virtualSeconds', 'unsaid'), /never says \{unsaid\}/);
  await assert.rejects(measuredQuestion('crash', 'virtualSeconds', 'gap', 'Q99'), /nothing has the id Q99/);
});

test('the formulas on the pages are the ones that the engine checks', () => {
  const json = (/** @type {string} */ line) =>
    JSON.parse(execFileSync(pathOf('../bin/leaselab'), [...line.split(' '), '-o', 'json'], { encoding: 'utf8' }));
  const formulaOf = (/** @type {string} */ line) =>
    json(line).checks.find((/** @type {any} */ { rule }) => rule === 'failoverOverFormula').figure;
  assert.match(formulaOf('run crash'), / to 23\.8\d\d s$/);
  const short = '--set elector.leaseDuration=4s --set elector.renewDeadline=2s --set elector.retryPeriod=1s';
  assert.match(formulaOf(`run crash ${short}`), / to 8\.4\d\d s$/);
  const refused = 'sweep b29-hang-or-refuse --set actions[0].mode=refuse --seeds 1..50 --vary-phase';
  const set = '--set elector';
  const long = `${set}.leaseDuration=137s ${set}.renewDeadline=107s ${set}.retryPeriod=26s --set duration=10m`;
  for (const [settings, survived, lost] of [
    ['', '8s', '10s'],
    [long, '104s', '107s'],
  ]) {
    const changes = (/** @type {string} */ length) =>
      json(`${refused} --set actions[0].for=${length} ${settings}`.trim()).leaderChangesPerRun;
    assert.equal(changes(survived), 0, survived);
    assert.ok(changes(lost) > 0, lost);
  }
});

test('llms.txt links to every page with its description, at the address of the site', async () => {
  for (const url of ['', 'https://example.com/leaselab/']) {
    const { llms, pages } = await docs(pathOf('docs'), { ...readInput(), url });
    assert.match(llms, /^# leaselab\n\n> \S/);
    assert.doesNotMatch(llms, /undefined|\{\w+\}/);
    for (const [name, html] of pages(AT)) {
      if (/^(incident|lesson|checker)\//.test(name)) continue;
      const description = toText(/name="description" content="(.*?)"/.exec(html)?.[1] ?? '');
      assert.ok(llms.includes(`](${url}docs/${name}): ${description}\n`), name);
    }
    assert.ok(llms.includes(`](${url}SKILL.md)`));
  }
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
