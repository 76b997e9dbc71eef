/** The files of the page import each other in one direction: no circle, and lib knows neither page nor rooms. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';

const ROOT = new URL('.', import.meta.url).pathname;

/** What each file imports, at its start and later. @type {Map<string, string[]>} */
const imports = new Map();

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js') && !/\.test\.js$|testsupport/.test(file))
  .sort();

test.before(async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: files.map((file) => `import './${file}';`).join('\n'), resolveDir: ROOT },
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  for (const [file, input] of Object.entries(metafile.inputs))
    if (file.endsWith('.js'))
      imports.set(
        file,
        input.imports.flatMap(({ path, external }) => (external || path.endsWith('.json') ? [] : [path])),
      );
});

/** A way from a file back to itself, empty if it has none. @param {Map<string, string[]>} graph */
function circleIn(graph) {
  /** @type {Set<string>} */
  const done = new Set();
  /** @param {string} file @param {string[]} way @returns {string[]} */
  function findCycle(file, way) {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return [];
    done.add(file);
    for (const next of graph.get(file) ?? []) {
      const circle = findCycle(next, [...way, file]);
      if (circle.length > 0) return circle;
    }
    return [];
  }
  for (const file of graph.keys()) {
    const circle = findCycle(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

test('the check sees every file, imports at its start and later, and a circle', () => {
  assert.deepEqual([...imports.keys()].sort(), files);
  assert.ok(imports.get('page/app.js')?.includes('page/lab.js'));
  assert.ok(imports.get('page/rooms.js')?.includes('rooms/desk/index.js'));
  const circle = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', []],
    ['d', ['b']],
  ]);
  assert.deepEqual(circleIn(circle), ['b', 'd', 'b']);
});

test('no file of the page leads back to itself', () => {
  assert.deepEqual(circleIn(imports), []);
});

test('lib names neither page nor rooms, not even for a type', () => {
  const named = files
    .filter((file) => file.startsWith('lib/'))
    .filter((file) => /['"][./]*\/(page|rooms)\//.test(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(named, []);
});
