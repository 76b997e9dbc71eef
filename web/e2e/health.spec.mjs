/** Node health: which nodes the monitor considers dead, in the headline, the lanes and the beliefs. */
import { command, expect, headline, nightly, open, test } from './lab.mjs';

test('living nodes that the monitor considers dead', nightly(), async ({ page }) => {
  await open(page, '#b53-forty-five-over-forty&t=98s');
  await expect(headline(page)).toContainText(/The monitor considers \d+ of 20 nodes dead\. All of them are alive\./);
  const lanes = page.getByRole('group', { name: 'Lanes' });
  await expect(lanes.getByRole('button', { name: 'Lane node-0, not ready' })).toBeVisible();
  await page.getByRole('tab', { name: 'Beliefs' }).click();
  const beliefs = page.getByRole('table').filter({ hasText: 'stored Lease' });
  await expect(beliefs.getByRole('row', { name: 'monitor' })).toContainText(/considers \d+ of 20 nodes dead/);
  await expect(beliefs.getByRole('row', { name: 'node-0' })).toContainText('considered dead since 01:');
  await command(page, 'Show the whole run');
  await expect(headline(page)).toContainText('20 of 20 nodes were alive while a monitor considered them dead.');
});
