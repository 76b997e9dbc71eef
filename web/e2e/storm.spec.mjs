/**
 * A storm of 429s in the page: the client asks again inside the call, and the page shows it, says it and adds it up.
 */
import { expect, headline, nightly, open, readout, test, toLeaderChange } from './lab.mjs';

const storm = {
  apiVersion: 'leaselab.dev/v1alpha1',
  kind: 'Scenario',
  seed: 1,
  duration: '60s',
  candidates: [{ name: 'a' }, { name: 'b', startAt: '50ms' }, { name: 'c', startAt: '100ms' }],
  actions: [
    { at: '20s', act: 'crash', target: 'a' },
    { at: '32s', act: 'fail', target: '*', error: 'http429', retryAfter: '1s', for: '5s' },
  ],
};

test(
  'the retries of a 429 storm are events with their reason, and the gap names the wait inside a call',
  nightly(),
  async ({ page }) => {
    await open(page, '#a-leader-dies');
    const buffer = Buffer.from(JSON.stringify(storm));
    await page.locator('#file').setInputFiles({ name: 'storm.json', mimeType: 'application/json', buffer });
    await expect(page.locator('#toasts')).toContainText('storm.json is open.');
    await toLeaderChange(page);
    await expect(readout(page)).toContainText('00:00.010');
    await toLeaderChange(page);
    await expect(readout(page)).toContainText('00:40.070');

    const events = page.locator('#events');
    await expect(events.getByText('GET answered 429, asked again after 1 s (Retry-After)').first()).toBeVisible();
    await expect(events.getByText('within the same call, because the answer says Retry-After').first()).toBeVisible();

    await headline(page).getByRole('button', { name: 'Why so long?' }).click();
    const why = page.locator('#why');
    await expect(why).toContainText('waiting inside its GET: answered 429 4 times, asked again as Retry-After says');
    await expect(why).toContainText('2.677 s');
  },
);
