/**
 * Builds the documentation: Markdown from docs/, with tables from the engine's own data (the format's schema, the
 * checkers, the commands), so that they are never out of date. The pages are static and complete without scripts and
 * without a network. js/docs adds the search and the figures that a reader can change.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Marked } from 'marked';
import { scenarioLink } from './js/docs/link.js';
import { metaTags, toHtml } from './site.mjs';

/** @import { Section } from './js/docs/find.js' */

/**
 * The engine's description of itself: `leaselab reference`.
 * @typedef {object} Reference
 * @property {{line: string, short: string, long: string, flags: {name: string, type: string, default: string, usage:
 *   string}[]}[]} commands
 * @property {{number: number, name: string, severity: string, title: string}[]} checkers
 */
/** A JSON Schema, limited to the parts that the scenario format uses. @typedef {Record<string, any>} Schema */

/** The pages, in the order of their navigation. */
const ORDER = [
  'overview',
  'concepts',
  'guarantees',
  'page',
  'teaching',
  'embed',
  'evidence',
  'operator',
  'scenarios',
  'settings',
  'acts',
  'checkers',
  'command',
  'api',
  'truth',
  'hosting',
  'develop',
];
/** A figure runs the engine, so the documentation needs the same permissions as the page. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self'; style-src 'self'; " +
  "worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";
/** The address includes the file's name, because a storage bucket does not serve index.html at a folder's address. */
const PAGE = '../index.html';
const DESCRIPTION_CHARS = 160;

/** Text inside a cell of a table. @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
/** @param {string[]} head @param {string[][]} rows */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** Describes in a few words what a field accepts. @param {Schema} field @returns {string} */
function describeType(field) {
  if (field.enum) return field.enum.map((/** @type {unknown} */ one) => `\`${one}\``).join(', ');
  if (field.const !== undefined) return `\`${field.const}\``;
  if (field.$ref) return linkTo(field.$ref.split('/').at(-1));
  if (field.type === 'array') return `list of ${describeType(field.items ?? {})}`;
  if (field.pattern && field.examples) return `duration, as \`${field.examples[0]}\``;
  const [from, to] = [field.minimum, field.maximum].map((n) => n?.toLocaleString('en'));
  const range = from === undefined && to === undefined ? '' : ` ${from ?? '…'} to ${to ?? '…'}`;
  return `${field.type ?? 'value'}${range}`;
}

/** A link to the description of a group of fields. @param {string} group */
const linkTo = (group) => `[${group}](${group === 'Action' ? 'acts.html' : `settings.html#${anchor(group)}`})`;

/** @param {string} heading */
const anchor = (heading) => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** @param {Schema} group */
const fields = (group) =>
  table(
    ['field', 'takes', 'what it means'],
    Object.entries(group.properties).map(([name, field]) => [
      `\`${name}\`${group.required?.includes(name) ? ' (required)' : ''}`,
      describeType(field),
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
      const flagsTable = rows.length > 0 ? table(['flag', 'takes', 'default', 'what it does'], rows) : '';
      return `## ${line}\n\n${long || `${short}.`}\n\n${flagsTable}`;
    })
    .join('\n\n');

/**
 * Links to the previous and the next page.
 * @param {{name: string}[]} pages @param {string[]} titles @param {number} i
 */
function linkNeighbors(pages, titles, i) {
  const link = (/** @type {number} */ k, /** @type {string} */ rel, /** @type {string} */ says) =>
    pages[k] ? `<a rel="${rel}" href="${pages[k].name}.html">${says}: ${titles[k]}</a>` : '';
  return `<p class="beside">${link(i - 1, 'prev', 'Previous')} ${link(i + 1, 'next', 'Next')}</p>\n`;
}

/** The text of a piece of HTML. @param {string} html */
const textOf = (html) =>
  html
    .replaceAll(/<[^>]+>/g, (tag) => (/^<\/?(a|code|em|strong|mark)\b/.test(tag) ? '' : ' '))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/**
 * The headings of a page, each with the text below it.
 * @param {string} page
 * @param {string} title
 * @param {string} html
 * @returns {Section[]}
 */
const sectionsOf = (page, title, html) =>
  html.split(/(?=<h[1-6] id=)/).flatMap((part) => {
    const [, depth, anchor, heading, text] = /^<h([1-6]) id="(.*?)">(.*?)<\/h\1>([\s\S]*)$/.exec(part) ?? [];
    if (!depth) return [];
    const first = depth === '1';
    return [{ page, title, anchor: first ? '' : anchor, heading: first ? '' : textOf(heading), text: textOf(text) }];
  });

/** The first paragraph, cut at the end of a sentence, or else of a word. @param {string} html */
function descriptionOf(html) {
  const text = textOf(/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? '').replace(/:$/, '.');
  if (text.length <= DESCRIPTION_CHARS) return text;
  const cut = text.slice(0, DESCRIPTION_CHARS);
  const sentence = cut.lastIndexOf('. ');
  return sentence > DESCRIPTION_CHARS / 2 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}

/** The live figure of the margin, which js/docs/margin.js fills in. */
function marginFigure() {
  const field = (/** @type {string} */ name, /** @type {number} */ value, /** @type {number} */ least) =>
    `<label>${name} <span><input type="number" name="${name}" value="${value}" min="${least}" max="600" step="any"
  inputmode="decimal" required> s</span></label>`;
  const bar = (/** @type {string} */ length, /** @type {string} */ says) =>
    `<span data-length="${length}">${says}</span>`;
  return `<form id="margin" class="live" aria-label="The margin, measured" hidden>
<div class="fields">${field('leaseDuration', 15, 1)}${field('renewDeadline', 10, 0.1)}
${field('retryPeriod', 2, 0.1)}${field('delay', 0.002, 0)}</div>
<div class="bars" aria-hidden="true"><div>${bar('leaseDuration', 'a follower waits: leaseDuration')}
<span data-rest="over">overlap</span></div>
<div>${bar('retryPeriod', 'retryPeriod')}${bar('renewDeadline', 'renewDeadline: a goes on')}
${bar('delay', 'delay')}<span data-rest="spare">margin</span></div></div>
<p><output>Change a length: the engine loads (1.4 MB) and runs them.</output>
<a href="${PAGE}">Open this run in leaselab</a></p>
</form>`;
}

/** A frame that shows a run within the text. @param {string} link what follows # @param {string} title */
const embed = (link, title) => `<figure class="embed">
<iframe src="${PAGE}?embed#${toHtml(link)}" title="${toHtml(title)}" loading="lazy" width="640" height="360"></iframe>
<figcaption>${toHtml(title)} <a href="${PAGE}#${toHtml(link)}">Edit this scenario</a></figcaption>
</figure>`;

/**
 * The content of a slot such as <!-- settings -->.
 * @param {Schema} schema
 * @param {Reference} reference
 * @returns {Record<string, () => string>}
 */
const slots = (schema, reference) => ({
  settings: () => settings(schema),
  acts: () => acts(schema),
  'act fields': () => fields(schema.$defs.Action),
  checkers: () => checkers(reference),
  commands: () => commands(reference),
  'live margin': marginFigure,
});

/**
 * The links that open the scenarios in a text, by each scenario's YAML.
 * @param {string} text
 * @returns {Promise<Map<string, string>>}
 */
async function scenarioLinks(text) {
  const links = new Map();
  for (const [, yaml] of text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)) {
    if (!yaml.includes('kind: Scenario')) continue;
    const scenario = /** @type {object} */ (load(yaml));
    links.set(yaml.trimEnd(), await scenarioLink(scenario));
  }
  return links;
}

/** @param {Map<string, string>} links of the scenarios */
const markdown = (links) =>
  new Marked({
    walkTokens(token) {
      if (token.type === 'link' && /^\.\.\/(#|$)/.test(token.href)) token.href = PAGE + token.href.slice('../'.length);
    },
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(token) {
        const row = (/** @type {any[]} */ cells, /** @type {string} */ tag) =>
          `<tr>${cells.map((one) => `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((one) => row(one, 'td')).join('');
        const head = row(token.header, 'th');
        return `<div class="scroll" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code({ text }) {
        const link = links.get(text);
        const edit = link ? `<p class="edit"><a href="${PAGE}#${link}">Edit this scenario</a></p>\n` : '';
        return `<pre tabindex="0"><code>${toHtml(text)}</code></pre>\n${edit}`;
      },
    },
  });

/**
 * Reads the documentation. Returns the sections for the search, and a function that makes the pages by file name from
 * the addresses of their style sheet and script.
 * @param {string} folder the Markdown
 * @param {{schema: Schema, reference: Reference, url: string}} made url: siteAddress
 * @returns {Promise<{sections: Section[], pages: (at: {styles: string, script: string}) => Map<string, string>}>}
 */
export async function docs(folder, { schema, reference, url }) {
  const found = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const sources = ORDER.map((name) => ({ name, text: readFileSync(join(folder, `${name}.md`), 'utf8') }));
  const unlisted = found.filter((file) => !ORDER.includes(file.slice(0, -3)));
  if (unlisted.length > 0)
    throw new Error(`docs: ${unlisted.join(', ')} stands in no navigation: see ORDER in web/docs.mjs`);
  const texts = slots(schema, reference);
  for (const { name } of reference.checkers)
    if (!sources.some((page) => page.name === 'checkers' && page.text.includes(`\n### ${name}\n`)))
      throw new Error(`docs: checkers.md has no section "### ${name}"`);
  const titles = sources.map(({ text }) => /^# (.*)$/m.exec(text)?.[1] ?? '');
  const bodies = await Promise.all(
    sources.map(async ({ name, text }) => {
      const whole = text.replaceAll(/<!-- (.*?) -->/g, (slot, key) => {
        const [, link, title] = /^embed (\S+) (.+)$/.exec(key) ?? [];
        if (link) return embed(link, title);
        if (!texts[key]) throw new Error(`docs: ${name}.md asks for ${slot}, which nothing makes`);
        return texts[key]();
      });
      return /** @type {string} */ (markdown(await scenarioLinks(text)).parse(whole));
    }),
  );
  const page = (/** @type {number} */ i, /** @type {{styles: string, script: string}} */ { styles, script }) => {
    const nav = sources.map(
      (other, k) => `<li><a href="${other.name}.html"${k === i ? ' aria-current="page"' : ''}>${titles[k]}</a></li>`,
    );
    const title = `${titles[i]} · leaselab`;
    const path = `docs/${sources[i].name}.html`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${toHtml(title)}</title>
${metaTags({ url, path, title, description: descriptionOf(bodies[i]), type: 'article' })}
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="manifest" href="../manifest.webmanifest">
<link rel="stylesheet" href="../${styles}">
<script type="module" src="../${script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a href="${PAGE}">leaselab</a>
<search id="find" hidden><input id="search" type="search" placeholder="Search: press /"
  aria-label="Search the documentation" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<div id="results"></div></search></header>
<nav aria-label="Documentation"><ul>${nav.join('')}</ul></nav>
<main id="main">
${bodies[i]}${linkNeighbors(sources, titles, i)}</main>
</body>
</html>
`;
  };
  return {
    sections: sources.flatMap(({ name }, i) => sectionsOf(`${name}.html`, titles[i], bodies[i])),
    pages: (at) => new Map(sources.map(({ name }, i) => [`${name}.html`, page(i, at)])),
  };
}
