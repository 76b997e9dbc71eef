/**
 * On paper: the documentation, light and without its navigation. A run leaves as a picture or a report
 * (export.spec.mjs).
 */
import { expect, nightly, test } from './lab.mjs';

for (const colorScheme of /** @type {const} */ (['light', 'dark']))
  test(`the documentation prints light: ${colorScheme}`, nightly(), async ({ page }) => {
    await page.goto('docs/guarantees.html');
    await page.emulateMedia({ media: 'print', colorScheme });
    await expect(page.getByRole('navigation')).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(21, 24, 30)');
  });

test('an incident prints as its text and strips, without the page around it', nightly(), async ({ page }) => {
  await page.goto('./#museum=B03');
  const incident = page.getByRole('article', { name: 'Incident' });
  await expect(incident).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(incident.getByRole('heading', { name: 'What happened' })).toBeVisible();
  await expect(incident.getByRole('button', { name: 'Open the failing run' })).toBeHidden();
});

test('a lesson prints as the text of its step', nightly(), async ({ page }) => {
  await page.goto('./#lesson=8');
  const heading = page.getByRole('heading', { name: 'A pause is different from a crash.' });
  await expect(heading).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(heading).toBeVisible();
  await expect(page.locator('#timeline')).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
});
