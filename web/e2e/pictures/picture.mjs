/**
 * Takes the pictures of the built page: the README's picture (picture.webp), the social card (card.png) and the icons
 * that a browser installs the page with. They need a browser and cwebp (Debian’s package webp), which no build needs,
 * so they are committed; site.test.mjs holds their sizes. CHROMIUM=… node e2e/pictures/picture.mjs
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CARD, ICONS } from '../../site.mjs';
import { ready, story, visit, withSite } from './site.mjs';

/** @import { Browser } from '@playwright/test' */

const PICTURE = 'picture.webp';

const file = (/** @type {string} */ name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/**
 * The takeover of *A leader dies*.
 * @param {Browser} browser
 * @param {string} address
 * @param {{width: number, height: number}} viewport
 */
async function takeover(browser, address, viewport) {
  const tab = await visit(browser, `${address}#a-leader-dies&t=34.039s&e=36s`, viewport);
  await ready(tab);
  await tab.getByRole('button', { name: /^Nobody led from .* 14\.039 s$/ }).waitFor();
  await tab.locator('#events .event[data-current=true]').waitFor({ state: 'attached' });
  return tab;
}

/** Lossless, at two thirds of the size of a PNG. @param {Browser} browser @param {string} address */
async function picture(browser, address) {
  const tab = await takeover(browser, address, { width: 1440, height: 900 });
  const input = await tab.screenshot({ animations: 'disabled' });
  await tab.close();
  execFileSync('cwebp', ['-quiet', '-lossless', '-z', '9', '-o', file(PICTURE), '--', '-'], { input });
}

const icon = readFileSync(file('icon.svg'), 'utf8');

/**
 * The name and a short description, above the headline and the timeline.
 * @param {Browser} browser
 * @param {string} address
 */
async function card(browser, address) {
  const page = await takeover(browser, address, { width: 1770, height: 790 });
  const timelinePng = await page.screenshot({ clip: await story(page), animations: 'disabled' });
  await page.close();
  const { width, height } = CARD;
  const tab = await browser.newPage({ viewport: { width, height } });
  await tab.setContent(`<style>
    body { margin: 0; padding: 30px 38px; background: #f7f5f0; color: #15181e;
    font: 24px system-ui, "DejaVu Sans", sans-serif }
    h1 { padding: 0 12px; display: flex; align-items: center; gap: 14px; margin: 0; font-size: 44px }
    svg { width: 52px; height: 52px }
    p { margin: 0 0 0 auto; font-size: 24px; font-weight: 400; color: #5a6270 } div { margin-top: 10px }
    img { display: block; width: 1124px }</style>
    <h1>${icon} leaselab <p>A laboratory for Kubernetes leader election</p></h1>
    <div><img src="data:image/png;base64,${timelinePng.toString('base64')}"></div>`);
  await tab.locator('img').evaluate((img) => /** @type {HTMLImageElement} */ (img).decode());
  await tab.screenshot({ path: file(CARD.file) });
  await tab.close();
}

/** The icon up to its corners, so that a system can cut it to any shape. @param {Browser} browser */
async function icons(browser) {
  for (const { file: name, width, height } of ICONS) {
    const tab = await browser.newPage({ viewport: { width, height } });
    const ground = /<rect[^>]* fill="(#[0-9a-f]{6})"/.exec(icon)?.[1];
    await tab.setContent(
      `<style>body { margin: 0; background: ${ground} }
      svg { display: block; width: 100vw; height: 100vh }</style>${icon}`,
    );
    await tab.screenshot({ path: file(name) });
    await tab.close();
  }
}

await withSite(async (browser, address) => {
  await picture(browser, address);
  await card(browser, address);
  await icons(browser);
});
console.log([PICTURE, CARD.file, ...ICONS.map((one) => one.file)].map((name) => `web/${name}`).join('\n'));
