/**
 * `leaselab serve --scenario` shows its own run in its page: with the writes of clients, and with the server's hash.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, nightly, readout, ready, test } from './lab.mjs';

const site = resolve(process.env.E2E_DIST ?? 'dist');
const LEASE = 'apis/coordination.k8s.io/v1/namespaces/default/leases/demo';
/** The page is that of another server than the other specs'. */
const elsewhere = { annotation: { type: 'allow', description: '^request to http://127\\.0\\.0\\.1:' } };

/** Runs a server with a simulation during a test. @param {(address: string) => Promise<void>} use */
async function withServer(use) {
  const server = spawn('../bin/leaselab', ['serve', '--addr', '127.0.0.1:0', '--site', site, '--scenario', 'crash']);
  try {
    const said = String((await once(server.stdout, 'data'))[0]);
    await use(/http:\S+\//.exec(said)?.[0] ?? '');
  } finally {
    server.kill();
  }
}

/**
 * Opens the server's page; it follows when its hash is the server's.
 * @param {import('@playwright/test').Page} page
 * @param {string} address
 */
async function follow(page, address) {
  await page.goto(address);
  await ready(page);
  await expect(page.locator('html')).toHaveAttribute('data-follows', 'same');
}

/** Writes an annotation, as kubectl does. @param {string} address @param {string} told */
async function patch(address, told) {
  const { status } = await fetch(address + LEASE, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ metadata: { annotations: { told } } }),
  });
  expect(status).toBe(200);
}

/** The instant that the page shows, in seconds. @param {import('@playwright/test').Page} page */
async function shownSeconds(page) {
  const [, minutes, seconds] = /(\d+):(\d+\.\d+)/.exec((await readout(page).textContent()) ?? '') ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

test('the page shows the run of the server with what clients write, and has its hash', elsewhere, async ({ page }) => {
  await withServer(async (address) => {
    await follow(page, address);
    await expect(page.locator('#toasts')).toContainText("follows the server's run");
    await page.getByRole('tab', { name: 'The Lease' }).click();
    await expect(page.locator('#objects')).toContainText('holderIdentity: a');
    await expect(page.locator('#objects')).not.toContainText('by kubectl');
    await patch(address, 'by kubectl');
    await expect(page.locator('#objects')).toContainText('by kubectl');
    const at = await shownSeconds(page);
    await expect.poll(() => shownSeconds(page)).toBeGreaterThan(at + 2);
    await expect(page.locator('html')).toHaveAttribute('data-follows', 'same');
    const late = async () => {
      const { now } = await (await fetch(`${address}leaselab/run`)).json();
      return now / 1e9 - (await shownSeconds(page));
    };
    await expect.poll(late).toBeLessThan(1);
  });
});

test('a patch is shown within a second', { ...elsewhere, ...nightly() }, async ({ page }) => {
  await withServer(async (address) => {
    await follow(page, address);
    await page.getByRole('tab', { name: 'The Lease' }).click();
    await page.evaluate(() => {
      const told = /** @type {Record<string, number>} */ ({});
      /** @type {any} */ (window).told = told;
      const objects = /** @type {Element} */ (document.getElementById('objects'));
      new MutationObserver(() => {
        const word = /patch-\d/.exec(objects.textContent ?? '')?.[0];
        if (word) told[word] ??= Date.now();
      }).observe(objects, { childList: true, characterData: true, subtree: true });
    });
    // What else runs on the machine only makes a patch later: one of a few in time shows that the page can be.
    let late = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 5 && late > 1000; i++) {
      const sent = Date.now();
      await patch(address, `patch-${i}`);
      const readTold = () => page.evaluate((word) => /** @type {any} */ (window).told[word], `patch-${i}`);
      await expect.poll(readTold).toBeGreaterThan(0);
      late = (await readTold()) - sent;
    }
    expect(late, 'ms').toBeLessThanOrEqual(1000);
  });
});

test(
  'the API beside the page is that of the server; an act of the visitor ends following',
  { ...elsewhere, ...nightly() },
  async ({ page }) => {
    await withServer(async (address) => {
      await follow(page, address);
      const answer = (/** @type {string} */ path) => fetch(path).then((lease) => lease.json());
      const { metadata } = await answer(address + LEASE);
      expect((await page.evaluate(answer, `./${LEASE}`)).metadata.uid).toBe(metadata.uid);
      await page.keyboard.press('k');
      await expect(page.locator('#toasts')).toContainText('your own copy');
      await expect(page.locator('html')).not.toHaveAttribute('data-follows', /./);
      await page.getByRole('button', { name: 'Follow the server' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-follows', 'same');
    });
  },
);
