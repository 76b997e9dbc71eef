/**
 * A message that is on its way: picked by the keyboard among the arrows of a close picture, then by the pointer on the
 * stage.
 */
import { encodeLink } from '../js/lib/share.js';
import { expect, nightly, open, status, test } from './lab.mjs';

test('a request is held by the keyboard, delivered by the pointer, and both are undone', async ({ page }) => {
  await open(page, '#a-leader-dies&t=4.03s'); // just after a renewal
  const events = page.locator('#events');
  for (let k = 0; k < 11; k++) await page.keyboard.press('w');
  const arrows = page.getByRole('group', { name: 'Requests' }).getByRole('button');
  const renewal = arrows.and(
    page.getByRole('button', { name: /^a: update sent at .*, served at .*, stored as v\d+, answered at/ }),
  );
  await renewal.first().focus();
  await expect(page.getByRole('tooltip')).toContainText('stored as');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Message' });
  await expect(dialog).toContainText('That makes a new branch');
  await expect(dialog.getByRole('button', { name: 'Drop it' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(status(page)).toContainText('a has a message held');
  await expect(events).toContainText('an act holds its PUT on its way to the API server');

  const held = page.getByRole('group', { name: 'Held messages' }).getByRole('button');
  await expect(held).toHaveText(/Held: a’s update…/);
  await page
    .locator('#stage')
    .getByRole('button', { name: /^a: update, held/ })
    .click();
  await dialog.getByRole('button', { name: 'Deliver it now' }).click();
  await expect(events).toContainText('the act lets its PUT through');
  await expect(held).toHaveCount(0);
  for (const what of ['has its held message delivered', 'has a message stopped']) {
    await expect(page.getByRole('button', { name: new RegExp(`^Undo.*${what}`) }).first()).toBeVisible();
    await page.keyboard.press('z');
  }
  await expect(events).not.toContainText('an act holds');
});

test(
  'a heartbeat on its way is dropped by the keyboard, as an elector\u2019s request is',
  nightly(),
  async ({ page }) => {
    const scenario = {
      apiVersion: 'leaselab.dev/v1alpha1',
      kind: 'Scenario',
      seed: 1,
      duration: '30s',
      candidates: [{ name: 'a' }],
      network: { requestLatency: '400ms', responseLatency: '400ms' },
      heartbeats: { nodes: 1, grace: '12s', monitors: [{ name: 'm' }] },
    };
    const place = { t: 11.3e9, n: -1 };
    const link = { scenario, patch: [], actions: [], seed: 1, engine: 3, hash: '', cursor: place, live: place };
    await open(page, `#${await encodeLink(link)}`);
    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog', { name: 'Message' });
    await expect(dialog).toContainText('heartbeat');
    await dialog.getByRole('button', { name: 'Drop it' }).click();
    await expect(page.locator('#events')).toContainText(
      'loses its heartbeat: an act drops it on its way to the API server',
    );
    await page.keyboard.press('z');
    await expect(page.locator('#events')).not.toContainText('loses its heartbeat');
  },
);
