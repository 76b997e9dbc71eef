/** Two runs on one time axis: opened, read, walked through, shared; by keyboard, and with axe. */
import { act, axe, command, expect, nightly, open, test } from './lab.mjs';

/** @param {import('@playwright/test').Page} page */
const dialog = (page) => page.getByRole('dialog', { name: 'Compare two runs' });

test('two branches: C opens them, differences are marked and walked through, Escape closes', async ({ page }) => {
  await open(page, '#a-leader-dies&t=12.3s&e=40s');
  await act(page, 'Crash a').click();
  await command(page, 'Run to the next leader change');
  await expect(page.locator('#readout')).not.toContainText('00:12.300');
  const readout = await page.locator('#readout').textContent();
  await page.keyboard.press('c');
  const room = dialog(page);
  await expect(room).toBeVisible();
  await expect(room.getByRole('combobox', { name: 'A', exact: true })).toHaveValue('branch 0');
  await expect(room.getByRole('combobox', { name: 'B', exact: true })).toHaveValue('branch 1');
  await expect(room.getByRole('status')).toContainText('the first at 00:12.300');
  await expect(room.getByRole('region', { name: 'Timeline of A' })).toBeVisible();
  await expect(room.getByRole('region', { name: 'Timeline of B' })).toBeVisible();
  const list = room.getByRole('list', { name: 'Differences' });
  await expect(list.getByRole('button').first()).toContainText('a crashes.');
  const rows = room.getByRole('row');
  await expect(rows.filter({ hasText: 'nobody led' })).toContainText('s');
  await expect(rows.filter({ hasText: 'leader changes' })).toContainText('2');
  // The list moves the cursor of both.
  await list.getByRole('button').nth(1).click();
  await expect(list.getByRole('button').nth(1)).toHaveAttribute('aria-pressed', 'true');
  const sliders = room.getByRole('slider', { name: 'Time' });
  await expect(sliders).toHaveCount(2);
  const values = () => Promise.all([0, 1].map((i) => sliders.nth(i).getAttribute('aria-valuenow')));
  await expect.poll(async () => new Set(await values()).size).toBe(1);
  await room.getByRole('button', { name: /First difference at 00:12\.300/ }).click();
  await expect(list.getByRole('button').first()).toHaveAttribute('aria-pressed', 'true');
  // Arrows on a time slider go from difference to difference.
  await sliders.nth(0).focus();
  await page.keyboard.press('ArrowRight');
  await expect(list.getByRole('button').nth(1)).toHaveAttribute('aria-pressed', 'true');
  await axe(page, '#compare');
  await page.keyboard.press('Escape');
  await expect(room).toBeHidden();
  await expect(page.locator('#readout')).toHaveText(readout ?? '');
});

for (const [name, width, height, colorScheme] of /** @type {const} */ ([
  ['dark', 1440, 900, 'dark'],
  ['a phone', 390, 844, 'light'],
])) {
  test(`axe finds nothing: ${name}`, nightly(), async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await open(page, '#paused-leader&t=70s');
    await page.keyboard.press('c');
    await expect(dialog(page).getByRole('status')).toContainText('the first at');
    await axe(page, '#compare');
  });
}
