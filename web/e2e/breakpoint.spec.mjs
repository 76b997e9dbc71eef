/** Breakpoints, and the tree of branches: set, stop, refuse; name, fork, delete, undo, save, open. */

import { readFile } from 'node:fs/promises';
import { encodeLink } from '../js/lib/share.js';
import { act, axe, command, expect, link, nightly, open, readout, status, test, traceHash } from './lab.mjs';

/** @param {import('@playwright/test').Page} page @param {string} name */
const dialog = (page, name) => page.getByRole('dialog', { name });

test('stop when two leaders are active: from the form, by running ahead', async ({ page }) => {
  await open(page, '#paused-leader&t=5s');
  await command(page, 'Breakpoints…');
  const room = dialog(page, 'Breakpoints');
  await expect(room.getByRole('button', { name: 'Run to the next breakpoint' })).toBeDisabled();
  await room.getByRole('combobox', { name: 'Stop when' }).selectOption('active');
  await room.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(room.getByRole('list', { name: 'Breakpoints' })).toContainText('active >= 2');
  await axe(page, 'dialog[open]');
  await room.getByRole('button', { name: 'Run to the next breakpoint' }).click();
  await expect(room).toBeHidden();
  await expect(readout(page)).toContainText('00:36.050');
  await expect(page.locator('#toasts')).toContainText('Stopped at 00:36.050: active >= 2.');
  await expect(page.locator('#headline')).toContainText('while a is paused');
  await command(page, 'Run to the next breakpoint');
  await expect(page.locator('#toasts')).toContainText('“active >= 2” never becomes true before the run ends.');
});

test(
  'a condition by hand: refused with its place, then true between two events; off; kept in the link',
  nightly(),
  async ({ page }) => {
    await open(page, '#a-leader-dies&t=5s');
    await command(page, 'Breakpoints…');
    const room = dialog(page, 'Breakpoints');
    const field = room.getByRole('textbox', { name: 'Or write a condition' });
    await field.fill('leaderless > 10s');
    await page.keyboard.press('Enter');
    await expect(room.getByRole('alert')).toHaveText(
      'breakpoint "leaderless > 10s", character 12: expected ">=", found ">"',
    );
    await expect(field).toHaveValue('leaderless > 10s');
    await axe(page, 'dialog[open]');
    await field.fill('leaderless >= 10s');
    await page.keyboard.press('Enter');
    await expect(room.getByRole('alert')).toBeHidden();
    await field.fill('holder=b');
    await page.keyboard.press('Enter');
    const list = room.getByRole('list', { name: 'Breakpoints' });
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await list.getByRole('checkbox', { name: 'holder = b' }).uncheck();
    await page.keyboard.press('Escape');
    await expect(room).toBeHidden();
    const { share } = await link(page);
    expect(share.breakpoints).toEqual([{ text: 'leaderless >= 10s' }, { text: 'holder = b', off: true }]);
    await page.goto('about:blank');
    await open(page, `#${await encodeLink(share)}`);
    await command(page, 'Breakpoints…');
    await expect(room.getByRole('checkbox', { name: 'leaderless >= 10s' })).toBeChecked();
    await expect(room.getByRole('checkbox', { name: 'holder = b' })).not.toBeChecked();
    await room.getByRole('button', { name: 'Run to the next breakpoint' }).click();
    await expect(readout(page)).toContainText('00:30.000');
  },
);

test('playing stops at a breakpoint', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=15s');
  await command(page, 'Breakpoints…');
  const room = dialog(page, 'Breakpoints');
  await room.getByRole('combobox', { name: 'Stop when' }).selectOption('role');
  await room.getByRole('combobox', { name: 'Role' }).selectOption('down');
  await room.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(room.getByRole('list', { name: 'Breakpoints' })).toContainText('role of a = down');
  await page.keyboard.press('Escape');
  await expect(room).toBeHidden();
  await page.keyboard.press('Space');
  await expect(page.locator('#toasts')).toContainText('Stopped at 00:20.000: role of a = down.');
  await expect(readout(page)).toContainText('00:20.000');
});

test('the tree: fork, name, switch, delete, undo, all by keyboard', async ({ page }) => {
  await open(page, '#a-leader-dies&t=12.3s&e=40s');
  await act(page, 'Crash a').click();
  await expect(status(page)).toContainText('a crashes');
  await command(page, 'Branches: the tree…');
  const room = dialog(page, 'Branches');
  await expect(room.getByRole('listitem')).toHaveCount(2);
  await expect(room.locator('[aria-current="true"]')).toHaveText('a crashes at 00:12.300');
  await axe(page, 'dialog[open]');
  await room.getByRole('button', { name: 'Rename a crashes at 00:12.300' }).focus();
  await page.keyboard.press('Enter');
  const field = room.getByRole('textbox', { name: 'Name of the branch' });
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await expect(room).toBeVisible();
  await page.getByRole('button', { name: 'Rename a crashes at 00:12.300' }).press('Enter');
  await field.fill('too early');
  await page.keyboard.press('Enter');
  await expect(room.getByRole('button', { name: 'too early', exact: true })).toBeFocused();
  await room.getByRole('button', { name: 'Fork at 00:12.300' }).press('Enter');
  await expect(room.getByRole('listitem')).toHaveCount(3);
  await expect(room.locator('[aria-current="true"]')).toHaveText('fork at 00:12.300');
  await room.getByRole('button', { name: 'A leader dies', exact: true }).press('Enter');
  await expect(room.locator('[aria-current="true"]')).toHaveText('A leader dies');
  await room.getByRole('button', { name: 'Delete too early' }).press('Enter');
  await expect(room.getByRole('listitem')).toHaveCount(2);
  await room.getByRole('button', { name: 'Undo: delete too early' }).press('Enter');
  await expect(room.getByRole('listitem')).toHaveCount(3);
  for (const [undo, current] of [
    [/^Undo: switch to A leader dies/, 'fork at 00:12.300'],
    [/^Undo: fork/, 'too early'],
    [/^Undo: rename/, 'a crashes at 00:12.300'],
  ]) {
    await room.getByRole('button', { name: undo }).press('Enter');
    await expect(room.locator('[aria-current="true"]')).toHaveText(/** @type {string} */ (current));
  }
  await room.getByRole('button', { name: /^Redo: rename/ }).press('Enter');
  await expect(room.locator('[aria-current="true"]')).toHaveText('too early');
});

test('the whole session is saved and opened again: names, breakpoints, places', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=12.3s&e=40s');
  await act(page, 'Crash a').click();
  await command(page, 'Run to the next leader change');
  await expect(readout(page)).not.toContainText('00:12.300');
  const [hash, at] = [await traceHash(page), await readout(page).textContent()];
  await command(page, 'Breakpoints…');
  await page.getByRole('textbox', { name: 'Or write a condition' }).fill('violation');
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Breakpoints').getByRole('list')).toContainText('violation');
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await command(page, 'Save the session: every branch, and the breakpoints');
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('a-leader-dies-session.json');
  const buffer = await readFile((await saved.path()) ?? '');
  await page.goto('about:blank');
  await open(page, '#crash&t=1s');
  await page.locator('#file').setInputFiles({ name: 'session.json', mimeType: 'application/json', buffer });
  await expect(page.locator('#branches .chip')).toHaveText(['A leader dies', 'a crashes at 00:12.300']);
  await traceHash(page, hash);
  await expect(readout(page)).toHaveText(at ?? '');
  await command(page, 'Breakpoints…');
  await expect(dialog(page, 'Breakpoints').getByRole('list')).toContainText('violation');
});
