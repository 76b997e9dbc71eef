/** Every act and every setting through the page, and what the visitor sees. */
import {
  act,
  chooseFault,
  command,
  expect,
  headline,
  link,
  nightly,
  open,
  setSetting,
  status,
  test,
  toLeaderChange,
  traceHash,
  typeSetting,
} from './lab.mjs';

/** @param {import('@playwright/test').Page} page @param {RegExp} name */
const onStage = (page, name) => page.locator('#stage').getByRole('button', { name });

test('pause and resume', async ({ page }) => {
  await open(page, '#a-leader-dies&t=12s');
  await act(page, 'Pause a').click();
  await expect(status(page)).toContainText('a is paused');
  await expect(onStage(page, /^a, paused/)).toBeVisible();
  await expect(act(page, 'Pause a')).toBeHidden();
  await expect(page.locator('#timeline').getByRole('button', { name: /^a is paused, since/ })).toHaveCount(1);
  await act(page, 'Resume a').click();
  await expect(status(page)).toContainText('a resumes');
  await expect(onStage(page, /^a, leading/)).toBeVisible();
});

for (const [direction, words] of [
  ['', 'cut off'],
  ['up', 'requests cut'],
  ['down', 'answers cut'],
]) {
  test(`a ${words}, and healed`, nightly(), async ({ page }) => {
    await open(page, '#a-leader-dies&t=12s');
    if (direction) {
      const fault = await chooseFault(page, 'cut');
      await fault.locator('[data-path="direction"]').getByRole('combobox').selectOption(direction);
      await fault.getByRole('button', { name: /^Do it at/ }).click();
    } else await act(page, 'Cut a').click();
    await expect(onStage(page, new RegExp(`^a, leading.*, ${words}$`))).toBeVisible();
    await act(page, 'Heal a').click();
    await expect(status(page)).toContainText('a is connected again');
    await expect(onStage(page, /^a, leading.* s$/)).toBeVisible();
    await expect(act(page, 'Cut a')).toBeVisible();
  });
}

test('stop gracefully: another one leads', nightly(), async ({ page }) => {
  await open(page, '#first-election&t=12s');
  await act(page, 'Stop a').click();
  await expect(status(page)).toContainText('a is asked to stop');
  await toLeaderChange(page);
  await expect(onStage(page, /^a, stopped/)).toBeVisible();
  await expect(headline(page)).toContainText(/Nobody led for/);
  await expect(page).toHaveTitle(/^[bc] leads/);
});

test('add a node, remove it', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=12s');
  await act(page, 'Add a node').click();
  await expect(onStage(page, /^d, /)).toBeVisible();
  await expect(page.locator('#timeline').getByRole('button', { name: /^Lane d/ })).toBeVisible();
  await page.keyboard.press('4');
  await (await chooseFault(page, 'remove')).getByRole('button', { name: /^Do it at/ }).click();
  await expect(status(page)).toContainText('Remove: d leaves for good, now.');
  await expect(onStage(page, /^d, left/)).toBeVisible();
  await expect(act(page, 'Crash d')).toHaveAttribute('aria-disabled', 'true');
});

/** @param {import('@playwright/test').Page} page */
const leaseDuration = (page) => page.locator('#knobs').getByRole('button', { name: /^leaseDuration/ });

test('a knob, run again from 0: same seed, the old run stays; undo and redo restore', async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s');
  const first = await traceHash(page);
  await setSetting(page, 'leaseDuration', '20');
  await expect(leaseDuration(page)).toHaveText('20 s');
  await page.locator('[data-command="menu"]').click();
  await expect(page.locator('#seed')).toHaveValue('1004');
  await page.keyboard.press('Escape');
  await expect(page.locator('#branches .chip')).toHaveCount(2);
  const second = await traceHash(page);
  expect(second).not.toBe(first);
  const { share } = await link(page);
  expect(share.patch).toEqual([{ path: 'elector.leaseDuration', value: '20s' }]);
  await page.keyboard.press('z');
  await expect(leaseDuration(page)).toHaveText('15 s');
  await traceHash(page, first);
  expect((await link(page)).share.hash).toBe(first);
  await page.keyboard.press('Shift+Z');
  await expect(leaseDuration(page)).toHaveText('20 s');
  await traceHash(page, second);
});

test('a knob, restart the node with it', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=12s');
  const form = await typeSetting(page, 'leaseDuration', '20');
  await form.getByRole('button', { name: 'Restart a with it' }).click();
  await expect(status(page)).toContainText('elector.leaseDuration changed');
  await expect(onStage(page, /^a, following/)).toBeVisible();
  const { share } = await link(page);
  expect(share.patch).toEqual([]);
  expect(share.actions.map((/** @type {any} */ one) => one.act)).toEqual(['set', 'crash', 'restart']);
  await page.keyboard.press('z');
  await expect(onStage(page, /^a, leading/)).toBeVisible();
});

test('the seed: typed, rolled anew, taken back', nightly(), async ({ page }) => {
  await open(page, '#crash&t=30s');
  const seed = page.locator('#seed');
  const menu = page.locator('#menu');
  const openMenu = () => page.locator('[data-command="menu"]').click();
  const type = async (/** @type {string} */ value) => {
    await openMenu();
    await seed.fill(value);
    await seed.press('Enter');
    await expect(menu).toBeHidden();
  };
  const first = await traceHash(page);
  await type('x');
  await expect(page.locator('#toasts')).toContainText('The seed “x” must be a whole number');
  await expect(seed).toHaveValue('1');
  await type('7');
  await expect(status(page)).toContainText('seed is 7');
  const second = await traceHash(page);
  expect(second).not.toBe(first);
  await openMenu();
  await menu.getByRole('button', { name: 'Another seed' }).click();
  await expect(seed).not.toHaveValue('7');
  await command(page, 'Undo');
  await expect(seed).toHaveValue('7');
  await traceHash(page, second);
  await command(page, 'Undo');
  await expect(seed).toHaveValue('1');
  await traceHash(page, first);
});

test(
  'a past act, a knob, two undos, two redos: hash, cursor and branches are restored',
  nightly(),
  async ({ page }) => {
    await open(page, '#a-leader-dies&t=12.3s&e=40s');
    const branches = page.locator('#branches .chip');
    const look = async () => ({
      hash: await traceHash(page),
      at: await page.locator('#readout').textContent(),
      branches: await branches.allTextContents(),
    });
    const start = await look();
    await act(page, 'Crash a').click();
    await expect(branches).toHaveCount(2);
    const acted = await look();
    await setSetting(page, 'leaseDuration', '16');
    await expect(leaseDuration(page)).toHaveText('16 s');
    await expect(branches).toHaveCount(3);
    const edited = await look();
    await page.keyboard.press('z');
    await expect(branches).toHaveCount(acted.branches.length);
    expect(await look()).toEqual(acted);
    await page.keyboard.press('z');
    await expect(branches).toHaveCount(start.branches.length);
    expect(await look()).toEqual(start);
    await page.keyboard.press('Shift+Z');
    await expect(branches).toHaveCount(2);
    expect(await look()).toEqual(acted);
    await page.keyboard.press('Shift+Z');
    await expect(branches).toHaveCount(3);
    expect(await look()).toEqual(edited);
  },
);
