import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, button, each, recorder, text, the } from '#dom';
import { knobsTemplate } from './knobs.js';

const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
/** @type {Record<string, string>} */
const NAMES = {
  leaseDuration: 'Followers wait',
  renewDeadline: 'Leader gives up after',
  retryPeriod: 'Look again every',
};
const knob = (/** @type {string} */ path, /** @type {string} */ standard, label = path.replace(/.*\./, '')) => ({
  ...{
    path,
    label,
    name: NAMES[label],
    default: standard,
    kind: 'duration',
    takes: 'restart',
    help: `help of ${label}`,
  },
});
const KNOBS = [
  knob('elector.leaseDuration', '15s'),
  knob('elector.renewDeadline', '10s'),
  knob('elector.retryPeriod', '2s'),
  knob('elector.requestTimeout', '5s', 'request timeout'),
  { ...knob('elector.releaseOnCancel', 'false'), kind: 'bool' },
  { ...knob('network.requestLatency', '2ms', 'request latency'), takes: 'now' },
];

/**
 * The settings of a run, and what their controls did.
 * @param {Record<string, object>} [changed] settings by label @param {{marginNs?: number}} [more]
 */
function knobs(changed = {}, { marginNs = 2.997e9 } = {}) {
  /** @type {unknown[][]} */
  const done = [];
  const view = {
    ...{ nodes: [{ name: 'a' }], marginNs, cursor: { t: 20e9, n: -1 } },
    knobs: KNOBS.map(({ path, label, default: value }) => ({ path, value, ...changed[label] })),
  };
  const template = knobsTemplate(any(view), any({ knobs: KNOBS }), recorder(done).run);
  const labels = all(template, 'dt').map(text);
  const bar = all(template, '.margin-bar i').map((one) => [one.textContent, one.className, one.style.flexGrow]);
  return { template, done, labels, bar, margin: text(the(template, 'p.margin')) };
}

const THREE = ['Followers wait leaseDuration', 'Leader gives up after renewDeadline', 'Look again every retryPeriod'];

test('three numbers always show, with a plain name and the name of the API', () => {
  const { template, labels } = knobs();
  assert.deepEqual(labels, THREE);
  assert.deepEqual(each(all(template, 'dd button'), 'textContent'), ['15 s', '10 s', '2 s']);
  assert.equal(the(template, 'button', 'renewDeadline: 10 s. Change').title, 'help of renewDeadline');
  assert.deepEqual(knobs({ leaseDuration: { value: '1m30s' } }).labels, THREE, 'changed, too');
});

test('another setting shows once it differs from its default, or will', () => {
  assert.deepEqual(knobs({ releaseOnCancel: { value: 'true' } }).labels, [...THREE, 'releaseOnCancel']);
  const { template, labels } = knobs({ 'request latency': { value: '200ms' }, 'request timeout': { pending: '8s' } });
  assert.deepEqual(labels, [...THREE, 'request timeout', 'request latency']);
  assert.match(text(template), /request timeout 5 s 8 s at the next start request latency 200 ms/);
});

test('a setting that the engine does not describe is left out', () => {
  const view = { nodes: [], knobs: [{ path: 'elector.other', value: '1s' }], marginNs: 0 };
  const template = knobsTemplate(any(view), any({ knobs: KNOBS }), any(null));
  assert.equal(all(template, 'dt, .margin, .margin-bar').length, 0, 'and no margin without a node');
});

test('the margin is drawn to scale; it is safe only above zero', () => {
  const { template, bar, margin } = knobs();
  assert.deepEqual(bar, [
    ['10 s renew', '', '10000000000'],
    ['2 s', 'retry', '2000000000'],
    ['3 s safe', 'safe', '2997000000'],
  ]);
  assert.equal(margin, 'Safety margin 2.997 s : the time left before two can lead, if nobody is paused.');
  assert.equal(the(template, '.margin-bar').getAttribute('aria-hidden'), 'true', 'the sentence says the same');
  for (const [marginNs, words, said] of /** @type {const} */ ([
    [0, '0 s', '0.000 s : two can lead.'],
    [-1e9, '−1 s', '−1.000 s : two can lead.'],
  ])) {
    const other = knobs({}, { marginNs });
    assert.deepEqual(other.bar[2].slice(0, 2), [words, 'none']);
    assert.equal(other.margin, `Safety margin ${said}`);
  }
  assert.deepEqual(
    knobs({}, { marginNs: 3e6 }).bar[2].slice(0, 2),
    ['0.003 s', 'safe'],
    'never 0 s safe, and no word in a narrow part',
  );
});

test('a lease whose leader never gives up has no margin', () => {
  const { template } = knobs();
  assert.ok(the(template, '.margin-bar'));
  const view = { nodes: [{ name: 'a' }], knobs: [{ path: 'elector.renewDeadline', value: '0s' }], marginNs: 13e9 };
  const none = knobsTemplate(any(view), any({ knobs: KNOBS }), any(null));
  assert.equal(all(none, '.margin, .margin-bar').length, 0);
});

test('a value leads to its field, and a button each to all settings and to all faults', () => {
  const { template, done } = knobs();
  button(template, 'leaseDuration: 15 s. Change').click();
  button(template, 'All settings…').click();
  button(template, 'All faults…').click();
  assert.deepEqual(done, [
    ['run', 'faults', 'elector.leaseDuration'],
    ['run', 'faults', 'settings'],
    ['run', 'faults', 'acts'],
  ]);
});
