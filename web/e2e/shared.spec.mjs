/** What every room shares: a part that cannot be loaded, one tab stop for a list, messages that wait, the splitter. */
import { axe, command, expect, open, test } from './lab.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/** @param {Page} page @param {string} text */
const toast = (page, text) => page.locator('#toasts .toast').filter({ hasText: text });

test(
  'a room that cannot be loaded is said, and the next try opens it',
  { annotation: { type: 'allow', description: 'Failed to load resource|dynamically imported module' } },
  async ({ page }) => {
    let missing = true;
    await page.route(/\/museum-\w+\.js$/, (route) => (missing ? route.fulfill({ status: 404 }) : route.continue()));
    await open(page, '#a-leader-dies&t=10s');
    await command(page, 'Museum');
    await expect(toast(page, 'could not be loaded')).toBeVisible();
    missing = false;
    await command(page, 'Museum');
    await expect(page.getByRole('dialog', { name: 'The museum of real incidents' })).toBeVisible();
  },
);

test('the event list is one tab stop: the current event, then arrows, and the focus survives a new window', async ({
  page,
}) => {
  await open(page, '#a-leader-dies&t=40s');
  const events = page.locator('#events');
  const stop = events.locator('.event button[tabindex="0"]');
  await expect(stop).toHaveCount(1);
  await expect(stop).toHaveAttribute('aria-current', 'true');
  await events.getByRole('button', { name: 'Filter' }).focus();
  await page.keyboard.press('Tab');
  await expect(stop).toBeFocused();
  const row = () => page.evaluate(() => Number(document.activeElement?.closest('li')?.getAttribute('aria-posinset')));
  const first = await row();
  for (let i = 1; i <= Math.min(60, first - 1); i++) {
    await expect(events.locator(`[aria-posinset="${first - i}"]`)).toBeAttached();
    await page.keyboard.press('ArrowUp');
    await expect.poll(row).toBe(first - i);
  }
  await expect(stop).toHaveCount(1);
  await axe(page, '#events');
});
