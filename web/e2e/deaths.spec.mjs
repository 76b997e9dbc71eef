/**
 * The worker dies, again and again, at random instants and in every way, while a visitor presses keys: no act is lost but
 * those that a running engine died of, and these are said.
 *
 *     DEATHS=200 SEED=7 npm run e2e -- deaths
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeLink, encodeLink } from '../js/lib/share.js';
import { expect, open, test } from './lab.mjs';

const DEATHS = Number(process.env.DEATHS ?? 12);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
/** Side by side: most of the time goes by in the silence of a worker that is gone. */
const PAGES = Math.min(Number(process.env.PAGES ?? 4), DEATHS);
const PRESSES = 6;
const KINDS = ['thrown', 'trapped', 'terminated', 'closed', 'loops', 'loops in an act'];

/** As many nodes as presses: each press cuts off or heals another one, whatever became of the last. */
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

/** Stands before the worker's own script: it dies on demand. */
const MORTAL = `{
  let engine;
  let next = '';
  const loop = () => { for (;;); };
  Object.defineProperty(self, 'leaselab', {
    configurable: true,
    get: () => engine && ((text) => {
      if (next && JSON.parse(text).op === 'act') {
        if (next === 'loops in an act') loop();
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
    else if (data.kind === 'loops') loop();
    else next = data.kind;
  });
}
`;

/** Counts in the page, next to the engine and by the same messages, which acts a running engine died of. */
function witness() {
  const seen = {
    workers: /** @type {any[]} */ ([]),
    dropped: 0,
    said: 0,
    ready: 0,
    toasts: /** @type {any[]} */ ([]),
    /** From the start of a new worker until it has the run open. @type {number[]} */
    replacedMs: [],
  };
  /** @type {any} */ (window).seen = seen;
  const Real = window.Worker;
  window.Worker = class extends Real {
    /** @param {string | URL} url */
    constructor(url) {
      super(url);
      /** @type {Map<number, string>} */
      this.ops = new Map();
      this.busy = 0;
      const began = performance.now();
      const first = seen.workers.push(this) === 1;
      this.addEventListener('message', ({ data }) => {
        if (data.type === 'ready') seen.ready++;
        if (data.type === 'busy') this.busy = data.id;
        if (data.type !== 'reply') return;
        if (this.busy === data.reply.id) this.busy = 0;
        if (this.ops.get(data.reply.id) === 'open' && !first) seen.replacedMs.push(performance.now() - began);
        if (data.reply.error?.code === 'panic' && this.ops.get(data.reply.id) === 'act') seen.dropped++;
      });
    }

    /** @param {any} message */
    postMessage(message) {
      if (message.type === 'request') this.ops.set(message.request.id, message.request.op);
      super.postMessage(message);
    }

    terminate() {
      if (this.ops.get(this.busy) === 'act') seen.dropped++;
      super.terminate();
    }

    /** @param {string} kind */
    die(kind) {
      if (kind === 'terminated') super.terminate();
      else super.postMessage({ type: 'die', kind });
    }
  };
  addEventListener('DOMContentLoaded', () => {
    const toasts = /** @type {HTMLElement} */ (document.getElementById('toasts'));
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) {
          seen.toasts.push(node.textContent?.trim());
          if (node.textContent?.includes('crashed at this step')) seen.said++;
        }
    }).observe(toasts, { childList: true });
  });
}

/** @param {number} seed */
function randomOf(seed) {
  let state = seed;
  return (/** @type {number} */ n) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % n;
  };
}

/** How many acts the link to the run has; a worker that is silent takes its time. @param {import('@playwright/test').Page} page */
async function actsDone(page) {
  await page.evaluate(() => history.replaceState(null, '', location.pathname));
  await page.keyboard.press('l');
  await page.waitForFunction(() => location.hash.startsWith('#v1.'), undefined, { timeout: 60_000 });
  const linked = await decodeLink(await page.evaluate(() => location.hash));
  return linked?.actions.length ?? 0;
}

/** @param {import('@playwright/test').Page} page @param {number} deaths @param {number} seed */
async function ordeal(page, deaths, seed) {
  const roll = randomOf(seed);
  await page.addInitScript(witness);
  await page.route('**/worker-*.js', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const body = MORTAL + (await readFile(join(process.env.E2E_DIST ?? 'dist', name), 'utf8'));
    await route.fulfill({ contentType: 'text/javascript', body });
  });
  let [pressed, done, dropped, allDropped, slowestMs] = [0, 0, 0, 0, 0];
  /** @type {any[]} */
  const log = [];
  for (let death = 0; death < deaths; death++) {
    // Now and then another run, so that none grows without end.
    if (death % 8 === 0) {
      await page.goto('about:blank');
      await open(page, `#${await encodeLink(RUN)}`);
      allDropped += dropped;
      [pressed, done, dropped] = [0, 0, 0];
    }
    const kind = KINDS[roll(KINDS.length)];
    const at = roll(PRESSES);
    log.push([death, kind, at]);
    for (let press = 0; press < PRESSES; press++) {
      if (press === at) {
        await page.evaluate(
          async ([kind, ms]) => {
            await new Promise((resolve) => setTimeout(resolve, Number(ms)));
            /** @type {any} */ (window).seen.workers.at(-1).die(kind);
          },
          [kind, roll(60)],
        );
      }
      await page.keyboard.press(String(press + 1));
      await page.keyboard.press('x');
      pressed++;
      await page.waitForTimeout(roll(4) * roll(100));
    }
    const waiting = async () => {
      done = await actsDone(page);
      const seen = await page.evaluate(() => /** @type {any} */ (window).seen);
      dropped = seen.dropped;
      slowestMs = Math.max(slowestMs, ...seen.replacedMs);
      const lost = pressed - done - dropped;
      return {
        lost,
        silent: dropped > 0 && seen.said === 0,
        ...(lost === 0
          ? {}
          : {
              toasts: seen.toasts.filter((/** @type {string} */ t) => !t.includes('clipboard')),
              pressed,
              done,
              dropped,
              log,
            }),
      };
    };
    await expect
      .poll(waiting, { message: `seed ${seed}, death ${death}: ${kind}`, timeout: 30_000 })
      .toEqual({ lost: 0, silent: false });
    await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  }
  return { dropped: allDropped + dropped, slowestMs };
}

test(`no click is lost in ${DEATHS} deaths of the worker`, async ({ browser }) => {
  test.setTimeout(60_000 + DEATHS * 10_000);
  const counts = Array.from({ length: PAGES }, (_, i) => Math.floor((DEATHS + i) / PAGES));
  console.log(`SEED=${SEED}: ${DEATHS} deaths, ${DEATHS * PRESSES} presses`);
  const pages = await Promise.all(
    counts.map(async (deaths, i) => {
      const context = await browser.newContext();
      const outcome = await ordeal(await context.newPage(), deaths, SEED + i);
      await context.close();
      return outcome;
    }),
  );
  const all = pages.reduce((sum, { dropped }) => sum + dropped, 0);
  const slowestMs = Math.max(...pages.map((one) => one.slowestMs));
  console.log(
    `${all} acts were dropped, as a running engine died of them, and said; 0 of ${DEATHS * PRESSES} are lost; ` +
      `the slowest new worker had the run open after ${(slowestMs / 1000).toFixed(1)} s`,
  );
});
