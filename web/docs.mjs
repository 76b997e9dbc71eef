/**
 * Builds the documentation: Markdown from docs/, with tables made from what the engine itself says (the format's schema, the
 * checkers, the commands), so that they cannot be out of date. Static pages without a script, readable without a network.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';

/**
 * What the engine says of itself: `leaselab reference`.
 * @typedef {object} Reference
 * @property {{line: string, short: string, long: string, flags: {name: string, type: string, default: string, usage: string}[]}[]} commands
 * @property {{number: number, name: string, severity: string, title: string}[]} checkers
 * @property {{settings: string, margin: string}[]} margins the least margin of a run
 */
/** A JSON Schema, as far as the scenario format uses it. @typedef {Record<string, any>} Schema */

/** The pages, in the order of their navigation. */
const ORDER = [
  'overview',
  'concepts',
  'guarantees',
  'page',
  'embed',
  'scenarios',
  'settings',
  'acts',
  'checkers',
  'command',
  'api',
  'truth',
  'develop',
];
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** Text inside a cell of a table. @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
/** @param {string[]} head @param {string[][]} rows */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** What a field takes, in a few words. @param {Schema} field @returns {string} */
function takes(field) {
  if (field.enum) return field.enum.map((/** @type {unknown} */ one) => `\`${one}\``).join(', ');
  if (field.const !== undefined) return `\`${field.const}\``;
  if (field.$ref) return linkTo(field.$ref.split('/').at(-1));
  if (field.type === 'array') return `list of ${takes(field.items ?? {})}`;
  if (field.pattern && field.examples) return `duration, as \`${field.examples[0]}\``;
  const [from, to] = [field.minimum, field.maximum].map((n) => n?.toLocaleString('en'));
  const range = from === undefined && to === undefined ? '' : ` ${from ?? '…'} to ${to ?? '…'}`;
  return `${field.type ?? 'value'}${range}`;
}

/** Where a group of fields is described. @param {string} group */
const linkTo = (group) => `[${group}](${group === 'Action' ? 'acts.html' : `settings.html#${anchor(group)}`})`;

/** @param {string} heading */
const anchor = (heading) => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** @param {Schema} group */
const fields = (group) =>
  table(
    ['field', 'takes', 'what it means'],
    Object.entries(group.properties).map(([name, field]) => [
      `\`${name}\`${group.required?.includes(name) ? ' (required)' : ''}`,
      takes(field),
      field.description ?? '',
    ]),
  );

/** @param {Schema} schema */
function settings(schema) {
  const groups = Object.entries(schema.$defs).filter(([name]) => name !== 'Action');
  return [
    `## Scenario\n\n${fields(schema)}`,
    ...groups.map(([name, group]) => `## ${name}\n\n${group.description ?? ''}\n\n${fields(group)}`),
  ].join('\n\n');
}

/** @param {Schema} schema */
const acts = (schema) =>
  table(
    ['act', 'what happens', 'fields besides at'],
    schema.$defs.Action.allOf
      .filter((/** @type {Schema} */ one) => one.if?.properties?.act?.const)
      .map((/** @type {Schema} */ one) => [
        `\`${one.if.properties.act.const}\``,
        one.then.description ?? '',
        (one.then.propertyNames?.enum ?? [])
          .filter((/** @type {string} */ name) => name !== 'at' && name !== 'act')
          .map((/** @type {string} */ name) => `\`${name}\`${one.then.required?.includes(name) ? ' (required)' : ''}`)
          .join(', '),
      ]),
  );

/** @param {Reference} reference */
const checkers = ({ checkers }) =>
  table(
    ['number', 'rule', 'kind', 'broken when'],
    checkers.map(({ number, name, severity, title }) => [`${number}`, `[${name}](#${anchor(name)})`, severity, title]),
  );

/** @param {Reference} reference */
const commands = ({ commands }) =>
  commands
    .map(({ line, short, long, flags }) => {
      const rows = flags.map((flag) => [
        `\`--${flag.name}\``,
        flag.type,
        flag.default ? `\`${flag.default}\`` : '',
        flag.usage,
      ]);
      return `## ${line}\n\n${long || `${short}.`}\n\n${rows.length > 0 ? table(['flag', 'takes', 'default', 'what it does'], rows) : ''}`;
    })
    .join('\n\n');

/** Links to the pages before and after. @param {{name: string}[]} pages @param {string[]} titles @param {number} i */
function beside(pages, titles, i) {
  const link = (/** @type {number} */ k, /** @type {string} */ rel, /** @type {string} */ says) =>
    pages[k] ? `<a rel="${rel}" href="${pages[k].name}.html">${says}: ${titles[k]}</a>` : '';
  return `<p class="beside">${link(i - 1, 'prev', 'Previous')} ${link(i + 1, 'next', 'Next')}</p>\n`;
}

/**
 * The pages by file name.
 * @param {string} folder the Markdown
 * @param {{schema: Schema, reference: Reference, styles: string}} made styles: the address of the style sheet
 * @returns {Map<string, string>}
 */
export function docs(folder, { schema, reference, styles }) {
  const found = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const sources = ORDER.map((name) => ({ name, text: readFileSync(join(folder, `${name}.md`), 'utf8') }));
  const unlisted = found.filter((file) => !ORDER.includes(file.slice(0, -3)));
  if (unlisted.length > 0)
    throw new Error(`docs: ${unlisted.join(', ')} stands in no navigation: see ORDER in web/docs.mjs`);
  /** @type {Record<string, () => string>} */
  const made = {
    settings: () => settings(schema),
    acts: () => acts(schema),
    'act fields': () => fields(schema.$defs.Action),
    checkers: () => checkers(reference),
    commands: () => commands(reference),
    margins: () =>
      table(
        ['settings', 'least margin of the run'],
        reference.margins.map(({ settings, margin }) => [settings, margin]),
      ),
  };
  for (const { name } of reference.checkers)
    if (!sources.some((page) => page.name === 'checkers' && page.text.includes(`\n### ${name}\n`)))
      throw new Error(`docs: checkers.md has no section "### ${name}"`);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(token) {
        const row = (/** @type {any[]} */ cells, /** @type {string} */ tag) =>
          `<tr>${cells.map((one) => `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((one) => row(one, 'td')).join('');
        return `<div class="scroll" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const titles = sources.map(({ text }) => /^# (.*)$/m.exec(text)?.[1] ?? '');
  return new Map(
    sources.map(({ name, text }, i) => {
      const whole = text.replaceAll(/<!-- (.*?) -->/g, (slot, key) => {
        if (!made[key]) throw new Error(`docs: ${name}.md asks for ${slot}, which nothing makes`);
        return made[key]();
      });
      const nav = sources.map(
        (other, k) => `<li><a href="${other.name}.html"${k === i ? ' aria-current="page"' : ''}>${titles[k]}</a></li>`,
      );
      return [
        `${name}.html`,
        `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${titles[i]} · leaselab</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../${styles}">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a href="../">leaselab</a></header>
<nav aria-label="Documentation"><ul>${nav.join('')}</ul></nav>
<main id="main">
${marked.parse(whole)}${beside(sources, titles, i)}</main>
</body>
</html>
`,
      ];
    }),
  );
}
