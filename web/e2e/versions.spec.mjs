/** A new version under an open tab, with a crash of its engine between; and two sites on one origin. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { act, test as base, command, expect, nightly, open, ready, status } from './lab.mjs';
import { DIST, openHost } from './serve.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const SITE = '/leaselab/';
const chips = (/** @type {Page} */ page) => page.locator('#branches .chip');
const OLD_ENGINE = 'engine-of-another-version.wasm.zst';

/** The copies of the site's files; the unpacked engine is kept beside them. @param {Page} page */
const cacheNames = (page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => !name.endsWith(' unpacked')));
/** The entry of the page: another one in every version. @param {Page} page */
const script = (page) => page.evaluate(() => document.querySelector('script[type=module]')?.getAttribute('src'));

/** @type {import('@playwright/test').TestType<any, any>} */
const test = /** @type {any} */ (base).extend({
  // biome-ignore lint/correctness/noEmptyPattern: how Playwright is told that it needs nothing
  host: async (/** @type {any} */ {}, /** @type {any} */ use) => {
    const elsewhere = '<!doctype html><title>elsewhere</title><link rel="icon" href="data:,">';
    const host = await openHost({ files: { '/elsewhere/': elsewhere }, headers: { 'cache-control': 'no-store' } });
    await use(host);
    await host.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: likewise
  versions: async (/** @type {any} */ {}, /** @type {any} */ use) => {
    const made = makeVersions(3);
    await use(made.versions);
    made.remove();
  },
  baseURL: async (/** @type {any} */ { host }, /** @type {any} */ use) => use(host.at(SITE)),
});

/** Versions of the site. No file with a hash in its name appears in two of them. @param {number} count */
function makeVersions(count) {
  const home = mkdtempSync(join(tmpdir(), 'leaselab-versions-'));
  const versions = Array.from({ length: count }, (_, i) => {
    const directory = join(home, `${i + 1}`);
    cpSync(DIST, directory, { recursive: true });
    const names = new Map();
    for (const name of readdirSync(directory)) {
      const hashed = /^(.*)-([0-9A-Za-z]{8})(\.(?:js|css|json|wasm\.zst))$/.exec(name);
      if (hashed) names.set(name, `${hashed[1]}-${hashed[2].slice(0, 7)}${'xyzuvw'[i]}${hashed[3]}`);
    }
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      if (/\.(js|css|html)$/.test(name)) {
        let text = readFileSync(path, 'utf8');
        for (const [old, other] of names) text = text.replaceAll(old, other);
        if (name === 'sw.js') text = text.replace(/"([0-9a-f]{7})[0-9a-f]"/, `"$1${'xyzuvw'[i]}"`);
        writeFileSync(path, text);
      }
      if (names.has(name)) renameSync(path, join(directory, names.get(name)));
    }
    return directory;
  });
  return { versions, remove: () => rmSync(home, { recursive: true }) };
}

/**
 * The last worker of the page can be ended: its script throws.
 * @param {import('@playwright/test').BrowserContext} context
 */
async function mortal(context) {
  await context.addInitScript(() => {
    const Real = window.Worker;
    window.Worker = class extends Real {
      /** @param {string | URL} url */
      constructor(url) {
        super(url);
        /** @type {any} */ (window).worker = this;
      }
    };
  });
}
/** @param {Page} page */
async function crashEngine(page) {
  await page.evaluate(() =>
    /** @type {any} */ (window).worker.dispatchEvent(new ErrorEvent('error', { message: 'a test', cancelable: true })),
  );
  await expect(page.locator('#toasts')).toContainText('it restarts. The run is kept.');
}

/** @param {Page} page */
async function waitForWorker(page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** What the browser does by itself a while after a page was opened. @param {Page} page */
async function update(page) {
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
}

/** A newer service worker is there, and waits. @param {Page} page */
const waits = (page) => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));

/** A second branch, and something to undo in it. @param {Page} page */
async function twoBranches(page) {
  await open(page, '#a-leader-dies&t=12.3s&e=40s'); // paused: on a slow machine the run would end meanwhile
  await act(page, 'Crash a').click();
  await expect(chips(page)).toHaveText(['A leader dies', 'a crashes at 00:12.300']);
  await page.keyboard.press('2');
  await act(page, 'Pause b').click();
  await expect(status(page)).toContainText('b is paused');
}

/** All that a page loads later can be opened. @param {Page} page */
async function everythingOpens(page) {
  await page.getByRole('tab', { name: 'API' }).click();
  await expect(page.getByRole('textbox', { name: 'Command, as for kubectl' })).toBeVisible();
  await command(page, 'Museum');
  const museum = page.getByRole('dialog', { name: 'The museum of real incidents' });
  await expect(museum.getByRole('status')).toHaveText(/incidents$/);
  await page.keyboard.press('Escape');
  await expect(museum).toBeHidden();
}

const DAMAGES = ['another module', 'one flipped bit', 'half of the bytes', 'nothing', 'the page of a login'];

/**
 * In the page: damages the copies of the engine in the caches with such a name.
 * @param {{damage: string, which: string}} what
 */
async function damageCopies({ damage, which }) {
  for (const name of (await caches.keys()).filter((one) => one.endsWith(which))) {
    const cache = await caches.open(name);
    for (const request of (await cache.keys()).filter(({ url }) => /engine-.*\.zst$/.test(url))) {
      const bytes = new Uint8Array((await (await cache.match(request))?.arrayBuffer()) ?? new ArrayBuffer(0));
      bytes[bytes.length - 1] ^= 1; // of the data: the module compiles
      const other = {
        'another module': Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
        'one flipped bit': bytes,
        'half of the bytes': bytes.slice(0, bytes.length / 2),
        nothing: '',
        'the page of a login': '<!doctype html>',
      }[damage];
      await cache.put(request, new Response(other, { headers: { 'content-type': 'application/wasm' } }));
    }
  }
}

/** The hash of the unpacked engine. @param {Page} page */
const keptHash = (page) =>
  page.evaluate(async () => {
    const name = (await caches.keys()).find((one) => one.endsWith(' unpacked')) ?? '';
    const cache = await caches.open(name);
    const copy = await cache.match((await cache.keys())[0]);
    const digest = copy && (await crypto.subtle.digest('SHA-256', await copy.arrayBuffer()));
    return `${new Uint8Array(digest ?? new ArrayBuffer(0))}`;
  });

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test(
    'two new versions under an open tab: its engine comes back, its rooms open; its copies go when it goes',
    nightly(),
    async ({ context, page, host, versions }) => {
      const [first, second, third] = versions;
      await mortal(context);
      host.show(SITE, first);
      await twoBranches(page);
      await waitForWorker(page);
      const firstScript = await script(page);
      host.show(SITE, second);
      await update(page);
      await expect.poll(() => waits(page)).toBe(true);
      const newer = await context.newPage();
      await newer.goto('./');
      await ready(newer);
      expect(await script(newer)).not.toBe(firstScript);
      await expect.poll(() => cacheNames(page)).toHaveLength(2);

      host.show(SITE, third);
      await update(page);
      await expect.poll(() => cacheNames(page).then((names) => names.length)).toBe(3);

      for (const open of [page, newer]) {
        await open.bringToFront();
        await crashEngine(open);
        await everythingOpens(open);
      }
      await act(page, 'Resume b').click();
      await expect(status(page)).toContainText('b resumes');
      await expect(chips(page)).toHaveCount(2);

      await newer.close();
      await page.goto('/elsewhere/');
      await expect.poll(() => cacheNames(page).then((names) => names.length)).toBe(1);
      await page.goto('./');
      await ready(page);
      expect(await script(page)).not.toBe(firstScript);
    },
  );

  test(
    'a later visit takes the engine unpacked; another copy replaces a broken one; a new version prunes it',
    nightly(),
    async ({ context, page, host, versions }) => {
      test.setTimeout(600_000);
      const [first, second] = versions;
      host.show(SITE, first);
      await page.goto('./');
      await ready(page);
      await waitForWorker(page);
      /** What is kept unpacked, by file name. */
      const unpackedFiles = () =>
        page.evaluate(async () => {
          const name = (await caches.keys()).find((one) => one.endsWith(' unpacked'));
          const kept = name ? await (await caches.open(name)).keys() : [];
          return kept.map(({ url }) => url.split('/').at(-1));
        });
      await expect.poll(unpackedFiles).toEqual([expect.stringMatching(/^engine-.*\.wasm\.zst$/)]);
      const whole = await keptHash(page);
      for (const damage of DAMAGES) {
        await page.evaluate(damageCopies, { damage, which: ' unpacked' });
        expect(await keptHash(page), damage).not.toBe(whole);
        await page.reload();
        await ready(page);
        await expect.poll(() => keptHash(page), damage).toBe(whole);
      }
      expect(await unpackedFiles()).toHaveLength(1);
      // All copies at once: the packed one of the service worker, too.
      for (const damage of DAMAGES.slice(1)) {
        await page.evaluate(damageCopies, { damage, which: '' });
        await page.reload();
        await ready(page);
        await expect.poll(() => keptHash(page), damage).toBe(whole);
      }

      // Without the packed engine, and without a network, only the unpacked one is left.
      await page.evaluate(async () => {
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          for (const request of await cache.keys())
            if (request.url.endsWith('.zst') && !name.endsWith(' unpacked')) await cache.delete(request);
        }
      });
      await context.setOffline(true);
      await page.reload();
      await ready(page);
      await context.setOffline(false);

      await page.evaluate(async () => {
        const name = (await caches.keys()).find((one) => one.endsWith(' unpacked')) ?? '';
        await (await caches.open(name)).put('./engine-of-another-version.wasm.zst', new Response(''));
      });
      expect(await unpackedFiles()).toContain(OLD_ENGINE);
      host.show(SITE, second);
      await update(page);
      await expect.poll(() => waits(page)).toBe(true);
      await page.goto('/elsewhere/');
      await expect.poll(unpackedFiles).not.toContain(OLD_ENGINE);
    },
  );
});

test(
  'without one a room that is gone is said; Reload brings the new version with branches and undo',
  {
    annotation: { type: 'allow', description: 'Failed to load resource|dynamically imported module|nothing is here' },
    ...nightly(),
  },
  async ({ page, host, versions }) => {
    const [first, second] = versions;
    host.show(SITE, first);
    await twoBranches(page);
    const firstScript = await script(page);
    host.show(SITE, second);
    await command(page, 'Museum');
    const toast = page
      .locator('#toasts .toast')
      .filter({ hasText: 'A newer version of leaselab has replaced this one.' });
    await expect(toast).toBeVisible();
    await toast.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => script(page).catch(() => firstScript)).not.toBe(firstScript);
    await ready(page);
    await expect(chips(page)).toHaveText(['A leader dies', 'a crashes at 00:12.300']);
    await page.keyboard.press('1');
    await expect(act(page, 'Restart a')).toHaveAttribute('aria-disabled', 'false');
    await command(page, 'Undo');
    await expect(status(page)).toContainText(/^Undone: b is paused/);
    await command(page, 'Undo');
    await expect(status(page)).toContainText(/^Undone: a crashes/);
    await expect(chips(page)).toHaveCount(0);
    await everythingOpens(page);
  },
);
