/** The key table against the page: every key acts, and only where it may. */
import { KEYS } from '../js/keys.js';
import { expect, open, test } from './lab.mjs';

/** How Playwright types a key of the table. @param {string} name */
const typed = (name) =>
  name.replace('Mod+', 'Control+').replace(/\+([a-z])$/, (_, letter) => `+${letter.toUpperCase()}`);

/** Everything a key could change, as text. @param {import('@playwright/test').Page} page */
const look = (page) =>
  page.evaluate(() => {
    const shown = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? '';
    const open = [...document.querySelectorAll('dialog')]
      .filter((dialog) => dialog.open)
      .map((dialog) => dialog.textContent);
    const slider = document.querySelector('#timeline [role="slider"]')?.getAttribute('aria-valuetext') ?? '';
    const ruler = /** @type {HTMLElement} */ (document.querySelector('#timeline'))?.dataset;
    const focus = document.activeElement?.id ?? '';
    const speed = /** @type {HTMLInputElement} */ (document.getElementById('speed'))?.value;
    return JSON.stringify([
      shown('readout'),
      shown('status'),
      shown('toasts'),
      shown('acts'),
      shown('bar'),
      open,
      slider,
      ruler,
      focus,
      speed,
      location.hash,
    ]);
  });

test('every key acts, and none of the plain ones in a field or when the keys are off', async ({ page }) => {
  test.setTimeout(60_000);
  await open(page, '#a-leader-dies&t=25s&e=40s');
  for (const entry of KEYS) {
    if (entry.id === 'escape' || /^node[4-9]$/.test(entry.id)) continue;
    const name = entry.keys[0];
    if (['zoomIn', 'zoomOut', 'panLeft', 'panRight', 'fit', 'laneUp', 'laneDown'].includes(entry.id)) {
      await page.keyboard.press(typed(name));
      continue;
    }
    const before = await look(page);
    await page.keyboard.press(typed(name));
    await expect.poll(() => look(page), { message: `${name} (${entry.id}) acts` }).not.toBe(before);
    await page.keyboard.press('Escape');
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  }
});

test('in a field a key is only a letter', async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s&e=40s');
  await page.locator('#filter').focus();
  const readout = await page.locator('#readout').textContent();
  await page.keyboard.type('kptrnxz12,.');
  await expect(page.locator('#filter')).toHaveValue('kptrnxz12,.');
  await expect(page.locator('#readout')).toHaveText(readout ?? '');
  await expect(page.locator('#branches').getByRole('button')).toHaveCount(0);
});

test('the help lists every key, and the setting turns them off', async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s&e=40s');
  await page.keyboard.press('?');
  const dialog = page.locator('#dialog');
  for (const entry of KEYS) await expect(dialog).toContainText(entry.label);
  await dialog.locator('#key-mode').selectOption('off');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.keyboard.press('k');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Command' })).toBeVisible();
  await expect(page.locator('#branches').getByRole('button')).toHaveCount(0);
});

test('a key can be given another command', async ({ page }) => {
  await open(page, '#a-leader-dies&t=12s');
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Choose another key for: Crash', exact: true }).click();
  await page.keyboard.press('p');
  await expect(page.locator('#dialog').getByRole('alert')).toContainText('P already means');
  await page.getByRole('button', { name: 'Choose another key for: Crash', exact: true }).click();
  await page.keyboard.press('q');
  await page.keyboard.press('Escape');
  await page.keyboard.press('q');
  await expect(page.locator('#status')).toContainText('a crashes');
});
