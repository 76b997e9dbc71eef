/** The words on the chart: no two of them meet, whatever the run. */
import { expect, nightly, open, test } from './lab.mjs';

const NAMES =
  'a-leader-dies crash crash-any-time cut-off partition-leader graceful-stop graceful-stop-release rolling-update ' +
  'paused-leader suspended-machine api-outage-8s api-outage-30s lossy-network long-tail lost-answer stale-reads ' +
  'clock-rate same-name upgrade-coordinated many';

test('no two labels of the chart meet, in 200 runs', nightly(), async ({ page }) => {
  test.setTimeout(900_000);
  // Records the words of the last drawing, with their places.
  await page.addInitScript(() => {
    const words = /** @type {any[]} */ (Object.assign(globalThis, { words: [] }).words);
    const pen = CanvasRenderingContext2D.prototype;
    const { fillText, clearRect } = pen;
    pen.clearRect = function (...given) {
      if (this.canvas.className === 'tl-base') words.length = 0;
      clearRect.apply(this, given);
    };
    pen.fillText = function (text, x, y, ...rest) {
      if (this.canvas.className === 'tl-base') {
        const w = this.measureText(text).width;
        const left = this.textAlign === 'center' ? x - w / 2 : ['right', 'end'].includes(this.textAlign) ? x - w : x;
        const h = Number.parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? '12');
        const top = this.textBaseline === 'alphabetic' ? y - h : y - h / 2;
        words.push({ text, left, top, right: left + w, bottom: top + h });
      }
      fillText.call(this, text, x, y, ...rest);
    };
  });
  const met = () =>
    page.evaluate(() => {
      const { words } = /** @type {any} */ (globalThis);
      const pairs = [];
      for (const [i, a] of words.entries())
        for (const b of words.slice(i + 1))
          if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2)
            pairs.push(`${a.text} / ${b.text}`);
      return pairs;
    });
  await open(page, '#crash&t=1s');
  /** @type {string[]} */
  const bad = [];
  let seen = 0;
  for (const name of NAMES.split(' '))
    for (let seed = 1; seed <= 10; seed++) {
      const at = 14 + seed * 4;
      await page.goto(`./#s=${name}&seed=${seed}&t=${at}s&e=${at}s`);
      await expect(page.locator('#readout')).toContainText(
        `0${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}.000`,
      );
      await page.keyboard.press('f');
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const words = await page.evaluate(() => /** @type {any} */ (globalThis).words.length);
      expect(words, name).toBeGreaterThan(10);
      seen++;
      for (const pair of await met()) bad.push(`${name} seed ${seed} at ${at} s: ${pair}`);
    }
  expect(seen).toBe(200);
  expect(bad).toEqual([]);
});
