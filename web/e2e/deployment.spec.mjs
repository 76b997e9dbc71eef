/** A Deployment's YAML becomes a run: dropped with its Service, and pasted. */

import { drop } from './evidence.mjs';
import { expect, open, test } from './lab.mjs';

const file = (/** @type {string} */ name, /** @type {string} */ more) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 3
  template:
    spec:
      terminationGracePeriodSeconds: 20
      containers:
        - args: [--leader-elect=true]
          ${more}
`;

test('a Deployment is dropped, and another one is pasted: each is a run, and what was not read is listed', async ({
  page,
}) => {
  await open(page, '#a-leader-dies');
  const deployment = file('web', 'readinessProbe: {httpGet: {path: /leaderz}}');
  const dropped = `kind: Service\nmetadata: {name: web}\n---\n${deployment}`;
  await drop(page, [{ name: 'web.yaml', bytes: Buffer.from(dropped) }]);
  const about = page.locator('.watch');
  await expect(about).toContainText('About this run. maxSurge is 1 and maxUnavailable 0 of 3.');
  await expect(about).toContainText('Not read: Service web, ');
  await page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    },
    file('other', 'image: x'),
  );
  await expect(about).toContainText('Not read: spec.template.spec.containers.');
  await expect(page.getByText('Rolling update of other', { exact: true })).toBeVisible();
});
