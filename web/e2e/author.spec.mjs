/** A teacher writes a lesson by playing; students play it from its file and its link. */
import { readFile } from 'node:fs/promises';
import { act, command, expect, open, ready, test } from './lab.mjs';

/** @import { Page } from '@playwright/test' */

const panel = (/** @type {Page} */ page) => page.getByRole('article', { name: 'Write a lesson' });
const button = (/** @type {Page} */ page, /** @type {string | RegExp} */ name) =>
  panel(page).getByRole('button', { name });
const problems = (/** @type {Page} */ page) => panel(page).getByRole('status');

/** A lesson of two steps: crash a, and predict who leads next. @param {Page} page */
async function write(page) {
  await open(page, '#a-leader-at-work&t=20s');
  await command(page, 'Write a lesson by playing');
  await panel(page).getByRole('textbox', { name: 'Title' }).fill('Who is next?');
  await act(page, 'Crash a').click();
  await expect(button(page, /Your turn\..*Act, 00:20\.000/)).toBeVisible();
  await button(page, 'Place a bet here…').click();
  await button(page, /^When does the next leader take over\? Answer: b, at 34\.039 s/).click();
  await expect(button(page, /Your prediction\..*Bet, 00:20\.000/)).toBeVisible();
  await expect(problems(page)).toHaveText('The lesson has no error.');
}

/** Plays the lesson to its end. @param {Page} page */
async function play(page) {
  const lesson = page.locator('#lesson');
  await expect(lesson).toContainText('Who is next? · 1 of 3');
  await act(page, 'Crash a').click();
  await expect(lesson).toContainText('Done: Crash a.');
  await lesson.getByRole('button', { name: 'Next' }).click();
  await lesson.getByRole('textbox', { name: 'Your prediction, in seconds' }).fill('30');
  await lesson.getByRole('button', { name: 'Lock it in' }).click();
  await expect(lesson).toContainText('You said 30 s: 4.039 s too early.');
  await expect(lesson).toContainText('Who is next? · 3 of 3');
}

test('a lesson of two steps is written by playing, saved, linked, and played to its end by others', async ({
  page,
  browser,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await write(page);

  const saving = page.waitForEvent('download');
  await button(page, 'Save as a file').click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('who-is-next.yaml');
  const text = await readFile(await file.path(), 'utf8');
  await button(page, 'Copy the link').click();
  await expect(page.locator('#toasts')).toContainText('Copied: the link, which plays your lesson.');
  const link = await page.evaluate(() => navigator.clipboard.readText());

  await page.reload();
  await ready(page);
  await command(page, 'Write a lesson by playing');
  await expect(button(page, /Your prediction\./), 'the draft survives a reload').toBeVisible();

  const other = await (
    await browser.newContext({ baseURL, serviceWorkers: 'block', reducedMotion: 'reduce' })
  ).newPage();
  await other.goto(link);
  await play(other);
  await other.goto('./#crash');
  await other.reload();
  await ready(other);
  await other
    .locator('#file')
    .setInputFiles({ name: 'who-is-next.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
  await play(other);
  await other.context().close();
});

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });
  test(
    'what checks a lesson is fetched when one is written, and from then on works without a network',
    { tag: '@nightly' },
    async ({ page, context }) => {
      await open(page, '#a-leader-at-work&t=20s');
      const cachedFiles = () =>
        page.evaluate(async () => {
          const files = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
          return files.flat().filter(({ url }) => /tools-\w+\.wasm/.test(url)).length;
        });
      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
      await context.setOffline(true);
      await page.keyboard.press('e');
      const dialog = page.getByRole('dialog', { name: 'Export' });
      await dialog.getByRole('radio', { name: 'Go test' }).check();
      await expect(dialog).toContainText('This needs the network once');
      await context.setOffline(false);
      await page.keyboard.press('Escape');
      expect(await cachedFiles()).toBe(0);
      await write(page);
      await expect.poll(cachedFiles).toBe(1);
      await context.setOffline(true);
      await page.reload();
      await ready(page);
      await write(page);
      await context.setOffline(false);
    },
  );
});
