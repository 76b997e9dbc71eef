/** Accessibility, as far as a machine can tell; and the site without a network. */
import AxeBuilder from '@axe-core/playwright';
import { command, expect, headline, ready, test } from './lab.mjs';

const looks = /** @type {const} */ ([
  { name: 'light', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'a tablet', colorScheme: 'light', width: 1024, height: 768 },
  { name: 'a phone', colorScheme: 'light', width: 390, height: 844 },
]);

for (const { name, colorScheme, width, height } of looks) {
  test(`axe finds nothing: ${name}`, async ({ page }) => {
    test.slow(); // axe looks through the whole page five to nine times
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
    await page.goto('./');
    await expect(page.locator('html')).not.toHaveAttribute('data-state', 'opening');
    await expect(headline(page)).toContainText('14.039 s');
    const scan = async () =>
      (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [
        id,
        nodes.map((node) => node.html.slice(0, 160)),
      ]);
    expect(await scan()).toEqual([]);
    if (name === 'dark' || name === 'a tablet') return;
    await page.keyboard.press('?');
    await expect(page.locator('#dialog')).toBeVisible();
    expect(await scan()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    expect(await scan()).toEqual([]);
    await page.keyboard.press('Escape');
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      expect(await scan()).toEqual([]);
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
