/**
 * Lighthouse, desktop, on the built page, a page of the documentation and an embed. Its own package: 40 times as
 * many
 * files as the page's tools, and only `make test-long` and `make bench` need them.
 *
 * node lighthouse.mjs accessibility, best practices and SEO: fails below AT_LEAST, and names what costs points
 *   node lighthouse.mjs performance   the median of RUNS runs, printed
 */
import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';
import { BASE, DIST, openHost } from '../e2e/serve.mjs';

const AT_LEAST = 95;
const RUNS = 5;
const HELD = ['accessibility', 'best-practices', 'seo'];
/** The address of each view below the site. */
const VIEWS = {
  ...{ page: '', docs: 'docs/guarantees.html', read: 'docs/how-leader-election-works.html' },
  embed: '?embed#a-leader-dies&t=34.039s&e=36s',
};

const performance = process.argv[2] === 'performance';
const host = await openHost({ folders: { [BASE]: DIST } });
const chrome = await launch({
  chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu'],
});

/** @param {string} path @param {string[]} categories */
async function report(path, categories) {
  const flags = { port: chrome.port, onlyCategories: categories, logLevel: /** @type {const} */ ('error') };
  const result = await lighthouse(`${host.address}${path}`, flags, desktopConfig);
  if (!result || result.lhr.runtimeError)
    throw new Error(result?.lhr.runtimeError?.message ?? 'Lighthouse gave no report');
  return result.lhr;
}

/** @param {{score: number | null}} category */
const points = ({ score }) => Math.round((score ?? 0) * 100);

/** Prints what keeps a category below 100. @param {Awaited<ReturnType<typeof report>>} lhr @param {string} category */
function printLosses(lhr, category) {
  for (const { id, weight } of lhr.categories[category].auditRefs) {
    const { score, title, details } = lhr.audits[id];
    if (!weight || score === null || score >= 1) continue;
    const items = /** @type {{items?: {node?: {snippet?: string}}[]}} */ details?.items ?? [];
    const where = items.map(({ node }) => node?.snippet).filter(Boolean);
    console.log(`    ${title}${where.length > 0 ? `: ${where.slice(0, 3).join(' ')}` : ''}`);
  }
}

async function hold() {
  let low = 0;
  for (const [view, path] of Object.entries(VIEWS)) {
    const lhr = await report(path, HELD);
    console.log(`${view.padEnd(6)} ${HELD.map((name) => `${name} ${points(lhr.categories[name])}`).join('  ')}`);
    for (const name of HELD) {
      if (points(lhr.categories[name]) < AT_LEAST) low++;
      printLosses(lhr, name);
    }
  }
  if (low > 0) console.log(`${low} below ${AT_LEAST}`);
  process.exitCode = low > 0 ? 1 : 0;
}

async function median() {
  console.log(`\nLighthouse, performance, desktop (median of ${RUNS}, to reach ${AT_LEAST})`);
  for (const [view, path] of Object.entries(VIEWS)) {
    const all = [];
    for (let i = 0; i < RUNS; i++) all.push((await report(path, ['performance'])).categories.performance);
    const sorted = all.map(points).sort((a, b) => a - b);
    console.log(`${view.padEnd(34)}${String(sorted[Math.floor(RUNS / 2)]).padStart(16)}    ${sorted.join(' ')}`);
  }
}

try {
  await (performance ? median() : hold());
} finally {
  chrome.kill();
  await host.close();
}
