/** What is drawn, by its pixels. */
import { expect, nightly, readout, test } from './lab.mjs';

/** Reading pixels back more than once makes Chromium give advice. */
const probing = { annotation: { type: 'allow', description: 'willReadFrequently' } };

/**
 * The colors on the lanes' canvas, in percent of its pixels, and the leftmost and rightmost column of each.
 * @param {import('@playwright/test').Page} page
 * @param {string[]} tokens
 */
function probe(page, tokens) {
  return page.evaluate((names) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#timeline canvas'));
    const { width, height } = canvas;
    const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(
      0,
      0,
      width,
      height,
    );
    return names.map((name) => {
      canvas.style.color = `var(${name})`;
      const [r, g, b] = (getComputedStyle(canvas).color.match(/\d+/g) ?? []).map(Number);
      let pixels = 0;
      let left = width;
      let right = -1;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 250 || Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) > 12)
          continue;
        pixels++;
        const x = (i / 4) % width;
        left = Math.min(left, x);
        right = Math.max(right, x);
      }
      return { name, pixels, left: left / width, right: right / width };
    });
  }, tokens);
}

for (const scheme of /** @type {const} */ (['light', 'dark'])) {
  const details = { ...probing, ...nightly(scheme === 'dark') };
  test(`ramps, bars and letters are in the identity colors at full strength: ${scheme}`, details, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto('./#a-leader-dies&t=36s&e=36s');
    await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
    await expect(readout(page)).toContainText('00:36.000');
    await expect.poll(async () => (await probe(page, ['--c']))[0].pixels).toBeGreaterThan(200);
    const [a, b, c, fault, bad] = await probe(page, ['--a', '--b', '--c', '--fault', '--bad']);
    // The color of a fills bars and ends with its term, before the live instant; b and c are drawn up to the live
    // instant.
    expect(a.pixels).toBeGreaterThan(2000);
    expect(a.right).toBeLessThan(b.right - 0.02);
    expect(b.pixels).toBeGreaterThan(200);
    expect(c.right).toBeGreaterThan(0.8);
    // Amber is the crash, and red is nowhere: nothing was violated.
    expect(fault.pixels).toBeGreaterThan(20);
    expect(bad.pixels).toBe(0);
  });
}

test('red is drawn where two lead', probing, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('./#s=clock-rate&t=50s&e=50s');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(readout(page)).toContainText('00:50.000');
  await expect.poll(async () => (await probe(page, ['--bad']))[0].pixels).toBeGreaterThan(50);
});

test('nothing is left of the cursor of a taller layout', { ...probing, ...nightly() }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Four lanes are lower than the three of the recorded run, which is drawn first.
  await page.goto('./#b23-two-locks&t=50s&e=60s');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(readout(page)).toContainText('00:50.000');
  const lowest = () =>
    page.locator('#timeline canvas').evaluateAll((all) =>
      all.map((one) => {
        const canvas = /** @type {HTMLCanvasElement} */ (one);
        const { width, height } = canvas;
        const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(
          0,
          0,
          width,
          height,
        );
        for (let i = data.length - 1; i > 0; i -= 4) if (data[i] > 0) return Math.floor(i / 4 / width) / height;
        return 0;
      }),
    );
  await expect.poll(async () => (await lowest())[0]).toBeGreaterThan(0.5);
  const [picture, cursor] = await lowest();
  expect(cursor).toBeGreaterThan(0.5);
  expect(cursor).toBeLessThanOrEqual(picture + 0.01);
});
