/** What the first view loads, and what it leaves until it is opened. */
import { command, expect, lessonsPage, nightly, ready, test } from './lab.mjs';

const FIRST_VIEW_KIB = 80;

test(
  'the first view is within its budget; lessons, documentation and pictures load when they are opened',
  nightly(),
  async ({ page }) => {
    /** @type {string[]} */
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname.split('/leaselab/')[1]));
    const loadedFiles = (/** @type {RegExp} */ name) => loaded.filter((path) => name.test(path));
    await page.goto('./');
    await ready(page);
    const bytes = await page.evaluate(() => {
      const named = [
        ...document.querySelectorAll('head link[rel=stylesheet], head link[rel=modulepreload], script[src]'),
      ];
      const first = new Set(
        named
          .map((one) => one.getAttribute('href') ?? one.getAttribute('src'))
          .filter((name) => name?.startsWith('./')),
      );
      const sizes = performance
        .getEntriesByType('resource')
        .filter(({ name }) => first.has(`./${name.split('/').at(-1)}`))
        .concat(performance.getEntriesByType('navigation'))
        .map((entry) => /** @type {PerformanceResourceTiming} */ (entry).encodedBodySize);
      return { count: sizes.length, sum: sizes.reduce((all, one) => all + one, 0), first: first.size };
    });
    expect(bytes.count, 'every file that the page names, and the page').toBe(bytes.first + 1);
    // The server of the tests compresses a little less than the build measures.
    expect(bytes.sum / 1024).toBeLessThan(FIRST_VIEW_KIB * 1.02);
    await page.locator('[data-command="playPause"]').waitFor();
    expect(loadedFiles(/^docs\/|^lessons-|\.png$|\.webp$|^sections-|^docs-/)).toEqual([]);
    expect(
      loadedFiles(/^(lesson|museum|api|compare|chooser|faults|messages|snippet|qrcode|author|presenter|why|branches)-/),
    ).toEqual([]);

    await lessonsPage(page).click();
    await expect.poll(() => loadedFiles(/^lessons-/).length).toBe(1);
    await expect.poll(() => loadedFiles(/^lesson-/).length).toBeGreaterThan(0);
    await command(page, 'Museum');
    await expect.poll(() => loadedFiles(/^museum-/).length).toBeGreaterThan(0);
  },
);
