/**
 * The first minute: the first act, the hint, what to watch, what a mark is, the end of a run, projector, phone, screen
 * reader.
 */
import { act, axe, expect, goTo, headline, nightly, open, readout, ready, status, test } from './lab.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/** The page as it comes, standing at the takeover with its hint. @param {Page} page */
async function still(page) {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('./');
  await ready(page);
  await expect(page.getByText('Your turn: crash b.')).toBeVisible();
}

test(
  'an act where the run is live plays it on, and the gap grows; a setting turns that off',
  nightly(),
  async ({ page }) => {
    await still(page);
    await page.locator('#told').getByRole('button', { name: 'Crash b', exact: true }).click();
    await expect(headline(page)).toContainText(/Nobody leads: (0\.[1-9]|[1-9])/);
    await expect(page.locator('#told')).not.toContainText('Your turn');
    await page.keyboard.press('Space');
    await page.keyboard.press('?');
    const setting = page.getByRole('checkbox', { name: 'An act plays the run on' });
    await setting.uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await expect(status(page)).toContainText(/restarts|starts/);
    await expect(page.locator('[data-command="playPause"]').first()).toHaveAccessibleName('Play');
    await page.reload();
    await ready(page);
    await page.keyboard.press('?');
    await expect(setting).not.toBeChecked();
  },
);

/** Every control that something else lies over. @param {Page} page */
const coveredControls = (page) =>
  page.evaluate(() => {
    const all = 'button, input, select, [role="slider"], [role="button"], [role="tab"], [role="separator"]';
    /** @type {string[]} */
    const bad = [];
    for (const control of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(all))) {
      if (control.closest('dialog, [popover], .visually-hidden, .tl-marks, [type="file"]')) continue;
      if (!control.checkVisibility({ visibilityProperty: true })) continue;
      control.scrollIntoView({ block: 'center', inline: 'center' });
      const box = control.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (hit && (control.contains(hit) || hit.contains(control) || control.closest('label')?.contains(hit))) continue;
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim();
      bad.push(`${name}: under ${hit?.closest('[id]')?.id ?? hit?.className ?? 'nothing'}`);
    }
    scrollTo(0, 0);
    for (const part of document.querySelectorAll('#side, #sheet, #sheet > section')) part.scrollTop = 0;
    return bad;
  });

/** @type {[string, number[][]][]} */
const SIZES = [
  [
    'a phone, a tablet, a desk, a large screen',
    [
      [320, 568],
      [768, 1024],
      [1280, 720],
      [1920, 1080],
    ],
  ],
  [
    'the other sizes',
    [
      [390, 844],
      [1024, 768],
      [1366, 650],
      [1440, 900],
      [2560, 1440],
    ],
  ],
  [
    'low windows',
    [
      [1280, 600],
      [960, 600],
      [720, 450],
      [844, 390],
      [320, 640],
    ],
  ],
];

for (const [name, sizes] of SIZES)
  test(
    `the first act is at hand and nothing covers a control, with any panel: ${name}`,
    nightly(),
    async ({ page }) => {
      await still(page);
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await page.getByRole('tab', { name: 'Story' }).click();
        const turn = page.locator('#told').getByRole('button', { name: 'Crash b and predict' });
        await expect(turn).toBeVisible();
        if (width >= 960) await expect(turn).toBeInViewport({ ratio: 1 });
        await expect(act(page, 'Crash b')).toBeInViewport({ ratio: 1 });
        await expect(page.getByRole('tab')).toHaveCount(width >= 1280 ? 4 : 5);
        for (const tab of await page.getByRole('tab').all()) {
          await tab.click();
          await expect.poll(() => coveredControls(page), `${width}×${height}, ${await tab.textContent()}`).toEqual([]);
        }
        const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await expect.poll(sideways, `${width}×${height}`).toBeLessThanOrEqual(0);
      }
    },
  );

test('a chosen scenario says what to watch and moves; the chooser is grouped and searched', async ({ page }) => {
  await page.goto('./#a-leader-dies&t=12s');
  await ready(page);
  for (const name of ['Lessons', 'Museum', 'Studies', 'Your logs'])
    await expect(page.getByRole('banner').getByRole('button', { name })).toBeVisible();
  await page.keyboard.press('o');
  const chooser = page.getByRole('dialog', { name: 'Choose a scenario' });
  await expect(chooser.getByRole('heading', { level: 3 })).toHaveText([
    'Start here',
    'The leader goes away',
    'The API server',
    'Clocks and names',
    'Coordinated election',
    'Large and long',
  ]);
  await axe(page, '#scenarios');
  await chooser.getByRole('searchbox').fill('garbage collection');
  await expect(chooser.getByRole('navigation').getByRole('button')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(chooser).toBeHidden();
  await expect(page.locator('#scenario')).toHaveText(/The leader is paused/);
  const watch = page.locator('#told');
  await expect(watch).toContainText('What to watch. The paused leader does no work');
  await expect(readout(page)).not.toHaveText(/^00:00\.000/);
  await page.keyboard.press('g');
  await page.keyboard.press('Escape');
  await expect(page.locator('#dialog')).toBeHidden();
  await expect(watch).toContainText('What to watch.');
  await watch.getByRole('button', { name: 'Dismiss what to watch' }).click();
  await expect(watch).not.toContainText('What to watch.');
});

test('pointing at or focusing a mark says what it is, at once; the legend stays until it is dismissed', async ({
  page,
}) => {
  await page.clock.install(); // the pointer rests without waiting
  await open(page, '#a-leader-dies&t=36s&e=36s');
  const legend = page.locator('#hint');
  await expect(legend).toContainText('the time left, as the node sees it');
  await legend.getByRole('button', { name: 'Dismiss the legend' }).click();
  await expect(legend).toBeEmpty();
  const tip = page.getByRole('tooltip');
  const box = await page.locator('#timeline').boundingBox();
  if (!box) throw new Error('no timeline');
  await page.evaluate(() => {
    const w = /** @type {any} */ (window);
    w.delays = [];
    let at = 0;
    const noteMove = () => (at = performance.now());
    addEventListener('pointermove', noteMove, { capture: true });
    const place = /** @type {HTMLElement} */ (document.querySelector('#tip'));
    new MutationObserver(() => place.hidden || w.delays.push(performance.now() - at)).observe(place, {
      attributeFilter: ['hidden'],
    });
  });
  let missing = [
    /# click to go there/,
    /holderIdentity a, and is no longer renewed/,
    /b believes that it may acquire the Lease in # s/,
    /c follows from|c reads/,
    /Nobody led from|Nobody led for/,
    /a is down|a crashes/,
    /The whole run: # leaders so far/,
  ];
  // A column of the picture, top to bottom: the axis, the holder, bars, ticks and ramps of each lane.
  const pointAlong = async () => {
    for (let y = 6; y < box.height - 4; y += 13) {
      await page.mouse.move(box.x + box.width * 0.66, box.y + y);
      await page.clock.runFor(130);
      const said = (await tip.isVisible()) ? ((await tip.textContent()) ?? '').replace(/\d[\d:.]*/g, '#') : '';
      missing = missing.filter((words) => !words.test(said));
    }
    return missing.map(String);
  };
  await expect.poll(pointAlong).toEqual([]);
  await page
    .locator('#knobs')
    .getByRole('button', { name: /^leaseDuration/ })
    .hover();
  await expect(tip).toContainText(/./);
  // The machine may be slow; what the page itself waits is not.
  const delays = await page.evaluate(() => /** @type {any} */ (window).delays);
  expect(Math.min(...delays)).toBeLessThan(200);
  await page.mouse.move(2, 2);
  await expect(tip).toBeHidden();
  await page
    .locator('#stage')
    .getByRole('button', { name: /^b, leading/ })
    .focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(tip).toContainText('The arc is the time left on its countdown.');
});

test(
  'after an act in the past and its undo the run fills the plot',
  { annotation: { type: 'allow', description: 'willReadFrequently' }, ...nightly() },
  async ({ page }) => {
    await open(page, '#a-leader-dies&t=100s&e=100s');
    /** How much of the picture's width the bars and ramps of c reach. */
    const filledWidth = () =>
      page.evaluate(() => {
        const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#timeline canvas'));
        const { width, height } = canvas;
        const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).getImageData(
          0,
          0,
          width,
          height,
        );
        canvas.style.color = 'var(--c)';
        const color = (getComputedStyle(canvas).color.match(/\d+/g) ?? []).map(Number);
        let right = 0;
        for (let i = 0; i < data.length; i += 4)
          if (color.every((part, k) => Math.abs(data[i + k] - part) < 5)) right = Math.max(right, (i / 4) % width);
        return right / width;
      });
    await goTo(page, '12');
    await act(page, 'Crash a').click();
    await expect(page.locator('#branches .chip')).toHaveCount(2);
    await expect.poll(filledWidth).toBeGreaterThan(0.25);
    await page.keyboard.press('z');
    await expect(readout(page)).toContainText('behind');
    await expect.poll(filledWidth).toBeGreaterThan(0.5);
  },
);

test('a projector: one key, no text below 20 px, the plot fills the screen', nightly(), async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await still(page);
  await page.keyboard.press('v');
  const small = () =>
    page.evaluate(() => {
      const zoom = document.body.getBoundingClientRect().width / document.body.offsetWidth;
      /** @type {string[]} */
      const found = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const el = walker.currentNode.parentElement;
        const text = walker.currentNode.textContent?.trim();
        if (
          !el ||
          !text ||
          el.closest('.visually-hidden, script, #tip') ||
          !el.checkVisibility({ visibilityProperty: true })
        )
          continue;
        const px = Number.parseFloat(getComputedStyle(el).fontSize) * zoom;
        if (px < 20) found.push(`${text}: ${px}`);
      }
      return found;
    });
  await expect.poll(small).toEqual([]);
  for (const gone of ['#stage', '#sheet', '#events']) await expect(page.locator(gone)).toBeHidden();
  const plot = () => page.locator('#timeline').boundingBox();
  await expect.poll(async () => (await plot())?.width).toBeGreaterThan(1800);
  await expect.poll(async () => (await plot())?.height).toBeGreaterThan(640);
  await expect(act(page, 'Crash b')).toBeVisible();
  await axe(page);
  // What opens over the page is as large, and still whole on the screen.
  for (const key of ['?', 'c']) {
    await page.keyboard.press(key);
    const box = await page.locator('dialog[open]').boundingBox();
    expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= 1080, `${key}: ${JSON.stringify(box)}`).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog[open]')).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.locator('#stage')).toBeVisible();
});

test(
  'a screen reader hears landmarks and their reasons; dialogs are named for what they say; the focus comes back',
  nightly(),
  async ({ page }) => {
    await page.goto('./#a-leader-dies&t=33s');
    await ready(page);
    const live = await page.evaluate(() =>
      [...document.querySelectorAll('output, [role="status"], [aria-live], [role="log"], [role="timer"]')]
        .filter((el) => el.getAttribute('aria-live') !== 'off')
        .map((el) => el.id || el.className),
    );
    expect(live.filter((id) => !['status', 'field-help'].includes(id))).toEqual([]);
    await page.evaluate(() => {
      const w = /** @type {any} */ (window);
      w.heard = [];
      const place = /** @type {Element} */ (document.querySelector('#status'));
      new MutationObserver(() => w.heard.push(place.textContent)).observe(place, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    await page.keyboard.press('Space');
    const heard = () => page.evaluate(() => /** @type {any} */ (window).heard);
    await expect
      .poll(heard)
      .toEqual([
        expect.stringMatching(
          /^b leads\. Nobody led for 14\.039 s\. 13\.165 s left on b's countdown \+ 0\.864 s .* \+ 0\.010 s .*\.$/,
        ),
      ]);
    await page.keyboard.press('Space');
    // The table is as late as the clock.
    const at = ((await readout(page).textContent()) ?? '').slice(0, 9);
    await expect(page.locator('#timeline table')).toContainText('still going on');
    expect(at).toMatch(/^00:3/);
    await headline(page).getByRole('button', { name: 'Why so long?' }).click();
    await expect(page.getByRole('dialog', { name: /14\.039 s/ })).toBeVisible();
    await page.keyboard.press('Escape');
    // From the menu by pointer: Space plays, and does not open the menu again.
    await page.locator('[data-command="menu"]').click();
    await page.getByRole('button', { name: 'Breakpoints…' }).click();
    const breakpoints = page.getByRole('dialog', { name: 'Breakpoints' });
    await expect(breakpoints).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(breakpoints).toBeHidden();
    await page.keyboard.press('Space');
    await expect(page.locator('#menu')).toBeHidden();
    await expect(page.locator('[data-command="playPause"]').first()).toHaveAccessibleName('Pause');
  },
);

test('thirty seconds without a landmark are silent', nightly(), async ({ page }) => {
  await open(page, '#fault-free&t=100s');
  await page.locator('#transport').getByRole('button', { name: '1×' }).click();
  await expect(status(page)).toHaveText('1×');
  await page.evaluate(() => {
    const w = /** @type {any} */ (window);
    w.heard = [];
    for (const place of document.querySelectorAll(
      '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"]',
    ))
      new MutationObserver(() => w.heard.push(place.id)).observe(place, {
        childList: true,
        characterData: true,
        subtree: true,
      });
  });
  await page.locator('[data-command="playPause"]').click();
  await expect(readout(page)).toHaveText(/^02:1/);
  expect(await page.evaluate(() => /** @type {any} */ (window).heard)).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the time, undo and Share are at hand, chips say what they count, no key is named, the menu scrolls', async ({
    page,
  }) => {
    await still(page);
    await expect(readout(page)).toHaveText('00:34.039 · live');
    await expect(readout(page)).toBeInViewport({ ratio: 1 });
    for (const name of ['Nothing to undo', 'Share'])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
    await expect(act(page, 'Crash b')).toBeInViewport({ ratio: 1 });
    await expect(page.locator('#stage')).toContainText('may acquire in');
    await expect(page.locator('#stage')).toContainText('must stop in');
    await expect(page.locator('kbd').filter({ visible: true })).toHaveCount(0);
    await expect(page.locator('#told')).not.toContainText('Press');
    const overlap = async () => {
      const [lane, plot] = await Promise.all([
        page.locator('.tl-lane').first().boundingBox(),
        page.getByRole('slider', { name: 'Time' }).boundingBox(),
      ]);
      return (lane?.x ?? 0) + (lane?.width ?? 0) - (plot?.x ?? 0);
    };
    await expect.poll(overlap).toBeLessThanOrEqual(9);
    await page.locator('[data-command="menu"]').tap();
    const menu = page.locator('#menu');
    await expect(menu).toBeVisible();
    await expect.poll(async () => (await menu.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await menu.getByText(/^engine /).scrollIntoViewIfNeeded();
    await expect(menu.getByText(/^engine /)).toBeInViewport();
    await page.keyboard.press('Escape');
    await act(page, 'Crash b').tap();
    await expect(headline(page)).toContainText(/Nobody leads: (0\.[1-9]|[1-9])/);
  });
});
