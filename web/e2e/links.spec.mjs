/** Links and files at their limits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeLink } from '../js/lib/share.js';
import { act, expect, headline, link, nightly, open, readout, ready, status, test } from './lab.mjs';

const candidates = (/** @type {number} */ n) =>
  Array.from({ length: n }, (_, i) => ({ name: `n${i.toString(36)}-${((i * 48271) % 2147483647).toString(36)}` }));
const scenario = (/** @type {number} */ n) => ({
  apiVersion: 'leaselab.dev/v1alpha1',
  kind: 'Scenario',
  seed: 1,
  duration: '60s',
  candidates: candidates(n),
});

test('five acts in a shipped scenario fit 300 characters, and reopen identically in a fresh profile', async ({
  page,
  browser,
}) => {
  await open(page, '#a-leader-dies&t=25s');
  for (const [key, words] of [
    ['2', 'b is selected'],
    ['k', 'b crashes'],
    ['r', 'b restarts'],
    ['3', 'c is selected'],
    ['p', 'c is paused'],
    ['p', 'c resumes'],
    ['x', 'c is cut off'],
  ]) {
    await page.keyboard.press(key);
    await expect(status(page)).toContainText(words);
  }
  const { text, share } = await link(page);
  expect(share.actions).toHaveLength(5);
  expect(text.length).toBeLessThanOrEqual(300);
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(`./${text}`);
  await ready(other);
  await expect(readout(other)).toHaveText((await readout(page).textContent()) ?? '');
  await expect(headline(other)).toHaveText((await headline(page).textContent()) ?? '');
  await expect(act(other, 'Heal c')).toBeVisible();
  expect((await link(other)).share).toEqual(share);
  await context.close();
});

test('a link cut short says so: at the start, and over a run one already has', async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s');
  const { text } = await link(page);
  await page.evaluate((bad) => location.replace(bad), text.slice(0, -20));
  await expect(page.locator('#toasts')).toContainText('damaged or cut short, so the run you had stays open');
  await expect(readout(page)).toHaveText('00:25.000 · live');
  await page.goto('about:blank');
  await open(page, text.slice(0, -20));
  await expect(page.locator('#toasts')).toContainText('damaged or cut short, so the default scenario is open instead');
  await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'a-leader-dies');
});

test(
  '10,001 candidates and a file of 100 MB are refused with the limit named; the run stays',
  nightly(),
  async ({ page }) => {
    await open(page, '#crash&t=25s');
    const folder = mkdtempSync(join(tmpdir(), 'leaselab-'));
    const toasts = page.locator('#toasts');
    try {
      const crowd = join(folder, 'crowd.json');
      writeFileSync(crowd, JSON.stringify(scenario(10_001)));
      await page.locator('#file').setInputFiles(crowd);
      await expect(toasts).toContainText(/10,?001.*10,?000/);
      const big = join(folder, 'big.json');
      writeFileSync(big, '{'.padEnd(100e6)); // with zeros, it would be a file of another kind
      await page.locator('#file').setInputFiles(big);
      await expect(toasts).toContainText('big.json is 95.4 MiB; a scenario file may have 4 MiB at most.');
    } finally {
      rmSync(folder, { recursive: true });
    }
    await expect(readout(page)).toHaveText('00:25.000 · live');
    await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'crash');
    await expect(act(page, 'Crash a')).toHaveAttribute('aria-disabled', 'false');
  },
);

test(
  'no spoiler in the title and in the link: they tell only what the run has shown',
  nightly(),
  async ({ browser }) => {
    const at = { t: 19e9, n: -1 };
    const plain = { scenario: 'a-leader-dies', patch: [], seed: 1004, engine: 1, hash: '', cursor: at, live: at };
    const told = [];
    for (const actions of [[], [{ at: '30s', act: 'crash', target: 'b' }]]) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await open(page, `#${await encodeLink({ ...plain, actions })}`);
      const { share } = await link(page);
      told.push({ title: await page.title(), share });
      await context.close();
    }
    expect(told[1]).toEqual(told[0]);
    expect(told[0].title).toBe('a leads · A leader dies · leaselab');
  },
);
