/** Accessibility, as far as a machine can tell; and the site without a network. */
import { axe, command, expect, headline, ready, test } from './lab.mjs';

const looks = /** @type {const} */ ([
  { name: 'light', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'a tablet', colorScheme: 'light', width: 1024, height: 768 },
  { name: 'a phone', colorScheme: 'light', width: 390, height: 844 },
]);

for (const { name, colorScheme, width, height } of looks) {
  test(`axe finds nothing: ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
    await page.goto('./');
    await expect(page.locator('html')).not.toHaveAttribute('data-state', 'opening');
    await expect(headline(page)).toContainText('14.039 s');
    await axe(page);
    if (name === 'dark' || name === 'a tablet') return;
    await page.keyboard.press('?');
    await expect(page.locator('#dialog')).toBeVisible();
    await axe(page, '#dialog');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await axe(page, 'dialog[open]');
    await page.keyboard.press('Escape');
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await axe(page, `#${await tab.getAttribute('aria-controls')}`);
    }
  });
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });
  test('the second visit works', async ({ page, context }) => {
    await page.goto('./');
    await ready(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await context.setOffline(true);
    await page.reload();
    await ready(page);
    await expect(headline(page)).toContainText(/leads/);
    await command(page, 'All settings and faults'); // made of a file of its own
    await expect(page.locator('#setting-elector-leaseDuration')).toBeVisible();
  });
});
