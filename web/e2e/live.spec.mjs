/**
 * `leaselab serve --faults`: real programs on the page's own timeline while they run, and their record opened later.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Elector } from './electors.mjs';
import { axe, expect, goTo, headline, readout, ready, test } from './lab.mjs';

/** @import { Page } from '@playwright/test' */

const site = resolve(process.env.E2E_DIST ?? 'dist');
/** The page is that of another server than the other specs'. */
const elsewhere = { annotation: { type: 'allow', description: '^request to http://127\\.0\\.0\\.1:' } };

const FAULTS = `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: real-programs
title: Two real programs
duration: 1m
elector: {leaseDuration: 1s, renewDeadline: 700ms, retryPeriod: 200ms}
candidates: [{name: a}, {name: b}]
`;

/**
 * Runs a server with its record during a test, and ends it by a signal.
 * @param {(address: string, end: () => Promise<void>, record: string) => Promise<void>} use
 */
async function withServer(use) {
  const folder = await mkdtemp(join(tmpdir(), 'leaselab-live-'));
  const [faults, record] = [join(folder, 'faults.yaml'), join(folder, 'run.ndjson')];
  await writeFile(faults, FAULTS);
  const server = spawn('../bin/leaselab', [
    'serve',
    '--addr',
    '127.0.0.1:0',
    '--site',
    site,
    '--faults',
    faults,
    '--record',
    record,
  ]);
  const ended = once(server, 'exit');
  try {
    const said = String((await once(server.stdout, 'data'))[0]);
    const end = async () => {
      server.kill('SIGTERM');
      await ended;
    };
    await use(/http:\S+\//.exec(said)?.[0] ?? '', end, record);
  } finally {
    server.kill('SIGKILL');
  }
}

const banner = (/** @type {Page} */ page) => page.getByRole('region', { name: 'Real programs' });
const follows = (/** @type {Page} */ page) => expect(page.locator('html')).toHaveAttribute('data-follows', 'same');

test(
  'a takeover of real programs appears live; one goes back while they run; the record shows the same',
  elsewhere,
  async ({ page, baseURL }) => {
    await withServer(async (address, end, record) => {
      const a = new Elector(address, 'a');
      await page.goto(address);
      await follows(page);
      await expect(banner(page)).toContainText('Real programs, live.');
      await page.getByRole('tab', { name: 'The Lease' }).click();
      await expect(page.locator('#objects')).toContainText('holderIdentity: a');
      await expect(headline(page)).toContainText('a leads');
      const b = new Elector(address, 'b');
      await a.die();
      // a has not told that its work has ended: two of them work.
      await expect(headline(page)).toContainText('a and b both lead');
      await expect(page.locator('#objects')).toContainText('holderIdentity: b');
      await expect(page.getByRole('status').filter({ hasText: 'b leads' })).toBeAttached();
      await expect(page.locator('#events')).toContainText('b');

      // Back, while they run on.
      await page.locator('[data-command="playPause"]').click();
      await expect(banner(page)).toContainText('Their run goes on.');
      await page.keyboard.press('Home');
      await expect(readout(page)).toContainText('00:00.000');
      await expect(page.locator('#objects')).not.toContainText('holderIdentity');
      await page.locator('[data-command="landmarkForth"]').click();
      await expect(page.locator('#objects')).toContainText('holderIdentity: a');
      await expect(readout(page)).toContainText('behind');
      await axe(page, '#record');
      await banner(page).getByRole('button', { name: 'Follow the run' }).click();
      await expect(banner(page)).toContainText('Real programs, live.');
      await expect(page.locator('[data-command="playPause"]')).toHaveAccessibleName('Pause');

      await b.die();
      await end();
      await expect(banner(page)).toContainText('The run has ended.');

      // The record, dropped on the simulator's page.
      await page.goto(baseURL ?? '');
      await ready(page);
      const text = await readFile(record, 'utf8');
      await page.evaluate((content) => {
        const dropped = new DataTransfer();
        dropped.items.add(new File([content], 'run.ndjson'));
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: dropped }));
      }, text);
      await expect(banner(page)).toContainText('run.ndjson: a record of real programs.');
      await expect(headline(page)).toContainText('a and b both lead');
      await page.getByRole('tab', { name: 'The Lease' }).click();
      await expect(page.locator('#objects')).toContainText('holderIdentity: b');
      await goTo(page, '0');
      await expect(page.locator('#objects')).not.toContainText('holderIdentity');
      await page.locator('[data-command="landmarkForth"]').click();
      await expect(page.locator('#objects')).toContainText('holderIdentity: a');
    });
  },
);
