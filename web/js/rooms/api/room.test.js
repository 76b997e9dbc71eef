import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals-core';
import { all, button, drawings, enter, fire, nameOf, placeAt, press, recorder, settle, submit, text, the } from '#dom';
import { pageAt } from '../../page/page.testsupport.js';
import { noteOf } from './drawing.js';
import { open } from './index.js';

const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'demo', namespace: 'default' } };
const TYPE = ['content-type: application/json'];

/** The API tab of a run that is live at 40 s. @param {{phase?: any, at?: number, answer?: object}} [how] */
async function room({
  phase = 'ready',
  at: t = 40e9,
  answer = { status: 200, headers: TYPE, answer: JSON.stringify(LEASE) },
} = {}) {
  const rows = [
    { t: 5e9, n: 1, node: 'a', index: 0, kind: 'write', text: 'renews.', detail: 'PUT demo', outcome: 'ok' },
  ];
  const view = { run: 1, branch: 0, ...placeAt(t, 40e9), lease: { name: 'demo', namespace: 'default' } };
  const lab = {
    ask: async (/** @type {string} */ op, /** @type {any} */ params) => {
      if (op === 'yaml') return { text: `yaml of ${params.json.slice(0, 20)}` };
      return op === 'events' ? { rows, from: 0, at: 0 } : null;
    },
  };
  const page = pageAt(view, lab, { shortcut: () => ':' });
  page.state.phase.value = phase;
  page.state.tab.value = 'api';
  const sent = signal(/** @type {any[]} */ ([]));
  const client = recorder(page.done, {
    sent,
    send: async (/** @type {any} */ ask, /** @type {string} */ by) => {
      const one = {
        id: sent.value.length + 1,
        by,
        ask,
        at: t,
        ms: 1,
        changed: false,
        watch: 0,
        open: false,
        frames: 0,
        ...answer,
      };
      sent.value = [...sent.value, one];
      return one;
    },
  });
  const unit = open(page.ports, client);
  await settle();
  const panel = (/** @type {string} */ name) => page.at(`api-${name}-room`);
  const line = async (/** @type {string} */ typed) => {
    enter(the(panel('line'), '#api-line'), typed);
    submit(the(panel('line'), 'form'));
    for (let i = 0; i < 5; i++) await settle();
  };
  const send = async () => {
    submit(the(panel('request'), 'form'));
    for (let i = 0; i < 5; i++) await settle();
  };
  const requests = () => sent.value.map(({ ask }) => `${ask.method} ${ask.target}`);
  return { ...page, ...unit, sent, panel, line, send, requests };
}

test('it begins with a request that lists the Leases, and no answer', async () => {
  const { panel } = await room();
  assert.equal(the(panel('request'), '#api-target').value, '/apis/coordination.k8s.io/v1/namespaces/default/leases');
  assert.match(text(panel('request')), /Reads the live API\./);
  assert.match(text(panel('answer')), /Nothing sent yet\./);
});

test('what a request will do is said beside it', () => {
  const at = (/** @type {number} */ t) => ({ cursor: { t, n: -1 }, live: { t: 40e9, n: -1 } });
  const how = { phase: 'ready', writes: false };
  assert.match(noteOf(at(40e9), { ...how, phase: 'opening' }), /waits until the simulator has loaded/);
  assert.match(noteOf(at(5e9), { ...how, writes: true }), /a write makes a branch at 00:05\.000/);
  assert.match(noteOf(at(40e9), { ...how, writes: true }), /Undo removes it/);
  assert.equal(noteOf(at(5e9), how), 'Reads the live API, at 00:40.000.');
});

test('a request is sent, and its answer shown in the format that is chosen', async () => {
  const { send, requests, panel, done } = await room();
  await send();
  assert.deepEqual(requests(), ['GET /apis/coordination.k8s.io/v1/namespaces/default/leases']);
  assert.deepEqual(done.filter(([name]) => name === 'say').at(-1), ['say', '200 OK.']);
  assert.match(text(panel('answer')), /yaml of \{"apiVersion"/);
  button(panel('answer'), 'JSON').click();
  assert.match(text(panel('answer')), /"kind": "Lease"/);
  assert.equal(nameOf(the(panel('answer'), 'button[aria-pressed="true"]')), 'JSON');
});

test('another verb proposes another path and a body; what was typed stays', async () => {
  const { panel } = await room();
  enter(the(panel('request'), '#api-verb'), 'merge');
  await settle();
  assert.equal(the(panel('request'), '.api-method').textContent, 'PATCH');
  assert.match(the(panel('request'), '#api-target').value, /leases\/demo$/);
  assert.match(the(panel('request'), '#api-body').value, /holderIden/);
  enter(the(panel('request'), '#api-body'), '{"mine":1}');
  enter(the(panel('request'), '#api-verb'), 'create');
  await settle();
  assert.equal(the(panel('request'), '#api-body').value, '{"mine":1}');
});

test('a body that is no JSON is refused with a sentence, and can be sent as it is', async () => {
  const { panel, send, sent } = await room();
  enter(the(panel('request'), '#api-verb'), 'create');
  await settle();
  enter(the(panel('request'), '#api-body'), '{"mine":');
  await send();
  assert.match(text(panel('request')), /The body is not JSON/);
  assert.deepEqual(sent.value, []);
  button(panel('request'), 'Send it anyway').click();
  await settle();
  await settle();
  assert.equal(/** @type {any} */ (sent.value[0]).ask.body, '{"mine":');
});

test('Enter in the path sends, and Ctrl+Enter in the body', async () => {
  const { panel, requests } = await room();
  assert.equal(fire(the(panel('request'), '#api-target'), 'keydown', { key: 'Enter' }).defaultPrevented, true);
  await settle();
  enter(the(panel('request'), '#api-verb'), 'create');
  await settle();
  fire(the(panel('request'), '#api-body'), 'keydown', { key: 'Enter' });
  enter(the(panel('request'), '#api-body'), '{}');
  fire(the(panel('request'), '#api-body'), 'keydown', { key: 'Enter', ctrlKey: true });
  await settle();
  const methods = requests().map((one) => one.split(' ')[0]);
  assert.deepEqual(methods, ['GET', 'POST']);
});

test('a line prints what kubectl would, and ↑ brings it back', async () => {
  const { line, panel } = await room();
  await line('get lease demo -o name');
  assert.match(text(panel('answer')), /lease\.coordination\.k8s\.io\/demo/);
  assert.equal(the(panel('line'), '#api-line').value, '');
  assert.equal(fire(the(panel('line'), '#api-line'), 'keydown', { key: 'ArrowUp' }).defaultPrevented, true);
  assert.equal(the(panel('line'), '#api-line').value, 'get lease demo -o name');
});

test('a line that edits puts the object into the editor', async () => {
  const { line, panel, focusedId } = await room();
  await line('edit lease demo');
  assert.equal(the(panel('request'), '#api-verb').value, 'edit');
  assert.match(the(panel('request'), '#api-body').value, /yaml of/);
  assert.equal(focusedId(), 'api-body');
});

test('the exchanges are those of the nodes up to the cursor and those of this visit', async () => {
  const { panel, send, done, at } = await room();
  await settle();
  await send();
  const rows = () => all(panel('exchanges'), '.api-list button').map(nameOf);
  assert.equal(rows().length, 2);
  assert.match(rows()[0], /you/);
  button(panel('exchanges'), 'Nodes').click();
  assert.equal(rows().length, 1);
  button(panel('exchanges'), rows()[0]).click();
  assert.deepEqual(done.at(-1), ['select', { kind: 'event', cursor: { t: 5e9, n: 1 }, node: 'a', index: 0 }]);
  button(panel('exchanges'), 'Mine').click();
  assert.match(rows()[0], /you/);
  await settle();
  const current = at('api-exchanges-room').querySelector('.api-list [aria-current="true"]');
  assert.equal(current?.tabIndex, 0, 'the tab stop is the one that is shown');
});

test('an answer can be copied, and its request sent again', async () => {
  const { panel, send, done, focusedId } = await room();
  await send();
  await press(button(panel('answer'), 'Copy as curl'));
  await settle();
  const [, words, what] = /** @type {any} */ (done.find(([name]) => name === 'copy'));
  assert.match(words, /^curl/);
  assert.equal(what, 'The curl command');
  enter(the(panel('request'), '#api-target'), '/elsewhere');
  button(panel('answer'), 'Send again…').click();
  assert.match(the(panel('request'), '#api-target').value, /leases$/);
  assert.equal(focusedId(), 'api-target');
});

test('a watch says that it goes on, and can be stopped', async () => {
  const open = { status: 200, headers: TYPE, answer: '', watch: 4, open: true };
  const { panel, send, done } = await room({ answer: open });
  await send();
  assert.match(text(panel('answer')), /watching/);
  assert.deepEqual(done.filter(([name]) => name === 'say').at(-1), ['say', 'Watching.']);
  button(panel('answer'), 'Stop').click();
  assert.ok(done.some(([name, watch]) => name === 'close' && watch === 4));
});

test('a long answer is shown in part at first', async () => {
  const answer = JSON.stringify(Array.from({ length: 3000 }, (_, i) => i));
  const { panel, send } = await room({ answer: { status: 200, headers: TYPE, answer } });
  await send();
  button(panel('answer'), 'JSON').click();
  assert.match(text(panel('answer')), /Only the first 2,000 of 3,002 lines\./);
  button(panel('answer'), 'Show all').click();
  assert.doesNotMatch(text(panel('answer')), /Only the first/);
});

test('what was typed while the room was loading is in the line', async () => {
  const { focus, panel, focusedId } = await room();
  focus('get le');
  assert.equal(the(panel('line'), '#api-line').value, 'get le');
  assert.equal(focusedId(), 'api-line');
});

test('nothing is drawn while another tab is open', async () => {
  const { state, at, send } = await room();
  state.tab.value = 'objects';
  const panel = drawings(at('api-answer-room'));
  await send();
  assert.equal(panel(), 0);
});
