/** Evidence of a cluster: dropped, read only on this machine, run again, cured and shared. */

import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { dialog, drop, FILES, file, INCIDENT, workerOf } from './evidence.mjs';
import { axe, command, expect, headline, link, nightly, open, test } from './lab.mjs';

/** @import { Page } from '@playwright/test' */

/** A rotated log, joined by cat: several gzip members. @param {{name: string, bytes: Buffer}} packed */
function joinMembers({ name, bytes }) {
  const lines = gunzipSync(bytes)
    .toString()
    .split(/(?<=\n)/);
  const half = lines.length >> 1;
  return {
    name,
    bytes: Buffer.concat([lines.slice(0, half), lines.slice(half)].map((part) => gzipSync(part.join('')))),
  };
}

/** Copies the post-mortem, and reads it. @param {Page} page */
async function expectPostmortem(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog(page).getByRole('button', { name: 'As a post-mortem' }).click();
  await expect(page.locator('#toasts, [role="status"]').filter({ hasText: 'post-mortem' })).not.toHaveCount(0);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  for (const part of [
    '# Lease `ns-a/demo`: node-a and node-b both believed',
    '## What would have helped',
    'run again.yaml',
  ])
    expect(text).toContain(part);
}

test('the paused incident is dropped: two leaders, their lines, the same run, its cure, and the link', async ({
  page,
  context,
}) => {
  await open(page, '#a-leader-dies');
  /** @type {string[]} */
  const sent = [];
  page.on('request', (one) => sent.push(`${one.method()} ${one.postData() ?? ''}${new URL(one.url()).pathname}`));
  const [audit, ...others] = FILES.map(file);
  await drop(page, [joinMembers(audit), ...others]);
  await expect(dialog(page).getByRole('heading', { level: 1 })).toHaveText(
    'node-a and node-b both believed that they led, for 16.008 s.',
  );
  await expect(dialog(page)).toContainText('Likely cause: pause');
  // The log of node-a says when it stopped; its line shows beside the lines of the takeover.
  await dialog(page).getByRole('button', { name: 'node-a.klog:8', exact: true }).click();
  await expect(dialog(page).getByRole('list', { name: 'Lines of node-a.klog:8' })).toContainText(
    'Failed to renew lease',
  );
  await expect(
    dialog(page).getByRole('img', { name: /^node-a: holds the Lease.*believes that it leads/ }),
  ).toBeVisible();
  await expect(dialog(page).getByRole('form', { name: 'What to read', includeHidden: true })).toContainText(
    '103 audit',
  );
  await axe(page, '#evidence');

  // Nothing leaves the machine: the worker has no network, and the page has fetched only its own files.
  const doors = await workerOf(page).evaluate(() =>
    [
      'fetch',
      'XMLHttpRequest',
      'WebSocket',
      'EventSource',
      'WebTransport',
      'importScripts',
      'caches',
      'Worker',
      'fonts',
    ].filter((name) => /** @type {any} */ (globalThis)[name] !== undefined),
  );
  expect(doors).toEqual([]);
  expect(sent.filter((one) => !/^GET \/leaselab\/[\w-]+\.(js|css|json|svg|wasm\.zst)$/.test(one))).toEqual([]);

  const again = dialog(page).getByRole('region', { name: 'What would have helped' });
  await expect(again).toContainText(/The run has the same leaders; each starts within 0\.\d{3} s/);
  await expect(again.getByRole('row').filter({ hasText: 'leaseDuration 30 s' })).toContainText(
    /never.*a crash: 39\.0 s/,
  );
  await again.getByRole('button', { name: 'Run that night again' }).click();
  await expect(dialog(page)).not.toBeVisible();
  await expect(headline(page)).toContainText('Two led at once for');
  await page.locator('#toasts').getByRole('button', { name: 'Back to your logs' }).click();
  await expectPostmortem(page);
  await again.getByRole('button', { name: 'Open the run with leaseDuration 30 s' }).click();
  await expect(dialog(page)).not.toBeVisible();
  await expect(headline(page)).toContainText('leads');
  await expect(headline(page)).not.toContainText('Two led');

  const { text } = await link(page);
  const other = await context.newPage();
  await other.goto(`./${text}`);
  await expect(other.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(headline(other)).toHaveText((await headline(page).textContent()) ?? '');
  await other.close();
});

test('on a phone: a sample, a line, the same run, a cure, and the post-mortem', nightly(), async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '#crash');
  await command(page, 'Your logs');
  await dialog(page)
    .getByRole('button', { name: /^A leader paused/ })
    .click();
  await expect(dialog(page).getByRole('heading', { level: 1 })).toContainText('both believed that they led');
  await dialog(page)
    .getByRole('button', { name: /^node-a\.klog:/ })
    .first()
    .click();
  await expect(dialog(page).getByRole('list', { name: /^Lines of node-a\.klog:/ })).toBeInViewport();
  await expectPostmortem(page);
  await dialog(page).getByRole('button', { name: 'Run that night again' }).click();
  await expect(headline(page)).toContainText('Two led at once for');
  await page.locator('#toasts').getByRole('button', { name: 'Back to your logs' }).click();
  await dialog(page).getByRole('button', { name: 'Open the run with leaseDuration 30 s' }).click();
  await expect(headline(page)).not.toContainText('Two led');
  // One message, below the story's first button.
  const toast = page.locator('.toast').filter({ visible: true });
  await expect(toast).toHaveText(/Your night with leaseDuration 30 s/);
  const [story, message] = await Promise.all([
    page.locator('.btn.primary.wide').filter({ visible: true }).boundingBox(),
    toast.boundingBox(),
  ]);
  expect((story?.y ?? 999) + (story?.height ?? 0)).toBeLessThanOrEqual(message?.y ?? 0);
});

test('without files, a recorded incident of each kind is there to try', nightly(), async ({ page }) => {
  await open(page, '#crash');
  await page.getByRole('button', { name: 'Your logs' }).click();
  await axe(page, '#evidence');
  for (const [name, answer] of [
    ['paused', /node-a and node-b both believed that they led/],
    ['lost its network', /Nobody renewed for|both believed/],
    ['crashed', /Nobody renewed for/],
  ]) {
    await dialog(page)
      .getByRole('button', { name: new RegExp(`^A leader ${name}`) })
      .click();
    await expect(dialog(page).getByRole('heading', { level: 1 })).toContainText(answer);
    await expect(dialog(page).getByRole('button', { name: 'Run that night again' })).toBeVisible();
    await dialog(page).getByRole('button', { name: 'Other files' }).click();
  }
});

test(
  'pasted lines are read; broken ones are named with their line; a scenario still opens as one',
  nightly(),
  async ({ page }) => {
    await open(page, '#crash');
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, gunzipSync(file('watch.jsonl.gz').bytes).toString());
    await expect(dialog(page).getByRole('heading', { level: 1 })).toContainText('Nobody renewed for 18.676 s.');
    await drop(page, [{ name: 'broken.jsonl', bytes: Buffer.from('\n{"kind":"Lease" oops}\n') }]);
    await expect(dialog(page).getByRole('region', { name: 'What leaselab could not read' })).toContainText(
      'broken.jsonl:2',
    );
    const { bytes } = file('audit.jsonl.gz');
    await drop(page, [{ name: 'cut.jsonl.gz', bytes: bytes.subarray(0, 3000) }]);
    await expect(dialog(page).getByRole('region', { name: 'What leaselab could not read' })).toContainText(
      /cut\.jsonl\.gz:\d+\s*the gzip data is damaged, or cut off/,
    );
    const unread = dialog(page).getByRole('region', { name: 'What leaselab could not read' });
    const bomb = `kind: Lease\na: &a [x, x]\n${Array.from({ length: 20 }, (_, n) => `b${n}: [*a, *a]\n`).join('')}`;
    await drop(page, [{ name: 'bomb.yaml', bytes: Buffer.from(bomb) }]);
    await expect(unread).toContainText('bomb.yaml:1 the YAML document that begins here has anchors');
    await drop(page, [{ name: 'half.jsonl', bytes: Buffer.from(`{"kind":"Pod"}\n{"kind":"Lease","spec":{"hold`) }]);
    await expect(unread).toContainText('half.jsonl:2');
    await page.keyboard.press('Escape');
    await expect(page.locator('#scenario')).toHaveAttribute('data-scenario', 'crash');

    const mine =
      'apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nname: mine\nduration: 30s\ncandidates: [{name: a}]\n';
    await drop(page, [{ name: 'mine.yaml', bytes: Buffer.from(mine) }]);
    await expect(page.locator('#toasts')).toContainText('mine.yaml is open.');
    await expect(dialog(page)).not.toBeVisible();
  },
);

/** An archive of tar. @param {{name: string, bytes: Buffer}[]} files */
function tar(files) {
  const blocks = files.flatMap(({ name, bytes }) => {
    const head = Buffer.alloc(512);
    head.write(name);
    head.write(bytes.length.toString(8).padStart(11, '0'), 124);
    head.write('0', 156);
    head.write('ustar', 257);
    return [head, bytes, Buffer.alloc(-bytes.length & 511)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

test('an archive is read with all its members, and their lines show', nightly(), async ({ page }) => {
  await open(page, '#crash');
  const members = [
    { ...file('audit.jsonl.gz'), name: 'audit_logs/cp0-audit.log.gz' },
    { ...file('node-a.klog'), name: 'pods/node-a/manager/logs/current.log' },
  ];
  await drop(page, [{ name: 'must-gather.tgz', bytes: gzipSync(tar(members)) }]);
  await expect(dialog(page).getByRole('heading', { level: 1 })).toHaveText(
    'node-a and node-b both believed that they led, for 16.008 s.',
  );
  const place = 'must-gather.tgz/pods/node-a/manager/logs/current.log:8';
  await dialog(page).getByRole('button', { name: place, exact: true }).click();
  await expect(dialog(page).getByRole('list', { name: `Lines of ${place}` })).toContainText('Failed to renew lease');
});

/** Saves with a button, and reads the file. @param {Page} page @param {import('@playwright/test').Locator} button */
async function saveAndRead(page, button) {
  const download = page.waitForEvent('download');
  await button.click();
  const one = await download;
  return { name: one.suggestedFilename(), bytes: readFileSync(await one.path()) };
}

test(
  'a record of real programs is evidence: its pause, the second start, and each format; its run is a session',
  nightly(),
  async ({ page }) => {
    await open(page, '#crash');
    const name = 'record.ndjson.gz';
    await drop(page, [{ name, bytes: readFileSync(new URL(`../${name}`, INCIDENT)) }]);
    await page.getByRole('button', { name: 'Read it as evidence' }).click();
    await expect(dialog(page).getByRole('heading', { level: 1 })).toHaveText(
      'a and b both believed that they led, for 3.058 s.',
    );
    await expect(dialog(page).getByRole('list', { name: 'What happened' })).toContainText(
      'a starts leading again while b holds the Lease, until 10:02:34.332',
    );
    await dialog(page).getByText('Take it to other tools').click();
    const save = dialog(page).getByRole('button', { name: 'Save as a file' });
    /** @type {Map<string, string>} */
    const out = new Map();
    for (const format of ['Trace file (NDJSON)', 'Events (CSV)', 'Leaders (CSV)']) {
      await dialog(page).getByRole('combobox', { name: 'Format' }).selectOption(format);
      const file = await saveAndRead(page, save);
      out.set(file.name, file.bytes.toString());
    }
    expect([...out.keys()]).toEqual(['default-demo.ndjson', 'default-demo.events.csv', 'default-demo.leaders.csv']);
    expect(
      out
        .get('default-demo.leaders.csv')
        ?.split('\r\n')
        .map((row) => row.split(',')[0]),
    ).toEqual([...['leader', 'a', 'b', 'a', '']]);

    // What left as a trace file comes back as the same evidence.
    const again = out.get('default-demo.ndjson') ?? '';
    await dialog(page).getByRole('button', { name: 'Other files' }).click();
    await drop(page, [{ name: 'again.ndjson', bytes: Buffer.from(again) }]);
    await expect(dialog(page).getByRole('heading', { level: 1 })).toHaveText(
      'a and b both believed that they led, for 3.058 s.',
    );
    await expect(dialog(page).getByRole('region', { name: 'What would have helped' })).toContainText(
      /The run has the same leaders/,
    );
    await dialog(page).getByRole('button', { name: 'Run that night again' }).click();
    const download = page.waitForEvent('download');
    await command(page, 'Save the session: every branch, and the breakpoints');
    const session = readFileSync(await (await download).path());
    const { kind, branches } = JSON.parse(session.toString());
    expect(kind).toBe('Session');
    expect(branches[0].scenario.elector.leaseDuration).toBe('4s');
  },
);

test(
  'what was found leaves for other tools, the keyboard moves along it, and a trace comes back as its run',
  nightly(),
  async ({ page }) => {
    await open(page, '#a-leader-dies&t=40s&e=40s');
    await page.keyboard.press('e');
    const exporting = page.getByRole('dialog', { name: 'Export' });
    await exporting.getByRole('radio', { name: 'Trace file (NDJSON)' }).check();
    const trace = await saveAndRead(page, exporting.getByRole('button', { name: 'Save as a file' }));
    await exporting.getByRole('button', { name: 'Close' }).click();

    await drop(page, FILES.map(file));
    const slider = dialog(page).getByRole('slider', { name: /^What happened/ });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuenow', '1');
    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveAttribute('aria-valuenow', '2');
    const said = (await slider.getAttribute('aria-valuetext')) ?? '';
    await expect(
      dialog(page).getByRole('list', { name: 'What happened' }).locator('.says[aria-current=true]'),
    ).toContainText(said.slice(said.indexOf(' ') + 1));
    const lines = dialog(page).getByRole('list', { name: /^Lines of / });
    await expect(lines).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(lines).toBeFocused();

    await dialog(page).getByText('Take it to other tools').click();
    const save = dialog(page).getByRole('button', { name: 'Save as a file' });
    const traced = await saveAndRead(page, save);
    expect(traced.name).toBe('ns-a-demo.ndjson');
    expect(traced.bytes.toString().split('\n').length).toBeGreaterThan(100);
    await dialog(page).getByRole('combobox', { name: 'Format' }).selectOption('Leaders (CSV)');
    expect((await saveAndRead(page, save)).bytes.toString()).toContain('node-b');
    await axe(page, '#evidence');

    await dialog(page).getByRole('button', { name: 'Other files' }).click();
    const text = trace.bytes.toString();
    const changed = text.replace('"text":"crashes.', '"text":"smiles.');
    const line = changed.slice(0, changed.indexOf('smiles.')).split('\n').length;
    await drop(page, [{ name: 'changed.ndjson', bytes: Buffer.from(changed) }]);
    await expect(dialog(page).getByRole('region', { name: 'What leaselab could not read' })).toContainText(
      `changed.ndjson:${line} running the trace again gives a different run`,
    );
    await dialog(page).getByRole('button', { name: 'Other files' }).click();
    await drop(page, [trace]);
    await expect(dialog(page)).toContainText(`${trace.name} reproduces exactly the same run: a-leader-dies, seed 1004`);
    await dialog(page)
      .getByRole('button', { name: `Open the run of ${trace.name}` })
      .click();
    await expect(dialog(page)).not.toBeVisible();
    await expect(page.locator('#readout')).toContainText('00:40.000');
  },
);
