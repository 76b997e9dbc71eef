/** Three numbers: the answer of an address, an edit by keyboard, the runs, and the run that opens. */
import { axe, expect, open, test } from './lab.mjs';

test('three numbers answer at once, then from runs, and open a run', async ({ page }) => {
  await open(page, '#numbers=20s/15s/3s');
  const numbers = page.getByRole('dialog', { name: 'Three numbers' });
  await expect(numbers.getByRole('heading', { level: 2 })).toHaveText(/another one leads within 33\.2.s|half of the/);
  await expect(numbers.getByRole('heading', { level: 2 })).toContainText('half of the takeovers');
  await axe(page, '#numbers');

  await numbers.getByRole('textbox', { name: 'Look again every, retryPeriod' }).fill('14s');
  await expect(numbers.getByRole('heading', { level: 2 })).toContainText('client-go refuses it');
  await numbers.getByRole('textbox', { name: 'Look again every, retryPeriod' }).fill('2s');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#numbers=20s\/15s\/2s$/);

  await numbers.getByRole('tab', { name: 'Flags' }).press('ArrowRight');
  await expect(numbers.getByRole('tabpanel')).toContainText('RetryPeriod:   2 * time.Second');
  await numbers.getByRole('button', { name: 'Open the slowest' }).click();
  await expect(numbers).toBeHidden();
  await expect(page.locator('#scenario')).toContainText('A leader with 20s/15s/2s crashes');
  await page.goBack();
  await expect(numbers.getByRole('textbox').first()).toHaveValue('20s');
});
