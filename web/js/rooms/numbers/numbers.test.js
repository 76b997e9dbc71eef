import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, enter, fire, settle, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { formsOf } from './copyas.js';
import { closed, parse } from './formulas.js';
import { open } from './index.js';

/** @param {string} typed */
const settingOf = (typed) => /** @type {any} */ (parse(typed));
const measured = (/** @type {number} */ runs) => ({
  runs,
  slowestSeconds: 21,
  middleSeed: 7,
  slowestSeed: 9,
  middle: [
    { seconds: 15, shown: '15.00', text: "left on b's countdown", counting: true },
    { seconds: 1.5, shown: '1.50', text: 'until b tried again', counting: false },
  ],
  histogram: { fromSeconds: 13, toSeconds: 21, runs: [1, 2, 3, 1] },
  command: 'leaselab sweep',
});

/**
 * Shows the page with an engine that needs two pieces for a setting.
 * @param {string} [numbers] of the address @param {(dialog: any, setting: string) => void} [during] each piece
 */
function numbersAt(numbers, during) {
  /** @type {string[]} */
  const entered = [];
  const enter = (/** @type {any} */ dialog, item = '') => {
    dialog.show();
    entered.push(item);
  };
  const page = pageAt({}, { assets: {}, open: () => true }, { pages: { close: () => false, enter, left() {} } });
  /** @type {any[][]} */
  const asked = [];
  const tools = {
    /** @param {string} op @param {any} params */
    async ask(op, params) {
      asked.push([op, params.setting, params.candidates, ...(params.seed ? [params.seed] : [])]);
      if (op === 'numbersOpen') return { scenario: { name: 'numbers' }, at: 5, end: 9 };
      during?.(
        page.added().find(({ id }) => id === 'numbers'),
        params.setting,
      );
      const over = asked.filter(([, setting]) => setting === params.setting).length > 1;
      const answer = {
        ...closed(settingOf(params.setting), params.candidates),
        measured: measured(over ? 10000 : 400),
      };
      return {
        over,
        badge: '<svg>',
        answer: { ...answer, takeoverSeconds: { ...answer.takeoverSeconds, p50: 16.5, p99: 19.6 } },
      };
    },
  };
  const room = open(page.ports, /** @type {any} */ (tools));
  const dialog = page.added().find(({ id }) => id === 'numbers');
  room.show(numbers);
  const sentences = () => all(dialog, 'h2').map((one) => text(one).replaceAll('\u00a0', ' '));
  return { ...page, dialog, room, asked, entered, sentences };
}

test('formulas answer before the engine does, and then the runs', async () => {
  const { dialog, sentences, asked } = numbersAt();
  assert.deepEqual(sentences(), ['After a crash, another one leads within 23.8 s in every case.']);
  assert.match(text(dialog), /API may be away\s*8.s.*Safety margin\s*2\.997.s.*A clock may be slow by\s*20 %/s);
  for (let i = 0; i < 40; i++) await settle();
  assert.deepEqual(sentences(), [
    'After a crash, half of the takeovers take 16.5 s or more; the slowest of 10,000 took 21 s.',
  ]);
  assert.match(text(dialog), /15\.00 s left on b's countdown/);
  const order = asked.map(([, setting]) => setting);
  assert.deepEqual(
    order,
    ['15s/10s/2s', '137s/107s/26s', '40s/-/10s'].flatMap((one) => [one, one]),
  );
});

test('an edit ends the runs of the setting before', async () => {
  let edited = false;
  const { asked, entered, sentences } = numbersAt('15s/10s/2s', (dialog, setting) => {
    if (setting !== '15s/10s/2s' || edited) return;
    edited = true;
    enter(all(dialog, 'input')[0], '20s');
    fire(all(dialog, 'input')[0], 'change');
  });
  for (let i = 0; i < 40; i++) await settle();
  assert.deepEqual(
    asked.slice(0, 3).map(([, setting]) => setting),
    ['15s/10s/2s', '20s/10s/2s', '20s/10s/2s'],
  );
  assert.equal(entered.at(-1), '20s/10s/2s');
  assert.match(sentences()[0], /half of the takeovers/);
});

test('a refused setting says why, marks its field, and stays in the address', () => {
  const { dialog, entered, sentences } = numbersAt('10s/15s/2s');
  assert.match(sentences()[0], /^leaseDuration 10s: client-go refuses it: .* Make it longer than 15s/);
  assert.equal(all(dialog, 'input')[0].getAttribute('aria-invalid'), 'true');
  assert.equal(all(dialog, 'input')[1].getAttribute('aria-invalid'), 'false');
  assert.equal(entered.at(-1), '10s/15s/2s');
  assert.equal(all(dialog, '.numbers-cards').length, 0);
  button(dialog, /^OpenShift/).click();
  assert.match(sentences()[0], /within 251\.4 s/);
});

test('two settings stand beside each other, with the candidates of the address', async () => {
  const { dialog, entered, sentences, asked } = numbersAt('15s/10s/2s/5,20s/15s/3s');
  assert.equal(entered.at(-1), '15s/10s/2s/5,20s/15s/3s');
  assert.match(sentences().join(), /With 15s\/10s\/2s, .*With 20s\/15s\/3s, /);
  assert.equal(all(dialog, '.numbers-card h4').length, 16);
  await settle();
  assert.deepEqual(asked[0], ['numbersGo', '15s/10s/2s', 5]);
  button(dialog, /Remove the second/).click();
  assert.equal(entered.at(-1), '15s/10s/2s/5');
  button(dialog, /Set another/).click();
  assert.equal(sentences().length, 2);
});

test('the middle run and the slowest open in the lab', async () => {
  const { dialog, asked, done } = numbersAt();
  for (let i = 0; i < 40; i++) await settle();
  button(dialog, /Open the slowest/).click();
  for (let i = 0; i < 4; i++) await settle();
  assert.deepEqual(asked.at(-1), ['numbersOpen', '15s/10s/2s', 3, 9]);
  assert.match(JSON.stringify(done), /"open",\{"scenario":\{"name":"numbers"\},"cursor":\{"t":5,"n":-1\}/);
  assert.equal(dialog.open, false);
});

test('a tab copies the setting in its form', () => {
  const { dialog, done } = numbersAt();
  button(dialog, /^Copy/).click();
  assert.match(JSON.stringify(done.at(-1)), /--leader-elect-lease-duration=15s\\n/);
  button(dialog, /^controller-runtime 15/).click();
  assert.equal(the(dialog, '[role=tab][aria-selected=true]').textContent, 'controller-runtime');
  assert.match(the(dialog, 'pre').textContent, /LeaseDuration: {2}ptr\.To\(15 \* time\.Second\),/);
  button(dialog, /^Badge/).click();
  assert.match(the(dialog, 'img').getAttribute('src'), /^data:image\/svg/);
});

test('each form is right for its reader', () => {
  const forms = (/** @type {string} */ typed) => formsOf(settingOf(typed), '<svg>');
  assert.deepEqual(
    forms('40s/-/10s').map(([label]) => label),
    ['KubeletConfiguration', 'Badge'],
  );
  assert.match(forms('3s/1500ms/0.5s')[1][1], /RenewDeadline: 1500 \* time\.Millisecond,\n\tRetryPeriod: {3}500 \*/);
});
