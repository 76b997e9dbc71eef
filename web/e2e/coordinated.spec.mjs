/** Coordinated election: the decision with its reason, the candidates, the handover, the LeaseCandidates. */
import { axe, expect, headline, nightly, open, test } from './lab.mjs';

const LINK = '#oldest-version-leads&t=40s';

test('the decision names the electee and the reason, and the handover is visible', async ({ page }) => {
  await open(page, LINK);
  await page.getByRole('tab', { name: 'Beliefs' }).click();
  const decision = page.getByRole('region', { name: 'Decision' });
  await expect(decision).toContainText('c is elected.');
  await expect(decision).toContainText('Why: older emulationVersion (1.35.0, not 1.36.0) than b.');
  await expect(decision).toContainText('Decided by api-1.');
  await expect(decision).toContainText('Yes: the Lease has expired.');
  await expect(decision.getByRole('row', { name: /^a / })).toContainText('counts as an ack');

  // Back step by step: stepping moves the cursor to the previous decision.
  await decision.getByRole('button', { name: 'Earlier decision' }).click();
  await expect(decision).toContainText('waits for acks');

  // The candidates, with versions and why they count or not.
  const cards = page.getByRole('region', { name: 'Candidates' }).getByRole('listitem');
  await expect(cards).toHaveCount(3);
  await expect(cards.last()).toContainText('renewTime');
  await expect(page.getByRole('region', { name: 'API servers' })).toContainText('runs the controller');

  // An API server is not a leader.
  await expect(page.getByRole('button', { name: /^Lane api-1, controller/ })).toBeVisible();
  await expect(headline(page)).not.toContainText('api-1');

  // The requested handover is a button on the Lease's row that goes there.
  const marks = page.getByRole('group', { name: 'Handovers' }).getByRole('button');
  await expect(marks).toHaveCount(1);
  await expect(marks).toBeVisible();
  await expect(marks).toHaveAccessibleName(/a is asked to hand over to c/);
  await marks.click();
  await expect(page.locator('#readout')).toContainText('00:00.11');
  await expect(page.locator('#events')).toContainText('asks a to hand the Lease over to c: preferredHolder.');
});

test(
  'an upgrade of three nodes: who is elected and why, while one API server runs the controller',
  nightly(),
  async ({ page }) => {
    await open(page, '#upgrade-coordinated&t=90s');
    await page.getByRole('tab', { name: 'Beliefs' }).click();
    const decision = page.getByRole('region', { name: 'Decision' });
    await expect(decision).toContainText(/node-\d is elected\./);
    await expect(decision).toContainText(/Why: .+ before node-\d\./);
    const servers = page.getByRole('region', { name: 'API servers' }).getByRole('listitem');
    await expect(servers).toHaveCount(3);
    await expect(servers.filter({ hasText: 'runs the controller' })).toHaveCount(1);
    await expect(servers.filter({ hasText: 'down' })).toHaveCount(1);
    await expect(headline(page)).not.toContainText('api-');
  },
);

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`axe finds nothing: ${colorScheme}`, nightly(), async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
    await open(page, LINK);
    for (const tab of ['Beliefs', 'The Lease']) {
      await page.getByRole('tab', { name: tab }).click();
      if (tab === 'Beliefs') await expect(page.getByRole('region', { name: 'Decision' })).toContainText('is elected');
      await axe(page);
    }
  });
}

test(
  'on a phone: no lane under another one, each has its whole name, and the sum wraps',
  nightly(),
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, '#upgrade-coordinated&t=90s');
    const lanes = page.getByRole('group', { name: 'Lanes' }).getByRole('button');
    await expect(lanes).toHaveCount(4);
    const boxes = await lanes.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    for (let i = 1; i < boxes.length; i++) expect(boxes[i].top).toBeGreaterThanOrEqual(boxes[i - 1].bottom);
    for (const box of boxes) expect(box.right).toBeLessThanOrEqual(64 + 18);
    const cut = await lanes.locator('b').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth));
    expect(cut).toHaveLength(0);
    await page.locator('#timeline').hover({ position: { x: 200, y: 120 } });
    await page.mouse.wheel(0, 300);
    await expect(lanes.last()).toContainText('api-3');
    const addends = page.locator('#headline').getByRole('button', { name: / s .*Lease expired/ });
    const { right } = await addends.evaluate((one) => one.getBoundingClientRect().toJSON());
    expect(right).toBeLessThanOrEqual(390);
  },
);
