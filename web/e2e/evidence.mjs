/** Helpers of the evidence specs: the paused incident, ways to get it into the page, and the worker that reads it. */
import { readFileSync } from 'node:fs';

/** @import { Page } from '@playwright/test' */

export const INCIDENT = new URL('../../sim/evidence/testdata/pause-1/', import.meta.url);
export const FILES = ['audit.jsonl.gz', 'watch.jsonl.gz', 'node-a.klog', 'node-b.klog', 'node-c.klog'];
export const dialog = (/** @type {Page} */ page) => page.getByRole('dialog', { name: 'Your logs' });

/** Drops files on the page. @param {Page} page @param {{name: string, bytes: Buffer}[]} files */
export async function drop(page, files) {
  const dataTransfer = await page.evaluateHandle(
    (all) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of all)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name));
      return transfer;
    },
    files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })),
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}
export const file = (/** @type {string} */ name) => ({ name, bytes: readFileSync(new URL(name, INCIDENT)) });

/** The worker that reads evidence. @param {Page} page */
export const workerOf = (page) => {
  const found = page.workers().find((one) => /\/evidence-\w+\.js$/.test(one.url()));
  if (!found) throw new Error('no worker reads evidence');
  return found;
};
