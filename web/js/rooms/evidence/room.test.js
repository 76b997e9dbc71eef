import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, placeAt, settle, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { open } from './index.js';
import { Cancelled } from './reading.js';

const moment = (/** @type {string} */ kind, /** @type {number} */ from, /** @type {string[]} */ lines) => ({
  ...{ kind, from, to: from, time: '19:17:13.564', says: `${kind} at ${from}.`, lines },
});
const LEASE = {
  ...{
    name: 'ns/demo',
    headline: 'Two led.',
    answer: 'Two led for 2.000 s.',
    cause: 'pause',
    confidence: 0.95,
    changes: 2,
    overlaps: 1,
    from: '2026-11-20T19:16:38Z',
    to: '',
    length: 90e9,
  },
  moments: [moment('leader', 1e9, ['a.log:1']), moment('overlap', 40e9, ['a.log:2', 'gone.log:9'])],
  ...{
    renewals: { count: 0 },
    settings: [],
    clocks: [],
    limits: ['Work is not in these files.'],
    unlisted: 3,
    unattributed: 0,
  },
};
const AGAIN = {
  ...{
    scenario: { name: 'run-it-again' },
    at: 5,
    end: 9,
    fit: ['The run has the same leaders.'],
    kind: 'violation',
    number: 0,
    failoverNs: 24e9,
    causes: ['pause', 'crash'],
    nothing: '',
    beyond: 'No setting helps against every pause.',
  },
  cures: [
    { number: 3, label: 'leaseDuration 30 s', sentence: '30 s: never two', effect: 'better', failoverNs: 39e9 },
    { number: 5, label: 'renewDeadline 5 s', sentence: '5 s: shorter', effect: 'better', lengthNs: 11e9 },
    { number: 4, label: 'retryPeriod 1 s', sentence: 'retryPeriod 1 s: longer', effect: 'worse' },
  ],
  likes: [{ name: 'paused', id: 'B03', title: 'The leader is paused', why: 'the leader is paused.' }],
};

/** The room, with the answers of its worker. @param {any} [answers] */
function room(answers = {}) {
  const page = pageAt({ run: 7 }, { open: async () => true, change: async () => ({}), copy: async () => true });
  const done = /** @type {any[][]} */ (page.done);
  const found = { files: [], problems: [], problemCount: 0, leases: [LEASE] };
  const reading = {
    read: async (/** @type {any[]} */ files, /** @type {any} */ params) => {
      done.push(['read', files.map(({ name }) => name), params]);
      return { found, notes: [] };
    },
    ask: async (/** @type {string} */ op, /** @type {any} */ params) => {
      done.push([op, params]);
      return { from: params.from, to: params.to, rows: [] };
    },
    lines: async (/** @type {object} */ _, /** @type {string} */ _member, /** @type {number} */ line) => [
      { number: line, text: `line ${line}`, cut: false },
    ],
    scenarioOf: async (/** @type {string} */ lease, /** @type {string} */ cause) => {
      done.push(['scenarioOf', lease, cause]);
      return AGAIN;
    },
    cancel: () => done.push(['cancel']),
    ...answers,
  };
  const opened = open(page.ports, reading);
  const [dialog] = page.added();
  const files = (/** @type {string[]} */ ...names) =>
    names.map((name) => new File(['I1120 19:16:38.466096 1 x'], name));
  return { ...opened, dialog, done, files, press: (/** @type {string} */ name) => button(dialog, name).click() };
}
/** Waits for the answers of a few questions in a row. */
async function waitForAnswers() {
  for (let n = 0; n < 8; n++) await settle();
}

test('evidence is read, and its worst moment comes with its lines', async () => {
  const { take, files, done, dialog, press } = room();
  take(files('a.log', 'a.log'));
  await waitForAnswers();
  assert.deepEqual(done[0].slice(0, 2), ['read', ['a.log', 'a.log (2)']]);
  const said = done.find(([op]) => op === 'say');
  assert.deepEqual(said, ['say', 'Two led.']);
  assert.equal(text(the(dialog, 'h1')), 'Two led for 2.000 s.');
  assert.match(text(dialog), /confidence 0\.95 Likely cause: pause/);
  assert.match(text(dialog), /line 2/);
  assert.match(text(dialog), /Work is not in these files/);
  assert.match(text(dialog), /3 less important moments are not listed/);
  press('gone.log:9');
  await waitForAnswers();
  assert.match(text(dialog), /gone\.log is not among the files anymore/);
});

test('a zoom asks for a window about the chosen moment', async () => {
  const { take, files, done, press } = room();
  take(files('a.log'));
  await waitForAnswers();
  press('Zoom in');
  await waitForAnswers();
  const { from, to } = done.findLast(([op]) => op === 'evidenceChart')?.[1] ?? {};
  assert.deepEqual([from, to], [25e9, 55e9]);
});

test('what would have helped comes by itself, with its price; the night and a cure open as runs', async () => {
  const { take, files, done, dialog, press } = room();
  take(files('a.log'));
  await waitForAnswers();
  assert.match(text(dialog), /The run has the same leaders/);
  assert.match(text(dialog), /leaseDuration 30 s never a crash: 39\.0 s renewDeadline 5 s 11\.0 s –/);
  assert.match(text(dialog), /1 other change would not have helped\./);
  assert.doesNotMatch(text(dialog), /retryPeriod 1 s/);
  press('crash');
  await waitForAnswers();
  assert.equal(done.findLast(([op]) => op === 'scenarioOf')?.[2], 'crash');
  const { scenario } = AGAIN;
  const opened = () => done.filter(([op]) => op === 'open').map(([, params]) => params);
  press('Go test');
  await waitForAnswers();
  assert.deepEqual(opened(), [{ scenario, ...placeAt(5, 9) }]);
  assert.deepEqual(done.at(-1), ['run', 'export', 'go']);
  press('Open the run with leaseDuration 30 s');
  await waitForAnswers();
  const tried = done.find(([op]) => op === 'change');
  assert.deepEqual(tried, ['change', 'try', { kind: 'violation', number: 0, line: 3 }]);
  const last = done.slice(-2).map(([op, what]) => (op === 'notify' ? what : op));
  assert.deepEqual(last, ['withdraw', 'Your night with leaseDuration 30 s.'], 'one message at a time');
  assert.equal(dialog.open, false);
});

test('if nothing was tried, the room says why', async () => {
  const nothing = 'leaselab tried no change: the run differs from the evidence.';
  const { take, files, dialog } = room({ scenarioOf: async () => ({ ...AGAIN, cures: [], nothing, beyond: '' }) });
  take(files('a.log'));
  await waitForAnswers();
  assert.match(text(dialog), /leaselab tried no change: the run differs/);
  assert.doesNotMatch(text(dialog), /None of the|No setting helps/);
});

test('a night that cannot run again says why', async () => {
  const { take, files, dialog } = room({
    scenarioOf: async () => {
      throw new Error('the evidence has no leader');
    },
  });
  take(files('a.log'));
  await waitForAnswers();
  assert.match(text(dialog), /This night cannot run again: the evidence has no leader/);
});

test('without files there is a recorded incident to try, and a place to paste', async () => {
  const { show, done, dialog, press } = room();
  /** @type {string[]} */
  const fetched = [];
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ address) => {
      if (!address?.startsWith('samples/')) throw new TypeError('offline');
      fetched.push(address);
      return new Response('x', { status: fetched.length > 5 ? 404 : 200 });
    }
  );
  show();
  press('Paste lines');
  assert.ok(the(dialog, 'textarea'));
  press('A leader paused audit log, watch and three logs');
  await waitForAnswers();
  assert.equal(fetched[0], 'samples/pause-1/audit.jsonl.gz');
  assert.deepEqual(done.find(([op]) => op === 'read')?.[2].lease, 'ns-a/demo');
  press('Other files');
  press('A leader paused audit log, watch and three logs');
  await waitForAnswers();
  assert.match(text(dialog), /The sample pause-1 did not load: HTTP 404\./);
});

test('a reading that fails is told, and one that is cancelled leaves the room as it began', async () => {
  const failing = room({
    read: async () => {
      throw new Error('the Lease "demo" must be namespace/name');
    },
  });
  await failing.take(failing.files('a.log'));
  await waitForAnswers();
  assert.match(text(failing.dialog), /must be namespace\/name/);
  /** @type {(error: Error) => void} */
  let cancel = () => {};
  const slow = room({
    read: () =>
      new Promise((_, reject) => {
        cancel = reject;
      }),
    cancel: () => cancel(new Cancelled('Cancelled.')),
  });
  await slow.take(slow.files('a.log'));
  assert.ok(the(slow.dialog, 'progress'));
  slow.press('Cancel');
  await waitForAnswers();
  assert.ok(button(slow.dialog, 'Choose files'));
  assert.doesNotMatch(text(slow.dialog), /field-error/);
});

test('what happened leaves in a format for other tools; a refusal is told', async () => {
  let refuse = false;
  const { take, files, done, press, dialog } = room({
    ask: async (/** @type {string} */ op, /** @type {any} */ params) => {
      if (op === 'evidenceHistory' && refuse) throw new Error('these are 300001 records');
      return op === 'evidenceHistory' ? { text: `${params.lease} as ${params.format}` } : { ...params, rows: [] };
    },
  });
  take(files('a.log'));
  await waitForAnswers();
  press('Copy');
  await waitForAnswers();
  assert.deepEqual(done.at(-1), ['copy', 'ns/demo as ndjson', 'the trace file']);
  refuse = true;
  press('Copy');
  await waitForAnswers();
  assert.match(text(dialog), /these are 300001 records/);
});

test('a trace file that was run again opens as its scenario', async () => {
  const run = { says: 'crash.ndjson gives the identical run again.', scenario: { name: 'crash' }, end: 40 };
  const traced = { name: 'crash.ndjson', lines: 3, kinds: ['2 trace'], says: '', node: '', run };
  const found = { files: [traced], problems: [], problemCount: 0, leases: [LEASE] };
  const { take, files, done, press, dialog } = room({ read: async () => ({ found, notes: [] }) });
  take(files('a.log'));
  await waitForAnswers();
  assert.match(text(dialog), /gives the identical run again/);
  press('Open the run of crash.ndjson');
  await waitForAnswers();
  const place = { t: 40, n: -1 };
  assert.deepEqual(done.find(([op]) => op === 'open')?.[1], {
    scenario: { name: 'crash' },
    cursor: place,
    live: place,
  });
  assert.equal(dialog.open, false);
});
