/** Large files of evidence: the page draws on, memory stays bounded, and what cannot be read has its line. */

import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs';
import { createGzip, gunzipSync } from 'node:zlib';
import { dialog, file, workerOf } from './evidence.mjs';
import { expect, nightly, open, readout, test } from './lab.mjs';

/** @import { Page } from '@playwright/test' */

const mib = (/** @type {number} */ bytes) => bytes / (1 << 20);

/**
 * Writes parts to a stream, and ends it.
 * @param {NodeJS.WritableStream} out
 * @param {Iterable<string | Buffer>} parts
 */
async function write(out, parts) {
  for (const part of parts) if (!out.write(part)) await once(out, 'drain');
  out.end();
}

/**
 * An audit log of about this many bytes: the paused incident every two minutes.
 * @param {number} size
 * @param {(hour: number) => string} [between]
 */
function* auditOf(size, between = () => '') {
  const lines = gunzipSync(file('audit.jsonl.gz').bytes).toString().trim().split('\n');
  const begun = Date.parse('2026-01-01T00:00:00Z');
  for (let written = 0, hour = 0; written < size; hour++) {
    const text = lines
      .map((line) =>
        line
          .replaceAll(/2026-11-20T19:1(\d):(\d\d)/g, (_, minute, second) =>
            new Date(begun + hour * 120_000 + (Number(minute) - 6) * 60_000 + Number(second) * 1000)
              .toISOString()
              .slice(0, 19),
          )
          .replaceAll(/("resourceVersion":")(\d+)/g, (_, before, version) => before + (hour * 1e5 + Number(version))),
      )
      .join('\n');
    const part = `${text}\n${between(hour)}`;
    written += part.length;
    yield part;
  }
}

/** Chooses a file in the room. @param {Page} page @param {string} path */
async function choose(page, path) {
  const chooser = page.waitForEvent('filechooser');
  await dialog(page)
    .getByRole('button', { name: /^(Choose|Add) files$/ })
    .click();
  await (await chooser).setFiles(path);
}

/** Opens the room in a run that is at an instant. @param {Page} page */
async function openRoom(page) {
  await open(page, '#a-leader-dies&t=40s&e=40s');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('Evidence');
  await page.keyboard.press('Enter');
}

/** Watches a reading that begins: frames, and what page and worker take more than before it. @param {Page} page */
async function watch(page) {
  const idle = page.waitForEvent('worker').then(async (worker) => {
    for (;;) {
      const bytes = await worker.evaluate(() => /** @type {any} */ (globalThis).leaselabBytes?.() ?? 0);
      if (bytes > 0) return bytes;
    }
  });
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  // The module's memory never shrinks, so its peak counts; of the page what it keeps: what frames leave behind waits
  // for V8 to
  // collect it, between 0 and 40 MiB of it at any instant.
  const heap = async () => {
    await client.send('HeapProfiler.collectGarbage');
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  };
  const before = await heap();
  await page.evaluate(() => {
    /** @type {number[]} */
    const frames = [];
    Object.assign(globalThis, { frames });
    let last = 0;
    const next = (/** @type {number} */ now) => {
      if (!document.querySelector('#evidence progress')) {
        if (frames.length > 0) return;
      } else if (last > 0) frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return async () => {
    const frames = (
      await page.evaluate(() => /** @type {{frames: number[]}} */ (/** @type {unknown} */ (globalThis)).frames)
    ).sort((a, b) => a - b);
    const module =
      (await workerOf(page).evaluate(() => /** @type {any} */ (globalThis).leaselabBytes())) - (await idle);
    const own = (await heap()) - before;
    const [half, most] = [frames[frames.length >> 1], frames[Math.floor(frames.length * 0.95)]];
    const memory = `module +${mib(module).toFixed(0)} MiB, page ${mib(own).toFixed(0)} MiB more`;
    const pace = `${frames.length} frames, median ${half?.toFixed(1)} ms, 95 % ${most?.toFixed(1)} ms`;
    const says = `${memory}, ${pace}`;
    console.log(says);
    return { mib: mib(module + own), frames, half, says };
  };
}

test(
  '100 MB of audit log: within 150 MiB, while the page draws on, and it can be cancelled',
  nightly(),
  async ({ page }, info) => {
    test.setTimeout(180_000);
    const path = info.outputPath('audit.jsonl');
    await write(createWriteStream(path), auditOf(100e6));
    await openRoom(page);
    await choose(page, path);
    await expect(dialog(page).getByRole('progressbar', { name: 'Reading' })).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog(page).getByRole('button', { name: 'Choose files' })).toBeVisible();

    const figures = await watch(page);
    await choose(page, path);
    await expect(dialog(page).locator('.logs-sub')).toContainText('Likely cause', { timeout: 120_000 });
    const { mib: more, frames, half, says } = await figures();
    expect(more, says).toBeLessThan(150);
    expect(frames.length, says).toBeGreaterThan(60);
    expect(half, says).toBeLessThan(17.5);
  },
);

const BOMB = `kind: Lease\na: &a [x, x]\n${Array.from({ length: 20 }, (_, n) => `b${n}: [*a, *a]\n`).join('')}---\n`;
const HALF = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","objectRef":{"resource":"leases","name":"half\n`;
const OTHER = `{"kind":"Pod","apiVersion":"v1"}\n`;

test(
  '1 GB of audit log with half lines, other kinds and a bomb: within 150 MiB, with their lines, and the run stays',
  nightly(),
  async ({ page }, info) => {
    test.setTimeout(600_000);
    const path = info.outputPath('audit.jsonl');
    await write(
      createWriteStream(path),
      auditOf(1e9, (hour) => (hour === 0 ? HALF : hour === 1 ? OTHER : hour === 2 ? BOMB : '')),
    );
    expect(statSync(path).size).toBeGreaterThanOrEqual(1e9);
    await openRoom(page);
    await expect(readout(page)).toContainText('00:40.000');
    await choose(page, path);
    const bar = dialog(page).getByRole('progressbar', { name: 'Reading' });
    await expect(async () =>
      expect(await bar.evaluate((one) => /** @type {HTMLProgressElement} */ (one).position)).toBeGreaterThan(0.02),
    ).toPass({ timeout: 120_000 });
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog(page).getByRole('button', { name: 'Choose files' })).toBeVisible();

    const figures = await watch(page);
    await choose(page, path);
    await expect(dialog(page).locator('.logs-sub')).toContainText('Likely cause', { timeout: 500_000 });
    const { mib: more, half, says } = await figures();
    expect(more, says).toBeLessThan(150);
    expect(half, says).toBeLessThan(17.5);
    const unread = dialog(page).getByRole('region', { name: 'What leaselab could not read' });
    await expect(unread).toContainText('audit.jsonl:104 the JSON object that begins here is not complete');
    await expect(unread).toContainText('audit.jsonl:312 the YAML document that begins here has anchors');
    await expect(dialog(page).getByRole('form', { name: 'What to read', includeHidden: true })).toContainText(
      'one line is of another kind, line 208: of kind Pod',
    );
    // A line near the end is found again.
    await dialog(page).getByRole('list', { name: 'What happened' }).locator('.says').last().click();
    await expect(dialog(page).getByRole('list', { name: /^Lines of audit\.jsonl:/ })).toBeVisible({ timeout: 120_000 });
    await page.keyboard.press('Escape');
    await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'a-leader-dies');
    await expect(readout(page)).toContainText('00:40.000');
  },
);

test(
  'nearly 300,000 records leave the page as a trace file; more are refused with a sentence',
  nightly(),
  async ({ page }, info) => {
    test.setTimeout(600_000);
    const [within, beyond] = [info.outputPath('within.jsonl'), info.outputPath('beyond.jsonl')];
    await write(createWriteStream(within), auditOf(610e6));
    await write(createWriteStream(beyond), auditOf(680e6));
    await openRoom(page);
    await choose(page, within);
    const headline = dialog(page).locator('.logs-sub');
    await expect(headline).toContainText('Likely cause', { timeout: 300_000 });
    await dialog(page).getByText('Take it to other tools').click();
    await dialog(page).getByRole('combobox', { name: 'Format' }).selectOption('Trace file (NDJSON)');
    const save = dialog(page).getByRole('button', { name: 'Save as a file' });
    const download = page.waitForEvent('download', { timeout: 120_000 });
    await save.click();
    let lines = 0;
    for await (const chunk of createReadStream(await (await download).path()))
      for (const byte of chunk) if (byte === 10) lines++;
    console.log(`${lines} lines`);
    expect(lines).toBeGreaterThan(280_000);
    expect(lines).toBeLessThanOrEqual(300_001);

    await dialog(page).getByRole('button', { name: 'Other files' }).click();
    await choose(page, beyond);
    await expect(headline).toContainText('Likely cause', { timeout: 300_000 });
    await dialog(page).getByText('Take it to other tools').click();
    await save.click();
    await expect(dialog(page).getByRole('alert')).toContainText(
      'the span has more than 300000 records, too many for one text in the page',
      { timeout: 120_000 },
    );
  },
);

/** 1 GB that gzip packs to a thousandth. @param {string} piece */
function* gigabyteOf(piece) {
  const part = piece.repeat(Math.ceil((1 << 20) / piece.length));
  for (let n = 0; n < 1e9; n += part.length) yield part;
}

for (const [name, piece, says] of [
  ['one line of gzip that unpacks to 1 GB', '{"kind":"Lease",', 'the JSON nests deeper than 200 levels'],
  ['1 GB of other lines, packed', 'nonsense\n', 'line 1 is text'],
])
  test(`${name}: within 150 MiB, a sentence, and the run stays`, nightly(), async ({ page }, info) => {
    test.setTimeout(600_000);
    const path = info.outputPath('bomb.json.gz');
    const packed = createGzip({ level: 9 });
    const done = once(packed.pipe(createWriteStream(path)), 'finish');
    await write(packed, gigabyteOf(piece));
    await done;
    expect(readFileSync(path).length).toBeLessThan(5e6);
    await openRoom(page);
    const figures = await watch(page);
    await choose(page, path);
    await expect(dialog(page).getByRole('heading', { level: 1 })).toContainText('These files name no Lease', {
      timeout: 500_000,
    });
    const { mib: more, says: measured } = await figures();
    expect(more, measured).toBeLessThan(150);
    await expect(dialog(page)).toContainText(says);
    await page.keyboard.press('Escape');
    await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'a-leader-dies');
  });
