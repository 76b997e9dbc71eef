/** What comes from outside the page - links, storage, a browser that lacks something - gives a run or a sentence. */
import { fileURLToPath } from 'node:url';
import { packLink } from '../js/lib/share.js';
import { act, expect, headline, nightly, ready, test } from './lab.mjs';

const toasts = (/** @type {import('@playwright/test').Page} */ page) => page.locator('#toasts');
const notice = (/** @type {import('@playwright/test').Page} */ page) => page.locator('#notice');
const run = { scenario: 'a-leader-dies', cursor: { t: 30e9, n: -1 }, live: { t: 30e9, n: -1 } };

/** @param {object} content */
const linkTo = async (content) => `#${await packLink(JSON.stringify(content))}`;

test('a link without patch and acts opens', nightly(), async ({ page }) => {
  await page.goto(`./${await linkTo({ ...run, scenario: 'crash' })}`);
  await ready(page);
  await expect(page.locator('#readout')).toContainText('00:30');
});

test('links that are none give a sentence and the default run', nightly(), async ({ page }) => {
  const deep = `{"scenario":${'['.repeat(300_000)}`;
  for (const [link, words] of [
    ['#%zz', 'This link names no scenario'],
    [await linkTo({ ...run, patch: null }), 'its patch must be a list'],
    [`#${await packLink(deep)}`, 'nested more than 100 levels deep'],
    [await linkTo({ ...run, actions: [{ at: 7 }] }), 'actions[0].at'],
  ]) {
    await page.goto('about:blank');
    await page.goto(`./${link}`);
    await ready(page);
    await expect(toasts(page)).toContainText(words);
    await expect(toasts(page)).toContainText('he default scenario is open instead');
    await expect(headline(page)).not.toBeEmpty();
  }
});

test('a request nested 4,000 deep in a link costs its answer, not the engine', nightly(), async ({ page }) => {
  const body = `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`;
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/demo';
  const headers = ['Content-Type: application/merge-patch+json'];
  const actions = [{ at: '20s', act: 'request', method: 'PATCH', path, headers, body }];
  await page.goto(`./${await linkTo({ ...run, actions })}`);
  await ready(page);
  await expect(page.locator('#readout')).toContainText('00:30');
  await page.keyboard.press('k');
  await expect(act(page, 'Restart a')).toBeVisible();
});

test.describe('a browser that lacks something', () => {
  test.use({ serviceWorkers: 'block' });
  for (const [name, words] of [
    ['Worker', 'this browser has no Worker'],
    ['WebAssembly', 'WebAssembly is blocked'],
  ]) {
    test(`without ${name} the recorded run can be watched`, nightly(), async ({ page }) => {
      if (name === 'Worker') await page.addInitScript('delete globalThis.Worker');
      // A worker has its own scope: the first file that it loads takes the feature away.
      else {
        await page.route('**/wasm_exec-*.js', (route) =>
          route.fulfill({ contentType: 'text/javascript', body: 'delete self.WebAssembly; self.Go = class {};' }),
        );
      }
      await page.goto('./');
      await expect(page.locator('html')).toHaveAttribute('data-state', 'failed');
      await expect(notice(page)).toContainText(words);
      await expect(notice(page)).toContainText('You can still watch this recorded run');
    });
  }

  test('without DecompressionStream a link says so', nightly(), async ({ page }) => {
    await page.addInitScript('delete globalThis.DecompressionStream');
    await page.goto(`./${await linkTo(run)}`);
    await expect(toasts(page)).toContainText('This browser cannot unpack links');
  });
});

test(
  'opened as a file the page says what it needs',
  { ...nightly(), annotation: { type: 'allow', description: 'CORS|ERR_FAILED|file:' } },
  async ({ page }) => {
    await page.goto(`file://${fileURLToPath(new URL('../dist/index.html', import.meta.url))}`);
    await expect(page.locator('#unstarted')).toHaveCSS('opacity', '1');
    await expect(page.locator('#unstarted')).toContainText('check that the page comes from a web server');
  },
);

test('without scripts the page says what it needs', nightly(), async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const page = await context.newPage();
  await page.goto('./');
  await expect(page.locator('#unstarted')).toHaveCSS('opacity', '1');
  await context.close();
});
