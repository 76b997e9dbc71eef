/** The key table against the page: every key acts, and only where it may. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpack } from '../js/lib/unpack.js';
import { KEYS } from '../js/page/keys.js';
import { act, axe, command, expect, nightly, open, status, test } from './lab.mjs';

/** How Playwright types a key of the table. @param {string} name */
const playwrightKey = (name) =>
  name.replace('Mod+', 'Control+').replace(/\+([a-z])$/, (_, letter) => `+${letter.toUpperCase()}`);

/** @typedef {import('@playwright/test').Page} Page */
/** The cursor's instant in seconds. @param {Page} page */
const time = async (page) => Number(await page.locator('#timeline [role="slider"]').getAttribute('aria-valuenow'));
/** Where the long gap stands on the screen: the viewport, seen from outside. @param {Page} page */
async function gap(page) {
  const box = await page
    .locator('#timeline')
    .getByRole('button', { name: /14\.039 s/ })
    .first()
    .boundingBox();
  return box ?? { x: Number.NaN, width: Number.NaN };
}

/** One step closer, and it shows. How wide the gap was before. @param {Page} page */
async function zoomedIn(page) {
  const { width } = await gap(page);
  await page.keyboard.press('w');
  await expect.poll(async () => (await gap(page)).width).toBeGreaterThan(width * 1.2);
  return width;
}
const dialog = (/** @type {Page} */ page) => page.locator('#dialog');
const speed = (/** @type {Page} */ page, /** @type {string} */ name) =>
  page.getByRole('group', { name: 'Speed' }).getByRole('button', { name });

/**
 * What each command of the table does, as one sees it: a function that looks before the key, and gives one that looks
 * after it.
 * @type {Record<string, (page: Page, press: () => Promise<void>) => Promise<void>>}
 */
const EFFECTS = {
  playPause: async (page, press) => {
    const button = page.locator('#transport [data-command="playPause"]');
    await expect(button).toHaveAccessibleName('Play');
    await press();
    await expect(button).toHaveAccessibleName('Pause');
    await press();
    await expect(button).toHaveAccessibleName('Play');
  },
  eventBack: moves((before, after) => after < before),
  eventForth: moves((before, after) => after > before),
  landmarkBack: moves((_, after) => after === 20),
  landmarkForth: moves((_, after) => after === 34.039),
  toStart: moves((_, after) => after === 0),
  toLive: moves((_, after) => after === 40),
  fineBack: moves((before, after) => after < before && after > before - 0.1),
  fineForth: moves((before, after) => after > before && after < before + 0.1),
  faster: async (page, press) => {
    await speed(page, '1×').click();
    await press();
    await expect(status(page)).toHaveText('2×');
    await expect(speed(page, '1×')).toHaveAttribute('aria-pressed', 'false');
    await press();
    await expect(speed(page, '4×')).toHaveAttribute('aria-pressed', 'true');
  },
  slower: async (page, press) => {
    await speed(page, '4×').click();
    await press();
    await expect(status(page)).toHaveText('2×');
    await expect(speed(page, '4×')).toHaveAttribute('aria-pressed', 'false');
    await press();
    await expect(speed(page, '1×')).toHaveAttribute('aria-pressed', 'true');
  },
  goTo: async (page, press) => {
    await press();
    await expect(page.locator('#goto-t')).toBeFocused();
  },
  zoomIn: shows((before, after) => after.width > before.width * 1.2),
  zoomOut: async (page, press) => {
    await zoomedIn(page);
    await shows((before, after) => after.width < before.width / 1.2)(page, press);
  },
  panLeft: async (page, press) => {
    await zoomedIn(page);
    await shows((before, after) => after.x > before.x + 20)(page, press);
  },
  panRight: async (page, press) => {
    await zoomedIn(page);
    await shows((before, after) => after.x < before.x - 20)(page, press);
  },
  fit: async (page, press) => {
    const width = await zoomedIn(page);
    await press();
    await expect.poll(async () => Math.abs((await gap(page)).width - width)).toBeLessThan(1);
  },
  laneUp: async (page, press) => {
    await page.keyboard.press('2');
    await expect(page.locator('#timeline').getByRole('button', { name: /^Lane b/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await press();
    await expect(page.locator('#timeline').getByRole('button', { name: /^Lane a/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  },
  laneDown: async (page, press) => {
    await page.keyboard.press('2');
    await expect(page.locator('#timeline').getByRole('button', { name: /^Lane b/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await press();
    await expect(page.locator('#timeline').getByRole('button', { name: /^Lane c/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  },
  markSpan: async (page, press) => {
    await press();
    await expect(status(page)).toContainText('The span starts at 00:25.000');
    await page.keyboard.press('End');
    await expect.poll(() => time(page)).toBe(40);
    await press();
    await expect(status(page)).toContainText('From 00:25.000 to 00:40.000.');
  },
  lessonForth: async (page, press) => {
    await command(page, 'Lesson 1: A leader dies');
    await expect(page.getByRole('heading', { name: 'One job, three copies.' })).toBeFocused();
    await press();
    await expect(page.getByRole('heading', { name: 'The note.' })).toBeFocused();
  },
  lessonBack: async (page, press) => {
    await command(page, 'Lesson 1: A leader dies');
    await expect(page.getByRole('heading', { name: 'One job, three copies.' })).toBeFocused();
    await page.keyboard.press('PageDown');
    await expect(page.getByRole('heading', { name: 'The note.' })).toBeFocused();
    await press();
    await expect(page.getByRole('heading', { name: 'One job, three copies.' })).toBeFocused();
  },
  message: async (page, press) => {
    await press();
    await expect(page.getByRole('dialog', { name: 'Message' }).getByRole('button', { name: 'Drop it' })).toBeVisible();
  },
  crash: expectStatus('b crashes'),
  pauseNode: expectStatus('b is paused'),
  cut: expectStatus('b is cut off'),
  stop: expectStatus('b is asked to stop'),
  restart: async (page, press) => {
    await page.keyboard.press('1');
    await press();
    await expect(status(page)).toContainText('a restarts');
  },
  add: expectStatus('A node joins'),
  undo: async (page, press) => {
    await page.keyboard.press('k');
    await expect(status(page)).toContainText('b crashes');
    await press();
    await expect(status(page)).toContainText('Undone: ');
    await expect(act(page, 'Crash b')).toHaveAttribute('aria-disabled', 'false');
  },
  redo: async (page, press) => {
    await page.keyboard.press('k');
    await expect(status(page)).toContainText('b crashes');
    await page.keyboard.press('z');
    await expect(status(page)).toContainText('Undone: ');
    await press();
    await expect(status(page)).toContainText('Redone: ');
    await expect(act(page, 'Restart b')).toBeVisible();
    await expect(act(page, 'Crash b')).toHaveCount(0);
  },
  node1: expectStatus('a is selected'),
  node2: expectStatus('b is selected'),
  node3: expectStatus('c is selected'),
  ...Object.fromEntries([4, 5, 6, 7, 8, 9].map((n) => [`node${n}`, expectStatus(`The run has no node ${n}.`)])),
  selectLease: async (page, press) => {
    await press();
    await expect(status(page)).toContainText('The Lease is selected.');
    await expect(page.locator('#objects .object-name')).toHaveText('Lease demo');
  },
  filter: async (page, press) => {
    await press();
    await expect(page.locator('#filter')).toBeFocused();
  },
  api: async (page, press) => {
    await press();
    await expect(page.locator('#api-line')).toBeFocused();
  },
  projector: async (page, press) => {
    await press();
    await expect(page.locator('#stage')).toBeHidden();
    await press();
    await expect(page.locator('#stage')).toBeVisible();
  },
  scenarios: async (page, press) => {
    await press();
    const room = page.getByRole('dialog', { name: 'Choose a scenario' });
    await expect(room.getByRole('searchbox')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(room).toBeHidden();
  },
  compare: async (page, press) => {
    await press();
    const room = page.getByRole('dialog', { name: 'Compare two runs' });
    await expect(room.getByRole('status')).toContainText('the first at');
    await page.keyboard.press('Escape');
    await expect(room).toBeHidden();
  },
  search: async (page, press) => {
    await press();
    const room = page.getByRole('dialog', { name: 'Studies' });
    await expect(room.getByRole('tab', { name: 'Map settings' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(room).toBeHidden();
  },
  copyLink: async (page, press) => {
    await press();
    await expect(page.locator('#toasts')).toContainText('Copied: the link, which opens at 00:25.000.');
  },
  export: async (page, press) => {
    await press();
    const room = page.getByRole('dialog', { name: 'Export' });
    await expect(room.getByRole('button', { name: 'Copy' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(room).toBeHidden();
  },
  palette: async (page, press) => {
    await press();
    await expect(page.getByRole('combobox', { name: 'Command' })).toBeFocused();
  },
  help: async (page, press) => {
    await press();
    await expect(dialog(page)).toHaveAttribute('aria-label', 'Keys and help');
    await expect(dialog(page)).toBeVisible();
  },
  escape: async (page, press) => {
    await page.keyboard.press('2');
    const lane = page.locator('#timeline').getByRole('button', { name: /^Lane b/ });
    await expect(lane).toHaveAttribute('aria-pressed', 'true');
    await press();
    await expect(lane).toHaveAttribute('aria-pressed', 'false');
  },
};

/** @param {(before: number, after: number) => boolean} right */
function moves(right) {
  return async (/** @type {Page} */ page, /** @type {() => Promise<void>} */ press) => {
    const before = await time(page);
    await press();
    await expect.poll(async () => right(before, await time(page))).toBe(true);
  };
}

/** @param {(before: {x: number, width: number}, after: {x: number, width: number}) => boolean} right */
function shows(right) {
  return async (/** @type {Page} */ page, /** @type {() => Promise<void>} */ press) => {
    const before = await gap(page);
    await press();
    await expect.poll(async () => right(before, await gap(page))).toBe(true);
  };
}

/** @param {string} words */
function expectStatus(words) {
  return async (/** @type {Page} */ page, /** @type {() => Promise<void>} */ press) => {
    await press();
    await expect(status(page)).toContainText(words);
  };
}

test('the table and its effects are the same list', () => {
  expect(Object.keys(EFFECTS).sort()).toEqual(KEYS.map((entry) => entry.id).sort());
});

/** Groups whose keys change the run, or open what stays: each key gets a fresh page. */
const FRESH = ['Act', 'Lesson'];

/**
 * The same run at the same instant, nothing open, the whole run in view: as a page that has just opened. The instant is
 * spelled differently each time, for a link that is open already is not opened again.
 * @param {Page} page @param {number} zeros
 */
async function replayKeys(page, zeros) {
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await page.keyboard.press('Home');
  await expect.poll(() => time(page)).toBe(0);
  await page.evaluate((link) => location.replace(link), `#a-leader-dies&t=25.${'0'.repeat(zeros)}s&e=40s`);
  await expect.poll(() => time(page)).toBe(25);
  await page.keyboard.press('f');
}

const groups = [...new Set(KEYS.map((entry) => entry.group))];
for (const group of groups) {
  test(`every key of “${group}” has its effect`, nightly(), async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    let pressed = 0;
    for (const entry of KEYS.filter((candidate) => candidate.group === group)) {
      for (const name of entry.keys) {
        await test.step(`${name}: ${entry.label}`, async () => {
          if (pressed++ && !FRESH.includes(group)) await replayKeys(page, pressed);
          else {
            await page.goto('about:blank');
            // The keys act on the leader: b, after its takeover.
            await open(page, group === 'Act' ? '#a-leader-dies&t=40s' : '#a-leader-dies&t=25s&e=40s');
          }
          await expect(page.locator('#timeline').getByRole('button', { name: /^Lane c/ })).toBeVisible();
          await EFFECTS[entry.id](page, () => page.keyboard.press(playwrightKey(name)));
        });
      }
    }
  });
}

test('About says which engine this is, and where the licenses are', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s');
  const loaded = new URL('../dist', import.meta.url).pathname;
  const [file] = readdirSync(loaded).filter((name) => /^engine-.*\.wasm\.zst$/.test(name));
  const sha256 = createHash('sha256')
    .update(unpack(new Uint8Array(readFileSync(join(loaded, file)))))
    .digest('hex');
  await page.keyboard.press('?');
  const about = page.getByRole('region', { name: 'About' });
  await expect(about).toContainText(`The SHA-256 of its module is ${sha256}.`);

  const text = async (/** @type {string} */ name) => {
    const popup = page.waitForEvent('popup');
    await about.getByRole('link', { name }).click();
    const opened = await popup;
    await opened.waitForLoadState();
    const answer = await page.request.get(opened.url());
    await opened.close();
    return answer.text();
  };
  const licenses = await text('licenses of all components');
  for (const name of [
    'stdlib 1.', // of Go
    'hack-pad/safejs',
    'evanphx/json-patch',
    'blang/semver',
    'benbjohnson/clock',
    'lit-html',
  ])
    expect(licenses).toContain(name);
  const bill = JSON.parse(await text('bill of materials (SPDX)'));
  const engine = bill.packages.find((/** @type {any} */ one) => one.name === 'leaselab-engine');
  expect(engine.checksums).toEqual([{ algorithm: 'SHA256', checksumValue: sha256 }]);
  await axe(page, '#dialog');
});
