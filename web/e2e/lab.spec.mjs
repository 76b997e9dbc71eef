/** The page with its engine: watch, act, scrub, share, open files. */
import { encodeLink } from '../js/lib/share.js';
import {
  act,
  command,
  expect,
  headline,
  nightly,
  open,
  plain,
  readout,
  ready,
  status,
  test,
  toLeaderChange,
  typeSetting,
} from './lab.mjs';

/** The one test that tries to leave. */
const allowBlocked = { annotation: { type: 'allow', description: 'Content Security Policy' } };

test('the first election', nightly(), async ({ page }) => {
  await open(page, '#first-election&t=0s');
  await expect(headline(page)).toContainText('Nobody leads');
  await toLeaderChange(page);
  await expect(headline(page)).toContainText(/leads\./);
  await expect(page.locator('#events')).toContainText('creates the Lease');
});

test('crash the leader, see the takeover and why', plain, async ({ page }) => {
  await open(page, '#a-leader-dies&t=12s');
  await act(page, 'Crash a').click();
  await expect(status(page)).toContainText('a crashes');
  await expect(act(page, 'Restart a')).toHaveAttribute('aria-disabled', 'false');
  await toLeaderChange(page);
  await expect(headline(page)).toContainText(/Nobody led for \d+\.\d{3} s/);
  const events = page.locator('#events');
  await expect(events).toContainText(/starts leading/);
  await page.keyboard.press('/');
  await page.locator('#filter').fill('longer than');
  await expect(events).toContainText(/free to take/);
  await page.locator('#filter').fill('foo');
  await expect(events).toContainText('No event contains “foo”. Clear the filter.');
  await events.getByRole('button', { name: 'Clear the filter.' }).click();
  await headline(page).getByRole('button').first().click();
  await expect(page.locator('#why')).toContainText('What happened');
});

test('scrub back to before the crash and see the old holder', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=40s');
  await expect(page).toHaveTitle(/b leads/);
  await page.keyboard.press('g');
  await page.locator('#goto-t').fill('15');
  await page.keyboard.press('Enter');
  await expect(readout(page)).toHaveText('00:15.000 · 25.0 s behind');
  await expect(page).toHaveTitle(/a leads/);
  await page.getByRole('tab', { name: 'Beliefs' }).click();
  await expect(page.locator('#beliefs')).toContainText('stored Lease: a');
});

test('an act in the past makes a branch; undo removes it', async ({ page }) => {
  await open(page, '#a-leader-dies&t=12.3s&e=40s');
  await act(page, 'Crash a').click();
  await expect(page.locator('#toasts')).toContainText('New branch. The original run is kept.');
  const branches = page.locator('#branches');
  await expect(branches.locator('.chip')).toHaveCount(2);
  await branches.getByRole('button').first().click();
  await expect(readout(page)).toContainText('behind');
  await branches.getByRole('button').nth(1).click();
  await page.keyboard.press('z');
  await expect(status(page)).toContainText('Undone');
  await expect(act(page, 'Crash a')).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('Shift+Z');
  await expect(status(page)).toContainText('Redone');
});

test('the link reopens at the same instant', nightly(), async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '#a-leader-dies&t=30s');
  await page.keyboard.press('2');
  await act(page, 'Crash b').click();
  await expect(act(page, 'Restart b')).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('ArrowRight');
  await expect(readout(page)).not.toContainText('00:30.000');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(headline(page)).toContainText('Nobody led for');
  const shown = await readout(page).textContent();
  await page.keyboard.press('l');
  await expect(page.locator('#toasts')).toContainText(/Copied: the link, which opens at \d\d:/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('#v1.');
  const other = await context.newPage();
  await other.goto(link);
  await ready(other);
  await expect(readout(other)).toHaveText(shown ?? '');
  await expect(act(other, 'Restart b')).toHaveAttribute('aria-disabled', 'false');
  await page.reload();
  await ready(page);
  await expect(readout(page)).toHaveText(shown ?? '');
  await other.close();
});

test('a knob: the rule at the field, then a run with it', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s');
  const form = await typeSetting(page, 'leaseDuration', '9s');
  await expect(form.getByRole('alert')).toContainText('renewDeadline');
  const field = form.getByRole('textbox', { name: 'leaseDuration' });
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill('20s');
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  await expect(page.locator('#knobs').getByRole('button', { name: /^leaseDuration/ })).toHaveText('20 s');
});

test('impossible acts say why', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s');
  await page.keyboard.press('1');
  await page.keyboard.press('k');
  await expect(page.locator('#toasts')).toContainText('a is already down');
});

test('files: a bad one is refused with its place and the run stays; a good one opens', async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s');
  const toasts = page.locator('#toasts');
  const give = (/** @type {string} */ name, /** @type {string} */ text) =>
    page.locator('#file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await give('bad.json', '{"apiVersion":"leaselab.dev/v1alpha1",\n"kind":"Scenario",\n"color":"red"}');
  const errors = page.getByRole('dialog', { name: 'Errors of the file' });
  await expect(errors.getByRole('listitem')).toHaveText([
    /^duration: /,
    /^candidates: /,
    /^Line 3: color: unknown field/,
  ]);
  await page.keyboard.press('Escape');
  await give('bad.yaml', 'apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nelector:\n  releaseOnCancel: yes\n');
  await expect(toasts).toContainText('Line 4');
  await give('big.json', ' '.repeat((4 << 20) + 1));
  await expect(toasts).toContainText('4 MiB at most');
  await expect(readout(page)).toHaveText('00:25.000 · live');
  const scenario = {
    apiVersion: 'leaselab.dev/v1alpha1',
    kind: 'Scenario',
    seed: 1,
    duration: '60s',
    candidates: [{ name: 'x' }, { name: 'y' }],
  };
  await give('good.json', JSON.stringify(scenario));
  await expect(page.locator('#side')).toContainText('x');
});

test('save and open again', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s');
  for (const format of ['JSON', 'YAML']) {
    const [download] = await Promise.all([page.waitForEvent('download'), command(page, `Save the run as ${format}`)]);
    const path = await download.path();
    expect(download.suggestedFilename()).toMatch(format === 'JSON' ? /\.json$/ : /\.yaml$/);
    await page.locator('#file').setInputFiles({
      name: download.suggestedFilename(),
      mimeType: 'text/plain',
      buffer: await import('node:fs/promises').then((fs) => fs.readFile(path)),
    });
    await expect(page.locator('#toasts')).toContainText(`${download.suggestedFilename()} is open.`);
  }
});

test('no spoiler: two runs that differ only later look the same', async ({ browser }) => {
  const at = { t: 19e9, n: -1 };
  const plain = {
    scenario: 'a-leader-dies',
    patch: [],
    actions: [],
    seed: 1004,
    engine: 0, // not said: no warning of another one
    hash: '',
    cursor: at,
    live: at,
  };
  const looks = /** @type {(() => Promise<object>)[]} */ ([]);
  const contexts = await Promise.all([browser.newContext(), browser.newContext()]);
  const later = [
    ['40s', 'c'],
    ['30s', 'b'],
  ].map(([at, target]) => [{ at, act: 'crash', target }]);
  for (const [i, actions] of later.entries()) {
    const page = await contexts[i].newPage();
    await open(page, `#${await encodeLink({ ...plain, actions })}`);
    await expect(readout(page)).toHaveText('00:19.000 · live');
    await page.mouse.move(0, 0);
    const canvases = page.locator('#timeline canvas');
    looks.push(async () => {
      const pictures = await canvases.evaluateAll((all) =>
        all.map((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL()),
      );
      return { text: await page.locator('body').ariaSnapshot(), title: await page.title(), pictures };
    });
  }
  await expect(async () => expect(await looks[1]()).toEqual(await looks[0]())).toPass({ timeout: 60_000 });
  for (const context of contexts) await context.close();
});

test('keyboard only: who leads, crash it, learn why', async ({ page }) => {
  await open(page, '#a-leader-dies&t=12s');
  await page.keyboard.press('k');
  await expect(status(page)).toContainText('a crashes');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(headline(page)).toContainText('Nobody led for');
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const inside = await page.evaluate(
      () => document.activeElement?.closest('#headline') !== null && document.activeElement !== document.body,
    );
    if (inside) break;
  }
  await page.keyboard.press('Enter');
  await expect(page.locator('#why')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('#why')).toBeHidden();
});

test('a tab without doors: the worker has no way out', allowBlocked, async ({ page }) => {
  await open(page, '');
  const worker = page.workers()[0];
  const doors = await worker.evaluate(() =>
    ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts'].filter(
      (name) => /** @type {any} */ (self)[name] !== undefined,
    ),
  );
  expect(doors).toEqual([]);
  const blocked = await page.evaluate(() =>
    fetch('https://example.com/').then(
      () => 'went out',
      () => 'blocked',
    ),
  );
  expect(blocked).toBe('blocked');
});
