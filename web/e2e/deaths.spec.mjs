/**
 * The worker crashes in every way while a visitor presses keys: no act is lost except one that panics, and the page
 * says so.
 *
 *     DEATHS=200 SEED=7 npm run e2e -- deaths
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeLink } from '../js/lib/share.js';
import { act, expect, link, nightly, open, status, test, traceHash } from './lab.mjs';

const KINDS = ['thrown', 'trapped', 'terminated', 'closed', 'hangs', 'hangs in an act'];
const DEATHS = Number(process.env.DEATHS ?? KINDS.length);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
/** In parallel: most of the time is spent waiting for a worker that is gone. */
const PAGES = 6;
const PRESSES = 6;

/** As many nodes as key presses: each press cuts off a different one. */
const RUN = {
  scenario: {
    apiVersion: 'leaselab.dev/v1alpha1',
    kind: 'Scenario',
    seed: 1,
    duration: '120s',
    candidates: Array.from({ length: PRESSES }, (_, i) => ({ name: `n${i}` })),
  },
  patch: [],
  actions: [],
  seed: 1,
  engine: 1,
  hash: '',
  cursor: { t: 25e9, n: -1 },
  live: { t: 25e9, n: -1 },
};

/** Runs before the worker's own script and makes it crash on demand. */
const MORTAL = `{
  let engine;
  let next = '';
  // As silent as an endless loop, but without using the core.
  const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const hang = () => Atomics.wait(new Int32Array(buffer), 0, 0);
  Object.defineProperty(self, 'leaselab', {
    configurable: true,
    get: () => engine && ((text) => {
      if (next && JSON.parse(text).op === 'act') {
        if (next === 'hangs in an act') hang();
        next = '';
        throw new WebAssembly.RuntimeError('unreachable');
      }
      return engine(text);
    }),
    set: (value) => { engine = value; },
  });
  addEventListener('message', ({ data }) => {
    if (data.type !== 'die') return;
    if (data.kind === 'thrown') setTimeout(() => { throw new Error('thrown by a test'); });
    else if (data.kind === 'closed') self.close();
    else if (data.kind === 'hangs') hang();
    else next = data.kind;
  });
}
`;

/** In the page: the last worker, which the spec can kill, and how many lost acts the page has reported. */
function mortal() {
  const told = { said: 0 };
  Object.assign(window, { told });
  addEventListener('DOMContentLoaded', () => {
    const toasts = /** @type {HTMLElement} */ (document.getElementById('toasts'));
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node.textContent?.includes('crashed at this step')) told.said++;
    }).observe(toasts, { childList: true });
  });
  const Real = window.Worker;
  window.Worker = class extends Real {
    /** @param {string | URL} url */
    constructor(url) {
      super(url);
      Object.assign(window, {
        die: (/** @type {string} */ kind) =>
          kind === 'terminated' ? Real.prototype.terminate.call(this) : super.postMessage({ type: 'die', kind }),
      });
    }
  };
}

/** Opens the run in a page whose workers die on demand. @param {import('@playwright/test').Page} page */
async function openMortal(page) {
  await page.addInitScript(mortal);
  await page.route('**/worker-*.js', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const body = MORTAL + (await readFile(join(process.env.E2E_DIST ?? 'dist', name), 'utf8'));
    await route.fulfill({ contentType: 'text/javascript', body });
  });
  await open(page, `#${await encodeLink(RUN)}`);
}

/** @param {import('@playwright/test').Page} page @param {string} kind */
const die = (page, kind) => page.evaluate((kind) => /** @type {any} */ (window).die(kind), kind);

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} kind
 * @param {number} at the press before which it dies
 */
async function outlive(page, kind, at) {
  await openMortal(page);
  for (let press = 0; press < PRESSES; press++) {
    if (press === at) await die(page, kind);
    await page.keyboard.press(String(press + 1));
    await page.keyboard.press('x');
  }
  const words = `${kind} before press ${at}`;
  const countLost = async () => PRESSES - (await link(page)).share.actions.length;
  const readSentences = () => page.evaluate(() => /** @type {any} */ (window).told.said);
  // Acts that still wait are in no link.
  await expect.poll(async () => (await countLost()) - (await readSentences()), words).toBe(0);
  expect(await readSentences(), words).toBe(kind === 'trapped' ? 1 : 0);
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
}

test(`only an act that panics is lost in ${DEATHS} deaths of the worker`, async ({ browser }) => {
  test.setTimeout(300_000 + DEATHS * 20_000);
  console.log(`SEED=${SEED}: ${DEATHS} deaths, ${DEATHS * PRESSES} presses`);
  for (let first = 0; first < DEATHS; first += PAGES) {
    const deaths = Array.from({ length: Math.min(PAGES, DEATHS - first) }, (_, i) => first + i);
    await Promise.all(
      deaths.map(async (death) => {
        const context = await browser.newContext();
        const at = Math.floor((SEED + death) / KINDS.length) % PRESSES;
        await outlive(await context.newPage(), KINDS[death % KINDS.length], at);
        await context.close();
      }),
    );
  }
});

const KILLS = Number(process.env.KILLS ?? 50);

test(`${KILLS} deaths in one visit keep the run's hash and lose no click`, nightly(), async ({ page, context }) => {
  test.setTimeout(KILLS * 20_000);
  const kinds = KINDS.filter((kind) => kind !== 'trapped');
  /** Pauses nodes and resumes them, and goes on between. @param {import('@playwright/test').Page} page */
  async function click(page, kill = async (/** @type {number} */ _) => {}) {
    for (let i = 0; i < KILLS; i++) {
      await page.keyboard.press(String((i % PRESSES) + 1));
      await kill(i);
      await act(page, i % 12 < PRESSES ? `Pause n${i % PRESSES}` : `Resume n${i % PRESSES}`).click();
      await expect(status(page)).toContainText(`n${i % PRESSES} `);
      await page.keyboard.press('.');
    }
    const { share } = await link(page);
    return { hash: await traceHash(page), acts: share.actions, cursor: share.cursor };
  }
  await openMortal(page);
  const killed = await click(page, (i) => die(page, kinds[i % kinds.length]));
  const calm = await context.newPage();
  await open(calm, `#${await encodeLink(RUN)}`);
  expect(killed.acts).toHaveLength(KILLS);
  expect(killed).toEqual(await click(calm));
});
