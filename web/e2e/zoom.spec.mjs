/** From a whole day on screen to five milliseconds, with a hundred lanes and more than a hundred thousand requests. */
import { DAY, OVERLAP_NS, TAKEOVER_NS } from './day.mjs';
import { command, expect, nightly, open, readout, test } from './lab.mjs';

/** Reading pixels back more than once makes Chromium give advice. */
const probing = { annotation: { type: 'allow', description: 'willReadFrequently' } };

const HOUR = 3600e9;
/** Pixels of wheel travel: twice as close. */
const STEP = 385;

/** Records each word of the ruler with its place: they tell which instant stands where. */
function watchRuler() {
  const w = /** @type {any} */ (window);
  const pen = CanvasRenderingContext2D.prototype;
  const { clearRect, fillText } = pen;
  pen.clearRect = function (...box) {
    if (this.canvas.className === 'tl-base') w.ruler = [];
    clearRect.apply(this, box);
  };
  pen.fillText = function (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) {
    if (this.canvas.className === 'tl-base' && y < 20 && /^[\d:.]+$/.test(text)) w.ruler?.push({ text, x });
    fillText.call(this, text, x, y);
  };
}

/**
 * The scale on screen, read from the two outermost words that stand whole over their instants.
 * @param {import('@playwright/test').Page} page
 */
async function scale(page) {
  const { ruler, left, width } = await page.evaluate(() => {
    const box = /** @type {Element} */ (document.querySelector('#timeline canvas')).getBoundingClientRect();
    return { ruler: /** @type {any} */ (window).ruler, left: box.left, width: box.width };
  });
  const whole = ruler.filter((/** @type {{x: number}} */ word) => word.x > 80 && word.x < width - 80);
  const [first, last] = [whole[0], whole[whole.length - 1]];
  const ns = (/** @type {string} */ text) => {
    const [seconds, fraction = ''] = text.split('.');
    const whole = seconds.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    return whole * 1e9 + Number(fraction.padEnd(9, '0'));
  };
  const perPx = (ns(last.text) - ns(first.text)) / (last.x - first.x);
  return {
    perPx,
    /** The instant under a place on the page. @param {number} x */
    at: (x) => ns(first.text) + (x - left - first.x) * perPx,
    /** Where an instant stands on the page. @param {number} t */
    x: (t) => left + first.x + (t - ns(first.text)) / perPx,
  };
}

/**
 * Where a mark stands on the page, and its middle in whole pixels across, as a mouse has them.
 * @param {import('@playwright/test').Locator} mark @param {string} whole what is expected
 */
async function expectPlace(mark, whole) {
  const box = await mark.boundingBox();
  expect(box, whole).not.toBeNull();
  const { x, y, width, height } = /** @type {NonNullable<typeof box>} */ (box);
  return { box: { x, y, width, height }, middle: { x: Math.round(x + width / 2), y: y + height / 2 } };
}

/**
 * How many columns of a box have a pixel in the color of violations.
 * @param {import('@playwright/test').Page} page
 * @param {{x: number, y: number, width: number, height: number}} box
 */
function redColumns(page, box) {
  return page.evaluate(({ x, y, width, height }) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#timeline canvas'));
    const { left, top } = canvas.getBoundingClientRect();
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const { data } = context.getImageData(Math.floor(x - left), y - top, Math.ceil(width) + 1, height);
    canvas.style.color = 'var(--bad)';
    const [r, g, b] = (getComputedStyle(canvas).color.match(/\d+/g) ?? []).map(Number);
    const columns = new Set();
    for (let i = 0; i < data.length; i += 4) {
      if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 60)
        columns.add((i / 4) % (Math.ceil(width) + 1));
    }
    return columns.size;
  }, box);
}

test(
  'from 24 h to 5 ms the pointer keeps its instant, and 20 ms of two leaders can be seen and clicked',
  { ...probing, ...nightly() },
  async ({ page }) => {
    await page.addInitScript(watchRuler);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await open(page, '');
    const buffer = Buffer.from(JSON.stringify(DAY));
    await page.locator('#file').setInputFiles({ name: 'day.json', mimeType: 'application/json', buffer });
    const opened = page.getByRole('region', { name: 'Messages' }).getByText('day.json is open.');
    await expect(opened).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(opened).toBeHidden();
    await command(page, 'Show the whole run');
    await expect(readout(page)).toContainText('24:00:00');
    await expect(page.locator('#events .count')).toHaveText(/^\d{3},\d{3} so far$/);
    const plot = await page.locator('#timeline .tl-slider').boundingBox();
    const widthPx = (plot?.width ?? 0) - 16;
    await expect.poll(async () => Math.round(((await scale(page)).perPx * widthPx) / 1e9)).toBe(24 * 3600);

    const band = page.locator('#timeline').getByRole('button', { name: /^Two led from / });
    let steps = 0;
    for (let shown = 24 * HOUR; shown > 5e6; steps++) {
      const whole = `the overlap is on screen with ${shown} ns`;
      const pressed = await expectPlace(band, whole);
      const ruler = await scale(page);

      // Its mark is where it happened, at least three pixels wide, and can be pressed.
      const middle = ruler.x(TAKEOVER_NS + OVERLAP_NS / 2);
      expect(Math.abs(middle - pressed.middle.x) < 2 || pressed.box.width > widthPx / 2).toBe(true);
      expect(pressed.box.width).toBeGreaterThanOrEqual(3);
      await expect.poll(() => redColumns(page, pressed.box)).toBeGreaterThanOrEqual(3);
      await page.mouse.click(pressed.middle.x, pressed.middle.y);
      await expect(band).toHaveAttribute('aria-pressed', 'true');
      await page.keyboard.press('Escape');
      await expect(band).toHaveAttribute('aria-pressed', 'false');

      // An overlap that is longer than the screen brings its end into view when it is pressed, so all is read again.
      const { middle: pointer } = await expectPlace(band, whole);
      await page.mouse.move(pointer.x, pointer.y);
      const before = await scale(page);
      const under = before.at(pointer.x);
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -STEP);
      await page.keyboard.up('Control');
      await expect.poll(async () => (await scale(page)).perPx).toBeLessThan(before.perPx * 0.9);
      const after = await scale(page);
      expect(Math.abs(after.x(under) - pointer.x), `the instant under the pointer, ${shown} ns on screen`).toBeLessThan(
        1,
      );
      shown = after.perPx * widthPx;
    }
    expect(steps).toBeGreaterThan(20);
  },
);

test('a mark under the mouse hides nothing of the drawing below it', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=40s');
  const band = page.locator('#timeline').getByRole('button', { name: /^Nobody led from 00:20\.000/ });
  await band.hover();
  await expect(band).toHaveCSS('box-shadow', /1px/);
  await expect(band).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
});
