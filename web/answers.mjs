/**
 * Builds the pages that have one address per symptom: each question that people ask, each incident, each lesson and
 * each checker. Questions come from docs/q, the others from the engine's own data. A question's figures come from the
 * commands in its head, which the build runs.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { scenarioLink } from './js/docs/link.js';
import { stripWords } from './js/lib/strip.js';
import { addressOf, CLASSES, exhibitsOf } from './js/rooms/museum/exhibits.js';
import { fenceNote } from './js/rooms/museum/figures.js';

/** @import { Strip } from './js/lib/strip.js' */

/**
 * The head of a question. run: a shipped scenario; until: where its picture ends; scenario: one of the page's own
 * instead; numbers: the figures in the text, each as a command without `leaselab` and the path of a value in its JSON;
 * see: what else helps, by its id.
 * @typedef {{id: string, run?: string, until?: string, scenario?: {name: string}, caption: string, numbers?:
 *   Record<string, [string, string]>, see: string[], threads: string[]}} Head
 */
/**
 * A page before its Markdown exists. ids: by which other pages name it, its own first; tag: the line below its title;
 * blocks: its Markdown below that.
 * @typedef {{name: string, section: string, title: string, ids: string[], tag: string, see?: string[], drawn?: object,
 *   blocks: (links: Links) => string[] | Promise<string[]>}} Draft
 */
/** Links to pages by their ids. of: from one id; to: from the questions that name an id. */
/** @typedef {{of: (id: string) => string, to: (ids: string[]) => string}} Links */
/**
 * What the pages need. command: the path of leaselab; pages: of the documentation; checkers: the Markdown about them
 * @typedef {{command: string, shipped: any[], lessons: any[], reference: {checkers: {name: string, severity: string,
 *   title: string}[]}, strips: Record<string, Strip>, schema: any}} Given
 */

/** @type {Map<string, unknown>} */
const results = new Map();

/** The JSON that a command prints. @param {string} command @param {string} line @param {object} [scenario] for `-` */
function resultOf(command, line, scenario) {
  const input = JSON.stringify(scenario) ?? '';
  const run = () => execFileSync(command, [...line.split(' '), '-o', 'json'], { encoding: 'utf8', input });
  if (!results.has(line + input)) results.set(line + input, JSON.parse(run()));
  return results.get(line + input);
}

/** A value of a result, in words. @param {any} result @param {string} path */
function figure(result, path) {
  const keys = path.replace(' %', '').split('.');
  const value = keys.reduce((inner, key) => inner?.[key], result);
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`${path} is ${value}, not a number.`);
  if (path.endsWith('%')) return `${Math.round(100 * value)} %`;
  if (path.endsWith('share')) return `${Math.round(1000 * value) / 10} %`;
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(Math.abs(value) < 1 ? 2 : 1);
}

/** The slot of a picture that opens its run. @param {string} still @param {string} link @param {string} caption */
const picture = (still, link, caption) => `<!-- still ${still} ${link} ${caption.trim()} -->`;

/** @param {string[]} items */
const list = (items) => items.map((item) => `- ${item}`).join('\n');

/** @param {string} language @param {string} text */
const code = (language, text) => `\`\`\`${language}\n${text}\`\`\``;

/** @param {string[]} sources */
const sourceList = (sources) => list(sources.map((one) => `[${one.replace('https://', '')}](${addressOf(one)})`));

/**
 * Fills the numbers of a question into its texts. @param {Head} head @param {string[]} texts @param {string} command
 */
function filled({ id, numbers = {}, scenario }, texts, command) {
  return Object.entries(numbers).reduce((all, [name, [line, path]]) => {
    if (!texts.some((text) => text.includes(`{${name}}`))) throw new Error(`docs: ${id} never says {${name}}.`);
    try {
      const value = figure(resultOf(command, line, scenario), path);
      return all.map((text) => text.replaceAll(`{${name}}`, value));
    } catch (error) {
      throw new Error(`docs: ${id}: {${name}} of leaselab ${line} has no value. ${error}.`);
    }
  }, texts);
}

/** A question: its head, and the parts of its Markdown. @param {string} file */
function readQuestion(file) {
  const [, head, title, logs, answer, rest] =
    /^---\n([\s\S]*?)^---\n+# (.*)\n\n(```\n[\s\S]*?^```)\n\n([\s\S]*?)\n\n([\s\S]*)$/m.exec(
      readFileSync(file, 'utf8'),
    ) ?? [];
  if (!rest) throw new Error(`docs: ${file} needs a head, a title, the lines that people see, an answer and a cure.`);
  return { head: /** @type {Head} */ (load(head)), title, logs, answer, rest };
}

/** The lines of a shell that measure a question's figures. @param {Head} head */
function measure({ numbers = {} }) {
  const lines = [...new Set(Object.values(numbers).map(([line]) => line))];
  const quoted = lines.map((line) => line.replaceAll(/(\S*\[\S*)/g, "'$1'").replace(/ -$/, ' run.yaml'));
  return code('', quoted.map((line) => `leaselab ${line}\n`).join(''));
}

/** @param {string} folder @param {Given} given @returns {Draft[]} */
function questions(folder, { command, shipped }) {
  const drafts = readdirSync(folder).map((file) => {
    const { head, title, logs, ...parts } = readQuestion(join(folder, file));
    const { id, run = '', until, scenario, see, threads } = head;
    const [caption, answer, rest] = filled(head, [head.caption, parts.answer, parts.rest], command);
    const name = `q/${file.replace('.md', '')}`;
    const named = until && shipped.find((one) => one.name === run);
    const drawn = named ? { ...named, duration: until, expect: undefined, museum: undefined } : scenario;
    const still = drawn ? name.replace('/', '-') : run;
    const blocks = async (/** @type {Links} */ links) => [
      logs,
      answer,
      picture(still, scenario ? await scenarioLink(scenario) : run, caption),
      rest,
      `## More\n\n${list(see.map(links.of))}`,
      `## Who asked\n\n${sourceList(threads)}`,
      '## Measure it yourself',
      scenario ? code('yaml', dump(scenario)) : '',
      measure(head),
    ];
    return { name, section: 'Questions', title, ids: [id], tag: `Question ${id}`, see, drawn, blocks };
  });
  return drafts.sort((a, b) => Number(a.ids[0].slice(1)) - Number(b.ids[0].slice(1)));
}

/** @param {Given} given @returns {Draft[]} */
const incidents = ({ shipped, strips }) =>
  exhibitsOf(shipped).map(({ id, title, kind, lesson, source, failing, fixed }) => {
    const shown = (/** @type {{name: string}} */ { name }) => picture(name, name, stripWords(strips[name]));
    const blocks = (/** @type {Links} */ links) => [
      `${failing.museum?.story}`,
      shown(failing),
      `## What to watch\n\n${failing.museum?.watch}`,
      `## What the fix changes\n\n${fixed.museum?.story}`,
      fenceNote(strips[failing.name], strips[fixed.name]),
      shown(fixed),
      code('', `leaselab run ${failing.name}\nleaselab run ${failing.name} --against ${fixed.name}\n`),
      `## More\n\n${links.to([id])}`,
      list([...(lesson > 0 ? [links.of(`lesson ${lesson}`)] : []), `[Both runs](../#museum=${id}) in the museum.`]),
      `## Where it happened\n\n${sourceList(source)}`,
    ];
    const name = `incident/${id.toLowerCase()}-${failing.name.replace(/^b\d\d-/, '')}`;
    const tag = `Incident ${id}: ${CLASSES.find(([one]) => one === kind)?.[1]}`;
    return { name, section: 'Incidents', title, ids: [id, failing.name], tag, blocks };
  });

/** @param {Given} given @returns {Draft[]} */
const lessons = ({ lessons, shipped, schema }) =>
  lessons.map(({ number, name, steps, title, question, teaser, takeaway, exhibits = [], scenario }) => {
    const own = shipped.find((one) => one.name === scenario)?.elector;
    const settings = schema.$defs.Elector.properties;
    const settingOf = (/** @type {string} */ key) => own?.[key] ?? settings[key]?.['x-default'] ?? `{${key}}s`;
    const fill = (/** @type {string} */ text) =>
      text.replaceAll(/\{(\w+)\} s/g, (_, key) => settingOf(key).replace(/s$/, ' s'));
    const bet = steps.findIndex((/** @type {any} */ { kind }) => kind === 'bet');
    const before = steps.slice(0, bet).filter((/** @type {any} */ { kind }) => kind === 'look');
    const told = before.flatMap((/** @type {any} */ step) => step.says.text.map(fill));
    const blocks = (/** @type {Links} */ links) => [
      teaser,
      picture(`lesson-${number}-${bet + 1}`, `lesson=${number}`, 'The run up to the instant that you predict.'),
      // What the run measures stays hidden until the reader has predicted it.
      ...told.filter((/** @type {string} */ text) => !/\{\w+\}/.test(text)),
      `[Predict what happens, and see: begin lesson ${number}](../#lesson=${number}).`,
      `## Takeaway\n\n${takeaway[0].toUpperCase()}${takeaway.slice(1)}`,
      `## More\n\n${list(exhibits.map((/** @type {{id: string}} */ { id }) => links.of(id)))}`,
      links.to([`lesson ${number}`]),
    ];
    const tag = `Lesson ${number}: ${title}`;
    return { name: `lesson/${name}`, section: 'Lessons', title: question, ids: [`lesson ${number}`], tag, blocks };
  });

/** @param {string} folder @param {Given} given @returns {Draft[]} */
function checkers(folder, { reference, shipped, strips }) {
  const about = readFileSync(join(folder, 'checkers.md'), 'utf8').split(/^#+ /m);
  return reference.checkers.map(({ name, severity, title }) => {
    const text = about.find((part) => part.startsWith(`${name}\n`))?.slice(name.length) ?? '';
    const broken = exhibitsOf(shipped).filter(({ failing }) => strips[failing.name].counts?.[name]);
    const blocks = (/** @type {Links} */ links) => [
      text.trim(),
      broken.length > 0 ? '## Incidents that break it' : '',
      list(broken.map(({ failing }) => links.of(failing.name))),
      '## More',
      links.to([name]),
      '- [All checkers](checkers.html)',
    ];
    const page = { name: `checker/${name.toLowerCase()}`, section: 'Rules', title: `${name}: ${title}`, ids: [name] };
    return { ...page, tag: `Checker: ${severity}`, blocks };
  });
}

/**
 * @param {string} folder of the documentation @param {Given} given
 * @param {{name: string, title: string}[]} others the pages that are not answers
 */
export async function answers(folder, given, others) {
  const drafts = [
    questions(join(folder, 'q'), given),
    incidents(given),
    lessons(given),
    checkers(folder, given),
  ].flat();
  const known = [...drafts, ...others.map((one) => ({ ...one, ids: [one.name] }))];
  const of = (/** @type {string} */ id) => {
    const found = known.find(({ ids }) => ids.includes(id));
    if (!found) throw new Error(`docs: nothing has the id ${id}`);
    const number = /^B\d\d$|^lesson \d+$/.exec(found.ids[0])?.[0].replace('lesson', 'Lesson');
    return `[${number ? `${number}: ` : ''}${found.title}](${found.name}.html)`;
  };
  const to = (/** @type {string[]} */ ids) =>
    list(drafts.filter(({ see }) => see?.some((id) => ids.includes(id))).map((one) => of(one.ids[0])));
  const pages = drafts.map(async ({ blocks, tag, ...one }) => {
    const label = `${one.section.slice(0, -1)} ${one.ids[0].replace('lesson ', '')}`;
    const text = [`# ${one.title}`, `<p class="label">${tag}</p>`, ...(await blocks({ of, to }))].join('\n\n');
    return { ...one, label, text };
  });
  return Promise.all(pages);
}
