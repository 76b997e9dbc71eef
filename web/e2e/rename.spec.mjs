/** Nodes get other names in the page: the run stays, and link, file and command have the same hash. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { act, axe, command, expect, headline, link, open, readout, test, traceHash } from './lab.mjs';

const leaselab = fileURLToPath(new URL('../../bin/leaselab', import.meta.url));
/** The lane of a node that is down. */
const lane = (/** @type {import('@playwright/test').Page} */ page, /** @type {string} */ name) =>
  page.getByRole('button', { name: `Lane ${name}, down` });

test(
  'nodes are renamed by keyboard; undo, the link, the file and the command agree',
  { tag: '@nightly' },
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page, '#a-leader-dies&t=36s');
    await act(page, 'Crash b').click();
    await command(page, 'Show the whole run');
    await expect(readout(page)).toHaveText(/live$/);
    const before = await traceHash(page);
    const story = await headline(page).textContent();

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
    await expect(headline(page)).toHaveText(String(story));
    await expect(lane(page, 'Ben')).toBeVisible();
    const hash = await traceHash(page);
    expect(hash).not.toBe(before);

    const saving = page.waitForEvent('download');
    await command(page, 'Save the run as JSON');
    const file = await (await saving).path();
    const native = spawnSync(leaselab, ['run', file, '-o', 'json'], { encoding: 'utf8' }).stdout;
    expect(JSON.parse(native).hash, 'the file in the command').toBe(hash);

    const { text, share } = await link(page);
    expect(share.hash).toBe(hash);
    const other = await context.newPage();
    await open(other, text);
    expect(await traceHash(other), 'the link in another tab').toBe(hash);
    await expect(lane(other, 'Ben')).toBeVisible();

    await command(page, 'Undo');
    await expect(lane(page, 'b')).toBeVisible();
    expect(await traceHash(page)).toBe(before);
  },
);
