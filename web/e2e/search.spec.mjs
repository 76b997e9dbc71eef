/**
 * Many runs beside the page: a heat map whose worst run is explained, what a stop keeps, and wishes that contradict
 * each other.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { axe, expect, headline, nightly, open, ready, test } from './lab.mjs';

/** @import { Page } from '@playwright/test' */

const leaselab = fileURLToPath(new URL('../../bin/leaselab', import.meta.url));
const dialog = (/** @type {Page} */ page) => page.getByRole('dialog', { name: 'Search' });
const cells = (/** @type {Page} */ page, state = 'whole') => dialog(page).locator(`td[data-state="${state}"]`);

test('a heat map: a cell opens its runs, a stop keeps what was found, a link restores the study', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '#crash');
  await page.keyboard.press('h');
  await dialog(page).getByRole('textbox', { name: 'Across: values' }).fill('10s..20s/5s');
  await dialog(page).getByRole('textbox', { name: 'Up: values' }).fill('5s..15s/5s');
  await dialog(page).getByRole('textbox', { name: 'Seeds' }).fill('12');
  await dialog(page).getByRole('button', { name: 'Run the study' }).click();
  await expect(cells(page)).toHaveCount(6);
  await expect(cells(page, 'refused')).toHaveCount(3);

  // Keys move over the cells; a refused one says why in the library's words.
  await cells(page, 'refused').first().click();
  await expect(dialog(page)).toContainText('client-go refuses it');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const chosen = dialog(page).getByRole('gridcell', { selected: true });
  await expect(chosen).toHaveAccessibleName(/^leaseDuration 20s, renewDeadline 15s: [\d.]+ s, 12 runs$/);
  const detail = dialog(page).getByRole('region', { name: 'The chosen cell' });
  await expect(detail.getByRole('listitem')).not.toHaveCount(0);
  await axe(page, '#search');
  const longest = (await detail.getByRole('listitem').first().innerText()).match(/(\d+\.\d+) s/)?.[1];

  await dialog(page).getByRole('button', { name: 'Copy the link' }).click();
  await expect(page.locator('#toasts')).toContainText('the link to this study');
  const link = await page.evaluate(() => navigator.clipboard.readText());

  await detail.getByRole('button').first().click();
  await expect(dialog(page)).not.toBeVisible();
  await expect(headline(page)).toContainText(`Nobody led for ${longest} s. Why so long?`);

  // The link restores the study; stopped while it runs, it keeps its first picture. It opens another page: the one
  // that is
  // open writes the link of its run into the address a moment after it has changed.
  await page.goto('about:blank');
  await page.goto(link);
  await ready(page);
  await expect(cells(page)).toHaveCount(6);
  await dialog(page).getByRole('textbox', { name: 'Seeds' }).fill('100,000');
  await dialog(page).getByRole('button', { name: 'Run the study' }).click();
  await expect(cells(page, 'preview')).not.toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Stop' }).click();
  await expect(dialog(page)).toContainText('The results so far stay.');
  await expect(cells(page, 'preview')).not.toHaveCount(0);
});

test(
  'results belong to the study: their link, and their scenario when another one is open',
  nightly(),
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page, '#crash');
    await page.keyboard.press('h');
    await dialog(page).getByRole('textbox', { name: 'Across: values' }).fill('15s,20s');
    await dialog(page).getByRole('textbox', { name: 'Up: values' }).fill('10s');
    await dialog(page).getByRole('textbox', { name: 'Seeds' }).fill('6');
    await dialog(page).getByRole('textbox', { name: 'Duration' }).fill('70s');
    await dialog(page).getByRole('button', { name: 'Run the study' }).click();
    await expect(cells(page)).toHaveCount(2);
    await expect(cells(page).first()).toHaveAccessibleName(/at least/);
    await dialog(page).getByRole('textbox', { name: 'Seeds' }).fill('7');
    await page.keyboard.press('Escape');
    await page.goto('./#paused-leader');
    await expect(page.locator('#headline')).not.toContainText('crash');
    await expect(page.getByRole('button', { name: /The leader is paused/ })).toBeVisible();
    await page.keyboard.press('h');
    await expect(dialog(page)).toContainText('results for Crash');
    await dialog(page).getByRole('button', { name: 'Copy the link' }).click();
    await expect(page.locator('#toasts')).toContainText('the link to this study');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto('about:blank');
    await page.goto(link);
    await ready(page);
    await expect(cells(page)).toHaveCount(2);
    await expect(dialog(page).getByRole('textbox', { name: 'Seeds' })).toHaveValue('6');
    await expect(dialog(page).getByRole('textbox', { name: 'Duration' })).toHaveValue('70s');
    await expect(dialog(page)).not.toContainText('results for Crash');
    await expect(dialog(page)).toContainText('leaselab sweep crash');
  },
);

test('wishes that contradict each other: which, and the proof', nightly(), async ({ page }) => {
  await open(page, '#crash');
  await page.keyboard.press('h');
  await dialog(page).getByRole('tab', { name: 'Adviser' }).click();
  const wish = (/** @type {string} */ name) => dialog(page).getByRole('textbox', { name, exact: true });
  await wish('Survive without the API').fill('60s');
  await wish('Takeover after a crash').fill('30s');
  await wish('Writes a minute').fill('10');
  await wish('Latency of the API').fill('3s');
  await dialog(page).getByRole('button', { name: 'Advise' }).click();
  await expect(dialog(page)).toContainText('These contradict each other: survive=60s and takeover=30s.', {
    timeout: 150_000,
  });
  await expect(dialog(page)).toContainText('leaseDuration > renewDeadline > 60 s');
  await axe(page, '#search');
});

test('a hunt lists failures that open, and a shrink goes step by step', async ({ page }) => {
  await open(page, '#paused-leader');
  await page.keyboard.press('h');
  await dialog(page).getByRole('tab', { name: 'Hunt' }).click();
  await dialog(page).getByRole('textbox', { name: 'Runs' }).fill('200');
  await dialog(page).getByRole('button', { name: 'Hunt' }).click();
  await expect(dialog(page)).toContainText('200 of 200 runs');
  await expect(dialog(page)).toContainText('found by run');
  await dialog(page).getByRole('tab', { name: 'Shrink' }).click();
  await dialog(page).getByRole('button', { name: 'Shrink' }).click();
  await expect(dialog(page)).toContainText('moreThanOneActive: 1 act');
  await expect(dialog(page)).toContainText('any `at` from');
  await expect(dialog(page)).toContainText('Step by step');
  await dialog(page).getByRole('button', { name: 'Open it' }).click();
  await expect(dialog(page)).not.toBeVisible();
  await expect(headline(page)).toContainText('How could that be?');
});

/** Runs of the hunt that is compared with the command's: HUNT_RUNS=100000 takes some minutes. */
const HUNTED = Number(process.env.HUNT_RUNS ?? 300);

for (const cores of [1, 4])
  test(`a hunt on ${cores} cores of Chromium has the hash of the command`, { tag: '@nightly' }, async ({ page }) => {
    const longest = 60_000 + 20 * HUNTED;
    test.setTimeout(2 * longest);
    await page.addInitScript(
      (n) => Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { value: n }),
      cores,
    );
    await open(page, '#first-election');
    await page.keyboard.press('h');
    await dialog(page).getByRole('tab', { name: 'Hunt' }).click();
    await dialog(page).getByRole('textbox', { name: 'Runs' }).fill(String(HUNTED));
    await dialog(page).getByRole('button', { name: 'Hunt' }).click();
    await expect(dialog(page)).toContainText(/hash [0-9a-f]{16}/, { timeout: longest });
    const text = await dialog(page).innerText();
    const { stdout } = spawnSync(leaselab, ['hunt', 'first-election', '--runs', String(HUNTED), '-o', 'json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const native = JSON.parse(stdout);
    const shown = HUNTED.toLocaleString('en');
    expect(text).toContain(`${shown} of ${shown} runs`);
    expect(text).toContain(`hash ${native.hash}`);
    expect(text).toContain(`${native.failures.length} distinct failures`);
    expect(text).toContain(`leaselab hunt first-election --runs ${HUNTED} --seed 1`);
  });

test(
  'a search on one worker and on three has one answer, with the same counts, and it is that of the command',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', {
        get: () => Number(sessionStorage.getItem('cores') ?? 1),
      }),
    );
    const explore = async () => {
      await page.keyboard.press('h');
      await dialog(page).getByRole('tab', { name: 'Explore' }).click();
      await dialog(page).getByRole('textbox', { name: 'Values' }).fill('actions[0].for=12s..16s/1s');
      await dialog(page).getByRole('textbox', { name: 'Rules' }).fill('writeByNonHolder');
      await dialog(page).getByRole('textbox', { name: 'Window' }).fill('14s..45s');
      await dialog(page).getByRole('button', { name: 'Explore', exact: true }).click();
      const claim = dialog(page).getByText(/A schedule with 3 candidates breaks writeByNonHolder/);
      await expect(claim).toBeVisible();
      return claim.innerText();
    };
    await open(page, '#b05-wiped-lease');
    const one = await explore();
    await page.evaluate(() => sessionStorage.setItem('cores', '3'));
    await page.reload();
    await open(page, '#b05-wiped-lease');
    expect(await explore()).toBe(one);
    const { stdout } = spawnSync(
      leaselab,
      ['explore', 'b05-wiped-lease', '--set', 'actions[0].for=12s..16s/1s', '--rule', 'writeByNonHolder'].concat([
        '--window',
        '14s..45s',
        '-o',
        'json',
      ]),
      { encoding: 'utf8' },
    );
    const { claim } = JSON.parse(stdout);
    const end = 'None of these schedules breaks a rule earlier.';
    expect(claim).toContain(end);
    expect(one).toContain(claim.slice(0, claim.indexOf(end) + end.length));
  },
);

test(
  'the command of a changed scenario comes with the file',
  {
    tag: '@nightly',
  },
  async ({ page }) => {
    await open(page, '#b05-wiped-lease&seed=1');
    const mine =
      'apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nname: mine\nduration: 1m\n' +
      'candidates: [{name: a}, {name: b}]\n';
    await page
      .locator('#file')
      .setInputFiles({ name: 'mine.yaml', mimeType: 'application/yaml', buffer: Buffer.from(mine) });
    await expect(page.locator('#toasts')).toContainText('mine.yaml is open.');
    await page.keyboard.press('h');
    await dialog(page).getByRole('tab', { name: 'Hunt' }).click();
    await dialog(page).getByRole('textbox', { name: 'Runs' }).fill('');
    await dialog(page).getByRole('textbox', { name: 'Time' }).fill('1s');
    await dialog(page).getByRole('button', { name: 'Hunt' }).click();
    await expect(dialog(page)).toContainText('leaselab hunt scenario.yaml --budget 1s --seed');
    await expect(dialog(page)).toContainText(/hash [0-9a-f]{16}/);
    const file = page.waitForEvent('download');
    await dialog(page).getByRole('button', { name: 'Save scenario.yaml' }).click();
    const scenario = await file;
    expect(scenario.suggestedFilename()).toBe('scenario.yaml');
    expect(readFileSync(await scenario.path(), 'utf8')).toContain('name: mine');
  },
);
