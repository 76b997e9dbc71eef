/** The museum: incidents found, read, opened and checked; by keyboard, and on a phone. */
import { axe, command, expect, link, nightly, open, tapPage, test } from './lab.mjs';

const room = (/** @type {import('@playwright/test').Page} */ page) =>
  page.getByRole('dialog', { name: 'The museum of real incidents' });

test('an incident is found, read with its source, checked and opened', async ({ page }) => {
  await open(page, '#a-leader-dies&t=10s');
  await command(page, 'Museum');
  const museum = room(page);
  await expect(museum.getByRole('status')).toHaveText(/^(\d+) of \1 incidents$/);
  await museum.getByRole('searchbox', { name: 'Search the museum' }).fill('library-go#305 margin');
  await expect(museum.getByRole('navigation').getByRole('link')).toHaveCount(1);

  // By keyboard from the search to the exhibit.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#museum=B02$/);
  const incident = museum.getByRole('article', { name: 'Incident' });
  await expect(incident.getByRole('heading', { level: 2 })).toHaveText('The three-second margin');
  await expect(incident).toContainText(/As it failed\s*two led for 0\.9 s/);
  await expect(incident.getByRole('link', { name: 'openshift/library-go#305' })).toHaveAttribute(
    'href',
    'https://github.com/openshift/library-go/issues/305',
  );
  await axe(page, '#museum');

  // Both are tests: what came out stands beside what was expected.
  await incident.getByText('What each run must show').click();
  await expect(incident).toContainText('more than one active worker, at its longest');
  await incident.getByRole('button', { name: 'Check both runs' }).click();
  await expect(incident.locator('[data-met="true"]')).toHaveCount(4);
  await expect(incident.locator('[data-met="false"]')).toHaveCount(0);
  await expect(incident).toContainText(/at its longest, between .*: 0\.9\d+ s moreThanOneActive/);

  await incident.getByRole('button', { name: 'Open the failing run' }).click();
  await expect(museum).toBeHidden();
  await expect(page.locator('#scenario')).toHaveText(/The three-second margin/);
  await expect(page.locator('#told')).toContainText('write at 20.06 s');
  await page.keyboard.press('Space');
  await command(page, 'Run to the next violation');
  await expect(page.locator('#readout')).toContainText('00:36.050');

  // The link names it.
  const { text, share } = await link(page);
  expect(share.scenario).toBe('b02-three-second-margin');
  expect(text.length).toBeLessThan(300);

  // It is where it was left.
  await command(page, 'Museum');
  await expect(incident.getByRole('heading', { level: 2 })).toHaveText('The three-second margin');

  // A word of the reader's, and a number that is not there.
  const search = museum.getByRole('searchbox', { name: 'Search the museum' });
  await search.fill('split brain');
  await expect(museum.getByRole('navigation').getByRole('link')).not.toHaveCount(0);
  await search.fill('B46');
  await expect(museum.getByRole('navigation')).toContainText('B46 is not in the museum.');
});

test(
  'a link to an exhibit by its name; its stale writes are marks, events and rows of the table',
  nightly(),
  async ({ page }) => {
    await open(page, '#b19-gc-pause-fenced-fixed&t=01:44&e=112s');
    await expect(page.locator('#scenario')).toHaveText(/fencing works/);
    await expect(page.locator('#readout')).toContainText('01:44.000');
    const writes = page.getByRole('group', { name: 'Writes to the resource' });
    const refused = writes.locator('[data-fate=refused]').last();
    await expect(refused).toHaveAccessibleName(/1 refused|: refused, because the resource has seen token 1/);
    // By keyboard: the arrows go from mark to mark, the tip says what it is, Enter opens its event.
    await refused.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(writes.locator('[data-fate=refused]:focus')).toHaveCount(1);
    await expect(page.getByRole('tooltip')).toContainText('refused');
    await page.keyboard.press('Enter');
    const event = page.locator('#events .event[data-current=true]');
    await expect(event).toContainText(
      'is refused by the resource: its token 0 is older than 1. The write is stale: c acquired',
    );
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Filter the events' }).fill('stale');
    await expect(page.locator('#events .count')).toHaveText(/^1\d so far$/);
    await expect(page.getByRole('table', { name: 'The run so far' })).toContainText(/stale write refused, \d+ times/);
  },
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the list makes way for the incident, and comes back', nightly(), async ({ page }) => {
    await open(page, '#a-leader-dies&t=10s');
    await tapPage(page, 'Museum');
    const museum = room(page);
    await museum.getByRole('link', { name: /The three-second margin/ }).tap();
    await expect(museum.getByRole('button', { name: 'Open the failing run' })).toBeVisible();
    await expect(museum.getByRole('searchbox')).toBeHidden();
    await page.emulateMedia({ colorScheme: 'dark' });
    await axe(page, '#museum');
    await museum.getByRole('button', { name: 'All incidents' }).tap();
    await expect(museum.getByRole('searchbox')).toBeVisible();
    await expect(museum.getByRole('navigation').locator(':focus')).toHaveText(/three-second margin/);
    await page.keyboard.press('Escape');
    await expect(museum).toBeHidden();
  });
});
