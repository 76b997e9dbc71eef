/**
 * Five journeys in Firefox, whose engine, storage, service worker and clipboard differ from Chromium's. Each goes from
 * a link to what the reader sees:
 *
 *     FIREFOX=/usr/bin/firefox-esr node --test e2e/firefox/journeys.mjs
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BASE, DIST, openHost } from '../serve.mjs';
import { firefox, Reader, visit } from './visit.mjs';

const HEADLINE = '#headline';
const READOUT = '#readout';
const STATUS = '#status';
const TOASTS = '#toasts';
const LEASES = 'apis/coordination.k8s.io/v1/namespaces/default/leases';

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {import('../serve.mjs').Host} */
let site;
before(async () => {
  browser = await firefox();
  site = await openHost({ folders: { [BASE]: DIST } });
  console.log(`# ${await browser.version()}`);
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/**
 * @param {string} name
 * @param {(reader: Reader) => Promise<void>} journey
 * @param {RegExp} [expected] what the console may say
 */
const journey = (name, journey, expected) => test(name, () => visit(browser, site.address, journey, expected));

/**
 * Firefox reports every answer of a service worker that the page leaves early. Nothing on the page sees this.
 */
const LEFT =
  /^Error: Failed to load ‘’\. A ServiceWorker intercepted the request and encountered an unexpected error\.$/;

/**
 * Pauses a playing run. The run plays after an act at the live end, and after a scenario opens.
 * @param {Reader} reader
 */
async function pauseRun(reader) {
  await reader.click('button', 'Pause');
  await reader.find('button', 'Play').wait();
}

journey('crash: the leader dies, another takes over, and the gap is told', async (reader) => {
  await reader.open('#a-leader-dies&t=12s');
  await reader.expectText(HEADLINE, 'a leads');
  await reader.click('button', 'Crash a');
  await reader.expectText(STATUS, 'a crashes');
  await reader.expectText(HEADLINE, /Nobody led for \d+\.\d{3} s/); // the act plays on
  await reader.fill('searchbox', 'Filter the events', 'starts leading');
  await reader.expectText('#events', /[bc] starts leading/);
});

journey('link: it brings back the instant, the acts and the headline', async (reader) => {
  await reader.open('#a-leader-dies&t=30s');
  await reader.press('2');
  await reader.click('button', 'Crash b');
  await reader.expectText(STATUS, 'b crashes');
  await reader.command('Run to the next leader change');
  const sentence = await reader.expectText(HEADLINE, /Nobody led for \d+\.\d{3} s/);
  const shown = await reader.text(READOUT);
  await reader.press('l');
  await reader.expectText(TOASTS, 'Copied: the link');
  const link = await reader.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#v1\./);
  await reader.page.goto('about:blank');
  await reader.open(link);
  assert.equal(await reader.text(READOUT), shown);
  assert.equal(await reader.text(HEADLINE), sentence);
  await reader.press('2');
  await reader.find('button', 'Restart b').wait();
});

journey(
  'API: fetch and a watch through the service worker, writes as acts, and the tab',
  async (reader) => {
    const { page } = reader;
    await reader.open('#a-leader-dies&t=40s');
    await reader.waitForWorker();
    const list = await page.evaluate(async (path) => (await fetch(path)).json(), LEASES);
    assert.deepEqual(
      list.items.map((/** @type {any} */ one) => one.spec.holderIdentity),
      ['b'],
    );

    await page.evaluate(watch, `${LEASES}?watch=true`);
    const post = (/** @type {string} */ path) => {
      const body = JSON.stringify({ kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: { name: 'mine' } });
      return fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
        (answer) => answer.status,
      );
    };
    assert.equal(await page.evaluate(post, LEASES), 201);
    await page.waitForFunction(() => /** @type {any} */ (window).told.includes('ADDED mine'));
    await reader.expectText('#events', 'An administrator sends POST');
    await page.evaluate(() => /** @type {any} */ (window).leave());
    await page.waitForFunction(() => /** @type {any} */ (window).over === 'AbortError');

    await reader.click('tab', 'API');
    await reader.fill('textbox', 'Command, as for kubectl', 'get leases');
    await reader.press('Enter');
    await reader.expectText('#api-output', /NAME HOLDER AGE .*demo b .*mine/);
    await page.keyboard.press('Escape');
    await reader.clickText('#bar', '↶');
    await reader.expectText(STATUS, 'Undone');
    const left = await page.evaluate(async (path) => (await fetch(path)).json(), LEASES);
    assert.deepEqual(
      left.items.map((/** @type {any} */ one) => one.metadata.name),
      ['demo'],
    );
  },
  LEFT,
);

test('offline: the second visit needs no host', async () => {
  const own = await openHost({ folders: { [BASE]: DIST } });
  await visit(browser, own.address, async (reader) => {
    await reader.open('#a-leader-dies&t=12s');
    await reader.waitForWorker();
    await own.close();
    await assert.rejects(fetch(own.address), 'the host is gone');
    await reader.page.reload();
    await reader.ready();
    await reader.expectText(HEADLINE, 'a leads');
    await reader.click('button', 'Crash a');
    await reader.expectText(STATUS, 'a crashes');
    await reader.command('All settings and faults'); // the room has a separate file
    await reader.page.waitForSelector('#setting-elector-leaseDuration', { visible: true });
  });
});

test('recovery: the worker dies, and nothing but the act is lost', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'firefox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(DIST, folder, { recursive: true });
  const [worker] = readdirSync(folder).filter((name) => /^worker-.*\.js$/.test(name));
  writeFileSync(join(folder, worker), `${DIES}\n${readFileSync(join(folder, worker), 'utf8')}`);
  const own = await openHost({ folders: { [BASE]: folder } });
  try {
    await visit(browser, own.address, recovers, /unreachable executed/);
  } finally {
    await own.close();
  }
});

/** Goes before the worker's own script. It begins every pause, like the worker, and dies of it. */
const DIES = `addEventListener('message', (event) => {
  if (event.data.request?.params?.act !== 'pause') return;
  event.stopImmediatePropagation();
  postMessage({ type: 'busy', id: event.data.request.id });
  throw new WebAssembly.RuntimeError('unreachable executed');
});`;

/** @param {Reader} reader */
async function recovers(reader) {
  await reader.open('#a-leader-dies&t=12.3s');
  await reader.click('button', 'Crash a');
  await reader.expectText(STATUS, 'a crashes');
  await pauseRun(reader);
  await reader.press('2');
  const shown = await reader.text(READOUT);
  await reader.click('button', 'Pause b');
  await reader.expectText(TOASTS, /crashed/);
  await reader.ready();
  assert.equal(await reader.text(READOUT), shown);
  await reader.click('button', 'Crash b');
  await reader.expectText(STATUS, 'b crashes');
  await reader.press('1');
  await reader.find('button', 'Restart a').wait();
}

/** Runs in the page: begins a watch and collects its frames in `told`. @param {string} path */
async function watch(path) {
  const scope = /** @type {any} */ (window);
  const abort = new AbortController();
  Object.assign(scope, { told: [], over: '', leave: () => abort.abort() });
  const answer = await fetch(path, { signal: abort.signal });
  const reader = /** @type {any} */ (answer.body)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  const read = async () => {
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const { type, object } of lines.map((line) => JSON.parse(line)))
        scope.told.push(`${type} ${object.metadata.name}`);
    }
  };
  read().catch((error) => {
    scope.over = error.name;
  });
}
