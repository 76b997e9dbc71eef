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
