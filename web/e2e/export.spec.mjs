/** What leaves the page: pictures, diagram and report, as files that other programs read. */
import { readFileSync } from 'node:fs';
import { axe, expect, nightly, open, test } from './lab.mjs';

/** @import { Locator, Page } from '@playwright/test' */

/** Saves with a button, and reads the file. @param {Page} page @param {Locator} button */
async function saveAndRead(page, button) {
  const download = page.waitForEvent('download');
  await button.click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/**
 * What another program sees in a picture: how many pixels have a unique color, and how many colors it
 * has.
 * @param {Page} page @param {string} type @param {Buffer} bytes
 */
const pixelsOf = (page, type, bytes) =>
  page.evaluate(
    async ([address]) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
      ctx.drawImage(image, 0, 0);
      const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
      const counts = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const color = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      const share = (/** @type {string} */ hex) => (counts.get(Number.parseInt(hex, 16)) ?? 0) / (data.length / 4);
      return {
        width: canvas.width,
        ground: Math.max(...counts.values()) / (data.length / 4),
        light: share('ffffff'),
        dark: share('1b1f25'),
        red: share('c82858') + share('ff6378'),
        blue: share('0069cd') + share('94c8ff'),
      };
    },
    [`data:${type};base64,${bytes.toString('base64')}`],
  );

test('the run leaves as a picture, a diagram and a report', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '#paused-leader&t=60s&e=60s');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const kind = (/** @type {string} */ name) => dialog.getByRole('radio', { name });
  const save = dialog.getByRole('button', { name: 'Save as a file' });
  await expect(kind('Picture (PNG)')).toBeFocused();
  await axe(page, 'dialog[open]');

  await expect(save).toBeVisible(); // the second engine loads
  const png = await saveAndRead(page, save);
  expect(png.name).toBe('paused-leader-seed-1.png');
  const light = await pixelsOf(page, 'image/png', png.bytes);
  expect(light).toMatchObject({ width: 2400, dark: 0 });
  expect(light.light).toBeLessThan(0.97);
  for (const share of [light.blue, light.red]) expect(share).toBeGreaterThan(0.002);

  await kind('Picture (PNG)').focus();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('img', { name: 'Preview of the picture' })).toHaveAttribute('src', /^data:image\/svg/);
  const svg = await saveAndRead(page, save);
  const text = svg.bytes.toString();
  const read = await page.evaluate((source) => {
    // The page's policy counts a style sheet in what its own scripts parse.
    const bare = source.replace(/<style>[^<]*<\/style>/, '');
    const { documentElement: root } = new DOMParser().parseFromString(bare, 'image/svg+xml');
    return { name: root.nodeName, words: [...root.querySelectorAll('text')].map((one) => one.textContent) };
  }, text);
  expect(read.name).toBe('svg');
  for (const words of ['two lead, 23.950 s', 'more than one active worker', 'may acquire 00:35.128'])
    expect(read.words).toContain(words);
  const drawn = await pixelsOf(page, 'image/svg+xml', svg.bytes);
  for (const share of [drawn.blue, drawn.red]) expect(share).toBeGreaterThan(0.002);
  await axe(page, 'dialog[open]');

  await kind('Diagram (Mermaid)').check();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(readClipboard).toContain('sequenceDiagram\n  %% The leader is paused · paused-leader · seed 1 ·');
  await kind('Report (Markdown)').check();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect
    .poll(readClipboard)
    .toContain('**1. a and c both lead, for 23.950 s.** Rule: more than one active worker.');
  const [, link] = /<(http[^>]+)>/.exec(await readClipboard()) ?? [];
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator('#readout')).toContainText('01:00.000');
  await other.close();
});

test('a picture has the colors that the visitor chooses', nightly(), async ({ page }) => {
  await open(page, '#paused-leader&t=60s&e=60s');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('combobox', { name: 'Colors' }).selectOption('dark');
  const save = dialog.getByRole('button', { name: 'Save as a file' });
  await expect(save).toBeVisible();
  const dark = await pixelsOf(page, 'image/png', (await saveAndRead(page, save)).bytes);
  expect(dark.dark).toBeGreaterThan(0.5);
  expect(dark.light).toBeLessThan(0.01);
});

test('a run leaves as a test in Go, and one that no test can express says why', nightly(), async ({ page }) => {
  await open(page, '#crash&t=80s&e=80s');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('radio', { name: 'Go test' }).check();
  await expect(dialog.getByRole('region', { name: 'Preview of the text' })).toContainText(
    'func TestCrash(t *testing.T)',
  );
  await expect(dialog.getByRole('combobox')).toHaveCount(0);
  await axe(page, 'dialog[open]');
  const file = await saveAndRead(page, dialog.getByRole('button', { name: 'Save as a file' }));
  expect(file.name).toBe('crash-seed-1_test.go');
  expect(file.bytes.toString()).toContain('electiontest.YAML(t, `');

  await page.keyboard.press('Escape');
  await open(page, '#paused-leader&t=60s&e=60s');
  await page.keyboard.press('e');
  await dialog.getByRole('radio', { name: 'Go test' }).check();
  await expect(dialog.getByRole('alert')).toContainText('a goroutine cannot be stopped from outside');
});

test('a run leaves as a trace file and as tables that other tools read', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=40s&e=40s');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const preview = dialog.getByRole('region', { name: 'Preview of the text' });
  const save = dialog.getByRole('button', { name: 'Save as a file' });
  await dialog.getByRole('combobox', { name: 'Span' }).selectOption('1');
  for (const [label, name, has] of /** @type {const} */ ([
    ['Trace file (NDJSON)', 'a-leader-dies-seed-1004.ndjson', '"kind":"Trace"'],
    ['Events (CSV)', 'a-leader-dies-seed-1004.events.csv', 'seconds,n,time,node'],
    ['Leaders (CSV)', 'a-leader-dies-seed-1004.leaders.csv', 'leader,from,to'],
  ])) {
    await dialog.getByRole('radio', { name: label }).check();
    await expect(preview).toContainText(has);
    const file = await saveAndRead(page, save);
    expect(file.name).toBe(name);
    const text = file.bytes.toString();
    expect(text).toContain(has);
    if (label === 'Leaders (CSV)') expect(text.trim().split('\r\n')).toHaveLength(3);
  }
  await axe(page, 'dialog[open]');
});
