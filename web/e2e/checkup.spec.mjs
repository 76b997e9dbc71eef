/** The check-up of a cluster: its Leases, what looks wrong, and who loses when the API stalls. */

import { readFileSync } from 'node:fs';
import { dialog, drop } from './evidence.mjs';
import { axe, expect, open, test } from './lab.mjs';

const listed = (/** @type {string} */ name) => ({
  name,
  bytes: readFileSync(new URL(`../../sim/evidence/checkup/testdata/${name}`, import.meta.url)),
});

test('two lists of Leases are dropped: warnings, and the stall decides who loses, in which order', async ({ page }) => {
  await open(page, '#a-leader-dies');
  await drop(page, [listed('once.json'), listed('again.json')]);
  const logs = dialog(page);
  await expect(logs.getByRole('heading', { level: 1 })).toHaveText('13 Leases, 5 with a warning.');
  const row = (/** @type {string} */ name) => logs.getByRole('row').filter({ hasText: name });
  await expect(row('default/flapping')).toContainText('leaseTransitions climbs from 12 to 15 within 60 s.');
  await expect(row('kube-system/kube-scheduler')).toContainText('15 s / 10 s* / 2 s*');
  await expect(row('kube-system/kube-scheduler')).not.toContainText('climbs');
  await expect(row('kube-node-lease/node-a')).toHaveCount(0);
  const order = logs.getByRole('list', { name: 'Who loses, in this order' });
  const slider = logs.getByRole('slider', { name: /The API refuses all requests/ });
  await slider.fill('8');
  await expect(order).not.toContainText('loses the lead');
  await slider.fill('50');
  await expect(order.getByRole('listitem').nth(4)).toContainText('cert-manager/cert-manager-controller');
  await expect(order.getByRole('listitem').nth(4)).toContainText('stops 40 s to 55 s after the start');
  await expect(logs.getByRole('status').filter({ hasText: 'Everybody is back' })).toContainText('at most 176 s');
  await expect(logs).toContainText('2 Leases of theirs may expire meanwhile.');
  await axe(page, '#evidence');
});
