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
 * A page before its Markdown exists. ids: by which other pages name it.
 * @typedef {{name: string, section: string, title: string, ids: string[], write: (links: Links) => string |
 *   Promise<string>, see?: string[], drawn?: {name: string}}} Draft
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
  const key = line + input;
  if (!results.has(key)) {
    const args = [...line.split(' '), '-o', 'json'];
    results.set(key, JSON.parse(execFileSync(command, args, { encoding: 'utf8', input, maxBuffer: 1 << 26 })));
  }
  return results.get(key);
}

/** A figure in words. @param {unknown} value @param {string} path */
function figure(value, path) {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`${path} is ${value}, not a number.`);
  if (path.endsWith('%')) return `${Math.round(100 * value)} %`;
  if (path.endsWith('share')) return `${Math.round(1000 * value) / 10} %`;
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(Math.abs(value) < 1 ? 2 : 1);
}

/** @param {any} result @param {string} path */
const valueAt = (result, path) =>
  path
    .replace(' %', '')
    .split('.')
    .reduce((value, key) => value?.[key], result);

/** The slot of a picture that opens its run. @param {string} still @param {string} link @param {string} caption */
const picture = (still, link, caption) => `<!-- still ${still} ${link} ${caption.trim()} -->`;

/** @param {string[]} items */
const list = (items) => items.map((item) => `- ${item}`).join('\n');

/** @param {string} language @param {string} text */
const code = (language, text) => `\`\`\`${language}\n${text}\`\`\``;

/** @param {string[]} sources */
const sourceList = (sources) => list(sources.map((one) => `[${one.replace('https://', '')}](${addressOf(one)})`));

/** @param {string} text */
const tag = (text) => `<p class="label">${text}</p>`;

/**
 * The numbers of a question, filled into a text. @param {Head} head @param {string} command
 * @returns {(text: string) => string}
 */
function filler({ id, numbers = {}, scenario }, command) {
  const values = Object.entries(numbers).map(([name, [line, path]]) => {
    try {
      return [name, figure(valueAt(resultOf(command, line, scenario), path), path)];
    } catch (error) {
      throw new Error(`docs: ${id}: {${name}} of leaselab ${line} has no value. ${error}.`);
    }
  });
  return (text) => values.reduce((filled, [name, value]) => filled.replaceAll(`{${name}}`, value), text);
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

/** @param {string} folder @param {Given} given @returns {Draft[]} */
function questions(folder, { command, shipped }) {
  const drafts = readdirSync(folder).map((file) => {
    const { head, title, logs, answer, rest } = readQuestion(join(folder, file));
    const fill = filler(head, command);
    const unused = Object.keys(head.numbers ?? {}).filter(
      (one) => !`${head.caption}${answer}${rest}`.includes(`{${one}}`),
    );
    if (unused.length > 0) throw new Error(`docs: ${file} measures ${unused} and never says it.`);
    const commands = [...new Set(Object.values(head.numbers ?? {}).map(([line]) => line))];
    const quoted = (/** @type {string} */ line) => line.replaceAll(/(\S*\[\S*)/g, "'$1'").replace(/ -$/, ' run.yaml');
    const { run = '', until, scenario } = head;
    const name = `q/${file.replace('.md', '')}`;
    const whole = until && shipped.find((one) => one.name === run);
    const drawn = whole
      ? { ...whole, name: name.replace('/', '-'), duration: until, expect: undefined, museum: undefined }
      : scenario;
    const write = async (/** @type {Links} */ links) => {
      const link = scenario ? await scenarioLink(scenario) : run;
      return [
        `# ${title}`,
        tag(`Question ${head.id}`),
        logs,
        fill(answer),
        picture(drawn?.name ?? run, link, fill(head.caption)),
        fill(rest),
        `## More\n\n${list(head.see.map(links.of))}`,
        `## Who asked\n\n${sourceList(head.threads)}`,
        '## Measure it yourself',
        scenario ? code('yaml', dump(scenario)) : '',
        code('', commands.map((line) => `leaselab ${quoted(line)}\n`).join('')),
      ].join('\n\n');
    };
    return { name, section: 'Questions', title, ids: [head.id], see: head.see, drawn, write };
  });
  return drafts.sort((a, b) => Number(a.ids[0].slice(1)) - Number(b.ids[0].slice(1)));
}

/** @param {Given} given @returns {Draft[]} */
const incidents = ({ shipped, strips }) =>
  exhibitsOf(shipped).map(({ id, title, kind, lesson, source, failing, fixed }) => {
    const note = fenceNote(strips[failing.name], strips[fixed.name]);
    const shown = (/** @type {{name: string}} */ { name }) => picture(name, name, stripWords(strips[name]));
    const write = (/** @type {Links} */ links) =>
      [
        `# ${title}`,
        tag(`Incident ${id}: ${CLASSES.find(([name]) => name === kind)?.[1]}`),
        `${failing.museum?.story}`,
        shown(failing),
        `## What to watch\n\n${failing.museum?.watch}`,
        `## What the fix changes\n\n${fixed.museum?.story}${note && `\n\n${note}`}`,
        shown(fixed),
        code('', `leaselab run ${failing.name}\nleaselab compare ${failing.name} ${fixed.name}\n`),
        `## More\n\n${links.to([id])}${lesson > 0 ? `\n- ${links.of(`lesson ${lesson}`)}` : ''}
- [Both runs](../#museum=${id}) in the museum.`,
        `## Where it happened\n\n${sourceList(source)}`,
      ].join('\n\n');
    const name = `incident/${id.toLowerCase()}-${failing.name.replace(/^b\d\d-/, '')}`;
    return { name, section: 'Incidents', title, ids: [id, failing.name], write };
  });

/** The default of a setting, without its unit. @param {any} schema @param {any} scenario @param {string} name */
function settingOf(schema, scenario, name) {
  const value = scenario?.elector?.[name] ?? schema.$defs.Elector.properties[name]?.['x-default'];
  return /^\d+s$/.test(value ?? '') ? value.slice(0, -1) : undefined;
}

/** @param {Given} given @returns {Draft[]} */
const lessons = ({ lessons, shipped, schema }) =>
  lessons.map((lesson) => {
    const { number, steps, texts } = lesson;
    const { title, question, teaser, takeaway, steps: said } = texts.en;
    const scenario = shipped.find(({ name }) => name === lesson.scenario);
    const fill = (/** @type {string} */ text) =>
      text.replaceAll(/\{(\w+)\}/g, (whole, name) => settingOf(schema, scenario, name) ?? whole);
    const bet = steps.findIndex((/** @type {any} */ { kind }) => kind === 'bet');
    // What the run measures stays hidden until the reader has predicted it.
    const before = steps
      .slice(0, bet)
      .filter((/** @type {any} */ { kind }) => kind === 'look')
      .flatMap((/** @type {any} */ { name }) => said[name].text.map(fill))
      .filter((/** @type {string} */ text) => !/\{\w+\}/.test(text));
    const write = (/** @type {Links} */ links) =>
      [
        `# ${question}`,
        tag(`Lesson ${number}: ${title}`),
        teaser,
        picture(`lesson-${number}-${bet + 1}`, `lesson=${number}`, 'The run up to the instant that you predict.'),
        ...before,
        `[Predict what happens, and see: begin lesson ${number}](../#lesson=${number}).`,
        `## Takeaway\n\n${takeaway[0].toUpperCase()}${takeaway.slice(1)}`,
        `## More\n\n${list((lesson.exhibits ?? []).map((/** @type {{id: string}} */ { id }) => links.of(id)))}
${links.to([`lesson ${number}`])}`,
      ].join('\n\n');
    return { name: `lesson/${lesson.name}`, section: 'Lessons', title: question, ids: [`lesson ${number}`], write };
  });

/** @param {string} folder @param {Given} given @returns {Draft[]} */
function checkers(folder, { reference, shipped, strips }) {
  const about = readFileSync(join(folder, '../checkers.md'), 'utf8').split(/^#+ /m);
  return reference.checkers.map(({ name, severity, title }) => {
    const text = about.find((part) => part.startsWith(`${name}\n`))?.slice(name.length) ?? '';
    const broken = exhibitsOf(shipped).filter(({ failing }) => strips[failing.name].counts?.[name]);
    const write = (/** @type {Links} */ links) =>
      [
        `# ${name}: ${title}`,
        tag(`Checker: ${severity}`),
        text.trim(),
        broken.length > 0
          ? `## Incidents that break it\n\n${list(broken.map(({ failing }) => links.of(failing.name)))}`
          : '',
        `## More\n\n${links.to([name])}\n- [All checkers](checkers.html)`,
      ].join('\n\n');
    const title_ = `${name}: ${title}`;
    return { name: `checker/${name.toLowerCase()}`, section: 'Rules', title: title_, ids: [name], write };
  });
}

/**
 * @param {string} folder of the documentation @param {Given} given
 * @param {{name: string, title: string}[]} others the pages that are not answers
 */
export async function answers(folder, given, others) {
  const q = join(folder, 'q');
  const drafts = [...questions(q, given), ...incidents(given), ...lessons(given), ...checkers(q, given)];
  const known = [...drafts, ...others.map((one) => ({ ...one, ids: [one.name] }))];
  const of = (/** @type {string} */ id) => {
    const found = known.find(({ ids }) => ids.includes(id));
    if (!found) throw new Error(`docs: nothing has the id ${id}`);
    const prefix = /^(B\d\d|lesson \d+)$/.test(found.ids[0]) ? `${found.ids[0]}: ` : '';
    return `[${prefix[0]?.toUpperCase() ?? ''}${prefix.slice(1)}${found.title}](${found.name}.html)`;
  };
  const to = (/** @type {string[]} */ ids) =>
    list(drafts.filter(({ see }) => see?.some((id) => ids.includes(id))).map((one) => of(one.ids[0])));
  const labelOf = (/** @type {Draft} */ { section, ids: [id] }) =>
    `${section.slice(0, -1)} ${id.replace('lesson ', '')}`;
  return Promise.all(drafts.map(async (one) => ({ ...one, label: labelOf(one), text: await one.write({ of, to }) })));
}
