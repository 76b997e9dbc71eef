/** On paper: the page and the documentation, in the PDF that the browser prints. */
import { inflateSync } from 'node:zlib';
import { expect, nightly, open, test } from './lab.mjs';

/** What the pages of a PDF draw, as its operators. @param {Buffer} pdf */
function drawn(pdf) {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/[^d]stream\r?\n/g)]
    .map(({ 0: head, index }) => {
      const from = index + head.length;
      try {
        return inflateSync(pdf.subarray(from, text.indexOf('endstream', from))).toString('latin1');
      } catch {
        return ''; // a stream of another kind
      }
    })
    .filter((stream) => /T[jJ]/.test(stream))
    .join('\n');
}
/** How often an operator fills with a colour. @param {string} ops @param {RegExp} colour */
const fills = (ops, colour) => [...ops.matchAll(colour)].length;
/** The red of a violation, which only the canvas has. */
const LIGHT_RED = /\.670\d \.141\d \.258\d rg/g;
const DARK_RED = /1 \.419\d \.419\d rg/g;

for (const colorScheme of /** @type {const} */ (['light', 'dark']))
  test(`a print is not empty, and light: ${colorScheme}`, nightly(), async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, '#paused-leader&t=60s&e=60s');
    const timeline = page.locator('#timeline');
    const before = await timeline.boundingBox();
    const ops = drawn(await page.pdf({ format: 'A4' }));
    expect(fills(ops, LIGHT_RED), 'the timeline is drawn, in the colours of the light theme').toBeGreaterThan(1);
    expect(fills(ops, DARK_RED)).toBe(0);
    expect(fills(ops, /T[jJ]/g), 'headline, names of rows and events').toBeGreaterThan(40);
    await expect.poll(() => timeline.boundingBox(), 'the page is as it was').toEqual(before);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await expect(page.locator('#printed')).toContainText(/^Printed without (\d+ events, )?controls and the panels/);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await expect(page.locator('#printed')).toHaveCount(0);
    await page.goto('docs/guarantees.html');
    const text = drawn(await page.pdf({ format: 'A4' }));
    expect(fills(text, /T[jJ]/g)).toBeGreaterThan(40);
    await page.emulateMedia({ media: 'print', colorScheme });
    await expect(page.getByRole('navigation')).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(28, 32, 36)');
  });
