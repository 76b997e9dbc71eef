/** The documentation: its search, its live figure, and both without a network. */
import { axe, expect, nightly, test } from './lab.mjs';

const field = (/** @type {import('@playwright/test').Page} */ page) =>
  page.getByRole('searchbox', { name: 'Search the documentation' });
const results = (/** @type {import('@playwright/test').Page} */ page) => page.locator('#results');

test(
  'the home opens at docs/ and leads on; an unknown address has its own page, and the wordmark leads home',
  {
    annotation: { type: 'allow', description: '404' },
  },
  async ({ page }) => {
    await page.goto('docs/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('What do you want to do?');
    await expect(page.locator('.door').getByRole('img')).toHaveCount(3);
    await axe(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await axe(page);
    await page.getByRole('link', { name: 'When do I need a fence' }).click();
    await expect(page.getByRole('navigation', { name: 'Learn' }).locator('[aria-current]')).toHaveText(
      'What the lock guarantees',
    );
    await page.getByRole('link', { name: 'Next: Where each number comes from' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where each number comes from');
    await page.getByRole('link', { name: 'All docs' }).click();
    await expect(page).toHaveURL(/docs\/index\.html$/);
    await page.goto('no/such/page');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing is here.');
    await axe(page);
    const docs = page.getByRole('link', { name: 'Read or search the docs' });
    await expect(docs).toHaveAttribute('href', /leaselab\/docs\/index\.html$/);
    await page.getByRole('main').getByRole('link', { name: 'Museum' }).click();
    await expect(page.locator('dialog#museum')).toBeVisible();
    await page.getByRole('link', { name: 'leaselab', exact: true }).click();
    await expect(page.locator('#headline h1')).toBeVisible();
  },
);

test(
  'search: by keyboard alone, nothing before it is used, and it says when nothing is found',
  nightly(),
  async ({ page }) => {
    /** @type {string[]} */
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto('docs/settings.html');
    await expect(field(page)).toBeVisible();
    expect(loaded.filter((path) => /sections|search|margin|engine|worker|wasm/.test(path))).toEqual([]);
    await page.keyboard.press('/');
    await expect(field(page)).toBeFocused();
    await page.keyboard.type('fencng tok');
    await expect(results(page).getByRole('status')).toHaveText(/^\d+ sections$|^One section$/);
    const first = results(page).getByRole('link').first();
    await expect(first).toContainText('What the lock guarantees › When you need fencing');
    await expect(first.locator('mark').first()).toBeVisible();
    await axe(page);
    await page.keyboard.press('ArrowDown');
    await expect(first).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/guarantees\.html#when-you-need-fencing$/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zzzzzz');
    await expect(results(page).getByRole('status')).toHaveText(
      'Nothing contains “zzzzzz”. Try fewer or shorter words.',
    );
    await page.keyboard.press('Escape');
    await expect(field(page)).toHaveValue('');
    await expect(field(page)).not.toBeFocused();
  },
);

test('a question: complete without JavaScript, and with it the search leads from one question to another', async ({
  browser,
  baseURL,
  page,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    baseURL,
    viewport: { width: 390, height: 844 },
  });
  const plain = await context.newPage();
  await plain.goto('docs/q/exit-on-loss.html');
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Must my process exit when it loses the Lease?');
  await expect(plain).toHaveTitle('Must my process exit when it loses the Lease? · leaselab');
  await expect(plain.getByText(/Without the first, two lead here for \d+\.\d s/)).toBeVisible();
  const still = plain.getByRole('figure').getByRole('img');
  await still.scrollIntoViewIfNeeded();
  const sizes = () => still.evaluate((image) => [/** @type {HTMLImageElement} */ (image).naturalWidth, innerWidth]);
  await expect.poll(async () => (await sizes())[0]).toBeGreaterThan(300);
  const wide = await plain.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await context.close();

  await page.goto('docs/q/exit-on-loss.html');
  await axe(page);
  await page.keyboard.press('/');
  await page.keyboard.type('has not yet expired');
  await expect(results(page).getByRole('link').first()).toContainText('is that an error?');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/docs\/q\/not-yet-expired\.html$/);
  await axe(page);
  await page.getByRole('link', { name: 'Open in the lab' }).click();
  await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'a-leader-at-work');
});

test('the live margin: the engine measures it, refuses what client-go refuses, and opens the run', async ({ page }) => {
  /** @type {string[]} */
  const loaded = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto('docs/guarantees.html');
  const figure = page.getByRole('form', { name: 'The margin, measured' });
  const said = figure.locator('output');
  await expect(figure).toBeVisible();
  expect(loaded.filter((path) => /engine|wasm|worker/.test(path))).toEqual([]);
  await figure.getByLabel('delay').fill('3');
  await expect(said).toContainText(/this run is 0\.000 s\. A follower starts .* after a has stopped/);
  await figure.getByLabel('delay').fill('8');
  await expect(said).toContainText('a reads no answer: it gives up on each request after renewDeadline ÷ 2, 5 s');
  await figure.getByLabel('delay').fill('4.9');
  await expect(said).toContainText('two lead');
  await figure.getByLabel('renewDeadline').fill('20');
  await expect(said).toContainText(/renewDeadline/);
  await figure.getByLabel('renewDeadline').fill('');
  await expect(said).toContainText(/^renewDeadline: /);
  await figure.getByLabel('renewDeadline').fill('10');
  await expect(said).toContainText('two lead');
  await axe(page, '#margin');
  await figure.getByRole('link', { name: 'Open this run in the lab' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(page).toHaveTitle(/The margin/);
});

test(
  'a run inside the concepts is light until it is touched, then plays; a link opens the same run in the page',
  nightly(),
  async ({ page }) => {
    /** @type {string[]} */
    const loaded = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto('docs/concepts.html');
    const figure = page.locator('figure', { hasText: 'The leader is paused' });
    await figure.scrollIntoViewIfNeeded();
    const frame = figure.frameLocator('iframe');
    await expect(frame.getByRole('button', { name: 'Start' })).toBeVisible();
    expect(loaded.filter((path) => /engine-.*wasm|worker-/.test(path))).toEqual([]);
    await frame.getByRole('button', { name: 'Start' }).click();
    await expect(frame.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
    await figure.getByRole('link', { name: 'Open in the lab' }).click();
    await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'paused-leader');
  },
);

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });
  test(
    'after a visit to the documentation its pages, the search, the live margin and the page work',
    nightly(),
    async ({ page }) => {
      await page.goto('docs/index.html');
      await page.evaluate(() => navigator.serviceWorker.ready);
      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
      await page.context().setOffline(true);
      await page.goto('docs/q/lost-once.html');
      const still = page.getByRole('figure').getByRole('img');
      await still.scrollIntoViewIfNeeded();
      await expect.poll(() => still.evaluate((image) => /** @type {any} */ (image).naturalWidth)).toBeGreaterThan(300);
      await page.goto('docs/guarantees.html');
      await page.keyboard.press('/');
      await page.keyboard.type('preferredHolder');
      await expect(results(page).getByRole('link').first()).toContainText('Settings › LeaseSpec');
      await page.keyboard.press('Escape');
      await page.getByLabel('leaseDuration').fill('20');
      await expect(page.locator('#margin output')).toContainText('The least margin');
      await page.getByRole('link', { name: 'leaselab', exact: true }).click();
      await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
    },
  );
});

test('the page can be installed', nightly(), async ({ page }) => {
  await page.goto('./');
  const session = await page.context().newCDPSession(page);
  const { errors } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // A Playwright context is a private window, in which nothing can be installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});
