/**
 * The page inside pages of other origins: what it shows and loads there, who may control it, and how it works
 * without its own origin.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from '@playwright/test';
import { axe, command, nightly, open } from './lab.mjs';
import { DIST, openHost } from './serve.mjs';

/** Files that a light embed has no need of. */
const HEAVY = /(engine|desk|worker|wasm_exec|opening)-\w+\./;

/** The width of a still (stillWidthPx of sim/cmd/leaselab/stills.go). */
const STILL_WIDTH = 560;

/** @type {import('node:http').Server} */
let server;
/** The page around the frames, and the policy with which it is sent. */
let body = '';
let policy = '';
/** @type {string} */
let host;

test.beforeAll(async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
    response.end(`<!doctype html><title>host</title><link rel="icon" href="data:,">${body}`);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  host = `http://localhost:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
});
test.afterAll(() => {
  server.close();
});

/**
 * A page whose policy allows the frames and nothing else, with an embed for each address. The frames' messages are
 * kept in its window.
 * @param {import('@playwright/test').Page} page @param {string} site @param {string[]} addresses @param {string}
 * [attributes] of the frames
 */
async function openEmbeds(page, site, addresses, attributes = '') {
  policy = `default-src 'none'; img-src data:; frame-src ${new URL(site).origin}`;
  const src = (/** @type {string} */ address) => new URL(address, site).href.replaceAll('&', '&amp;');
  body = addresses.map((one) => `<iframe ${attributes} src="${src(one)}" width="640" height="360"></iframe>`).join('');
  await page.addInitScript(() => {
    if (window.parent !== window) return;
    /** @type {any} */ (window).told = [];
    addEventListener('message', ({ data, origin }) => /** @type {any} */ (window).told.push({ ...data, origin }));
  });
  await page.goto(host);
  return addresses.map((_, i) => page.frameLocator('iframe').nth(i));
}

/**
 * Sends a message to a frame.
 * @param {import('@playwright/test').Page} page
 * @param {unknown} message
 * @param {string} [to]
 */
const send = (page, message, to = '*') =>
  page.evaluate(([message, to]) => window.frames[0].postMessage(message, /** @type {string} */ (to)), [message, to]);

/** The frame's last message of one kind. @param {import('@playwright/test').Page} page @param {string} event */
const lastMessage = (page, event) =>
  page.evaluate(
    (event) => /** @type {any} */ (window).told.findLast((/** @type {any} */ { leaselab }) => leaselab === event) ?? {},
    event,
  );

test('a page of another origin with a strict policy shows it, and steers it with four verbs', async ({
  page,
  baseURL,
}) => {
  const site = baseURL ?? '';
  /** @type {string[]} */
  const asked = [];
  const warned = /** @type {string[]} */ ([]);
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => warned.push(message.text()));
  const [frame] = await openEmbeds(page, site, [`?embed&act=constructor&host=${host}#a-leader-dies`]);

  // Three lanes, the gap, its length and the act are in the picture.
  await expect(frame.locator('#headline')).toContainText(/Nobody led for \d+\.\d{3} s/);
  const parts = [
    ...['a', 'b', 'c'].map((node) => frame.locator('.tl-lane').filter({ hasText: node })),
    frame.getByRole('group', { name: 'Gaps' }).getByRole('button', { name: /14\.039|nobody/i }),
    frame.getByRole('button', { name: 'Crash b', exact: true }),
    frame.getByRole('button', { name: 'Play' }),
    frame.getByRole('link', { name: 'Open in leaselab' }),
  ];
  for (const part of parts) await expect(part.first()).toBeInViewport({ ratio: 1 });
  expect(asked.filter((url) => HEAVY.test(url))).toEqual([]);
  await expect.poll(() => lastMessage(page, 'ready')).toEqual({ leaselab: 'ready', origin: new URL(site).origin });
  await expect
    .poll(() => lastMessage(page, 'state'))
    .toMatchObject({ scenario: 'a-leader-dies', leaders: ['b'], playing: false, phase: 'opening' });

  // Of another shape, and from a frame that is not the page around it.
  for (const message of ['play', { leaselab: 'dance' }, { leaselab: 'goTo', t: 'noon' }]) await send(page, message);
  const inside = page.frames()[1];
  await inside.evaluate(() => window.postMessage({ leaselab: 'play' }, '*'));
  await inside.evaluate(() => window.postMessage({ leaselab: 'pause' }, '*'));
  expect(
    asked.filter((url) => HEAVY.test(url)),
    'what is ignored loads nothing',
  ).toEqual([]);

  await send(page, { leaselab: 'goTo', t: 10 });
  await expect.poll(() => lastMessage(page, 'state')).toMatchObject({ t: 10, leaders: ['a'], phase: 'ready' });
  await send(page, { leaselab: 'act', act: 'crash' });
  await expect.poll(() => lastMessage(page, 'state')).toMatchObject({ leaders: [] });
  await send(page, { leaselab: 'pause' });
  await expect.poll(() => lastMessage(page, 'state')).toMatchObject({ playing: false });
  await send(page, { leaselab: 'act', act: 'crash', node: 'a' });
  await expect.poll(() => lastMessage(page, 'refused')).toMatchObject({ verb: 'act', why: /a/ });
  await send(page, { leaselab: 'play' }, new URL(site).origin);
  await expect.poll(() => lastMessage(page, 'state')).toMatchObject({ playing: true });

  const ignored = warned.filter((text) => text.includes('leaselab ignored'));
  expect(ignored.sort()).toEqual([
    'leaselab ignored a message: it does not come from the page around this frame.',
    'leaselab ignored a message: it must be an object such as {leaselab: "play"}.',
  ]);
  expect(warned.filter((text) => !text.includes('leaselab ignored'))).toEqual([]);
});

test('the HTML that the page offers shows its run on a page of another origin', async ({ page, baseURL, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '#crash&t=30s');
  await command(page, 'Embed it in a page');
  const dialog = page.getByRole('dialog', { name: 'Embed it in a page' });
  await dialog.getByRole('combobox', { name: 'Its button' }).selectOption('pause');
  await axe(page, 'dialog[open]');
  await dialog.getByRole('button', { name: 'Copy the HTML' }).click();
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(readClipboard).toContain('act=pause#crash&amp;t=30s&amp;seed=1"');
  body = await readClipboard();
  policy = `default-src 'none'; img-src data:; frame-src ${new URL(baseURL ?? '').origin}`;
  await page.goto(host);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: 'Crash' })).toBeVisible();
  await frame.getByRole('button', { name: 'Start' }).click();
  await expect(frame.locator('.embed-bar .readout')).toHaveText('00:30.000');
});

test(
  'several on one page are light: only the one that is touched loads the simulator',
  nightly(),
  async ({ page, baseURL }) => {
    /** @type {string[]} */
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    const frames = await openEmbeds(page, baseURL ?? '', [
      '?embed#a-leader-dies',
      '?embed#crash&t=30s',
      '?embed#a-leader-dies&t=30s',
    ]);
    for (const frame of frames) await expect(frame.getByRole('link', { name: 'Open in leaselab' })).toBeVisible();
    await expect(frames[1].getByRole('heading', { name: 'Crash' })).toBeVisible();
    // Tab passes through them.
    for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
    const heavy = () => asked.filter((url) => HEAVY.test(url));
    expect(heavy()).toEqual([]);

    await frames[1].getByRole('button', { name: 'Start' }).click();
    await expect(frames[1].locator('html')).toHaveAttribute('data-state', 'ready');
    await expect(frames[1].locator('.embed-bar .readout')).toHaveText('00:30.000');
    expect(heavy().filter((url) => /engine-\w+\.wasm/.test(url))).toHaveLength(1);
    for (const i of [0, 2]) await expect(frames[i].locator('html')).toHaveAttribute('data-state', 'opening');

    // The way to the whole page opens the run that was on show.
    await frames[1].getByRole('button', { name: 'Crash' }).click();
    await expect(frames[1].getByRole('button', { name: /^Undo: / })).toBeVisible();
    const [whole] = await Promise.all([
      page.waitForEvent('popup'),
      frames[1].getByRole('link', { name: 'Open in leaselab' }).click(),
    ]);
    await expect(whole.locator('html')).toHaveAttribute('data-state', 'ready');
    expect(new URL(whole.url()).search).toBe('');
    await expect(whole.locator('#scenario')).toContainText('Crash');
  },
);

test(
  'before the first touch each embed shows a still of what its address names, and in a small frame all of it',
  nightly(),
  async ({ page, baseURL }) => {
    const addresses = ['#crash&t=30s', '#crash&seed=9', '#lesson=3&step=4', '#lesson=the-fence', '#museum=B02'];
    const frames = await openEmbeds(
      page,
      baseURL ?? '',
      addresses.map((address) => `?embed${address}`),
    );
    await page.evaluate(() => {
      for (const frame of document.querySelectorAll('iframe')) [frame.width, frame.height] = ['390', '300'];
    });
    for (const [i, file] of ['crash', 'crash', 'lesson-3-4', 'lesson-9-1', 'museum-B02'].entries()) {
      const still = frames[i].getByRole('img', { name: /The timeline of the (shipped )?run/ });
      await expect(still).toHaveAttribute(
        'src',
        `./stills/${file === 'museum-B02' ? 'b02-three-second-margin' : file}.svg`,
      );
      await expect
        .poll(() => still.evaluate((/** @type {HTMLImageElement} */ one) => one.naturalWidth))
        .toBe(STILL_WIDTH);
      await expect(still).toBeInViewport({ ratio: 1 });
      for (const name of ['Start', 'Open in leaselab'])
        await expect(frames[i].getByRole(name === 'Start' ? 'button' : 'link', { name })).toBeInViewport({ ratio: 1 });
    }
    await expect(frames[1].getByText('The run of this link differs.')).toBeAttached();
    await frames[0].getByRole('button', { name: 'Start' }).click();
    await expect(frames[0].locator('html')).toHaveAttribute('data-state', 'ready');
    const rows = [
      ...['a', 'b', 'c'].map((node) => frames[0].getByRole('button', { name: `Lane ${node},` })),
      frames[0].getByRole('group', { name: 'Gaps' }).getByRole('button', { name: /^Nobody led/ }),
    ];
    for (const row of rows) await expect(row).toBeInViewport({ ratio: 1 });
    await expect(frames[0].locator('#timeline')).not.toHaveAttribute('data-scrolls');
  },
);

for (const cors of [false, true])
  test(
    `a sandboxed frame without an origin has a still and a link${cors ? ', where modules load, too' : ''}`,
    nightly(),
    async ({ page }) => {
      const site = await openHost({
        folders: { '/lab/': DIST },
        headers: cors ? { 'access-control-allow-origin': '*' } : {},
      });
      const [frame] = await openEmbeds(page, site.address, ['?embed#crash&t=30s'], 'sandbox="allow-scripts"');
      const link = frame.getByRole('link', { name: /leaselab|lab/ });
      await expect(link).toBeVisible();
      await expect(link).toHaveAttribute('href', `${site.address}#crash&t=30s`);
      await expect(frame.locator('body')).toContainText(/sandbox/);
      // A picture of the run: the one that was recorded with the page, or its drawing.
      if (cors) await expect(frame.getByRole('group', { name: 'Gaps' }).getByRole('button').first()).toBeVisible();
      else
        await expect
          .poll(() => frame.getByRole('img').evaluate((/** @type {HTMLImageElement} */ img) => img.naturalWidth))
          .toBe(STILL_WIDTH);
      await site.close();
    },
  );
