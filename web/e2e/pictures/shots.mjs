/**
 * Takes a picture of every view at every size, light and dark, to look at them side by side.
 *
 *     make shots           all of them, into bin/shots
 *     node e2e/pictures/shots.mjs start lease     some views
 */
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { chromium } from '@playwright/test';
import { BASE, DIST, openHost } from '../serve.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const ALL_SIZES = [
  '1440x900',
  '1280x720',
  '1280x600',
  '960x600',
  '720x450',
  '844x390',
  '390x844',
  '320x640',
  '2560x1440',
];
/** The variable SIZES names some. */
const SIZES = process.env.SIZES?.split(' ') ?? ALL_SIZES;
const TO = '../bin/shots';

/**
 * Presses the button of a command, or finds the command by its words.
 * @param {string} id
 * @param {string} [words]
 */
const press =
  (id, words = id) =>
  async (/** @type {Page} */ page) => {
    const button = page.locator(`[data-command="${id}"]`).filter({ visible: true }).first();
    if (await button.count()) await button.click();
    else {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command' }).fill(words);
      await page.keyboard.press('Enter');
    }
  };
/** Opens a room that is a page. @param {string} id */
const room = (id) => async (/** @type {Page} */ page) => {
  await press(id)(page);
  await page.locator(`#${id}[open]`).waitFor();
};
/** Opens a tab. @param {string} name */
const tab = (name) => (/** @type {Page} */ page) => page.getByRole('tab', { name }).click();

/** A study, with its answer. @param {string} name of its tab */
const study = (name) => async (/** @type {Page} */ page) => {
  await page.keyboard.press('h');
  const room = page.getByRole('dialog', { name: 'Studies' });
  await room.getByRole('tab', { name }).click();
  if (name === 'Find settings') {
    await room.locator('.study-form').waitFor();
    return;
  }
  await room.locator('.study-right h2').waitFor();
  await room.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden', timeout: 90_000 });
  await room.locator('svg.run-strip').first().waitFor();
};

/**
 * Each view: its address, and what a visitor does there.
 * @type {Record<string, [string, ((page: Page) => unknown)?]>}
 */
const VIEWS = {
  start: [''],
  'two-leaders': ['#s=paused-leader&t=80s'],
  lease: ['#s=a-leader-dies&t=36s', tab('The Lease')],
  beliefs: ['#s=a-leader-dies&t=36s', tab('Beliefs')],
  api: ['#s=a-leader-dies&t=36s', tab('API')],
  lesson: ['#lesson=1&step=4'],
  lessons: ['', room('lessons')],
  museum: ['#museum=B03', (page) => page.locator('#museum[open]').waitFor()],
  incidents: ['', room('museum')],
  studies: ['#s=paused-leader&t=80s', study('Map settings')],
  'find-settings': ['#s=paused-leader&t=80s', study('Find settings')],
  'find-failures': ['#s=paused-leader&t=80s', study('Find failures')],
  simplify: ['#s=paused-leader&t=80s', study('Simplify a failure')],
  prove: ['#s=paused-leader&t=80s', study('Prove within bounds')],
  logs: ['', press('evidence')],
  night: [
    '',
    async (page) => {
      await press('evidence')(page);
      await page.getByRole('button', { name: /^A leader paused/ }).click();
      await page.getByRole('button', { name: 'Run that night again' }).waitFor();
    },
  ],
  settings: [
    '#s=a-leader-dies&t=36s',
    async (page) => {
      await press('faults')(page);
      await page.getByRole('button', { name: /^Settings / }).click();
      await page.getByRole('textbox', { name: /^Followers wait/ }).fill('30');
    },
  ],
  faults: [
    '#s=a-leader-dies&t=36s',
    async (page) => {
      await press('faults')(page);
      await page.getByRole('button', { name: /^Sleep / }).click();
    },
  ],
  menu: ['', press('menu')],
  share: ['', press('share')],
  compare: [
    '#s=a-leader-dies&t=36s',
    async (page) => {
      await press('compare')(page);
      await page.getByRole('dialog', { name: /ompare/ }).waitFor();
    },
  ],
  predict: ['#s=a-leader-dies&t=14s', press('predict', 'Predict')],
  write: ['#s=a-leader-dies&t=36s', press('author', 'Write')],
  projector: ['#s=paused-leader&t=40s', (page) => page.keyboard.press('v')],
  embed: ['?embed#s=paused-leader&t=80s'],
  docs: ['docs/'],
  'docs-page': ['docs/concepts.html'],
  'docs-search': [
    'docs/settings.html',
    async (page) => {
      await page.getByRole('searchbox').fill('fencing');
      await page.locator('#results a').first().waitFor();
    },
  ],
  missing: ['no/such/page'],
};

const wanted = process.argv.slice(2);
for (const name of wanted) if (!(name in VIEWS)) throw new Error(`shots: no view has the name ${name}`);
mkdirSync(TO, { recursive: true });
const host = await openHost({ folders: { [BASE]: DIST } });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
let failures = 0;
for (const [name, [address, act]] of Object.entries(VIEWS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const size of SIZES)
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const [width, height] = size.split('x').map(Number);
      const phone = width < 900 && height > width;
      const options = { viewport: { width, height }, colorScheme, serviceWorkers: /** @type {const} */ ('block') };
      const context = await browser.newContext({
        ...options,
        reducedMotion: 'reduce',
        hasTouch: phone,
        isMobile: phone,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      try {
        await page.goto(`${host.address}${address}`);
        if (!/^(docs|embed|missing)/.test(name)) await page.locator('html[data-state="ready"]').waitFor();
        await act?.(page);
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: `${TO}/${name}-${size}-${colorScheme}.png` });
      } catch (error) {
        failures++;
        console.error(`${name} at ${size}, ${colorScheme}: ${/** @type {Error} */ (error).message.split('\n')[0]}`);
      }
      await context.close();
    }
  console.log(name);
}
await browser.close();
await host.close();
process.exitCode = failures > 0 ? 1 : 0;
