/** The trace as sentences: filter, search, and one selection in every panel. */
import { chooseScenario, command, expect, goTo, nightly, open, readout, status, test } from './lab.mjs';

test('filter by text and by node, the empty states, and the way back', async ({ page }) => {
  await open(page, '#a-leader-dies&t=40s');
  const events = page.locator('#events');
  const count = events.locator('.count');
  const all = '52 so far'; // not the 49 of the opening, which are there first
  await expect(count).toHaveText(all);
  await page.keyboard.press('/');
  await expect(page.locator('#filter')).toBeFocused();
  await page.keyboard.type('TAKES the lease');
  await expect(count).toHaveText('1 so far');
  await expect(events.getByRole('listitem')).toHaveCount(1);
  await expect(events.getByRole('listitem')).toContainText('takes the Lease');
  await page.keyboard.press('Escape');
  await expect(count).toHaveText(all);
  await expect(page.locator('#filter')).toHaveCount(0);
  await events.getByRole('button', { name: 'Filter' }).click();
  await events.getByRole('combobox').selectOption('c');
  await expect(count).not.toHaveText(all);
  await expect.poll(() => events.locator('.letter').allTextContents()).not.toContain('b');
  await page.locator('#filter').fill('foo');
  await expect(events).toContainText('No event contains “foo”. Clear the filter.');
  await events.getByRole('button', { name: 'Clear the filter.' }).click();
  await expect(count).toHaveText(all);
  await expect(page.locator('#filter')).toHaveValue('');
});

for (const width of [390, 320]) {
  test(`at ${width} px no two rows overlap`, nightly(), async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await open(page, '#many&t=80s');
    const rows = page.locator('#events .event');
    await expect(rows.first()).toBeAttached();
    const cut = await rows.evaluateAll((all) =>
      all.filter((row) => {
        const text = /** @type {HTMLElement} */ (row.querySelector('.text'));
        return text.offsetHeight > /** @type {HTMLElement} */ (row).offsetHeight;
      }),
    );
    expect(cut).toEqual([]);
  });
}

test('the list goes where the run goes: the whole run, and a place that is asked for', nightly(), async ({ page }) => {
  const list = page.locator('#events-scroll');
  const current = page.locator('#events').locator('[data-current="true"]');
  await open(page, '#a-leader-dies&t=40s');
  await chooseScenario(page, 'upgrade-coordinated');
  await expect(status(page)).toContainText('An upgrade with coordinated election is open.');
  await command(page, 'Show the whole run');
  await expect(current).toBeInViewport();
  await expect.poll(() => list.evaluate((one) => one.scrollTop)).toBeGreaterThan(0);
  await goTo(page, '45');
  await expect(readout(page)).toHaveText(/^00:45/);
  await expect(current).toBeInViewport();
});
