/**
 * Checks the prose with Vale: Markdown, comments of Go and JavaScript, string literals, scenarios and lessons.
 *
 *   node .ci/prose.mjs            fails if a rule finds more places than .vale/counts.json says
 *   node .ci/prose.mjs --count    writes the counts of today to .vale/counts.json
 *   node .ci/prose.mjs Passive    lists what one rule finds
 *
 * A rule in .vale/leaselab begins with examples: sentences that it must catch or must leave alone.
 * This program tries these examples first.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import process from 'node:process';

const PROSE = 'bin/prose';
const COUNTS = '.vale/counts.json';
const { tokenizer } = createRequire(new URL('../web/package.json', import.meta.url))('acorn');

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Returns what Vale finds. @param {string[]} files */
function findings(files) {
  const { stdout, stderr, error } = spawnSync('bin/vale', ['--output=JSON', '--no-exit', ...files], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error || !stdout.startsWith('{')) throw new Error(`bin/vale: ${error ?? stdout + stderr}`);
  return Object.entries(JSON.parse(stdout)).flatMap(([file, alerts]) =>
    alerts.map((/** @type {any} */ one) => ({
      file: file.startsWith(`${PROSE}/`) ? file.slice(PROSE.length + 1, -'.txt'.length) : file,
      line: one.Line,
      rule: one.Check.replace('leaselab.', ''),
      message: one.Message,
    })),
  );
}

/** Returns the examples that their own rule judges wrongly. */
function wrongExamples() {
  const examples = readdirSync('.vale/leaselab').flatMap((name) =>
    [...readFileSync(`.vale/leaselab/${name}`, 'utf8').matchAll(/^# (catches|leaves): (.*)$/gm)].map(
      ([, wanted, sentence], i) => ({
        rule: name.replace('.yml', ''),
        wanted,
        sentence,
        file: `${PROSE}/${name}-${i}.txt`,
      }),
    ),
  );
  for (const { file, sentence } of examples) write(file, `${sentence}\n`);
  const found = findings(examples.map(({ file }) => file));
  return examples.filter(
    ({ file, rule, wanted }) =>
      found.some((one) => `${PROSE}/${one.file}.txt` === file && one.rule === rule) !== (wanted === 'catches'),
  );
}

/** Puts each text on the line where it begins. @param {string} source @param {Iterable<[number, string]>} pieces */
function inLines(source, pieces) {
  const lines = Array.from(source.split('\n'), () => '');
  for (const [line, text] of pieces)
    if (/\S\s+\S/.test(text)) for (const [i, part] of text.split('\n').entries()) lines[line + i] += `${part} `;
  return lines.join('\n');
}

/** Returns the strings and templates of a JavaScript file, without tags. @param {string} source */
function jsLiterals(source) {
  const tokens = [...tokenizer(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true })];
  return inLines(
    source,
    tokens
      .filter(({ type }) => ['string', 'template'].includes(type.label))
      .map(({ value, loc }) => [
        loc.start.line - 1,
        value.replace(/<[^<>]*>?/g, (/** @type {string} */ tag) => tag.replace(/[^\n]/g, ' ')),
      ]),
  );
}

/**
 * Returns the strings of a Go file. A sentence ends with its string, unless a + continues it.
 * @param {string} source
 */
function goLiterals(source) {
  const tokens = source.matchAll(/\/\/.*|\/\*[^]*?\*\/|'(?:\\.|[^'\\])+'|"((?:\\.|[^"\\])*)"|`([^`]*)`/g);
  return inLines(
    source,
    [...tokens].map(({ 0: { length }, index, 1: quoted, 2: raw }) => {
      const text = raw ?? quoted?.replace(/\\n|\\t/g, ' ').replaceAll('\\"', '"') ?? '';
      const isWhole = /\w$/.test(text) && !/^\s*\+/.test(source.slice(index + length, index + length + 99));
      return [source.slice(0, index).split('\n').length - 1, isWhole ? `${text}.` : text];
    }),
  );
}

/** Returns the values of a YAML file, each with a period at its end. @param {string} source */
function yamlValues(source) {
  const beginsValue = source.split('\n').map((line) => /^ *(- |[\w.-]+:)/.test(line));
  return source
    .replace(/^( *)(- )?([\w.-]+:( [>|]-?)?|- )/gm, '$1')
    .split('\n')
    .map((line, i) => (beginsValue[i + 1] && /\w["'\])]*$/.test(line) ? `${line}.` : line))
    .join('\n');
}

/** Returns the strings of a JSON file, each with a period at its end. @param {string} source */
function jsonStrings(source) {
  return goLiterals(source.replace(/([^."])"(?=[,}\s])/g, '$1."'));
}

/**
 * Returns the cells of a table with a row in each line, each with a period at its end. Rows that begin with = or + hold
 * what other people write. @param {string} source
 */
function tableCells(source) {
  const own = source.replace(/^[=+] .*$/gm, '');
  const sentences = own.replace(/ \| /g, '. ').replace(/[.]*\n/g, '.\n');
  // A sentence about a field may begin with a small letter, at which Vale sees no new sentence.
  return sentences.replace(/[.] ([a-z])/g, (_, letter) => `. ${letter.toUpperCase()}`);
}

rmSync(PROSE, { recursive: true, force: true });
for (const { rule, wanted, sentence } of wrongExamples()) {
  console.error(`.vale/leaselab/${rule}.yml does not do what it says. It ${wanted}: ${sentence}`);
  process.exitCode = 1;
}
rmSync(PROSE, { recursive: true, force: true });

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter((name) => existsSync(name));
const code = files.filter((name) => /\.(go|m?js)$/.test(name));
const TESTS = /_test\.go$|testsupport|\.(test|spec)\.m?js$|^sim\/(conformance|electiontest)\//;
const shipped = code.filter((name) => !TESTS.test(name));
const texts = files.filter((name) => /^(sim|web\/js)\/.*\.(yaml|json|txt)$/.test(name) && !/testdata\/|incoming\/messages|rbac\/types/.test(name));
/** How to read the prose of a file, by its type. @type {Record<string, (source: string) => string>} */
const READERS = { '.go': goLiterals, '.json': jsonStrings, '.yaml': yamlValues, '.txt': tableCells };
for (const name of [...shipped, ...texts]) {
  const readProse = READERS[extname(name)] ?? jsLiterals;
  write(`${PROSE}/${name}.txt`, readProse(readFileSync(name, 'utf8')));
}

const found = findings([...files.filter((name) => name.endsWith('.md')), ...code, PROSE]);
const [asked] = process.argv.slice(2);
const show = (/** @type {string} */ wanted) => {
  for (const { file, line, rule, message } of found)
    if (rule === wanted) console.error(`${file}:${line}: ${rule}: ${message}`);
};
/** @type {Record<string, number>} */
const limits = JSON.parse(readFileSync(COUNTS, 'utf8'));
const counts = Object.fromEntries(Object.keys(limits).map((rule) => [rule, 0]));
for (const { rule } of found) counts[rule] = (counts[rule] ?? 0) + 1;
// A count may only fall.
const lower = Object.fromEntries(Object.entries(counts).map(([rule, n]) => [rule, Math.min(n, limits[rule] ?? 0)]));
if (asked === '--count') writeFileSync(COUNTS, `${JSON.stringify(lower, null, 2)}\n`);
else if (asked) show(asked);
else {
  for (const [rule, n] of Object.entries(counts)) {
    const limit = limits[rule] ?? 0;
    console.log(`prose: ${rule} ${n}${n < limit ? `, was ${limit}: node .ci/prose.mjs --count keeps that` : ''}`);
    if (n <= limit) continue;
    process.exitCode = 1;
    if (limit === 0) show(rule);
    else console.error(`${rule}: ${n} places, and at most ${limit} may be: node .ci/prose.mjs ${rule} lists them`);
  }
}
