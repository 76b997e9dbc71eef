/**
 * Builds the site from the files that `make documents` and `make wasm` write into bin/: node build.mjs [--wasm FILE]
 * [--tools FILE] [--out DIR] [--budget] [--plain]
 *
 * File names contain a hash of the content, except index.html, 404.html, sw.js and the few files that other programs
 * look for by name. Every address is relative, so the site works under any path. index.html contains the recorded
 * opening, so the first view needs neither a second request nor the engine. --plain leaves modules as Go's compiler
 * wrote them: it skips the passes of web/module and the size limits of modules. The build also does this if the passes
 * do not know the Go version. --budget makes a size above its limit an error. The environment variable SITE_URL is the
 * site's public address, such as https://…. With this variable, the build adds the parts that need an absolute address:
 * the canonical links, the social card and the site map.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { ENGINE_KIB, FIRST_VIEW_KIB, TOOLS_KIB } from './budget.mjs';
import { docs, missingPage } from './docs.mjs';
import { STORY_UNTIL } from './js/page/opening.js';
import { packedModule } from './module/packer.mjs';
import { unknownGo } from './module/page.mjs';
import { splitOpening } from './opening.mjs';
import { shipSamples } from './samples.mjs';
import { bill, goParts, licensesText, npmParts, sourceDate } from './shipped.mjs';
import { CARD, ICONS, metaTags, robots, siteAddress, siteMap } from './site.mjs';
import { measureFigures, readFigures } from './stills.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** Finds a file that `make documents` or `make wasm` writes. @param {string} name */
function findBuilt(name) {
  const file = join(here, '../bin', name);
  if (!existsSync(file)) throw new Error(`build: ${file} is not there: run make site`);
  return file;
}
const { values: args } = parseArgs({
  options: {
    wasm: { type: 'string' },
    tools: { type: 'string' },
    budget: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
    out: { type: 'string', default: join(here, 'dist') },
  },
});
const out = args.out;
const target = 'es2022';
/**
 * esbuild's options for every script of the site. The hash in a file's name covers the paths of its sources, so the
 * paths start here, and a link to other packages keeps its own path.
 * @type {import('esbuild').BuildOptions}
 */
const SCRIPT = { bundle: true, minify: true, target, absWorkingDir: here, preserveSymlinks: true };
/** Options for a worker, which is a single file. @type {import('esbuild').BuildOptions & {write: false}} */
const ALONE = { ...SCRIPT, format: 'iife', write: false };
/**
 * Options for modules in chunks, each named after its content.
 * @type {import('esbuild').BuildOptions & {metafile: true}}
 */
const PARTS = {
  ...SCRIPT,
  ...{ splitting: true, format: 'esm', outdir: out, entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]' },
  ...{ legalComments: 'none', metafile: true },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const hash = (/** @type {string | Uint8Array} */ content) =>
  createHash('sha256').update(content).digest('hex').slice(0, 8);

/**
 * Writes a file under a name that contains its hash.
 * @param {string} name
 * @param {string} ext
 * @param {string | Uint8Array} content
 */
function emit(name, ext, content) {
  const file = `${name}-${hash(content)}.${ext}`;
  writeFileSync(join(out, file), content);
  return file;
}

// The engine, and its loader, which must come from the same Go version.
const goRoot = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
const loader = await transform(readFileSync(join(goRoot, 'lib/wasm/wasm_exec.js'), 'utf8'), { minify: true, target });
const exec = emit('wasm_exec', 'js', loader.code);
/**
 * Whether modules stay as Go wrote them, because of --plain or because the passes do not know the Go version. In CI, an
 * unknown version is an error.
 */
function staysPlain() {
  const unknown = unknownGo(readFileSync(args.wasm ?? findBuilt('engine.wasm')));
  if (args.plain || !unknown) return args.plain;
  if (process.env.CI) throw new Error(`${unknown}: read what changed, then raise GO_VERSION`);
  console.warn(`build: ${unknown}. The page is built without the passes: larger and slower.`);
  return true;
}
const plain = staysPlain();
/** Packs a module. @param {string} name @param {string} from */
async function emitModule(name, from) {
  const { packed, size, sha256 } = await packedModule(from, plain);
  return { wasm: emit(name, 'wasm.zst', packed), module: { bytes: packed.byteLength, size, sha256 } };
}
const [{ wasm, module: engine }, tools] = await Promise.all([
  emitModule('engine', args.wasm ?? findBuilt('engine.wasm')),
  // The engine with rare operations, such as studies and lessons' checks. The page loads it on demand.
  emitModule('tools', args.tools ?? findBuilt('tools.wasm')),
]);

// The shipped scenarios, which the page hands to the engine.
const scenarios = emit('scenarios', 'json', readFileSync(findBuilt('scenarios.json')));

// The lessons. The page fetches them when the first lesson opens.
const lessons = emit('lessons', 'json', readFileSync(findBuilt('lessons.json')));
// The pictures of runs in the lists of lessons and incidents, and of the recorded incidents to try without logs.
const drawn = JSON.parse(readFileSync(findBuilt('stills/strips.json'), 'utf8'));
const incidents = shipSamples(join(here, '..'), out, findBuilt('leaselab'));
const strips = emit('strips', 'json', JSON.stringify({ ...drawn, ...incidents }));

// The schema, for the forms of the fault laboratory. Editors use the copy without a hash in its name.
const read = (/** @type {string} */ name) => JSON.parse(readFileSync(findBuilt(name), 'utf8'));
const schema = emit('schema', 'json', JSON.stringify(read('scenario.schema.json')));

// The worker. It is a classic script, because it must importScripts the loader.
const workerCode = await build({ ...ALONE, entryPoints: [join(here, 'js/page/worker.js')], metafile: true });
const worker = emit('worker', 'js', workerCode.outputFiles[0].contents);

// The worker that reads evidence.
const evidenceFile = join(here, 'js/rooms/evidence/worker.js');
const evidenceCode = await build({ ...ALONE, entryPoints: [evidenceFile], metafile: true });
const evidence = emit('evidence', 'js', evidenceCode.outputFiles[0].contents);

// The style sheets, tokens first. The desk has its own.
const css = (/** @type {string} */ name) => readFileSync(join(here, 'css', name), 'utf8');
const minifyCss = async (/** @type {string} */ source) =>
  (await transform(source, { loader: 'css', minify: true, target })).code;
const sheets = ['tokens.css', 'base.css', 'app.css', 'headline.css', 'stage.css', 'timeline.css'];
// Later style sheets refine these two.
const firstOfDesk = ['desk.css', 'lesson.css'];
const others = readdirSync(join(here, 'css')).sort();
const apart = [...sheets, ...firstOfDesk, 'docs.css', 'embed.css'];
const deskSheets = [...firstOfDesk, ...others.filter((name) => !apart.includes(name))];
const styles = emit('app', 'css', await minifyCss(sheets.map(css).join('\n')));
const deskStyles = emit('desk', 'css', await minifyCss(deskSheets.map(css).join('\n')));
const embedStyles = emit('embed', 'css', await minifyCss(css('embed.css')));

// The recorded opening. The page contains the data of the story and fetches the other data later.
const openingSource = read('opening.json');
const recorded = splitOpening(openingSource, STORY_UNTIL);
// Escapes "<", so that no text of a run can end the element around it.
const opening = JSON.stringify(recorded.story).replaceAll('<', '\\u003c');
const rest = emit('opening', 'json', JSON.stringify(recorded.rest));

/**
 * By default, esbuild makes a chunk for every set of entries that share code, so the first view needs 27 files and 70
 * KiB. But the page loads before everything else, and the desk loads before every room except the engine and the embed.
 * esbuild has no option for this order, but an import expresses it. The import here reduces the first view to 2 files
 * and 64 KiB.
 */
const loadedBefore = {
  name: 'loaded before',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    const first = JSON.stringify(join(here, 'js/page/app.js'));
    const desk = JSON.stringify(join(here, 'js/rooms/desk/index.js'));
    build.onLoad({ filter: /\/js\/(rooms\/\w+\/index|page\/timeline\/input|lib\/yamltext)\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const room = /\/rooms\/(?!desk|engine|embed)/.test(path);
      return { contents: `import ${first};${room ? `import ${desk};` : ''}${source}` };
    });
  },
};

// The documentation: the sections for its search, and its script in chunks.
const url = siteAddress(process.env.SITE_URL);
const shipped = read('scenarios.json');
const counts = {
  lessons: read('lessons.json').length,
  incidents: shipped.filter((/** @type {any} */ one) => one.museum?.variant === 'failing').length,
};
const figures = readFigures(join(here, 'docs/figures.yaml'));
const made = {
  figures,
  stills: await measureFigures(figures),
  schema: read('scenario.schema.json'),
  reference: read('reference.json'),
  url,
  brand: /<a class="brand"[\s\S]*?<\/a>/.exec(readFileSync(join(here, 'index.html'), 'utf8'))?.[0] ?? '',
  counts,
  strips: read('stills/strips.json'),
  titles: Object.fromEntries(shipped.map((/** @type {any} */ one) => [one.name, one.title])),
  ...{ shipped, lessons: read('lessons.json'), command: findBuilt('leaselab') },
};
const documentation = await docs(join(here, 'docs'), made);
const sections = emit('sections', 'json', JSON.stringify(documentation.sections));
const docsCode = await build({
  ...PARTS,
  entryPoints: { docs: join(here, 'js/docs/index.js') },
  define: {
    __DOCS__: JSON.stringify({ sections, engine: { worker, exec, wasm, scenarios, module: engine } }),
    // This is text, so that only the chunk with the figures has it.
    __FIGURES__: JSON.stringify(JSON.stringify(figures)),
  },
});

/** The files that the page loads by their names, besides its scripts and styles. */
const files = { worker, exec, wasm, scenarios, lessons, strips, schema, rest };
// The page. The YAML reader becomes a separate chunk, which loads when a visitor opens or saves a file as YAML.
const page = await build({
  ...PARTS,
  plugins: [loadedBefore],
  entryPoints: [join(here, 'js/page/app.js')],
  alias: { 'js-yaml': join(here, 'node_modules/js-yaml/dist/browser/js-yaml.esm.min.mjs') },
  define: {
    __EVIDENCE__: JSON.stringify(evidence),
    __COUNTS__: JSON.stringify(counts),
    __ASSETS__: JSON.stringify({ ...files, module: engine, tools, styles: deskStyles, embed: embedStyles }),
  },
});
const outputs = Object.entries(page.metafile.outputs);
const nameOf = (/** @type {string} */ path) => path.split('/').at(-1) ?? path;
const entry = outputs.find(([, output]) => output.entryPoint?.endsWith('js/page/app.js'));
if (!entry) throw new Error('build: the page has no entry');
const app = nameOf(entry[0]);
const shared = entry[1].imports.filter((one) => one.kind === 'import-statement').map((one) => nameOf(one.path));
const docsFiles = Object.keys(docsCode.metafile.outputs).map(nameOf);
const docsScript = docsFiles.find((file) => file.startsWith('docs-')) ?? '';
const later = outputs.map(([path]) => nameOf(path)).filter((file) => file !== app && !shared.includes(file));

// The licenses of all parts, and the bill of materials.
const root = join(here, '..');
const bundled = [page, workerCode, evidenceCode, docsCode].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const modules = goParts(root);
const license = readFileSync(join(root, 'LICENSE'), 'utf8');
writeFileSync(join(out, 'licenses.txt'), licensesText(license, [...modules, ...npmParts(here, bundled)]));
writeFileSync(
  join(out, 'leaselab.spdx.json'),
  bill(here, modules, { version: `${openingSource.engine}`, sha256: engine.sha256, created: sourceDate(root) }),
);

const icons = ICONS.map(({ file }) => file);
for (const name of ['icon.svg', ...icons, CARD.file, 'manifest.webmanifest']) cpSync(join(here, name), join(out, name));
// The stills that embeds show before their engine loads, each under the address of its embed.
cpSync(findBuilt('stills'), join(out, 'stills'), { recursive: true, filter: (name) => !name.endsWith('.json') });
for (const { still, scenario } of documentation.drawn)
  execFileSync(made.command, ['stills', join(out, 'stills'), '-', still], { input: JSON.stringify(scenario) });
writeFileSync(join(out, '.nojekyll'), '');
cpSync(findBuilt('scenario.schema.json'), join(out, 'scenario.schema.json'));

let index = readFileSync(join(here, 'index.html'), 'utf8');
const first = (await transform(readFileSync(join(here, 'js/page/first.js'), 'utf8'), { minify: true, target })).code;
const start = first.trim();
const [, title] = /<title>(.*?)<\/title>/.exec(index) ?? ['', ''];
const [, description] = /<!-- build: about (.*?) -->/.exec(index) ?? ['', ''];
const preloads = shared.map((file) => `<link rel="modulepreload" href="./${file}" />`).join('');
const slots = {
  '<!-- build: first -->': `<script>${start}</script>`,
  "script-src 'self'": `script-src 'self' 'sha256-${createHash('sha256').update(start).digest('base64')}'`,
  [`<!-- build: about ${description} -->`]: metaTags({ url, path: '', title, description, type: 'website' }),
  '<!-- build: styles -->': `<link rel="stylesheet" href="./${styles}" />`,
  '<!-- build: scripts -->': `${preloads}<script type="module" src="./${app}"></script>`,
  '<!-- build: opening -->': `<script type="application/json" id="opening">${opening}</script>`,
};
for (const [slot, content] of Object.entries(slots)) {
  if (!index.includes(slot)) throw new Error(`build: index.html has no ${slot}`);
  index = index.replace(slot, () => content);
}
writeFileSync(join(out, 'index.html'), index);

// The pages of the documentation.
const docsSheet = await minifyCss(['tokens.css', 'base.css', 'docs.css'].map(css).join('\n'));
const docsStyles = emit('docs', 'css', docsSheet);
const { code: script } = await transform(readFileSync(join(here, 'docs/home.js'), 'utf8'), { minify: true, target });
writeFileSync(join(out, '404.html'), missingPage(join(here, 'docs'), made, { styles: docsSheet, script }));
const pages = documentation.pages({ styles: docsStyles, script: docsScript });
for (const [name, html] of pages) {
  mkdirSync(join(out, 'docs', dirname(name)), { recursive: true });
  writeFileSync(join(out, 'docs', name), html);
}
const docsPages = [...pages.keys()].map((name) => `docs/${name}`);
// What coding agents read.
writeFileSync(join(out, 'llms.txt'), documentation.llms);
cpSync(join(here, 'docs/agents/SKILL.md'), join(out, 'SKILL.md'));
// The address that the home once had.
cpSync(join(here, 'docs/moved.html'), join(out, 'docs/overview.html'));

if (url) {
  writeFileSync(join(out, 'sitemap.xml'), siteMap(url, ['', ...docsPages]));
  writeFileSync(join(out, 'robots.txt'), robots(url));
}

// The service worker keeps the documentation, and the questions with it. The lab shows the incidents, the lessons and
// the rules without a network, so their pages stay on the server.
const offline = [...pages].filter(([name]) => !/^(incident|lesson|checker)\//.test(name));
// The stills of the runs in the documentation. Pages that open an embed fetch the others.
const docsStills = offline
  .flatMap(([, page]) =>
    [...page.matchAll(/(?:\?embed#|stills\/)([a-z0-9-]+)/g)].map(([, name]) => `stills/${name}.svg`),
  )
  .filter((file, i, all) => all.indexOf(file) === i && existsSync(join(out, file)));
// The service worker, which keeps the whole site for offline visits.
const keptPage = [styles, deskStyles, embedStyles, app, ...shared, ...later, evidence, ...Object.values(files)];
const keptDocs = [docsStyles, ...docsFiles, sections, ...docsStills, ...offline.map(([name]) => `docs/${name}`)];
const kept = ['./', ...keptPage, 'icon.svg', ...icons, 'manifest.webmanifest', 'licenses.txt', ...keptDocs];
// Files that few visitors need. The service worker keeps them after their first use.
const keptOnUse = [tools.wasm];
const version = hash(index + kept.join() + keptOnUse.join());
const sw = await build({
  ...ALONE,
  entryPoints: [join(here, 'js/page/sw.js')],
  define: {
    __VERSION__: JSON.stringify(version),
    __KEPT__: JSON.stringify(kept),
    __KEPT_ON_USE__: JSON.stringify(keptOnUse),
  },
});
writeFileSync(join(out, 'sw.js'), sw.outputFiles[0].contents);

// Sizes, with the budgets.
const kib = (/** @type {string} */ file) => {
  const content = readFileSync(join(out, file));
  return (file.endsWith('.zst') ? content : gzipSync(content, { level: 9 })).byteLength / 1024;
};
const firstView = ['index.html', styles, app, ...shared];
const HASHED = /-[\w]{8}\.(js|css|json|wasm\.zst)$/;
for (const file of new Set([...firstView, ...kept.filter((name) => HASHED.test(name)), ...keptOnUse]))
  console.log(`${kib(file).toFixed(1).padStart(8)} KiB ${file.endsWith('.zst') ? 'packed' : 'gzip  '} ${file}`);
const sum = (/** @type {string[]} */ files) => files.reduce((all, file) => all + kib(file), 0);
/** @param {string} what @param {number} size @param {number} limit */
function checkLimit(what, size, limit) {
  console.log(`${size.toFixed(2).padStart(8)} KiB         ${what} (limit ${limit})`);
  if (size <= limit) return;
  console.error(`build: ${what}: ${size.toFixed(2)} KiB, more than ${limit}`);
  if (args.budget) process.exitCode = 1;
}
checkLimit('first view without the engine', sum(firstView), FIRST_VIEW_KIB);
/** @param {string} what @param {string[]} files @param {number} limit */
function checkModule(what, files, limit) {
  if (plain) console.log(`not limited to ${limit} KiB, because it is as Go wrote it: ${what}`);
  else checkLimit(what, sum(files), limit);
}
checkModule('the engine and its worker', [wasm, worker, exec], ENGINE_KIB);
checkModule('the tools', [tools.wasm], TOOLS_KIB);
