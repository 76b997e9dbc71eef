/** Links, Back, Forward and Refresh, on every kind of address. */
import { expect, nightly, open, ready, test } from './lab.mjs';

/** @import { Page } from '@playwright/test' */

const title = (/** @type {Page} */ page, /** @type {RegExp} */ words) => expect(page).toHaveTitle(words);

test('a link to a scenario plays it and says what to watch; one with an instant shows that instant', async ({
  page,
}) => {
  await page.goto('./#paused-leader');
  await ready(page);
  await expect(page.getByText('What to watch.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause', exact: true }).first()).toBeVisible();
  await page.goto('./#cut-off&t=40s');
  await title(page, /cut off/i);
  await expect(page.locator('#readout')).toContainText('00:40.000');
  await expect(page.getByText('What to watch.')).toBeVisible();
});

test('the page names what it cannot read in a link, and opens the rest', async ({ page }) => {
  await page.goto('./#crash&t=30s&seed=abc&colour=blue');
  await ready(page);
  const toasts = page.locator('#toasts');
  await expect(toasts).toContainText('The seed “abc” must be a whole number');
  await expect(toasts).toContainText('“colour=blue”');
  await expect(page.locator('#readout')).toContainText('00:30.000');
});

test('Back and Forward return to each scenario, page, incident and step, and Refresh keeps them', async ({ page }) => {
  await open(page, '#crash&t=30s');
  await page.goto('./#cut-off&t=40s');
  await title(page, /cut off/i);
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^Museum/ })
    .click();
  await expect(page).toHaveURL(/#museum/);
  await page.goto('./#lesson=1&step=2');
  await expect(page).toHaveURL(/#lesson=a-leader-dies&step=2/);
  await page.goBack();
  await expect(page).toHaveURL(/#museum/);
  await expect(page.locator('html')).toHaveAttribute('data-page', 'museum');
  await page.goBack();
  await expect(page.locator('html')).toHaveAttribute('data-page', 'lab');
  await title(page, /cut off/i);
  await page.goBack();
  await title(page, /crash/i);
  await expect(page.locator('#readout')).toContainText('00:30.000');
  await page.goForward();
  await title(page, /cut off/i);
  await page.goForward();
  await expect(page.locator('html')).toHaveAttribute('data-page', 'museum');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-page', 'museum');
  await page.keyboard.press('Escape');
  await title(page, /cut off/i);
});

test('Refresh keeps the step of a lesson, the panel and the zoom', nightly(), async ({ page }) => {
  await open(page, '#lesson=1&step=3');
  const step = page.locator('#lesson');
  await expect(step).toContainText('3 of 8');
  await page.reload();
  await ready(page);
  await expect(step).toContainText('3 of 8');
  await open(page, '#paused-leader&t=80s&e=80s');
  await page.getByRole('tab', { name: 'Beliefs' }).click();
  const to = () => page.evaluate(() => history.state?.to ?? 0);
  await expect.poll(to).toBeGreaterThan(0);
  const whole = await to();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(to).toBeLessThan(whole);
  const before = await to();
  await page.reload();
  await ready(page);
  await expect(page.getByRole('tab', { name: 'Beliefs' })).toHaveAttribute('aria-selected', 'true');
  await expect.poll(to).toBe(before);
});

test('each page has an address, which opens it, and which a reload keeps', async ({ page }) => {
  for (const [address, id] of [
    ['lessons', 'lessons'],
    ['museum=B05', 'museum'],
    ['studies=hunt', 'search'],
    ['logs', 'evidence'],
  ]) {
    await page.goto(`./#${address}`);
    for (let k = 0; k < 2; k++) {
      await expect(page.locator('html')).toHaveAttribute('data-page', id);
      await expect(page.locator(`#${id} h1`).first()).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`#${address}$`));
      if (k === 0) await page.reload();
    }
  }
  await page.keyboard.press('Escape');
  await expect(page.locator('html')).toHaveAttribute('data-page', 'lab');
  await expect(page).not.toHaveURL(/#logs/);
  await page.goBack();
  await expect(page.locator('html')).toHaveAttribute('data-page', 'evidence');
});
