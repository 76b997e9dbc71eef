/**
 * What takes long is computed share by share: it says how far it is, can be stopped, and the page goes on meanwhile.
 */
import { command, expect, link, nightly, open, readout, test } from './lab.mjs';

/**
 * A hundred candidates: some millions of requests a day.
 * @param {import('@playwright/test').Page} page
 * @param {string} duration
 */
async function openLong(page, duration) {
  const scenario = {
    apiVersion: 'leaselab.dev/v1alpha1',
    kind: 'Scenario',
    title: 'Long',
    seed: 1,
    duration,
    candidates: [{ name: 'n', replicas: 100 }],
  };
  const name = `${duration}.json`;
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator('#file').setInputFiles({ name, mimeType: 'application/json', buffer });
  await expect(page.getByRole('region', { name: 'Messages' }).getByText(`${name} is open.`)).toBeVisible();
}

test('the whole of a long run tells how far it is and can be stopped', nightly(), async ({ page }) => {
  await open(page, '');
  await openLong(page, '720h');
  const before = await readout(page).textContent();
  await command(page, 'Show the whole run');
  const computing = page.getByText(/^Computing \d\d:\d\d:\d\d of \d+:00:00, \d+ %$/);
  await expect(computing).toBeVisible();
  // The page answers while the engine computes.
  await page.locator('[data-command="menu"]').click();
  await expect(page.locator('#menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(computing).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(computing).toBeHidden();
  await expect(readout(page)).toHaveText(before ?? '');

  await openLong(page, '24h');
  await command(page, 'Show the whole run');
  await expect(readout(page)).toContainText('24:00:00');
  await expect(computing).toBeHidden();

  // A link to its end takes as long, and gets there as well.
  const { text } = await link(page);
  const other = await page.context().newPage();
  await other.goto(`./${text}`);
  await expect(other.getByText(/^Computing .* of 24:00:00, \d+ %$/)).toBeVisible();
  await expect(readout(other)).toContainText('24:00:00');
  await expect(other.getByText(/This run differs/)).toHaveCount(0);
});
