/**
 * Pages of other origins and `leaselab serve`: what they send does not arrive, and they show the page only where they
 * may.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { nightly } from './lab.mjs';

const LEASES = 'apis/coordination.k8s.io/v1/namespaces/default/leases';
const leaselab = fileURLToPath(new URL('../../bin/leaselab', import.meta.url));
const site = fileURLToPath(new URL('../dist', import.meta.url));

/** @type {import('node:http').Server} */
let elsewhere;
/** @type {string} */
let origin;

test.beforeAll(async () => {
  elsewhere = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>elsewhere</title>');
  }).listen(0, 'localhost');
  await once(elsewhere, 'listening');
  origin = `http://localhost:${/** @type {import('node:net').AddressInfo} */ (elsewhere.address()).port}`;
});

test.afterAll(() => {
  elsewhere.close();
});

/** Runs a server during a test. @param {string[]} flags @param {(address: string) => Promise<void>} use */
async function withServer(flags, use) {
  const server = spawn(leaselab, ['serve', '--addr', '127.0.0.1:0', '--site', site, ...flags]);
  try {
    const said = String((await once(server.stdout, 'data'))[0]);
    await use(/http:\S+\//.exec(said)?.[0] ?? '');
  } finally {
    server.kill();
  }
}

test('a page elsewhere writes nothing and reads nothing', async ({ page, request }) => {
  await withServer([], async (address) => {
    await page.goto(origin);
    const sendRequest = (/** @type {RequestInit} */ options) =>
      page.evaluate(
        async ({ url, options }) => {
          const body = options.method === 'POST' ? new Blob(['{"metadata":{"name":"from-elsewhere"}}']) : undefined;
          return (await fetch(url, { ...options, body }).catch((error) => error)).type ?? 'failed';
        },
        { url: `${address}${LEASES}`, options },
      );
    // A Blob without a type asks for no permission before it is sent, and has no Content-Type.
    expect(await sendRequest({ method: 'POST', mode: 'no-cors' })).toBe('failed');
    expect(await sendRequest({ method: 'POST', mode: 'no-cors', keepalive: true })).toBe('failed');
    expect(await sendRequest({ method: 'GET' })).toBe('failed');
    const form = await page.evaluate(async (action) => {
      const frame = document.createElement('iframe');
      frame.name = 'answer';
      const form = document.createElement('form');
      Object.assign(form, { action, method: 'post', enctype: 'text/plain', target: 'answer' });
      document.body.append(frame, form);
      const answered = new Promise((resolve) => frame.addEventListener('load', resolve));
      form.submit();
      await answered;
      return frame.contentDocument === null;
    }, `${address}${LEASES}`);
    expect(form, 'what came back is not readable').toBe(true);
    const list = await (await request.get(`${address}${LEASES}`)).json();
    expect(list.items).toEqual([]);
  });
});

/** A site that is not this machine's, as the browser sees it. */
const away = () => origin.replace(/\/\/[^:/]+/, '//docs.localhost');
for (const [name, flags, from, shows] of /** @type {[string, () => string[], () => string, boolean][]} */ ([
  ['another site does not show the page in a frame', () => [], away, false],
  ['a page of this machine shows the page in a frame', () => [], () => origin, true],
  ['an origin that was named shows the page in a frame', () => ['--embed-from', away()], away, true],
]))
  test(name, nightly(), async ({ page }) => {
    await withServer(flags(), async (address) => {
      await page.goto(from());
      await page.evaluate((src) => {
        const frame = document.createElement('iframe');
        frame.src = src;
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        document.body.append(frame);
        return loaded;
      }, address);
      const html = page.frameLocator('iframe').locator('html[data-state="ready"]');
      if (shows) await expect(html).toBeAttached();
      else await expect(page.frameLocator('iframe').locator('#bar')).toHaveCount(0);
      // A link is answered either way.
      await page.evaluate((href) => location.assign(href), address);
      await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
    });
  });
