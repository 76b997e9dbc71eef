/**
 * Builds the documentation: Markdown from docs/, with tables from the engine's own data (the format's schema, the
 * checkers, the commands), so that they are never out of date. The pages are static and complete without scripts and
 * without a network. js/docs adds the search and the figures that a reader can change.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { Marked } from 'marked';
import { answers } from './answers.mjs';
import { shown } from './js/docs/figures.js';
import { scenarioLink } from './js/docs/link.js';
import { draw } from './js/docs/picture.js';
import { ICONS } from './js/lib/icons.js';
import { joined } from './js/lib/strip.js';
import { PLACES } from './js/page/bar/places.js';
import { metaTags, toHtml } from './site.mjs';

/** @import { Field, Figure } from './js/docs/figures.js' */
/** @import { Section } from './js/docs/find.js' */
/** @import { Icon } from './js/lib/icons.js' */

/**
 * The engine's description of itself: `leaselab reference`.
 * @typedef {object} Reference
 * @property {{line: string, short: string, long: string, flags: {name: string, type: string, default: string, usage:
 *   string}[]}[]} commands
 * @property {{number: number, name: string, severity: string, title: string}[]} checkers
 */
/**
 * Who led in a run, in milliseconds: node, from, to, and 1 while the Lease named another; and from, to, count of the
 * spans with no leader or two.
 * @typedef {{end: number, led: number[][], bands: number[][]}} Strip
 */
/**
 * What the build has made for the pages. url: siteAddress; brand: the wordmark of the page; counts: of lessons and
 * incidents; strips and titles: of scenarios, by name; command: the path of leaselab; stills: what each figure shows
 * before a reader changes it.
 * @typedef {{schema: Schema, reference: Reference, url: string, brand: string, counts: {lessons: number, incidents:
 *   number}, strips: Record<string, Strip>, titles: Record<string, string>, shipped: any[], lessons: any[], command:
 *   string, figures: Record<string, Figure>, stills: Record<string, {numbers: Record<string, string>, says: string,
 *   html: string, link: string}>}} Made
 */
/**
 * A page before the build. text: its Markdown; label: its short name in the search; drawn: the run in its picture.
 * @typedef {{name: string, section: string, title: string, text: string, label?: string, drawn?: object}} Source
 */
/** A JSON Schema, limited to the parts that the scenario format uses. @typedef {Record<string, any>} Schema */

/** The pages after the first, in the order of reading, and the section of each. */
const PAGES = Object.entries({
  Learn: ['how-leader-election-works', 'concepts', 'guarantees', 'numbers', 'settings'],
  Teach: ['teaching', 'embed'],
  Debug: ['symptoms', 'alerts', 'evidence', 'operator', 'scorecard', 'ci', 'checkers'],
  Reference: ['page', 'scenarios', 'acts', 'command', 'api', 'truth', 'hosting', 'develop'],
}).flatMap(([section, names]) => names.map((name) => ({ name, section })));
const HOME = { name: 'index', section: '' };
/** The sections with many pages. llms.txt leaves them out. */
const SHELVES = ['Incidents', 'Lessons', 'Rules'];
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
      const code = (/** @type {string} */ text) => text && `\`${text}\``;
      const rows = flags.map((flag) => [code(`--${flag.name}`), flag.type, code(flag.default), flag.usage]);
      const flagsTable = rows.length > 0 ? table(['flag', 'takes', 'default', 'what it does'], rows) : '';
      return `## ${line}\n\n${long || `${short}.`}\n\n${flagsTable}`;
    })
    .join('\n\n');

/** An icon of the page. @param {Icon} name */
const icon = (name) =>
  `<svg class="icon" data-icon="${name}" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

/**
 * Links to the previous and the next page.
 * @param {{name: string, title: string}[]} pages @param {number} i
 */
function linkNeighbors(pages, i) {
  const link = (/** @type {number} */ k, /** @type {string} */ rel, /** @type {(title: string) => string} */ says) =>
    pages[k] ? `<a rel="${rel}" href="${pages[k].name}.html">${says(pages[k].title)}</a>` : '<span></span>';
  const previous = link(i - 1, 'prev', (title) => `${icon('back')}<span>Previous: ${title}</span>`);
  const next = link(i + 1, 'next', (title) => `<span>Next: ${title}</span>${icon('forth')}`);
  return `<p class="beside">${previous}${next}</p>\n`;
}

/** Fills in the parts of a template: {name}. @param {string} template @param {Record<string, string>} parts */
const fillIn = (template, parts) => template.replaceAll(/\{(\w+)\}/g, (_, name) => parts[name]);

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
    const names = [...text.matchAll(/<tr><td><code>(.*?)<\/code>/g)].map(([, name]) => textOf(name)).join(' ');
    const at = first ? { anchor: '', heading: '' } : { anchor, heading: textOf(heading) };
    return [{ page, title, ...at, names, text: textOf(text) }];
  });

/** The first paragraph, cut at the end of a sentence, or else of a word. @param {string} html */
function descriptionOf(html) {
  const text = textOf(/<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? '').replace(/:$/, '.');
  if (text.length <= DESCRIPTION_CHARS) return text;
  const cut = text.slice(0, DESCRIPTION_CHARS);
  const sentence = cut.lastIndexOf('. ');
  return sentence > DESCRIPTION_CHARS / 2 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}

/** A frame that shows a run within the text. @param {string} link what follows # @param {string} title */
const embed = (link, title) => `<figure class="embed">
<iframe src="${PAGE}?embed#${toHtml(link)}" title="${toHtml(title)}" loading="lazy" width="640" height="360"></iframe>
<figcaption><span>${toHtml(title)}</span>${openIt(toHtml(link))}</figcaption>
</figure>`;

/**
 * A picture of a run, complete without scripts. @param {string} name @param {string} link what follows #
 * @param {string} caption
 */
const still = (name, link, caption) => `<figure class="embed">
<a href="${PAGE}#${link}"><img src="../stills/${name}.svg" alt="${toHtml(caption)}" loading="lazy"></a>
<figcaption><span>${toHtml(caption)}</span>${openIt(link)}</figcaption>
</figure>`;

/** A link that opens a run in the lab. @param {string} link what follows # @param {string} [text] */
const openIt = (link, text = 'Open in the lab') => `<a class="open" href="${PAGE}#${link}">${icon('open')}${text}</a>`;

/** Who led in a run, as a small picture. @param {Strip} run @param {string} title */
function strip({ end, led, bands }, title) {
  const spans = led.reduce(joined, /** @type {number[][]} */ ([]));
  const rows = [...new Set(led.map(([node]) => node))].map((index) => ({
    index,
    spans: spans
      .filter(([node]) => node === index)
      .map(([, from, to, lost]) => /** @type {[string, number, number]} */ ([lost ? 'lost' : 'leading', from, to])),
  }));
  // The first leader starts within the first pixels.
  const shown = bands.filter(([, to, count]) => count === 2 || to > end / 50);
  const kinds = shown.map(
    ([from, to, count]) => /** @type {[string, number, number]} */ ([count ? 'two' : 'nobody', from, to]),
  );
  return draw({ to: end, rows, bands: kinds }, toHtml(title));
}

/** The control of a field. @param {string} figure @param {Field} field */
function control(figure, field) {
  const { name, label, value, code, min, max, step = 1 } = field;
  if (typeof value === 'boolean')
    return `<label class="btn tint"><input type="checkbox" role="switch" name="${name}">${label}</label>`;
  const limits = `name="${name}" value="${value}" min="${min}" max="${max}" step="${step}"`;
  if (code)
    return `<label><span>${label} <code>${code}</code></span>
<span><input type="number" ${limits} inputmode="decimal" required> s</span></label>`;
  const text = shown(field, value);
  return `<label><span>${label}: <b data-number="${figure} ${name}">${text}</b></span>
<input type="range" ${limits} aria-valuetext="${text}"></label>`;
}

/**
 * A figure that a reader can change, as the build measured it: see js/docs/live.js.
 * @param {string} name @param {Made} made
 */
function figure(name, { figures, stills }) {
  const { title, fields } = figures[name];
  const { says, html, link } = stills[name];
  return `<form id="${name}" class="live" aria-label="${title}" autocomplete="off">
<output>${says}</output>
<div class="picture">${html}</div>
<div class="fields">${fields.map((field) => control(name, field)).join('')}</div>
${openIt(link, 'Open this run in the lab')}
</form>`;
}

/**
 * The beginning of a door of the home: its icon, and a run that it leads to.
 * @param {string} name of the icon @param {string} run @param {Made} made
 */
function door(name, run, { strips, titles }) {
  const picture = `<a href="${PAGE}#${run}">${strip(strips[run], titles[run])}</a>`;
  return `<section class="door">${icon(/** @type {Icon} */ (name))}${picture}`;
}

/**
 * The content of a slot such as <!-- settings -->.
 * @param {Made} made
 * @returns {Record<string, () => string>}
 */
const slots = ({ schema, reference }) => ({
  settings: () => settings(schema),
  acts: () => acts(schema),
  'act fields': () => fields(schema.$defs.Action),
  checkers: () => checkers(reference),
  commands: () => commands(reference),
});

/**
 * The content of any slot. @param {{page: string, sources: Source[]}} where @param {string} key @param {Made} made
 */
function fill({ page, sources }, key, made) {
  const [, shelf] = /^every page of (\w+)$/.exec(key) ?? [];
  if (shelf) {
    const shown = sources.filter(({ section }) => section === shelf);
    const numbered = (/** @type {string} */ label) => (/\d/.test(label) ? `${label.replace(/^\w+ (?=B)/, '')}: ` : '');
    const line = (/** @type {Source} */ { name, title, label = '' }) =>
      `- [${shelf === 'Questions' ? '' : numbered(label)}${title}](${name}.html)`;
    return shown.map(line).join('\n');
  }
  const [, link, title] = /^embed (\S+) (.+)$/.exec(key) ?? [];
  if (link) return embed(link, title);
  const [, picture, opens, caption] = /^still (\S+) (\S+) (.+)$/.exec(key) ?? [];
  if (picture) return still(picture, opens, caption);
  const [, name, run] = /^door (\S+) (\S+)$/.exec(key) ?? [];
  if (name) return door(name, run, made);
  const [, live] = /^live (\S+)$/.exec(key) ?? [];
  if (live) return figure(live, made);
  const [, number, of, one] = /^(n|same) (\S+) (\S+)$/.exec(key) ?? [];
  if (number === 'same') return made.stills[of].numbers[one].replace(' ', '\u00a0');
  if (number) return `<b data-number="${of} ${one}">${made.stills[of].numbers[one]}</b>`;
  const slot = slots(made)[key];
  if (!slot) throw new Error(`docs: ${page}.md asks for <!-- ${key} -->, which nothing makes`);
  return slot();
}

/**
 * The parts of the header, which is the lab's. On a narrow screen the pages are in a menu.
 * @param {Made} made @param {string} root the address of the site from here @param {string} docs whether the Docs are
 *   on screen: "page" for their home, "true" for another page
 */
function headerOf({ brand, counts }, root, docs) {
  const links = PLACES.map(([, name, address, counted]) => {
    const count = counted && ` <small>${counts[counted]}</small>`;
    return `<a href="${root}index.html${address}">${name}${count}</a>`;
  });
  links.push(`<a href="${docs ? '' : 'docs/'}index.html"${docs && ` aria-current="${docs}"`}>Docs</a>`);
  return {
    brand: brand.replace('href="./index.html"', `href="${root}index.html"`),
    ...{ places: links.join(''), find: icon('find'), more: icon('more') },
  };
}

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
        const edit = link ? `<p class="edit">${openIt(link)}</p>\n` : '';
        return `<pre tabindex="0"><code>${toHtml(text)}</code></pre>\n${edit}`;
      },
    },
  });

/**
 * The list beside a page: the pages of its section, and the headings of this one.
 * @param {{name: string, section: string, title: string}[]} pages
 * @param {number} i @param {Section[]} sections of this page
 */
function list(pages, i, sections) {
  const { name, section } = pages[i];
  if (!section) return '';
  const headings = sections.filter(({ anchor }) => anchor);
  // A command without its arguments.
  const short = (/** @type {string} */ heading) => toHtml(heading.replace(/^(leaselab [a-z -]+) .*/, '$1'));
  const inside = headings.map((one) => `<li><a href="#${one.anchor}">${short(one.heading)}</a></li>`).join('');
  const links = pages
    .filter((page) => page.section === section)
    .map((page) =>
      page.name === name
        ? `<li><a href="${name}.html" aria-current="page">${page.title}</a>${inside && `<ul>${inside}</ul>`}</li>`
        : `<li><a href="${page.name}.html">${page.title}</a></li>`,
    );
  return `<nav class="list" aria-label="${section}"><a class="all" href="index.html">${icon('back')}All docs</a>
<p class="label">${section}</p><ul>${links.join('')}</ul></nav>\n`;
}

/**
 * Reads the documentation. Returns the sections for the search, the runs that only pages show, and a function that
 * makes the pages by file name from the addresses of their style sheet and script.
 * @param {string} folder the Markdown
 * @param {Made} made
 */
export async function docs(folder, made) {
  const { reference, url } = made;
  const found = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const written = [HOME, ...PAGES].map(({ name, section }) => {
    const text = readFileSync(join(folder, `${name}.md`), 'utf8');
    return { name, section, text, title: /^# (.*)$/m.exec(text)?.[1] ?? '' };
  });
  /** @type {Source[]} */
  const sources = [...written, ...(await answers(folder, made, written))];
  const unlisted = found.filter((file) => !sources.some(({ name }) => `${name}.md` === file));
  if (unlisted.length > 0)
    throw new Error(`docs: ${unlisted.join(', ')} stands in no section: see PAGES in web/docs.mjs`);
  for (const { name } of reference.checkers)
    if (!sources.some((page) => page.name === 'checkers' && page.text.includes(`\n### ${name}\n`)))
      throw new Error(`docs: checkers.md has no section "### ${name}"`);
  const bodies = await Promise.all(
    sources.map(async ({ name, text }) => {
      const whole = text.replaceAll(/<!-- (.*?) -->/g, (_, key) => fill({ page: name, sources }, key, made));
      return /** @type {string} */ (markdown(await scenarioLinks(text)).parse(whole));
    }),
  );
  const sections = sources.map(({ name, title }, i) => sectionsOf(`${name}.html`, title, bodies[i]));
  /**
   * What the search has of a page: all, or only its beginning. It finds incidents and lessons after the pages that
   * explain, and rules on their common page. @param {number} i
   */
  const searched = (i) => {
    const { section, label = '' } = sources[i];
    const [first] = sections[i];
    if (section === 'Questions') return [first];
    if (section === 'Rules') return [];
    return SHELVES.includes(section)
      ? [{ ...first, title: label, text: `${first.title}. ${first.text}` }]
      : sections[i];
  };
  const template = readFileSync(join(folder, 'page.html'), 'utf8');
  const page = (/** @type {number} */ i, /** @type {{styles: string, script: string}} */ at) => {
    const { name, section, title } = sources[i];
    const description = descriptionOf(bodies[i]);
    const about = { url, path: `docs/${name}.html`, title: section ? title : 'Docs', description };
    const html = fillIn(template, {
      ...headerOf(made, '../', section ? 'true' : 'page'),
      ...at,
      title: toHtml(about.title),
      meta: metaTags({ ...about, title: `${about.title} · leaselab`, type: 'article' }),
      layout: section ? 'article' : 'home',
      list: list(sources, i, sections[i]),
      text: bodies[i],
      beside: section && linkNeighbors(sources, i),
    });
    // All addresses are relative to docs/.
    return name.includes('/') ? html.replaceAll(/ (href|src)="(?!#|https?:)/g, ' $1="../') : html;
  };
  const line = (/** @type {{name: string, title: string}} */ { name, title }, /** @type {number} */ i) =>
    `- [${title}](${url}docs/${name}.html): ${descriptionOf(bodies[i])}`;
  return {
    sections: sources.flatMap((_, i) => searched(i)),
    drawn: sources.flatMap(({ name, drawn }) => (drawn ? [{ still: name.replace('/', '-'), scenario: drawn }] : [])),
    llms: fillIn(readFileSync(join(folder, 'agents/llms.txt'), 'utf8'), {
      url,
      pages: sources.flatMap((one, i) => (SHELVES.includes(one.section) ? [] : line(one, i))).join('\n'),
    }),
    pages: (/** @type {{styles: string, script: string}} */ at) =>
      new Map(sources.map(({ name }, i) => [`${name}.html`, page(i, at)])),
  };
}

/**
 * The page for an unknown address. Its styles and its script are inside, because it has no address from which to load
 * them.
 * @param {string} folder the Markdown @param {Made} made @param {{styles: string, script: string}} inside
 */
export function missingPage(folder, made, { styles, script }) {
  const hash = (/** @type {string} */ text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const parts = { styles, script, stylesHash: hash(styles), scriptHash: hash(script) };
  return fillIn(readFileSync(join(folder, 'missing.html'), 'utf8'), { ...headerOf(made, '', ''), ...parts });
}
