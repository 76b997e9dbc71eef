/** The fault laboratory: every act and every setting from the page, refusals at their fields, and the way back. */
import { encodeLink } from '../js/lib/share.js';
import { axe, chooseFault, command, expect, link, nightly, open, test, traceHash } from './lab.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('@playwright/test').Locator} Locator */

/**
 * The same run as in sim/lab/settings_test.go: at 12 s every act is possible. b is paused, c is down, a is cut off, a
 * message of d is held, and one of e is under way.
 */
const LABORATORY = {
  apiVersion: 'leaselab.dev/v1alpha1',
  kind: 'Scenario',
  seed: 3,
  duration: '60s',
  resource: { fence: 'none' },
  client: { qps: 50 },
  candidates: [
    { name: 'a' },
    { name: 'b', startAt: '100ms' },
    { name: 'c', startAt: '200ms' },
    { name: 'd', startAt: '300ms', network: { requestLatency: '4900ms' } },
    { name: 'e', startAt: '400ms', network: { requestLatency: '4900ms' } },
  ],
  actions: [
    { at: '11s', act: 'intercept', target: 'd', effect: 'late' },
    { at: '5s', act: 'pause', target: 'b' },
    { at: '5s', act: 'crash', target: 'c' },
    { at: '6s', act: 'cutResource', target: 'a' },
    { at: '11s', act: 'cut', target: 'a' },
    { at: '11s', act: 'fail', target: 'a', error: 'http503' },
  ],
};

/**
 * Each act with the least it needs, and what the list of events says of it.
 * @type {Record<string, [Record<string, string>, string]>}
 */
const LEAST = {
  crash: [{ target: 'holder', for: '5' }, 'crashes'],
  restart: [{ target: 'c' }, 'starts again'],
  pause: [{ target: 'a', for: '1' }, 'is paused'],
  resume: [{ target: 'b' }, 'resumes after'],
  stop: [{ target: 'a', grace: '20' }, 'is asked to stop'],
  cut: [{ target: 'b', direction: 'up', mode: 'hold' }, 'is cut off from the API server (requests are lost)'],
  heal: [{ target: 'a' }, 'reaches the API server again'],
  fail: [{ target: 'a', error: 'http500', probability: '0.5' }, 'for 50 % of its requests'],
  recover: [{ target: 'a' }, 'no longer gets errors'],
  latency: [{ target: 'a', request: '50 ms' }, 'now has a request latency of 50.0 ms'],
  clock: [{ target: 'a', ratePpm: '900000' }, 'now has a clock with offset'],
  write: [{ op: 'touch' }, "touches the Lease's metadata"],
  request: [
    { method: 'DELETE', path: '/apis/coordination.k8s.io/v1/namespaces/default/leases/demo' },
    'The Lease is gone',
  ],
  add: [{ 'candidate.name': 'z', 'candidate.elector.retryPeriod': '1s' }, 'joins'],
  remove: [{ target: 'b' }, 'leaves for good'],
  upgrade: [{ target: 'b', binaryVersion: '1.36.0' }, ''],
  set: [{ target: 'b', 'elector.retryPeriod': '1s' }, 'gets new settings'],
  suspend: [{ target: 'a' }, 'is suspended'],
  hang: [{ target: 'a' }, 'hangs'],
  burst: [{ target: 'a', count: '20' }, 'sends 20 requests'],
  server: [{ 'server.ratePerSecond': '5' }, 'The capacity of the API server changes'],
  rollback: [{ to: '10s' }, 'restores the store'],
  cutResource: [{ target: 'a' }, 'no longer reaches the resource'],
  healResource: [{ target: 'a' }, 'reaches the resource again'],
  rollingUpdate: [{ every: '5' }, 'a-v2 joins'],
  intercept: [{ target: 'e', effect: 'drop' }, 'drops'],
  deliver: [{ target: 'd' }, ''],
};

/** @param {Page} page */
const room = (page) => page.getByRole('dialog', { name: 'All settings and faults' });
/** @param {Page} page */
const settings = (page) => room(page).getByRole('form', { name: 'Settings' });
/** @param {Page} page */
const fault = (page) => room(page).getByRole('form', { name: 'Fault' });
/** The row of a field. @param {Locator} form @param {string} path */
const row = (form, path) => form.locator(`[data-path="${path}"]`);

/** @param {Page} page */
async function openLaboratory(page) {
  const cursor = { t: 12e9, n: -1 };
  const share = { scenario: LABORATORY, patch: [], actions: [], seed: 3, engine: 0, hash: '', cursor, live: cursor };
  await open(page, `#${await encodeLink(share)}`);
  await expect(page.locator('#readout')).toContainText('00:12.000');
}

/** Opens the folds around a row, and the row itself. @param {Locator} one */
const unfold = (one) =>
  one.evaluate((element) => {
    for (let at = element.closest('details'); at; at = at.parentElement?.closest('details') ?? null) at.open = true;
  });
/** Does it, with the button of the form. @param {Page} page */
const doIt = (page) =>
  fault(page)
    .getByRole('button', { name: /^Do it at/ })
    .click();

/**
 * Says something in a field, whatever its control is; what it lies in is unfolded.
 * @param {Locator} form
 * @param {string} path
 * @param {string} value
 */
async function say(form, path, value) {
  const field = row(form, path);
  for (let at = path.indexOf('.'); at > 0 && (await field.count()) === 0; at = path.indexOf('.', at + 1)) {
    const group = row(form, path.slice(0, at));
    if ((await group.count()) === 0) continue; // a heading
    await unfold(group);
    await expect(group.locator('.fields')).toBeAttached();
  }
  await unfold(field);
  const kind = await field.getAttribute('data-kind');
  if (kind === 'words') await field.getByRole('checkbox', { name: new RegExp(`^${value}\\b`) }).check();
  else if (kind === 'choice' || kind === 'bool' || path.endsWith('target'))
    await field.getByRole('combobox').selectOption(value);
  else await field.getByRole('textbox').fill(value);
}

// Every run injects a third of them.
for (const third of [1, 2, 3])
  test(
    `each fault is injected from the page, stands in the list of events, and is taken back: ${third} of 3`,
    nightly(),
    async ({ page }) => {
      await openLaboratory(page);
      const schema = await (await page.request.get('./scenario.schema.json')).json();
      const rules = schema.$defs.Action.allOf;
      expect(rules.map((/** @type {any} */ rule) => rule.if.properties.act.const).sort()).toEqual(
        Object.keys(LEAST).sort(),
      );
      const events = page.locator('#events').getByRole('listitem').filter({ hasText: '00:12.000' });
      await expect(events).toHaveCount(0);
      const before = await traceHash(page);
      for (const rule of rules.filter((/** @type {any} */ _, /** @type {number} */ i) => i % 3 === third - 1)) {
        const act = rule.if.properties.act.const;
        const [fields, words] = LEAST[act];
        await test.step(act, async () => {
          await chooseFault(page, act);
          const form = fault(page);
          // Every field that the act takes has a control.
          for (const name of rule.then.propertyNames.enum.filter((/** @type {string} */ one) => one !== 'act'))
            await expect(row(room(page), name)).toHaveCount(1);
          for (const [path, value] of Object.entries(fields)) await say(form, path, value);
          await doIt(page);
          await expect(room(page)).toBeHidden();
          await expect(events.filter({ hasText: words })).not.toHaveCount(0);
          await page.keyboard.press('z');
          await expect(events).toHaveCount(0);
        });
      }
      await traceHash(page, before);
    },
  );

test('every setting of the format has a control', nightly(), async ({ page }) => {
  await open(page, '#oldest-version-leads&t=1s');
  await command(page, 'All settings and faults');
  const schema = await (await page.request.get('./scenario.schema.json')).json();
  /** @param {string} type @param {string} at @returns {{path: string, group: boolean}[]} */
  const paths = (type, at) =>
    Object.entries((type === 'Scenario' ? schema : schema.$defs[type]).properties)
      .filter(([, one]) => one.const === undefined)
      .map(([name, one]) => ({ path: at + name, group: Boolean(one.$ref), type: one.$ref?.replace('#/$defs/', '') }))
      .flatMap((one) => (one.group ? [one, ...paths(one.type, `${one.path}.`)] : [one]));
  const form = settings(page);
  for (const [scope, type, prefix] of [
    ['', 'Scenario', ''],
    ['candidates[0]', 'Candidate', 'candidates[0].'],
    ['apiServers[0]', 'APIServer', 'apiServers[0].'],
  ]) {
    await room(page).getByRole('combobox', { name: 'Settings of' }).selectOption(scope);
    // each of these has its own room
    const wanted = paths(type, prefix).filter(({ path }) => path !== 'candidates');
    for (const { path } of wanted.filter(({ group }) => group)) {
      const group = row(form, path); // others of them are headings
      if ((await group.count()) > 0) await unfold(group);
    }
    const there = () =>
      room(page)
        .locator('[data-path]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-path')));
    await expect
      .poll(async () => {
        const all = new Set(await there());
        return wanted.filter(({ path }) => !all.has(path) && ![...all].some((one) => one?.startsWith(`${path}.`)));
      })
      .toEqual([]);
    const unnamed = await form.evaluate(
      (root) =>
        [...root.querySelectorAll('input, select, textarea')].filter(
          (one) => /** @type {any} */ (one).labels?.length === 0,
        ).length,
    );
    expect(unnamed).toBe(0);
    expect(wanted.length).toBeGreaterThan(scope.startsWith('api') ? 5 : 50);
  }
});

test(
  'a setting of each group: run again from 0 with all of them together, and in the link',
  nightly(),
  async ({ page }) => {
    await open(page, '#a-leader-dies&t=25s');
    await page.getByRole('button', { name: 'All settings…' }).click();
    const form = settings(page);
    await expect(form.getByRole('status')).toHaveText('Nothing has changed.');
    await expect(row(form, 'elector.requestTimeout')).toContainText('Default: 5 s.');
    await say(form, 'elector.leaseDuration', '20');
    await say(form, 'elector.renewDeadline', '16'); // only right together with the other
    await say(form, 'process.drainAfterLoss', '500ms');
    await say(form, 'elector.dialect', 'wallClockExpiry');
    await say(form, 'network.responseDistribution.p50', '4ms');
    await say(form, 'network.responseDistribution.p99', '40ms');
    // A constant and a distribution contradict each other: told at the field, while typing.
    await say(form, 'network.responseLatency', '3ms');
    await expect(row(form, 'network.responseLatency').getByRole('alert')).toContainText(
      'contradicts responseDistribution',
    );
    await row(form, 'network.responseLatency').getByRole('textbox').fill('');
    await expect(form.getByRole('alert')).toHaveCount(0);
    await say(form, 'server.ratePerSecond', '100');
    await say(form, 'resource.fence', 'leaseTransitions');
    await say(form, 'nilHolder', 'intended');
    await say(form, 'bounds.leaderless', '30s');
    await room(page).getByRole('combobox', { name: 'Settings of' }).selectOption('b');
    await say(form, 'candidates[1].clock.offset', '-250ms');
    await say(form, 'candidates[1].client.qps', '5');
    await expect(form.getByRole('status')).toContainText('12 changes');
    await expect(form.getByRole('status')).toContainText('Longest possible failover');
    await form.getByRole('button', { name: /^Run again/ }).click();
    await expect(room(page)).toBeHidden();
    await expect(page.locator('#branches').getByRole('button').filter({ hasNotText: 'Tree…' })).toHaveCount(2);
    await expect(page.locator('[data-path="elector.leaseDuration"]').getByRole('button')).toHaveText('20 s');
    const { share } = await link(page);
    expect(share.patch).toContainEqual({ path: 'resource.fence', value: 'leaseTransitions' });
    expect(share.patch).toContainEqual({ path: 'candidates[1].clock.offset', value: '-250ms' });
    await page.goto('about:blank');
    await open(page, `#${await encodeLink(share)}`);
    await expect(page.locator('[data-path="elector.renewDeadline"]').getByRole('button')).toHaveText('16 s');
    expect((await link(page)).share.hash).toBe(share.hash);
  },
);

test('a setting is undone', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=25s');
  const before = await traceHash(page);
  const form = settings(page);
  await command(page, 'All settings and faults');
  await say(form, 'seed', '9');
  await form.getByRole('button', { name: /^Run again/ }).click();
  await expect(page.locator('#seed')).toHaveValue('9');
  await page.keyboard.press('z');
  await expect(page.locator('#seed')).toHaveValue('1004');
  await traceHash(page, before);
});

test(
  'locks of another kind: the ConfigMap is looked at and deleted, and a node gets another lock',
  nightly(),
  async ({ page }) => {
    await open(page, '#b23-two-locks&t=12s'); // the Lease does not exist yet
    await page.getByRole('tab', { name: 'The Lease' }).click();
    const objects = page.getByRole('tabpanel', { name: 'The Lease' });
    await objects.getByRole('combobox', { name: 'Object' }).selectOption('ConfigMap demo');
    await expect(objects).toContainText('kind: ConfigMap');
    await expect(objects).toContainText('control-plane.alpha.kubernetes.io/leader');
    await expect(objects).toContainText('{"holderIdentity":"');
    await command(page, 'All settings and faults');
    const form = settings(page);
    await room(page).getByRole('combobox', { name: 'Settings of' }).selectOption('b');
    await say(form, 'candidates[1].elector.lock', 'configmapsleases');
    await form.getByRole('button', { name: 'Restart b with it' }).click();
    await expect(room(page)).toBeHidden();
    expect((await link(page)).share.actions[0]).toMatchObject({ act: 'set', elector: { lock: 'configmapsleases' } });
    await chooseFault(page, 'write');
    await say(fault(page), 'op', 'delete');
    await say(fault(page), 'object', 'configmap');
    await doIt(page);
    await expect(room(page)).toBeHidden();
    await expect(page.getByText('An administrator deletes the ConfigMap').first()).toBeAttached();
    await expect(objects).toContainText('# deleted');
    // Back where there is only the Lease, it is the Lease that is shown.
    await open(page, '#a-leader-dies&t=12s');
    await expect(objects).toContainText('Lease demo');
  },
);

test('refused at the field, and nothing of the session is lost', async ({ page }) => {
  await openLaboratory(page);
  const before = await traceHash(page);
  const form = settings(page);

  /** @param {string} path @param {string} value @param {string} rule */
  async function expectRefusal(path, value, rule) {
    await say(form, path, value);
    await expect(row(form, path).getByRole('alert')).toContainText(rule);
  }
  await command(page, 'All settings and faults');
  // A knob out of range, whole numbers and lengths, and one that does not fit another.
  await expectRefusal('client.burst', '0', 'client.burst 0 must be between 1 and 10,000');
  await row(form, 'client.burst').getByRole('textbox').fill('');
  await expect(form.getByRole('alert')).toHaveCount(0);
  await expectRefusal('elector.renewDeadline', '15s', 'must be shorter than leaseDuration');
  await row(form, 'elector.renewDeadline').getByRole('textbox').fill('');
  // A dialect that contradicts another.
  await say(form, 'elector.dialect', 'forLife');
  await expectRefusal('elector.dialect', 'ttlLock', 'contradicts dialect "forLife"');
  await form.getByRole('button', { name: 'Undo the change' }).click();
  await expect(form.getByRole('alert')).toHaveCount(0);
  // An expectation of something unknown.
  await unfold(row(form, 'expect'));
  await row(form, 'expect').getByRole('button', { name: 'Add to expect' }).click();
  await expectRefusal('expect[0].violation', 'tooManyCooks', 'must be the name of a checker');
  // Applying it all the same moves the focus there, and changes nothing.
  await form.getByRole('button', { name: /^Run again/ }).click();
  await expect(row(form, 'expect[0].violation').getByRole('textbox')).toBeFocused();
  await expect(room(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(room(page)).toBeHidden();

  // A cut of what is cut off already, and cuts that overlap illegally.
  await chooseFault(page, 'cut');
  await say(fault(page), 'target', 'a');
  await say(fault(page), 'mode', 'refuse');
  await doIt(page);
  await expect(fault(page).getByRole('alert')).toHaveText('a is cut off already. Heal it first.');
  await expect(row(fault(page), 'target').getByRole('combobox')).toBeFocused();
  await say(fault(page), 'target', '*');
  await doIt(page);
  await expect(fault(page).getByRole('alert')).toContainText(
    'which is still in effect with mode "drop"; heal it first',
  );
  await expect(row(fault(page), 'mode').getByRole('combobox')).toBeFocused();
  // What is missing, what cannot be done now, and an instant after the end.
  await room(page)
    .getByRole('button', { name: /^Errors fail/ })
    .click();
  await say(fault(page), 'error', '');
  await doIt(page);
  await expect(fault(page).getByRole('alert')).toContainText('error: missing; act "fail" needs it');
  await room(page)
    .getByRole('button', { name: /^Crash crash/ })
    .click();
  await say(fault(page), 'target', 'c');
  await doIt(page);
  await expect(fault(page).getByRole('alert')).toHaveText('c is already down. Restart it first.');
  await row(room(page), 'at').getByRole('textbox').fill('2m');
  await doIt(page);
  await expect(fault(page).getByRole('alert')).toContainText('lies after the end of the run at 1m');
  await page.keyboard.press('Escape');
  await traceHash(page, before);
});

test('at an instant: before live a branch, after it a plan; undo takes either back', nightly(), async ({ page }) => {
  await open(page, '#a-leader-dies&t=12s');
  await chooseFault(page, 'stop');
  await row(room(page), 'at').getByRole('textbox').fill('16');
  await doIt(page);
  await expect(room(page)).toBeHidden();
  await expect(page.locator('#toasts')).toContainText('Planned for 00:16.000: a is asked to stop.');
  await expect(page.locator('#readout')).toContainText('00:12.000');
  await command(page, 'Run to the next leader change');
  const asked = page.locator('#events').getByRole('listitem').filter({ hasText: 'is asked to stop' });
  await page.keyboard.press('/');
  await page.locator('#filter').fill('is asked to stop');
  await expect(asked).toContainText('00:16.000');
  await page.keyboard.press('Escape');
  await page.keyboard.press('z');
  await expect(page.locator('#readout')).toContainText('00:12.000');
  await chooseFault(page, 'pause');
  await row(room(page), 'at').getByRole('textbox').fill('8s');
  await doIt(page);
  await expect(page.locator('#branches').getByRole('button').filter({ hasNotText: 'Tree…' })).toHaveCount(2);
  await expect(page.locator('#readout')).toContainText('00:08.000');
});

for (const [name, width, height, scheme] of /** @type {[string, number, number, "light" | "dark"][]} */ ([
  ['wide, light', 1440, 900, 'light'],
  ['wide, dark', 1440, 900, 'dark'],
  ['a phone', 390, 844, 'light'],
])) {
  test(`by keyboard, found by searching, clean for axe: ${name}`, nightly(name !== 'wide, light'), async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await open(page, '#a-leader-dies&t=12s');
    if (width < 720) {
      await page.locator('[data-command="menu"]').click();
      await page.getByRole('button', { name: 'All settings and faults…' }).click();
    } else await command(page, 'All settings and faults');
    const clean = () => axe(page, '#faults');
    await clean();
    await room(page).getByRole('searchbox', { name: 'Search the settings' }).fill('watchdog tolerance');
    const field = row(settings(page), 'process.watchdogTolerance').getByRole('textbox', { name: 'watchdogTolerance' });
    await expect(settings(page).getByRole('textbox')).toHaveCount(1);
    await field.focus();
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await expect(room(page)).toBeHidden();
    expect((await link(page)).share.patch).toEqual([{ path: 'process.watchdogTolerance', value: '5s' }]);

    await chooseFault(page, 'add');
    await clean();
    await expect(row(fault(page), 'candidate.name').getByRole('textbox')).toHaveValue('d');
    await expect.poll(() => room(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
    await unfold(fault(page).getByText(/^2 more fields/));
    await row(fault(page), 'candidate.startAt').getByRole('textbox').focus();
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await expect(room(page)).toBeHidden();
    expect((await link(page)).share.actions).toEqual([
      expect.objectContaining({ act: 'add', candidate: { name: 'd', startAt: '1s' } }),
    ]);
  });
}
