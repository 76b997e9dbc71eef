/** A browser on the built site, for the scripts that take pictures of it. */
import { chromium } from '@playwright/test';
import { BASE, DIST, openHost } from '../serve.mjs';

const WITHIN_MS = 30_000;
/** The ground around the headline and the timeline, px. */
const EDGE = 12;

/**
 * Serves the site, starts a browser, and ends both after use.
 * @param {(browser: import('@playwright/test').Browser, address: string) => Promise<void>} use
 */
export async function withSite(use) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const host = await openHost({ folders: { [BASE]: DIST } });
  try {
    await use(browser, host.address);
  } finally {
    await browser.close();
    await host.close();
  }
}

/**
 * The page as a visitor who has dismissed the legend sees it.
 * @param {import('@playwright/test').Browser} browser @param {string} address @param {{width: number, height:
 *   number}} viewport
 */
export async function visit(browser, address, viewport) {
  const tab = await browser.newPage({ viewport, colorScheme: 'light', serviceWorkers: 'block' });
  await tab.addInitScript(() => {
    if (location.protocol === 'about:') return;
    const store = `leaselab ${new URL('.', location.href).pathname}`;
    localStorage.setItem(store, JSON.stringify({ legend: true }));
  });
  await tab.goto(address);
  return tab;
}

/** Waits for the engine. @param {import('@playwright/test').Page} tab */
export const ready = (tab) => tab.locator('html[data-state=ready]').waitFor({ timeout: WITHIN_MS });

/** The part of the page that holds the headline and the timeline. @param {import('@playwright/test').Page} tab */
export async function story(tab) {
  const [head, timeline] = await Promise.all(['#headline', '#timeline'].map((part) => tab.locator(part).boundingBox()));
  if (!head || !timeline) throw new Error('the page shows no headline and no timeline');
  const { x, width } = timeline;
  return {
    x: x - EDGE,
    y: head.y - EDGE,
    width: width + 2 * EDGE,
    height: timeline.y + timeline.height - head.y + EDGE,
  };
}
