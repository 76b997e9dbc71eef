/** The long read: its figures move, and the text with them. */
import { axe, expect, nightly, test } from './lab.mjs';
import { QUESTIONS } from './questions.mjs';

/** @import { Page } from '@playwright/test' */

const ADDRESS = 'docs/how-leader-election-works.html';
const inputs = (/** @type {Page} */ page) => page.locator('form.live input');
/** Where the page shows a number. @param {Page} page @param {string} figure @param {string} number */
const placesOf = (page, figure, number) => page.locator(`[data-number="${figure} ${number}"]`);

/** The numbers of the text. @param {Page} page */
const numbersOf = (page) => page.locator('main [data-number]').allTextContents();

/** @param {Page} page @param {{figure: string, field: string, value: number | boolean}} question */
async function move(page, { figure, field, value }) {
  const input = page.locator(`#${figure} [name="${field}"]`);
  if (typeof value === 'boolean') await input.setChecked(value);
  else await input.fill(`${value}`);
}

test('the ten questions: each figure moves and gives its answer; the run opens in the lab', async ({ page }) => {
  /** @type {string[]} */
  const loaded = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(ADDRESS);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How leader election works');
  for (const question of QUESTIONS) {
    const { asks, figure, number, key } = question;
    const place = placesOf(page, figure, number).first();
    await expect(place, asks).not.toHaveText(key);
    await move(page, question);
    await expect(place, asks).toHaveText(key);
  }
  expect(
    loaded.filter((path) => /engine-.*wasm/.test(path)),
    'one engine for all figures',
  ).toHaveLength(1);
  await axe(page);
  // A drag ends with its last value, whatever the engine answers on the way.
  const sleep = page.locator('#pause input');
  for (const value of ['31', '32', '33', '30']) await sleep.fill(value);
  await expect(page.locator('#pause output')).toHaveText('Two lead for 23.9 s.');
  await expect(page.locator('#pause .picture > svg')).toHaveAccessibleName('Two lead for 23.9 s.');
  await page.locator('#pause').getByRole('link', { name: 'Open this run in the lab' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(page).toHaveTitle(/A leader falls asleep/);
});

test(
  'without scripts and on paper: pictures, answers and numbers, and nothing to move',
  nightly(),
  async ({ browser, baseURL }) => {
    const page = await browser.newPage({ javaScriptEnabled: false, baseURL });
    await page.goto(ADDRESS);
    await expect(page.getByRole('img', { name: 'Nobody leads for 16.1 s.', exact: true })).toBeVisible();
    await expect(page.locator('main figure, form.live')).toHaveCount(9);
    for (const text of await numbersOf(page)) expect(text).toMatch(/\S/);
    await expect(inputs(page).first()).toBeHidden();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('img', { name: 'Nobody leads for 16.1 s.', exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(21, 24, 30)');
    await expect(page.getByText('Open this run in the lab').first()).toBeHidden();
    await page.close();
  },
);

test(
  'the first view is light: the text needs no engine, which loads when a figure comes into view',
  nightly(),
  async ({ page }) => {
    /** @type {string[]} */
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.setViewportSize({ width: 390, height: 500 });
    await page.goto(ADDRESS);
    await page.evaluate(() => document.fonts.ready);
    expect(loaded.filter((path) => /live-|engine|worker|wasm/.test(path))).toEqual([]);
    const kib = await page.evaluate(() =>
      [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
        .map((entry) => /** @type {PerformanceResourceTiming} */ (entry).encodedBodySize / 1024)
        .reduce((sum, one) => sum + one, 0),
    );
    expect(kib, 'KiB, no more than the start page').toBeLessThan(80);
    await page.locator('#copies').scrollIntoViewIfNeeded();
    await expect.poll(() => loaded.some((path) => /engine-.*wasm/.test(path))).toBe(true);
    const before = await page.locator('#copies .picture').innerHTML();
    await page.locator('#copies input').fill('2');
    await expect(page.locator('#copies output')).toHaveText('30 letters too many, 0 missing.');
    await page.locator('#copies input').fill('1');
    await expect(page.locator('#copies output')).toHaveText('0 letters too many, 30 missing.');
    expect(await page.locator('#copies .picture').innerHTML(), 'the engine draws what the build drew').toBe(before);
  },
);
