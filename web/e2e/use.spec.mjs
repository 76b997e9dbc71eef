/**
 * Random use for MINUTES (10): keys, clicks, drags and typing, all over the page. Nothing fails, and the objects
 * of the page stay as many as after one minute.
 *
 *     MINUTES=2 SEED=7 NIGHTLY=1 npm run e2e -- use
 */
import { randomOf } from '../fuzz/mutate.mjs';
import { KEYS } from '../js/page/keys.js';
import { expect, nightly, open, readout, ready, test } from './lab.mjs';

/** @import { Page } from '@playwright/test' */

const MINUTES = Number(process.env.MINUTES ?? 10);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const PRESSES = KEYS.flatMap(({ keys }) => keys.map((key) => key.replace('Mod+', 'Control+')));
const TEXTS = ['a', '20s', '-1', 'get leases -A', 'crash', '1e9', '<b>', '🙂', 'x'.repeat(300), 'active = 2', '0', '7'];
/** Each of them loads a part of the page. */
const ROOMS = [
  ...['Museum', 'Lessons', 'Your logs', 'Write a lesson', 'Export', 'Compare', 'Studies: a map', 'Choose a scenario'],
  ...['All settings', 'Embed it', 'QR', 'Ask for a prediction', 'Breakpoints', 'Branches', 'Keys and help'],
];
const CONTROLS = 'button, summary, select, input, textarea, [role="button"], [role="tab"], [role="row"], [tabindex]';

/** Whatever would leave the page stays in it. */
function stay() {
  window.print = () => {};
  window.open = () => null;
  addEventListener('click', (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest?.('a');
    if (link && !link.getAttribute('href')?.startsWith('#')) event.preventDefault();
  });
}

/** One step of a visitor; returns its name. @param {Page} page @param {import('../fuzz/mutate.mjs').Random} random */
async function step(page, random) {
  const place = /** @type {[number, number]} */ ([random.integer(1440), random.integer(900)]);
  switch (random.integer(10)) {
    case 0:
    case 1:
    case 2: {
      const key = random.pick(PRESSES);
      await page.keyboard.press(key);
      return key;
    }
    case 3:
    case 4:
    case 5:
      return page.evaluate(
        ([controls, nth]) => {
          const top = document.querySelector('dialog:modal') ?? document;
          const all = [.../** @type {NodeListOf<HTMLElement>} */ (top.querySelectorAll(`${controls}`))];
          const seen = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
          const one = seen[Number(nth) % seen.length];
          one?.focus();
          if (one instanceof HTMLSelectElement) {
            one.selectedIndex = Number(nth) % one.options.length;
            one.dispatchEvent(new Event('change', { bubbles: true }));
          } else one?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
          return `${one?.tagName} ${one?.textContent?.trim().slice(0, 60)}`;
        },
        [CONTROLS, random.integer(1e6)],
      );
    case 6:
      await page.mouse.click(...place);
      return `click ${place}`;
    case 7:
      await page.mouse.move(...place);
      await page.mouse.wheel(random.integer(200) - 100, random.integer(400) - 200);
      return `wheel ${place}`;
    case 8:
      await page.mouse.down();
      await page.mouse.move(...place, { steps: 3 });
      await page.mouse.up();
      return `drag to ${place}`;
    default: {
      const text = random.pick(TEXTS);
      await page.keyboard.insertText(text);
      await page.keyboard.press(random.pick(['Enter', 'Escape', 'Escape', 'Tab']));
      return `type ${text.slice(0, 20)}`;
    }
  }
}

/** Opens every room. @param {Page} page */
async function lookAround(page) {
  for (const room of ROOMS) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command' }).fill(room);
    await page.keyboard.press('Enter');
    await page.waitForLoadState('networkidle');
    await closeAll(page);
  }
}

/** @param {Page} page */
async function closeAll(page) {
  for (let i = 0; i < 6; i++) await page.keyboard.press('Escape');
  await page.evaluate(() => {
    for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  });
}

/** What the page keeps once it shows the default run again. @param {Page} page */
async function weigh(page) {
  await closeAll(page);
  await page.evaluate(() => {
    location.hash = `#a-leader-dies&t=30s&seed=${performance.now() | 0}`;
  });
  await expect(readout(page)).toContainText('00:30.000');
  const client = await page.context().newCDPSession(page);
  /** @type {string[]} */
  const chunks = [];
  client.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await client.send('Performance.enable');
  // V8 drops the code of functions that nobody called during six collections.
  for (let i = 0; i < 10; i++) await client.send('HeapProfiler.collectGarbage');
  await client.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  const { metrics } = await client.send('Performance.getMetrics');
  await client.detach();
  const figure = (/** @type {string} */ name) => metrics.find((one) => one.name === name)?.value ?? 0;
  const whole = figure('JSHeapUsedSize') / 2 ** 20;
  return { whole, objects: objectsOf(chunks.join('')), nodes: figure('Nodes'), listeners: figure('JSEventListeners') };
}

/**
 * The MiB of objects and texts in a heap snapshot, without code.
 * @param {string} snapshot
 */
function objectsOf(snapshot) {
  const { snapshot: head, nodes } = JSON.parse(snapshot);
  const { node_fields: fields, node_types: types } = head.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length)
    if (!['code', 'native', 'hidden', 'synthetic'].includes(types[type][nodes[at + type]])) bytes += nodes[at + size];
  return bytes / 2 ** 20;
}

test(`${MINUTES} minutes of random use leave the heap of the first`, nightly(), async ({ page, context }) => {
  test.setTimeout(MINUTES * 60_000 + 120_000);
  const random = randomOf(SEED);
  await page.addInitScript(stay);
  context.on('page', (other) => other.close());
  page.on('filechooser', () => {});
  await open(page, '#a-leader-dies&t=30s');
  const begun = Date.now();
  await lookAround(page);
  const steps = /** @type {string[]} */ ([]);
  const failed = page.locator('#toasts').filter({ hasText: /bug in leaselab|so it restarts|The simulator crashed/ });
  let first = await weigh(page);
  let minutes = 0;
  while (minutes < MINUTES) {
    steps.push(await step(page, random));
    const now = Math.floor((Date.now() - begun) / 60_000);
    if (steps.length % 20 === 0)
      expect(await failed.allInnerTexts(), `SEED=${SEED}: ${steps.slice(-40).join(' | ')}`).toEqual([]);
    if (now === minutes) continue;
    minutes = now;
    const weight = await weigh(page);
    if (minutes === 1) first = weight;
    console.log(`SEED=${SEED}: after ${minutes} min and ${steps.length} steps`, weight);
    if (minutes < MINUTES) continue;
    expect(weight.objects).toBeLessThan(first.objects * 1.2);
    expect(weight.whole).toBeLessThan(first.whole * 1.2);
    expect(weight.nodes).toBeLessThan(first.nodes * 1.2 + 1000);
  }
  await ready(page);
});
