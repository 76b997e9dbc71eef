import { spawn } from 'node:child_process';
/** Accessibility, as far as a machine can tell; and the site without a network. */
import { axe, command, expect, headline, nightly, ready, test } from './lab.mjs';

const looks = /** @type {const} */ ([
  { name: 'light', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'light, with dialogs and tabs', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'a tablet', colorScheme: 'light', width: 1024, height: 768 },
  { name: 'a phone', colorScheme: 'light', width: 390, height: 844 },
]);

for (const { name, colorScheme, width, height } of looks) {
  test(`axe finds nothing: ${name}`, nightly(name !== 'light'), async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
    await page.goto('./');
    await expect(page.locator('html')).not.toHaveAttribute('data-state', 'opening');
    await expect(headline(page)).toContainText('14.039 s');
    await axe(page);
    if (['light', 'dark', 'a tablet'].includes(name)) return;
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
  /** @param {import('@playwright/test').Page} page @param {string} address */
  async function visitTwice(page, address) {
    await page.goto(address);
    await ready(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await page.context().setOffline(true);
    await page.reload();
    await ready(page);
    await expect(headline(page)).toContainText(/leads/);
  }

  test('the second visit works', async ({ page }) => {
    await visitTwice(page, './');
    await command(page, 'All settings and faults'); // built from its own file
    await expect(page.locator('#setting-elector-leaseDuration')).toBeVisible();
  });

  test(
    'the second visit works from `leaselab serve`, whose root answers as an API to all but a browser',
    nightly(),
    async ({ browser }) => {
      const site = process.env.E2E_DIST ?? 'dist';
      const server = spawn('../bin/leaselab', ['serve', '--addr', '127.0.0.1:0', '--site', site]);
      const context = await browser.newContext({ serviceWorkers: 'allow' });
      try {
        const address = await new Promise((resolve) => {
          for (const said of [server.stdout, server.stderr])
            said.on('data', (data) => /http:\S+/.test(String(data)) && resolve(/http:\S+/.exec(String(data))?.[0]));
        });
        expect((await (await context.request.get(address)).json()).paths).toContain('/apis');
        await visitTwice(await context.newPage(), address);
      } finally {
        await context.close();
        server.kill();
      }
    },
  );
});
