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
  await expect(museum.getByRole('navigation').getByRole('button')).toHaveCount(1);

  // By keyboard from the search to the exhibit.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const incident = museum.getByRole('article', { name: 'Incident' });
  await expect(incident.getByRole('heading', { level: 3 })).toHaveText('B02 The three-second margin');
  await expect(incident.getByRole('link', { name: 'openshift/library-go#305' })).toHaveAttribute(
    'href',
    'https://github.com/openshift/library-go/issues/305',
  );
  const happened = incident.getByRole('region', { name: 'As it happened' });
  const fixed = incident.getByRole('region', { name: 'Fixed' });
  await expect(happened).toContainText('more than one active worker, at its longest');
  await axe(page, '#museum');

  // Both are tests: what came out stands beside what was expected.
  for (const variant of [happened, fixed]) {
    await variant.getByRole('button', { name: 'Check expectations' }).click();
    await expect(variant.locator('[data-met="true"]')).toHaveCount(2);
    await expect(variant.locator('[data-met="false"]')).toHaveCount(0);
  }
  await expect(happened).toContainText(/at its longest, between .*: 0\.9\d+ s moreThanOneActive/);

  await happened.getByRole('button', { name: 'Open the failing run' }).click();
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
  await expect(incident.getByRole('heading', { level: 3 })).toHaveText('B02 The three-second margin');
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

test('on a phone the list makes way for the incident, and comes back', nightly(), async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '#a-leader-dies&t=10s');
  await tapPage(page, 'Museum');
  const museum = room(page);
  await museum
    .getByRole('button', { name: /Two candidates with the same name|The three-second margin/ })
    .first()
    .click();
  await expect(museum.getByRole('button', { name: 'Open the failing run' })).toBeVisible();
  await expect(museum.getByRole('searchbox')).toBeHidden();
  await axe(page, '#museum');
  await museum.getByRole('button', { name: 'All incidents' }).click();
  await expect(museum.getByRole('searchbox')).toBeVisible();
  await expect(museum.getByRole('navigation').locator(':focus')).toHaveText(/Two with the same|three-second margin/);
  await page.keyboard.press('Escape');
  await expect(museum).toBeHidden();
});
