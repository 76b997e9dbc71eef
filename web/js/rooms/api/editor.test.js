import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from './api.testsupport.js';
import { Editor } from './editor.js';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/default/leases/demo';
const COLLECTION = LEASE.replace('/demo', '');

/** @param {(ask: any) => object} [answers] */
function openEditor(answers) {
  const { client, asked } = clientOf(answers);
  /** @type {string[]} */
  const said = [];
  const editor = new Editor({
    lease: () => ({ namespace: 'default', name: 'demo' }),
    yaml: async (value) => `yaml ${JSON.stringify(value)}`,
    send: client.send,
    say: (sentence) => said.push(sentence),
  });
  /** The sent bodies as values. */
  const bodiesSent = () =>
    asked.map(({ method, target, body }) => [method, target, ...(body ? [JSON.parse(body)] : [])]);
  return { editor, asked, said, bodiesSent, now: () => editor.draft.value };
}

test('a verb proposes path, headers and body, for the Lease of the run', async () => {
  const { editor, now } = openEditor();
  await editor.choose({ verb: 'list' });
  assert.deepEqual([now().target, now().body], [COLLECTION, '']);
  await editor.choose({ verb: 'merge' });
  assert.equal(now().target, LEASE);
  assert.match(now().headers, /Content-Type: application\/merge-patch\+json/);
  assert.equal(now().body, 'yaml {"spec":{"holderIdentity":"me"}}');
  await editor.choose({ verb: 'json' });
  assert.match(now().body, /^\[\n/);
  await editor.choose({ verb: 'get', resource: 'namespaces' });
  assert.equal(now().target, '/api/v1/namespaces/default');
});

test('the object in the path stays the one, and a body that was typed stays, too', async () => {
  const { editor, now } = openEditor();
  await editor.choose({ verb: 'replace' });
  editor.type({ target: LEASE.replace('demo', 'mine'), body: '{"my": "own"}' });
  await editor.choose({ verb: 'merge' });
  assert.match(now().target, /leases\/mine$/);
  assert.equal(now().body, '{"my": "own"}');
});

test('what is typed while YAML is loading is not overwritten', async () => {
  const { editor, now } = openEditor();
  const chosen = editor.choose({ verb: 'create' });
  editor.type({ body: 'kind: Lease' });
  await chosen;
  assert.equal(now().body, 'kind: Lease');
});

test('a body goes as JSON; a mistake is told at once, and can be sent as it is', async () => {
  const { editor, said, asked, now } = openEditor();
  editor.load({
    method: 'PATCH',
    target: LEASE,
    headers: ['Content-Type: application/merge-patch+json'],
    body: '{"a":',
  });
  assert.equal(now().verb, 'merge');
  await editor.send();
  assert.match(now().error, /^The body is not JSON/);
  assert.deepEqual([said.length, asked.length, now().canForce, editor.isSending.value], [1, 0, true, false]);
  await editor.send(true);
  assert.equal(asked[0].body, '{"a":');
  editor.type({ body: '{"a": 1}' });
  await editor.send();
  assert.deepEqual([asked[1].method, asked[1].target, asked[1].body], ['PATCH', LEASE, '{"a":1}']);
});

test('an edit sends only what has changed', async () => {
  const { editor, bodiesSent, now } = openEditor();
  const before = { metadata: { name: 'demo' }, spec: { holderIdentity: 'a', leaseTransitions: 1 } };
  const headers = ['Content-Type: application/merge-patch+json'];
  const text = JSON.stringify(before);
  editor.load({ method: 'PATCH', target: LEASE, headers, body: text }, { verb: 'edit', before });
  await editor.send();
  assert.equal(now().error, 'The object is unchanged, so nothing was sent.');
  editor.type({ body: text.replace('"a"', '"b"') });
  await editor.send();
  assert.deepEqual(bodiesSent(), [['PATCH', LEASE, { spec: { holderIdentity: 'b' } }]]);
});
