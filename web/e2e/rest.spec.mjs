/** The API server of the run: by fetch through the service worker, and by hand in the API tab. */
import { act, axe, command, expect, nightly, open, plain, readout, ready, status, test } from './lab.mjs';
import { DIST, openHost } from './serve.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const LEASES = 'apis/coordination.k8s.io/v1/namespaces/default/leases';
/** The browser itself reports every answer from 400 on. */
const refusals = { annotation: { type: 'allow', description: 'Failed to load resource' } };

/** The page is the service worker's. @param {Page} page */
async function waitForWorker(page) {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/**
 * A request as a visitor types it into the console of the browser.
 * @param {Page} page
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [type]
 */
function ask(page, method, path, body, type = 'application/json') {
  return page.evaluate(
    async ({ method, path, body, type }) => {
      const answer = await fetch(path, {
        method,
        ...(body ? { body: JSON.stringify(body), headers: { 'content-type': type } } : {}),
      });
      const text = await answer.text();
      const json = /json/.test(answer.headers.get('content-type') ?? '');
      return { status: answer.status, body: json ? JSON.parse(text) : text };
    },
    { method, path, body, type },
  );
}

/**
 * Begins a watch in the page; what it has told stands in `watch.frames`.
 * @param {Page} page
 * @param {string} [query]
 * @param {string} [path]
 */
async function watch(page, query = 'watch=true', path = LEASES) {
  await page.evaluate(
    async ({ path }) => {
      const abort = new AbortController();
      const watch = { frames: /** @type {any[]} */ ([]), over: '', abort: () => abort.abort() };
      /** @type {any} */ (window).watch = watch;
      const answer = await fetch(path, { signal: abort.signal });
      const read = async () => {
        let rest = '';
        const reader = /** @type {any} */ (answer.body)
          .pipeThrough(new TextDecoderStream())
          .getReader();
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          const lines = (rest + value).split('\n');
          rest = lines.pop() ?? '';
          watch.frames.push(...lines.map((line) => JSON.parse(line)));
        }
        watch.over = 'ended';
      };
      read().catch((error) => {
        watch.over = error.name;
      });
    },
    { path: `${path}?${query}` },
  );
}

/**
 * Opens a scenario of 2 s as a file, and shows the whole run.
 * @param {Page} page
 * @param {object} scenario
 */
async function openScenario(page, scenario) {
  await open(page, '');
  await waitForWorker(page);
  const whole = { apiVersion: 'leaselab.dev/v1alpha1', kind: 'Scenario', seed: 1, duration: '2s', ...scenario };
  const buffer = Buffer.from(JSON.stringify(whole));
  await page.locator('#file').setInputFiles({ name: 'many.json', mimeType: 'application/json', buffer });
  await expect(page.locator('#toasts')).toContainText('many.json');
  await command(page, 'Show the whole run');
  await expect(readout(page)).toContainText('00:02.000');
}
/** @param {Page} page @returns {Promise<any[]>} */
const frames = (page) => page.evaluate(() => /** @type {any} */ (window).watch.frames);
/** @param {Page} page @returns {Promise<string>} */
const watchResult = (page) => page.evaluate(() => /** @type {any} */ (window).watch.over);
/** @param {Page} page */
const line = (page) => page.getByRole('textbox', { name: 'Command, as for kubectl' });
/** @param {Page} page */
const output = (page) => page.locator('#api-output');
/** @param {Page} page */
const send = (page) => page.getByRole('button', { name: 'Send', exact: true });
/** @param {Page} page */
const undo = (page) => page.locator('#transport [data-command="undo"]');

/** Opens the API tab. @param {Page} page */
async function openTab(page) {
  await page.getByRole('tab', { name: 'API' }).click();
  await expect(line(page)).toBeVisible();
}

/** @param {Page} page @param {string} text */
async function type(page, text) {
  await line(page).fill(text);
  await line(page).press('Enter');
}

test.describe('by fetch', () => {
  test.use({ serviceWorkers: 'allow' });

  test('leases are listed and watched while the run plays', nightly(), async ({ page }) => {
    await open(page, '#a-leader-dies&t=30s');
    await waitForWorker(page);
    const list = await ask(page, 'GET', LEASES);
    expect(list.status).toBe(200);
    expect(list.body.items.map((/** @type {any} */ item) => item.spec.holderIdentity)).toEqual(['a']);
    expect((await ask(page, 'GET', `/${LEASES}`)).body.kind, 'at the root of the origin').toBe('LeaseList');
    expect((await ask(page, 'GET', 'version')).body.major).toBe('1');
    for (const path of ['healthz', 'livez', 'readyz']) expect((await ask(page, 'GET', path)).body).toBe('ok');
    expect((await ask(page, 'GET', 'apis')).body.kind).toBe('APIGroupList');

    await watch(page, `watch=true&resourceVersion=${list.body.metadata.resourceVersion}`);
    await page.keyboard.press(' ');
    await expect.poll(async () => (await frames(page)).at(-1)?.object.spec.holderIdentity).toBe('b');
    expect((await frames(page)).every((frame) => frame.type === 'MODIFIED')).toBe(true);
    expect((await ask(page, 'GET', `${LEASES}/demo`)).body.spec.holderIdentity).toBe('b');
    expect(await watchResult(page)).toBe('');
  });

  test('writes become acts: a watch sees them, undo takes them back', refusals, async ({ page }) => {
    await open(page, '#a-leader-dies&t=40s');
    await waitForWorker(page);
    await watch(page);
    await expect.poll(async () => (await frames(page)).length).toBe(1);

    const lease = { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: { name: 'mine' }, spec: {} };
    expect((await ask(page, 'POST', LEASES, lease)).status).toBe(201);
    await expect(undo(page)).toHaveAttribute('title', /POST leases at 00:40\.000/);
    expect((await ask(page, 'POST', LEASES, lease)).body.reason).toBe('AlreadyExists');
    const patch = { metadata: { labels: { hello: 'there' } } };
    const patched = await ask(page, 'PATCH', `${LEASES}/demo`, patch, 'application/merge-patch+json');
    expect(patched.body.metadata.labels).toEqual({ hello: 'there' });
    expect((await ask(page, 'DELETE', `${LEASES}/mine`)).body.status).toBe('Success');
    await expect(page.locator('#events')).toContainText('An administrator sends DELETE');
    await expect
      .poll(async () => (await frames(page)).map(({ type, object }) => `${type} ${object.metadata.name}`))
      .toEqual(['ADDED demo', 'ADDED mine', 'MODIFIED demo', 'DELETED mine']);

    for (const left of [['demo', 'mine'], ['demo', 'mine'], ['demo']]) {
      await undo(page).click();
      await expect
        .poll(async () =>
          (await ask(page, 'GET', LEASES)).body.items.map((/** @type {any} */ item) => item.metadata.name),
        )
        .toEqual(left);
    }
    expect((await ask(page, 'GET', `${LEASES}/demo`)).body.metadata.labels).toBeUndefined();
    await expect(undo(page)).toHaveAttribute('aria-disabled', 'true');
    await expect.poll(() => watchResult(page), 'what was told was taken back').toBe('ended');
    expect((await frames(page)).at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  test('a write in the past makes a branch, and a watch of the old one ends with 410', nightly(), async ({ page }) => {
    await open(page, '#a-leader-dies&t=10s&e=40s');
    await waitForWorker(page);
    await watch(page);
    await expect.poll(async () => (await frames(page)).length).toBe(1);
    await ask(page, 'DELETE', `${LEASES}/demo`);
    await expect(page.locator('#toasts')).toContainText('New branch. The original run is kept.');
    await expect.poll(() => watchResult(page)).toBe('ended');
    expect((await frames(page)).at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    expect((await ask(page, 'GET', LEASES)).body.items).toEqual([]);
  });

  test('3,000 objects come at once, then the bookmark, and the watch ends at its time', nightly(), async ({ page }) => {
    const version = { binaryVersion: '1.36.0', emulationVersion: '1.36.0', strategy: 'OldestEmulationVersion' };
    await openScenario(page, {
      name: 'many-objects',
      title: 'Many objects',
      elector: { coordinated: true },
      apiServers: [{ name: 'api-1', version: '1.37.0' }],
      candidates: [{ name: 'a', replicas: 3000, ...version }],
    });
    const path = 'apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates';
    const list =
      'watch=1&timeoutSeconds=3&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    await watch(page, list, path);
    await expect.poll(() => watchResult(page)).toBe('ended');
    const told = await frames(page);
    expect(told.filter((frame) => frame.type === 'ADDED')).toHaveLength(3000);
    expect(told[3000]).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
  });

  test('a watch that is 3,000 events behind catches up at once', nightly(), async ({ page }) => {
    const patches = Array.from({ length: 3000 }, (_, i) => ({
      at: '1s',
      act: 'request',
      method: 'PATCH',
      path: `/${LEASES}/demo`,
      headers: ['content-type: application/merge-patch+json'],
      body: JSON.stringify({ metadata: { labels: { n: `${i}` } } }),
    }));
    const scenario = { name: 'many-events', title: 'Many events', candidates: [{ name: 'a' }], actions: patches };
    await openScenario(page, scenario);
    await watch(page, 'watch=1&resourceVersion=1&timeoutSeconds=3');
    await expect.poll(() => watchResult(page)).toBe('ended');
    const told = await frames(page);
    expect(told.map((frame) => frame.object.metadata.labels?.n).filter(Boolean)).toEqual(patches.map((_, i) => `${i}`));
    expect(told.every((frame) => frame.type === 'MODIFIED')).toBe(true);
  });

  test(
    'an address of the API opens as a document; any other address goes its usual way',
    { ...refusals, ...nightly() },
    async ({ page, context }) => {
      await open(page, '#a-leader-dies&t=40s');
      await waitForWorker(page);
      const other = await context.newPage();
      const answer = await other.goto(`./${LEASES}/demo`);
      expect(answer?.headers()['content-type']).toContain('json');
      await expect(other.locator('body')).toContainText('"holderIdentity"');
      await other.close();
      expect((await ask(page, 'GET', 'apiserver')).status).toBe(404);
      const long = await ask(page, 'POST', LEASES, { text: 'x'.repeat(3 * 1024 * 1024) });
      expect(long.body).toMatchObject({ kind: 'Status', code: 413 });
    },
  );

  test('YAML is read, too', plain, async ({ page }) => {
    await open(page, '#a-leader-dies&t=40s');
    await waitForWorker(page);
    const answer = await page.evaluate(
      async (path) =>
        (
          await fetch(`${path}/demo?fieldManager=me`, {
            method: 'PATCH',
            headers: { 'content-type': 'application/apply-patch+yaml' },
            body: 'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: demo\n  labels: {a: b}\n',
          })
        ).json(),
      LEASES,
    );
    expect(answer.metadata.labels).toEqual({ a: 'b' });
  });

  test('without a network a second visit still answers', nightly(), async ({ page, context }) => {
    await open(page, '#a-leader-dies&t=40s');
    await waitForWorker(page);
    await context.setOffline(true);
    await page.reload();
    await ready(page);
    expect((await ask(page, 'GET', LEASES)).body.items).toHaveLength(1);
    await openTab(page);
    await type(page, 'get lease demo -o yaml');
    await expect(output(page)).toContainText('kind: Lease');
  });

  for (const path of ['/repo-name/', '/']) {
    test(`on another host, under ${path}`, nightly(), async ({ browser }) => {
      const host = await openHost({ folders: { [path]: DIST } });
      const context = await browser.newContext({ serviceWorkers: 'allow' });
      try {
        const page = await context.newPage();
        await page.goto(host.address);
        await ready(page);
        await waitForWorker(page);
        expect((await ask(page, 'GET', LEASES)).body.kind).toBe('LeaseList');
        expect((await ask(page, 'GET', `/${LEASES}`)).body.kind).toBe('LeaseList');
        expect((await ask(page, 'GET', `${path}${LEASES}`)).body.kind).toBe('LeaseList');
      } finally {
        await context.close();
        await host.close();
      }
    });
  }
});

test(
  'the first visit, without a service worker: lines and requests are answered all the same',
  nightly(),
  async ({ page }) => {
    await open(page, '#a-leader-dies&t=40s');
    await openTab(page);
    await type(page, 'get leases');
    await expect(output(page)).toContainText(/NAME +HOLDER +AGE\ndemo +b +40s/);
    await send(page).click();
    await expect(page.locator('.api-status')).toHaveText('200 OK');
    await expect(page.locator('#api-answer')).toContainText('kind: LeaseList');
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await expect(page.locator('#api-answer')).toContainText('"kind": "LeaseList"');
  },
);

test('every verb of the editor is answered by the API, and a write can be undone', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=40s');
  await openTab(page);
  const verb = page.getByRole('combobox', { name: 'Verb' });
  /** @type {[string, string][]} */
  const all = [
    ['get', '200 OK'],
    ['list', '200 OK'],
    ['create', '201 Created'],
    ['strategic', '200 OK'],
    ['merge', '200 OK'],
    ['json', '200 OK'],
    ['apply', '409 Conflict'],
    ['delete', '200 OK'],
    ['deletecollection', '200 OK'],
  ];
  for (const [id, answer] of all) {
    await test.step(id, async () => {
      await verb.selectOption('get');
      await verb.selectOption(id);
      if (!['get', 'list', 'delete', 'deletecollection'].includes(id))
        await expect(page.locator('#api-body')).not.toHaveValue('');
      await send(page).click();
      await expect(page.locator('.api-status')).toHaveText(answer);
    });
  }
  await expect(undo(page)).toHaveAttribute('title', /DELETE leases at/);
  await undo(page).click();
  await type(page, 'get leases -o name');
  await expect(output(page)).toContainText('lease.coordination.k8s.io/example');
});

test('the line: lists, errors, editing, and the lines before', async ({ page }) => {
  await open(page, '#a-leader-dies&t=40s');
  await openTab(page);
  const expectOutput = async (/** @type {string} */ text, /** @type {RegExp} */ words) => {
    await type(page, text);
    await expect(output(page)).toContainText(words);
  };
  await expectOutput('get leases -A -o wide', /NAMESPACE +NAME +HOLDER +AGE\ndefault +demo/);
  await expectOutput('describe lease demo', /Holder Identity: +b/);
  await expectOutput('log demo', /This line has no verb “log”/);
  await expectOutput('auth can-i get leases', /This line has no verb “auth”\. .* use the real kubectl/);
  await expectOutput(`get leases --template='{{.kind}}'`, /get has no flag --template here\. .* use the real kubectl/);
  await expectOutput(`get leases -o jsonpath='{range .items[*]}{.spec.holderIdentity} holds{end}'`, /b holds/);
  await expectOutput('wait --for=delete lease/demo', /This line has no verb “wait”/);
  await expectOutput(
    'get lease nobody',
    /Error from server \(NotFound\): leases\.coordination\.k8s\.io "nobody" not found/,
  );
  await expectOutput(
    `patch lease demo -p '{"metadata":{"labels":{"tier":"test"}}}'`,
    /lease\.coordination\.k8s\.io\/demo patched/,
  );
  await expectOutput('get leases -l tier=test -o name', /\nlease\.coordination\.k8s\.io\/demo\n/);
  await expectOutput(`patch lease demo --type merge -p '{"spec":{"holderIdentity":"me"}}'`, /demo patched/);
  await expectOutput('delete lease demo', /lease\.coordination\.k8s\.io "demo" deleted from default namespace/);
  await expect(undo(page)).toHaveAttribute('title', /DELETE demo/);

  await line(page).press('ArrowUp');
  await expect(line(page)).toHaveValue('delete lease demo');
  await line(page).press('ArrowUp');
  await expect(line(page)).toHaveValue(/^patch lease demo/);
  await line(page).press('ArrowDown');
  await line(page).press('ArrowDown');
  await expect(line(page)).toHaveValue('');

  await undo(page).click();
  await type(page, 'edit lease demo');
  const body = page.locator('#api-body');
  await expect(body).toBeFocused();
  await expect(body).toHaveValue(/holderIdentity: me/);
  await send(page).click();
  await expect(page.locator('#api').getByRole('alert')).toContainText('The object is unchanged, so nothing was sent.');
  await body.fill((await body.inputValue()).replace('holderIdentity: me', 'holderIdentity: you'));
  await body.press('Control+Enter');
  await expect(page.locator('.api-status')).toHaveText('200 OK');
  await expect(page.locator('.api-what')).toContainText('PATCH');
  await expect(page.locator('#api-answer')).toContainText('holderIdentity: you');

  for (const [text, done] of /** @type {[string, RegExp][]} */ ([
    ['create -f', /^201 Created$/],
    ['apply -f lease fresh', /^201 Created$/],
    ['apply -f lease demo --server-side --field-manager me --force-conflicts', /^200 OK$/],
  ])) {
    await type(page, text);
    await expect(body).toBeFocused();
    await body.press('Control+Enter');
    await expect(page.locator('.api-status')).toHaveText(done);
  }
});

test('a line that watches goes on until it is stopped', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=40s');
  await openTab(page);
  await type(page, 'get leases -w');
  await expect(output(page)).toContainText(/demo +b +40s/);
  await act(page, 'Crash b').click();
  await command(page, 'Run to the next leader change');
  await expect(output(page)).toContainText(/demo +c +\d+s/);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
});

test('by keyboard only: a line, a request, an exchange', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=40s');
  // Typed at once, while the tab is still loading: no letter is taken for a command.
  await page.keyboard.type(':get leases');
  await expect(line(page)).toBeFocused();
  await expect(line(page)).toHaveValue('get leases');
  await page.keyboard.press('Enter');
  await expect(output(page)).toContainText('demo');
  await expect(status(page)).toContainText('demo');

  await page.keyboard.press('Tab'); // Run
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Verb' })).toBeFocused();
  await page.keyboard.type('get');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(send(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('.api-what')).toHaveText('GET …/leases/demo');
  await expect(status(page)).toContainText('200 OK');

  const row = page.locator('.api-list').getByRole('button').first();
  for (let i = 0; i < 30 && !(await row.evaluate((button) => button === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await expect(row).toBeFocused();
  // Below what was just sent stand the requests of the nodes.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.locator('.api-head .letter')).toHaveText(/^[abc]$/);

  await page.keyboard.press(':');
  await expect(line(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(line(page)).not.toBeFocused();
});

for (const [name, colorScheme, width, height] of /** @type {const} */ ([
  ['light', 'light', 1440, 900],
  ['dark', 'dark', 1440, 900],
  ['a tablet', 'light', 1024, 768],
  ['a phone', 'dark', 390, 844],
])) {
  test(`axe finds nothing in the API tab: ${name}`, nightly(name !== 'light'), async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await open(page, '#a-leader-dies&t=40s');
    await openTab(page);
    await axe(page, '#api');
    await page.getByRole('combobox', { name: 'Verb' }).selectOption('create');
    await page.locator('#api-body').fill('{');
    await send(page).click();
    await expect(page.locator('#api').getByRole('alert')).toBeVisible();
    await type(page, 'get leases');
    await expect(page.locator('.api-body')).toBeInViewport();
    await expect(output(page)).toContainText('demo');
    await axe(page, '#api');
    await page.locator('.api-list').getByRole('button').first().click();
    await page.locator('#api-answer-room').getByText('On the wire').click();
    await axe(page, '#api');
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(wider, 'nothing is wider than the page').toBeLessThanOrEqual(0);
  });
}
