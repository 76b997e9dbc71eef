/** The first ten seconds, which need no engine: the recorded run plays, pauses, and can be gone through. */
import { expect, goTo, headline, nightly, readout, test } from './lab.mjs';

const noEngine = { annotation: { type: 'allow', description: 'Failed to load resource|ERR_FAILED' } };
/** @param {import('@playwright/test').Page} page */
const blockEngine = (page) => page.route('**/engine-*.wasm.zst', (route) => route.abort());

/** In the page: keeps each sentence of the headline, because a slow machine may look after it is gone. */
function keepHeadlines() {
  const said = /** @type {string[]} */ ([]);
  Object.assign(window, { said });
  new MutationObserver(() => {
    const text = document.getElementById('headline')?.textContent ?? '';
    if (text !== said.at(-1)) said.push(text);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

test('with the engine blocked the story still plays, explains itself and pauses', noEngine, async ({ page }) => {
  await blockEngine(page);
  await page.addInitScript(keepHeadlines);
  await page.goto('./');
  const readStatus = () => page.evaluate(() => /** @type {any} */ (window).said.join(' | '));
  await expect.poll(readStatus).toContain('a leads.');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'failed');
  const sentence = 'The simulator could not start (WebAssembly is blocked). You can still watch this recorded run.';
  await expect(page.locator('#notice')).toHaveText(sentence);
  await expect.poll(readStatus).toMatch(/Nobody leads: .* so far/);
  await expect(headline(page)).toContainText('Nobody led for 14.039 s.');
  await expect(readout(page)).toHaveText(/^00:36\.000 · live$/);
  await expect(page.getByText('Your turn: crash b.')).toBeVisible();

  await goTo(page, '25s');
  await expect(readout(page)).toContainText('00:25.000');
  await expect(page).toHaveTitle(/Nobody leads/);
  await page.locator('[data-command="landmarkBack"]').click();
  await expect(page.locator('#toasts')).toContainText('You can still watch this recorded run.');
  await expect(readout(page)).toContainText('00:25.000');
});

test('nothing of the layout moves while the story plays', { ...noEngine, ...nightly() }, async ({ page }) => {
  await blockEngine(page);
  await page.addInitScript(() => {
    const w = /** @type {any} */ (window);
    w.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { hadRecentInput, value, sources } = /** @type {any} */ (entry);
        // The lines of the object are its contents: a changed field is two lines.
        const lines = sources.every((/** @type {any} */ one) => one.node?.parentElement?.closest('#objects .code'));
        if (!hadRecentInput && !lines) w.shift += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('./');
  await expect(headline(page)).toContainText('Nobody led for 14.039 s.');
  // Only words move: in the answer, whose large type counts most, and beside a lane whose role has changed.
  expect(await page.evaluate(() => /** @type {any} */ (window).shift)).toBeLessThan(0.005);
});

test.describe('reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('shows the still with its headline', noEngine, async ({ page }) => {
    await blockEngine(page);
    await page.goto('./');
    await expect(headline(page)).toContainText('Nobody led for 14.039 s.');
    await expect(readout(page)).toHaveText('00:34.039 · live');
    await expect(page.locator('[data-command="playPause"]')).toHaveAccessibleName('Play');
  });
});

test('headline, lanes, band and Crash need no scrolling, at any size', noEngine, async ({ page }) => {
  await blockEngine(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('./');
  await expect(headline(page)).toContainText('Nobody led for 14.039 s.');
  const canvas = page.locator('#timeline canvas').first();
  const band = page
    .locator('#timeline')
    .getByRole('button', { name: /14\.039 s/ })
    .first();
  const crashes = page.locator('#acts').getByRole('button', { name: /^Crash b/ });
  for (const [width, height] of [
    [1440, 800],
    [1366, 650],
    [1024, 768],
    [390, 844],
    [320, 640],
  ]) {
    await page.setViewportSize({ width, height });
    const crash = crashes.filter({ visible: true }).first();
    for (const part of [headline(page), canvas, crash, band]) {
      await expect(part, `${width}×${height}`).toBeInViewport();
      const inside = async () => {
        const { y = -1, height: tall = 0 } = (await part.boundingBox()) ?? {};
        return y >= 0 && y + Math.min(tall, 40) <= height;
      };
      await expect.poll(inside, `${width}×${height}`).toBe(true);
    }
    const sideways = () =>
      page.evaluate(() => {
        const tabs = /** @type {Element} */ (document.querySelector('#tabs'));
        return Math.max(document.documentElement.scrollWidth - innerWidth, tabs.scrollWidth - tabs.clientWidth);
      });
    await expect.poll(sideways, `${width}×${height}`).toBeLessThanOrEqual(0);
  }
});

test('a short link to the opening scenario is shown without the engine', noEngine, async ({ page }) => {
  await blockEngine(page);
  await page.goto('./#a-leader-dies&t=25s&e=40s');
  await expect(readout(page)).toHaveText('00:25.000 · 15.0 s behind');
  await expect(headline(page)).toContainText('Nobody leads');
});
