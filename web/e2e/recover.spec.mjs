/** The engine panics: the act that caused it is lost, and nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { unpack } from '../js/lib/unpack.js';
import { act, expect, link, nightly, open, plain, readout, status, test, traceHash } from './lab.mjs';

/** Stands before the worker's own script: the engine's one function answers every pause with a panic. */
const PANICS = `{
  let engine;
  Object.defineProperty(self, 'leaselab', {
    configurable: true,
    get: () => engine && ((text) => {
      const { id, op, params } = JSON.parse(text);
      if (op !== 'act' || params.act !== 'pause') return engine(text);
      const error = { code: 'panic', message: 'index out of range', stack: 'world.go:1' };
      return JSON.stringify({ id, ok: false, error });
    }),
    set: (value) => { engine = value; },
  });
}
`;

test('after a panic the run is restored, and goes on', plain, async ({ page }) => {
  await page.route('**/worker-*.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ contentType: 'text/javascript', body: PANICS + (await answer.text()) });
  });
  await open(page, '#a-leader-dies&t=12.3s');
  await act(page, 'Crash a').click();
  await expect(status(page)).toContainText('a crashes');
  await page.keyboard.press('2');
  const shown = await readout(page).textContent();
  const hash = await traceHash(page);
  const before = (await link(page)).share;

  await act(page, 'Pause b').click();
  const toasts = page.locator('#toasts');
  await expect(toasts).toContainText('The simulator crashed at this step.');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(readout(page)).toHaveText(shown ?? '');
  await expect(act(page, 'Pause b')).toBeVisible();
  await page.keyboard.press('1');
  await expect(act(page, 'Restart a')).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('2');
  await traceHash(page, hash);
  const { actions, cursor, live } = (await link(page)).share;
  expect({ actions, cursor, live }).toEqual({ actions: before.actions, cursor: before.cursor, live: before.live });

  await toasts.getByRole('button', { name: 'Copy the bug report' }).click();
  await expect(toasts).toContainText('Copied: the bug report');
  const report = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(report).toMatchObject({ op: 'act', params: { act: 'pause', node: 'b' }, message: 'index out of range' });

  await act(page, 'Crash b').click();
  await expect(status(page)).toContainText('b crashes');
});

/** Stands before the worker's own script: the run that is open now cannot be opened again. */
const KILLS = `{
  let engine;
  Object.defineProperty(self, 'leaselab', {
    configurable: true,
    get: () => engine && ((text) => {
      const { id, op, params } = JSON.parse(text);
      if (op === 'act') throw new WebAssembly.RuntimeError('unreachable');
      if (op !== 'open' || params.scenario.kind !== 'Snapshot') return engine(text);
      return JSON.stringify({ id, ok: false, error: { code: 'panic', message: 'index out of range', stack: '' } });
    }),
    set: (value) => { engine = value; },
  });
}
`;

test('a run that kills every engine is said, and another scenario opens', nightly(), async ({ page }) => {
  await page.route('**/worker-*.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ contentType: 'text/javascript', body: KILLS + (await answer.text()) });
  });
  await open(page, '#crash&t=5s');
  await act(page, 'Crash a').click();
  await expect(page.locator('html')).toHaveAttribute('data-state', 'failed');
  await expect(page.locator('#notice')).toContainText('The simulator crashes whenever it opens this run');
  await page.locator('#toasts').getByRole('button', { name: 'Open the default scenario' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'a-leader-dies');
  await expect(page.locator('#notice')).toBeHidden();
});

test('a scenario that kills the engine as it opens costs nothing', nightly(), async ({ page }) => {
  await page.route('**/worker-*.js', async (route) => {
    const answer = await route.fetch();
    const body = KILLS.replace("op === 'act'", "op === 'open' && params.scenario === 'paused-leader'");
    await route.fulfill({
      contentType: 'text/javascript',
      body: body.replace("'Snapshot'", "'none'") + (await answer.text()),
    });
  });
  await open(page, '#a-leader-dies&t=12.3s');
  await act(page, 'Crash a').click();
  await expect(status(page)).toContainText('a crashes');
  const hash = await traceHash(page);
  await page.keyboard.press('o');
  await page.locator('#scenarios [data-scenario="paused-leader"]').click();
  await expect(page.locator('#toasts')).toContainText('The simulator crashed at this step.');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  await traceHash(page, hash);
  await page.keyboard.press('2');
  await act(page, 'Pause b').click();
  await expect(status(page)).toContainText('b is paused');
});

test('a link that kills the engine opens the default scenario', async ({ page }) => {
  await page.route('**/worker-*.js', async (route) => {
    const answer = await route.fetch();
    const body = KILLS.replace("op === 'act'", "op === 'open' && params.scenario === 'crash'");
    await route.fulfill({ contentType: 'text/javascript', body: body + (await answer.text()) });
  });
  await open(page, '#crash&t=5s');
  await expect(page.locator('#toasts')).toContainText('This link could not be opened');
  await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'a-leader-dies');
});

test('an engine that is not the one that was built does not run', nightly(), async ({ page }) => {
  const folder = process.env.E2E_DIST ?? 'dist';
  const file = readdirSync(folder).find((name) => name.startsWith('engine-') && name.endsWith('.zst')) ?? '';
  const module = unpack(new Uint8Array(readFileSync(`${folder}/${file}`)));
  module[module.length - 1] ^= 1; // of the data: it is as valid as before
  await page.route('**/engine-*.wasm.zst', (route) => route.fulfill({ body: Buffer.from(module) }));
  await page.goto('./');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'failed');
  await expect(page.locator('#notice')).toContainText("the engine's file is broken: it is not the one that was built");
});
