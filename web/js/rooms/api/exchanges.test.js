import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each } from '../../lib/testsupport/calls.js';
import { sentIs } from './api.testsupport.js';
import { Exchanges, rowsOf } from './exchanges.js';

/** @param {number} t @param {object} [more] @returns {any} */
const row = (t, more) => ({ t, n: 0, node: 'a', index: 0, kind: 'request', text: `at ${t}`, outcome: 'ok', ...more });
const nodes = [row(30), row(20, { outcome: 'conflict', detail: 'PUT demo' })];
const sent = [sentIs({ id: 1, at: 20 }), sentIs({ id: 2, at: 20, status: 409, watch: 0 })];
const none = { select: () => {}, showOwn: () => {} };

test('the requests of the nodes up to the cursor, and one’s own, newest first', () => {
  const of = { nodes, sent, which: 'all', until: 25 };
  assert.deepEqual(each(rowsOf(of, none), 'id', 'failed'), [
    ['at-20-0', true],
    ['sent-2', true],
    ['sent-1', false],
  ]);
  assert.deepEqual(each(rowsOf({ ...of, which: 'nodes', until: 30 }, none), 'what'), ['at 30', 'PUT demo']);
  assert.deepEqual(each(rowsOf({ ...of, which: 'mine', until: 0 }, none), 'what'), [
    'GET /version 409',
    'GET /version 200',
  ]);
});

test('a row selects its event, or shows its request', () => {
  /** @type {any[]} */
  const log = [];
  const rows = rowsOf(
    { nodes, sent, which: 'all', until: 25 },
    { select: (one) => log.push(one), showOwn: (id) => log.push(id) },
  );
  for (const { choose } of rows) choose();
  assert.deepEqual(log, [{ kind: 'event', cursor: { t: 20, n: 0 }, node: 'a', index: 0 }, 2, 1]);
});

test('the run is asked for what is new in it, and each selected event for its exchange, once', async () => {
  /** @type {any[]} */
  const asked = [];
  /** @type {any[]} */
  const shown = [];
  const answers = /** @type {Record<string, any>} */ ({
    events: { rows: [row(10), row(20), row(30)], at: 1, from: 0, total: 3 },
    exchange: {
      node: 'b',
      index: 1,
      method: 'PUT',
      target: '/x',
      headers: [],
      body: '',
      sent: 20,
      served: 5e6 + 20,
      answer: '',
    },
  });
  const ask = async (/** @type {string} */ op, /** @type {any} */ params) => {
    asked.push([op, params]);
    return answers[op];
  };
  const exchanges = new Exchanges(/** @type {any} */ (ask), (one) => shown.push(one));
  const view = { run: 1, branch: 0, cursor: { t: 20, n: -1 } };
  const selection = { kind: 'event', cursor: { t: 20, n: 0 }, node: 'b', index: 1 };
  exchanges.follow(view, null);
  exchanges.follow(view, selection);
  exchanges.follow(view, selection);
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(asked, [
    ['events', { around: view.cursor, count: 200 }],
    ['exchange', { cursor: selection.cursor }],
  ]);
  assert.deepEqual(each(exchanges.nodes.value, 't'), [20, 10], 'nothing of the future');
  assert.deepEqual([shown[0].id, shown[0].who, shown[0].took], ['at-20-0', 'b', '5.0 ms there']);
});
