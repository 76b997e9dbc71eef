/**
 * Why, in full: the chain and a link in it, a violation's story, counterfactuals tried as branches, the point of no
 * return.
 */
import { axe, expect, goTo, headline, nightly, open, plain, readout, test, toLeaderChange } from './lab.mjs';

/** @param {import('@playwright/test').Page} page */
const why = (page) => page.locator('#why');

/** Opens WHY at a leader change. @param {import('@playwright/test').Page} page @param {string} link */
async function openWhy(page, link) {
  await open(page, link);
  await headline(page)
    .getByRole('button', { name: /Why so long|How could that be/ })
    .click();
  await expect(why(page)).toBeVisible();
  await expect(why(page).getByRole('region', { name: 'More about why' })).toBeVisible();
}

test('the whole way adds up, and each part opens its event', plain, async ({ page }) => {
  await openWhy(page, '#a-leader-dies&t=35s&e=40s');
  await why(page).getByText('Every step to the new leader').click();
  const chain = why(page).getByRole('table', { name: 'Every step to the new leader' });
  await expect(chain).toContainText('= 15.982 s');
  const shown = await chain.locator('tbody .number').allTextContents();
  const sum = shown.reduce((total, text) => total + Number(/[\d.]+/.exec(text)?.[0]) * 1000, 0);
  expect(Math.round(sum)).toBe(15_982);
  await chain.getByRole('button', { name: /wait that b drew/ }).click();
  await expect(readout(page)).toContainText('00:31.070');
});

test('what would have changed it is run again, ranked, and can be tried as a branch', async ({ page }) => {
  await openWhy(page, '#a-leader-dies&t=35s&e=40s');
  await why(page).getByRole('button', { name: 'What would have changed it?' }).click();
  const lines = why(page).getByRole('list', { name: 'With one thing changed' }).getByRole('listitem');
  await expect(lines.first()).toContainText('with no crash of a at 20s: the leader does not change');
  await expect(lines.filter({ hasText: 'retryPeriod 1 s' })).toContainText('15.655 s, 1.616 s longer');
  await expect(lines.last()).toContainText('leaseDuration 60 s');
  await why(page).getByRole('button', { name: 'Try it: retryPeriod 1 s' }).click();
  await expect(page.locator('#branches')).toContainText('with retryPeriod 1 s');
  await expect(why(page)).toBeHidden();
  await expect(readout(page)).toContainText('00:35.000');
  await goTo(page, '40s');
  await expect(headline(page)).toContainText('Nobody led for 15.655 s.');
});

test('two leaders have a story, and it tells when that became inevitable', async ({ page }) => {
  await openWhy(page, '#clock-rate&t=40s&e=40s');
  await expect(why(page)).toContainText('What happened');
  await expect(why(page)).toContainText('The clock of a ran at 0.600 of the true rate');
  await why(page).getByRole('button', { name: 'Find the point of no return' }).click();
  await expect(why(page).getByText(/Inevitable from/)).toBeVisible();
  await expect(why(page).getByRole('img', { name: /more than one active worker: .* futures from/ })).toBeVisible();
  await why(page)
    .getByRole('button', { name: /b waits 3\.937 s before its next attempt/ })
    .click();
  await expect(readout(page)).toContainText('00:30.782');
  await axe(page, '#why');
  await why(page).getByText('As a table').click();
  await expect(why(page).getByRole('row').last()).toContainText('100.0 %');
});

test('a run that goes on is explained up to what it shows', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=10s&e=10s');
  await expect(why(page)).toBeHidden();
  await toLeaderChange(page);
  await headline(page).getByRole('button', { name: 'Why so long?' }).click();
  await expect(why(page)).toContainText("left on b's countdown");
  await why(page).getByText('The previous leader, since its last renewal').click();
  await expect(why(page).getByRole('table', { name: 'The previous leader' })).toContainText(
    'a had renewed and was waiting to renew again',
  );
});
