/**
 * Helpers of all specs: a page that fails on errors and on requests that leave the origin, and waits that check the
 * page's state, never the clock.
 */
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect } from '@playwright/test';
import { decodeLink } from '../js/lib/share.js';

export { expect };

export const test = base.extend({
  page: async ({ page, baseURL }, use, info) => {
    /** @type {string[]} */
    const complaints = [];
    const allowed = info.annotations.find((one) => one.type === 'allow')?.description;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(`${error}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== new URL(baseURL ?? '').origin)
        complaints.push(`request to ${url}`);
    });
    await use(page);
    const serious = complaints.filter(
      (text) => !/service worker/i.test(text) && !(allowed && new RegExp(allowed).test(text)),
    );
    expect(serious, 'the console is silent and nothing leaves the origin').toEqual([]);
  },
});

/** Waits until the engine has taken over. @param {import('@playwright/test').Page} page */
export async function ready(page) {
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
}

/**
 * Opens the page at a link, paused, with the engine. A setting from the help keeps the run at its instant after an act,
 * so that a spec can check the act's effect. minute.spec.mjs tests the default, where the run plays on after an act.
 * @param {import('@playwright/test').Page} page
 * @param {string} link
 */
export async function open(page, link) {
  await page.addInitScript(() => {
    if (location.protocol === 'about:') return;
    const store = `leaselab ${new URL('.', location.href).pathname}`;
    const memory = JSON.parse(localStorage.getItem(store) ?? '{}');
    localStorage.setItem(store, JSON.stringify({ ...memory, playOn: false }));
  });
  // A link without an instant would play.
  const paused = /^#(s=)?[a-z0-9-]+(&seed=\d+)?$/.test(link) ? `${link}&t=0s` : link;
  await page.goto(`./${paused}`);
  await ready(page);
}

/** @param {import('@playwright/test').Page} page */
export const readout = (page) => page.locator('#readout');
/** @param {import('@playwright/test').Page} page */
export const headline = (page) => page.locator('#headline');
/** @param {import('@playwright/test').Page} page */
export const status = (page) => page.locator('#status');
/** @param {import('@playwright/test').Page} page @param {string} name */
export const act = (page, name) => page.locator('#acts').getByRole('button', { name, exact: true });

/** Lets the run go on to the next leader change. @param {import('@playwright/test').Page} page */
export async function toLeaderChange(page) {
  await command(page, 'Run to the next leader change');
}

/** Runs a command by its name. @param {import('@playwright/test').Page} page @param {string} name */
export async function command(page, name) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill(name);
  await page.keyboard.press('Enter');
  await expect(page.locator('#dialog')).not.toBeVisible();
}

/**
 * Chooses a scenario of the menu by its name, and pauses it.
 * @param {import('@playwright/test').Page} page
 * @param {string} name
 */
export async function chooseScenario(page, name) {
  await page.keyboard.press('o');
  await page.locator(`#scenarios [data-scenario="${name}"]`).click();
  await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', name);
  if (await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)) return;
  const play = page.locator('[data-command="playPause"]');
  await expect(play).toHaveAccessibleName('Pause');
  await play.click();
  await expect(play).toHaveAccessibleName('Play');
}

/** The entry of the header that leads to the lessons. @param {import('@playwright/test').Page} page */
export const lessonsPage = (page) => page.getByRole('banner').getByRole('button', { name: /^Lessons/ });

/** The page of lessons. @param {import('@playwright/test').Page} page */
export const shelf = (page) => page.getByRole('dialog', { name: 'Lessons' });

/** The card of a lesson. @param {import('@playwright/test').Page} page @param {number} number */
export const lessonCard = (page, number) => shelf(page).getByRole('link', { name: new RegExp(`Lesson ${number}\\b`) });

/** Opens the menu on a phone, and there a page. @param {import('@playwright/test').Page} page @param {string} name */
export async function tapPage(page, name) {
  await page.locator('[data-command="menu"]').click();
  await page.locator('#menu').getByRole('button', { name, exact: true }).click();
  await expect(page.locator('#menu')).toBeHidden();
}

/**
 * Chooses an act among all faults, and gives its form.
 * @param {import('@playwright/test').Page} page
 * @param {string} act as scenarios name it
 */
export async function chooseFault(page, act) {
  await page.locator('#acts').getByRole('button', { name: /^More/ }).click();
  const room = page.getByRole('dialog', { name: 'All settings and faults' });
  await room.locator(`[data-act="${act}"]`).click();
  return room.getByRole('form', { name: 'Fault' });
}

/**
 * Types the value of a setting beside the chart into its field among all settings, and gives the form.
 * @param {import('@playwright/test').Page} page
 * @param {string} name such as leaseDuration
 * @param {string} value
 */
export async function typeSetting(page, name, value) {
  await page
    .locator('#knobs')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  const form = page.getByRole('form', { name: 'Settings' });
  await expect(form.getByRole('textbox', { name })).toBeFocused();
  await page.keyboard.type(value);
  return form;
}

/** Changes a setting and runs again. @param {import('@playwright/test').Page} page @param {[string, string]} setting */
export async function setSetting(page, ...setting) {
  const form = await typeSetting(page, ...setting);
  await form.getByRole('button', { name: /^Run again/ }).click();
  await expect(form).toBeHidden();
}

/** Goes to an instant, given in words. @param {import('@playwright/test').Page} page @param {string} t */
export async function goTo(page, t) {
  await page.keyboard.press('g');
  await page.locator('#goto-t').fill(t);
  await page.keyboard.press('Enter');
  await expect(page.locator('#dialog')).not.toBeVisible();
}

/**
 * The trace hash up to the cursor, where the page shows it.
 * @param {import('@playwright/test').Page} page @param {string | RegExp} [expected]
 */
export async function traceHash(page, expected = /^[0-9a-f]{16}$/) {
  await page.locator('[data-command="menu"]').click();
  const hash = page.locator('#hash');
  await expect(hash).toHaveText(expected);
  const text = (await hash.textContent()) ?? '';
  await page.locator('#menu').press('Escape');
  await expect(page.locator('#menu')).toBeHidden();
  return text;
}

/** The link to exactly this instant, packed and unpacked. @param {import('@playwright/test').Page} page */
export async function link(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => history.replaceState(null, '', location.pathname));
  await page.keyboard.press('l');
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#v1\./);
  const text = await page.evaluate(() => location.hash);
  return { text, share: /** @type {import('../js/lib/share.js').Linked} */ (await decodeLink(text)) };
}

/**
 * Expects that axe finds no problem in the whole page, or in the part that has changed since the last whole check.
 * @param {import('@playwright/test').Page} page
 * @param {string} [region] a selector
 */
export async function axe(page, region) {
  if (region) await expect(page.locator(region)).toBeVisible();
  const builder = new AxeBuilder({ page });
  const { violations } = await (region ? builder.include(region) : builder).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 160))])).toEqual([]);
}

/** The details of a test that `make e2e-plain` runs too, on a page built without the passes of web/module. */
export const plain = { tag: '@plain' };

/**
 * The details of a test that `make e2e` has no time for: another size or theme of a test that it runs, or a
 * measurement.
 * @param {boolean} [late]
 */
export const nightly = (late = true) => (late ? { tag: '@nightly' } : {});
