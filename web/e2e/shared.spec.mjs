/** What every room shares: a part that cannot be loaded, one tab stop for a list, messages that wait, the splitter. */
import { axe, command, expect, nightly, open, test } from './lab.mjs';

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

test(
  'the event list is one tab stop: the current event, then arrows, and the focus survives a new window',
  nightly(),
  async ({ page }) => {
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
  },
);

/** The chunk of each room, and what opens the room: a command, or the name of a tab or button. */
const ROOMS = /** @type {[string, string][]} */ ([
  ...[
    ['museum', 'Museum: real'],
    ['lesson', 'Lessons: the page'],
    ['search', 'Studies: many'],
    ['evidence', 'Your logs'],
  ],
  ...[
    ['faults', 'All settings'],
    ['export', 'Export'],
    ['compare', 'Compare'],
    ['breakpoints', 'Breakpoints'],
  ],
  ...[
    ['branches', 'Branches'],
    ['snippet', 'Embed'],
    ['predict', 'Ask for a prediction'],
    ['qrcode', 'QR code'],
  ],
  ...[
    ['author', 'Write a lesson'],
    ['chooser', 'Choose a scenario'],
    ['presenter', 'Present the lesson'],
  ],
  ...[
    ['messages', 'Stop a message'],
    ['why', ''],
    ['api', 'API'],
    ['beliefs', 'Beliefs'],
  ],
]);
for (const [chunk, how] of ROOMS)
  test(
    `without the chunk of ${chunk}, the page says so and the run goes on`,
    { ...nightly(), annotation: { type: 'allow', description: 'Failed to load resource|dynamically imported module' } },
    async ({ page }) => {
      let missing = true;
      await page.route(new RegExp(`/${chunk}-\\w+\\.js$`), (route) =>
        missing ? route.fulfill({ status: 404 }) : route.continue(),
      );
      await open(page, '#a-leader-dies&t=35s&e=35s');
      const tab = page.getByRole('tab', { name: how, exact: true });
      const start = async () => {
        if (chunk === 'why')
          await page
            .locator('#headline')
            .getByRole('button', { name: /Why so long/ })
            .click();
        else if (how && (await tab.count())) await tab.click();
        else await command(page, how);
      };
      await start();
      await expect(toast(page, 'could not be loaded')).toBeVisible();
      await page.getByRole('button', { name: 'Play', exact: true }).first().click();
      await expect(page.getByRole('button', { name: 'Pause', exact: true }).first()).toBeVisible();
      await page.keyboard.press('Space');
      missing = false;
      const loaded = page.waitForResponse((answer) => answer.url().includes(`/${chunk}-`) && answer.ok());
      if (await tab.count()) await page.getByRole('tab', { name: 'Story' }).click();
      await start();
      await loaded;
    },
  );
