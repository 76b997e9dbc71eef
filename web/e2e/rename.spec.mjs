/** Nodes get other names in the page: the run stays, and link, file and command have the same hash. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { act, axe, command, expect, headline, link, open, test, traceHash } from './lab.mjs';

const leaselab = fileURLToPath(new URL('../../bin/leaselab', import.meta.url));

test(
  'nodes are renamed by keyboard; undo, the link, the file and the command agree',
  { tag: '@nightly' },
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page, '#a-leader-dies&t=36s');
    await act(page, 'Crash b').click();
    const before = await traceHash(page);

    await page.locator('.stage-node[data-node="b"]').focus();
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog', { name: 'Rename the nodes' });
    const field = (/** @type {string} */ name) => dialog.getByLabel(name, { exact: true });
    await expect(field('b')).toBeFocused({ timeout: 20_000 });
    await page.keyboard.type('c');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toContainText('“c” is already taken');
    await expect(field('b')).toBeFocused();
    await axe(page, '#rename');
    await field('b').fill('Ben');
    await field('a').fill('Anna');
    await page.keyboard.press('Enter');
    await expect(page.locator('#toasts')).toContainText('a is now Anna, b Ben. The run stays the same.');
    await expect(dialog).toBeHidden();
    await expect(headline(page)).toContainText('Nobody led for 14.039 s.');
    await expect(act(page, 'Restart Ben')).toBeVisible();
    const hash = await traceHash(page);
    expect(hash).not.toBe(before);

    const saving = page.waitForEvent('download');
    await command(page, 'Save the run as JSON');
    const file = await (await saving).path();
    const until = await page.evaluate(() => document.querySelector('#readout')?.textContent?.match(/(\d+):([\d.]+)/));
    const end = `${Number(until?.[1]) * 60 + Number(until?.[2])}s`;
    const native = execFileSync(leaselab, ['run', file, '--until', end, '-o', 'json'], { encoding: 'utf8' });
    expect(JSON.parse(native).hash, 'the file in the command').toBe(hash);

    const { text, share } = await link(page);
    expect(share.hash).toBe(hash);
    const other = await context.newPage();
    await open(other, text);
    expect(await traceHash(other), 'the link in another tab').toBe(hash);
    await expect(act(other, 'Restart Ben')).toBeVisible();

    await command(page, 'Undo');
    await expect(act(page, 'Restart b')).toBeVisible();
    expect(await traceHash(page)).toBe(before);
  },
);
