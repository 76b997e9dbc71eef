/** What every checker says at the cursor. */
import { axe, expect, open, test } from './lab.mjs';

// The frozen leader: two leaders at once, an observation, and every rule with its figure.
test('the checks say what holds, what is violated and what is observed, and lead to their events', async ({ page }) => {
  await open(page, '#paused-leader&t=65s');
  await page.getByRole('tab', { name: 'Beliefs' }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  await expect(checks).toContainText('1 rule is violated, 1 observation.');
  await expect(checks.locator('li[data-rule]')).toHaveCount(18);
  const two = checks.locator('[data-rule=moreThanOneActive]');
  await expect(two).toContainText('violated');
  await expect(two).toContainText('both lead');
  await expect(checks.locator('[data-rule=writeByNonHolder]')).toContainText('holds');
  await expect(checks.locator('.margin')).toContainText('2.997 s');
  await expect(checks.locator('[data-rule=knowsLostStillActive]')).toContainText('observed');
  // An observation is not a violation of the timeline.
  await expect(page.locator('#timeline')).toContainText('a and c both lead');
  await expect(page.locator('#timeline')).not.toContainText("another's name");
  await axe(page, '.checks');
  const at = await two.getByRole('button').textContent();
  await two.getByRole('button').click();
  await expect(page.getByRole('heading', { name: `Checks at ${at}` })).toBeVisible();
});
