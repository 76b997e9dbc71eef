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
const dialog = (/** @type {Page} */ page) => page.getByRole('dialog', { name: 'Studies' });
const answer = (/** @type {Page} */ page) => dialog(page).getByRole('heading', { level: 1 });
const box = (/** @type {Page} */ page, /** @type {string} */ name) =>
  dialog(page).getByRole('textbox', { name, exact: true });
/** Opens a fold. */
const unfold = (/** @type {Page} */ page, /** @type {string | RegExp} */ words) =>
  dialog(page).locator('summary').filter({ hasText: words }).click();
/** Shows the fields of a study. */
const showFields = (/** @type {Page} */ page) =>
  dialog(page)
    .locator('details.study-how')
    .evaluate((/** @type {HTMLDetailsElement} */ details) => {
      details.open = true;
    });
/** Types into a field that has choices. */
async function type(/** @type {Page} */ page, /** @type {string} */ name, /** @type {string} */ text) {
  const choice = dialog(page).getByRole('combobox', { name, exact: true });
  if (await choice.count()) await choice.selectOption('something else…');
  await box(page, name).fill(text);
  await box(page, name).blur();
}
const cells = (/** @type {Page} */ page, state = 'whole') => dialog(page).locator(`td[data-state="${state}"]`);

test('the map draws itself: the answer, the own cell, a chosen cell with its runs, and a link', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '#s=paused-leader&t=80s');
  await page.keyboard.press('h');
  await expect(answer(page)).toHaveText('No setting near yours avoids two leaders');
  const chosen = dialog(page).getByRole('gridcell', { selected: true });
  await expect(chosen).toHaveAccessibleName(/^Lease 15 s, give up after 10 s, your settings, .*: [\d.]+ s, 60 runs$/);

  await unfold(page, /^10, 15/);
  await box(page, 'Across: values').fill('10s..20s/5s');
  await unfold(page, /^5, 10/);
  await box(page, 'Up: values').fill('5s..15s/5s');
  await box(page, 'Runs in each cell').fill('12');
  await dialog(page).getByRole('button', { name: 'Draw it again' }).click();
  await expect(dialog(page).getByRole('gridcell', { name: /, 12 runs$/ })).toHaveCount(6);
  await expect(cells(page, 'refused')).toHaveCount(3);

  // Keys move over the cells; a refused one says why in the library's words.
  await cells(page, 'refused').first().click();
  await expect(dialog(page)).toContainText('client-go refuses these values');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(chosen).toHaveAccessibleName(/^Lease 20 s, give up after 15 s: [\d.]+ s, 12 runs$/);
  const detail = dialog(page).getByRole('complementary', { name: 'The chosen cell' });
  await expect(detail.getByRole('img', { name: /^Two led for/ })).not.toHaveCount(0);
  await expect(detail).toContainText(/Its price: [\d.]+ s without a leader after a crash/);
  await axe(page, '#search');
  const longest = (await detail.getByRole('listitem').first().innerText()).match(/(\d+\.\d) s/)?.[1];

  await dialog(page).getByRole('button', { name: 'Copy the link' }).click();
  await expect(page.locator('#toasts')).toContainText('the link to this study');
  const link = await page.evaluate(() => navigator.clipboard.readText());

  await detail.getByRole('button', { name: 'Open the worst run' }).click();
  await expect(dialog(page)).not.toBeVisible();
  await expect(headline(page)).toContainText('How could that be?');
  expect(Number(longest)).toBeGreaterThan(0);

  // The link restores the study; stopped while it runs, it keeps its first picture. It opens another page: the one
  // that is
  // open writes the link of its run into the address a moment after it has changed.
  await page.goto('about:blank');
  await page.goto(link);
  await ready(page);
  await expect(cells(page)).toHaveCount(6);
  await box(page, 'Runs in each cell').fill('100,000');
  await dialog(page).getByRole('button', { name: 'Draw it again' }).click();
  await expect(cells(page, 'preview')).not.toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Stop' }).click();
  await expect(dialog(page)).toContainText('Stopped, with these results');
  await expect(cells(page, 'preview')).not.toHaveCount(0);
});

test(
  'a study keeps its run while its results are open, and follows another run; a link has its own',
  nightly(),
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page, '#crash');
    await page.keyboard.press('h');
    await expect(answer(page)).toContainText('Nobody leads for up to');
    await unfold(page, 'More');
    await box(page, 'Duration').fill('70s');
    await box(page, 'Duration').blur();
    await expect(dialog(page).getByRole('gridcell', { name: /at least/ })).not.toHaveCount(0);
    await expect(cells(page, 'preview')).toHaveCount(0);
    await dialog(page).getByRole('button', { name: 'Copy the link' }).click();
    await expect(page.locator('#toasts')).toContainText('the link to this study');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await dialog(page).getByRole('button', { name: 'Use these settings' }).click();
    await expect(dialog(page)).not.toBeVisible();
    await page.getByRole('button', { name: 'Back to the studies' }).click();
    await expect(dialog(page).getByRole('combobox', { name: 'Run' })).toContainText('Crash');
    await page.keyboard.press('Escape');
    await page.goto('./#paused-leader');
    await expect(page.getByRole('button', { name: /The leader is paused/ })).toBeVisible();
    await page.keyboard.press('h');
    await expect(answer(page)).toHaveText('No setting near yours avoids two leaders');
    await page.goto('about:blank');
    await page.goto(link);
    await ready(page);
    await unfold(page, 'More');
    await expect(box(page, 'Duration')).toHaveValue('70s');
    await unfold(page, 'The command');
    await expect(dialog(page)).toContainText('leaselab sweep crash');
  },
);

test('wishes that contradict each other: which, and the proof', nightly(), async ({ page }) => {
  await open(page, '#crash');
  await page.keyboard.press('h');
  await dialog(page).getByRole('tab', { name: 'Find settings' }).click();
  const wish = (/** @type {string} */ name, /** @type {string} */ label) =>
    dialog(page).getByRole('combobox', { name, exact: true }).selectOption(label);
  await wish('The leader outlasts an API outage of', '60 s');
  await wish('After a crash another leads within', '30 s');
  await wish('Writes of the Lease a minute, at most', '10');
  await wish('The leader stays while answers take up to', '3 s');
  await dialog(page).getByRole('button', { name: 'Find settings', exact: true }).click();
  await expect(answer(page)).toHaveText('These contradict each other: survive=60s and takeover=30s.', {
    timeout: 150_000,
  });
  await expect(dialog(page)).toContainText('leaseDuration > renewDeadline > 60 s');
  await axe(page, '#search');
});

test('the hunt finds failures at once, and they open; so does the simplest run that fails alike', async ({ page }) => {
  await open(page, '#paused-leader');
  await page.keyboard.press('h');
  await dialog(page).getByRole('tab', { name: 'Find failures' }).click();
  await expect(answer(page)).toContainText(/^\d+ ways? to break it, in/);
  await dialog(page).getByRole('button', { name: 'Stop' }).click();
  const found = dialog(page).getByRole('region', { name: 'The answer' });
  await expect(found.getByRole('img').first()).toHaveAccessibleName(/led for/);
  await expect(dialog(page).getByRole('button', { name: /^Open this run, at/ })).toBeVisible();
  await axe(page, '#search');
  await dialog(page).getByRole('tab', { name: 'Simplify a failure' }).click();
  await expect(answer(page)).toHaveText('1 act is enough');
  await expect(dialog(page)).toContainText('The holder is paused for 17 s');
  await expect(dialog(page)).toContainText('does the same');
  await expect(dialog(page)).toContainText('It really happened');
  await dialog(page).getByRole('button', { name: 'Why?' }).click();
  await expect(dialog(page)).not.toBeVisible();
  await expect(headline(page)).toContainText('How could that be?');
  await expect(page.locator('#why')).toContainText(/both lead, for/);
});

test('the page shows at once, and says what it waits for', nightly(), async ({ page }) => {
  /** @type {(() => void)[]} */
  const held = [];
  await page.route('**/tools-*.wasm*', (route) => held.push(() => route.continue()));
  await open(page, '#paused-leader');
  await page.keyboard.press('h');
  await expect(answer(page)).toHaveText('How would it go with other settings?');
  await expect(dialog(page).getByText('Drawing the first map…')).toBeVisible();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  for (const go of held.splice(0)) go();
  await expect(answer(page)).toHaveText('No setting near yours avoids two leaders');
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
    await dialog(page).getByRole('tab', { name: 'Find failures' }).click();
    await dialog(page).getByRole('button', { name: 'Stop' }).click();
    await showFields(page);
    await type(page, 'Runs', String(HUNTED));
    await dialog(page)
      .getByRole('button', { name: /^Find failures/ })
      .click();
    await expect(dialog(page)).toContainText(/hash [0-9a-f]{16}/, { timeout: longest });
    await showFields(page);
    const text = await dialog(page).innerText();
    const { stdout } = spawnSync(leaselab, ['hunt', 'first-election', '--runs', String(HUNTED), '-o', 'json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const native = JSON.parse(stdout);
    const shown = HUNTED.toLocaleString('en');
    expect(text).toContain(`${shown} of ${shown} runs`);
    expect(text).toContain(`hash ${native.hash}`);
    expect(text).toContain(`${native.failures.length} ways to break it, in ${shown} runs`);
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
      await dialog(page).getByRole('tab', { name: 'Prove within bounds' }).click();
      await dialog(page).getByRole('button', { name: 'Stop' }).click();
      await showFields(page);
      await type(page, 'Settings', 'actions[0].for=12s..16s/1s');
      await type(page, 'It must never happen that', 'writeByNonHolder');
      await type(page, 'Between', '14s..45s');
      await dialog(page)
        .getByRole('button', { name: /^Try every schedule/ })
        .click();
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
    await dialog(page).getByRole('tab', { name: 'Find failures' }).click();
    await dialog(page).getByRole('button', { name: 'Stop' }).click();
    await showFields(page);
    await type(page, 'Runs', '');
    await type(page, 'Time', '1s');
    await dialog(page)
      .getByRole('button', { name: /^Find failures/ })
      .click();
    await expect(dialog(page)).toContainText('leaselab hunt scenario.yaml --budget 1s --seed');
    await expect(dialog(page)).toContainText(/hash [0-9a-f]{16}/);
    await showFields(page);
    const file = page.waitForEvent('download');
    await dialog(page).getByRole('button', { name: 'Save scenario.yaml' }).click();
    const scenario = await file;
    expect(scenario.suggestedFilename()).toBe('scenario.yaml');
    expect(readFileSync(await scenario.path(), 'utf8')).toContain('name: mine');
  },
);
