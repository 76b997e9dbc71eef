import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DraftError,
  EDITOR_VERBS,
  headersFor,
  readBody,
  readHeaders,
  readTarget,
  targetFor,
  verbFor,
} from './draft.js';
import { frameText, shortTarget, statusText } from './exchange.js';
import { findResource, pathOf, RESOURCES, readPath } from './resources.js';

test('a verb, written as a request, is read back as that verb', () => {
  for (const verb of EDITOR_VERBS.filter(({ later }) => !later)) {
    const target = targetFor(verb, RESOURCES[0], { namespace: 'default', name: 'demo' });
    assert.equal(verbFor({ method: verb.method, target, headers: headersFor(verb) }), verb.id);
  }
});

test('paths say what they name', () => {
  for (const resource of RESOURCES) {
    for (const name of ['', 'a b/c']) {
      const namespace = resource.namespaced ? 'x' : '';
      const read = readPath(pathOf(resource, { namespace, name, query: [['q', '1 & 2']] }));
      assert.deepEqual(read, { resource, namespace, name, query: [['q', '1 & 2']] });
    }
  }
  for (const other of ['/version', '/apis', '/apis/apps/v1/deployments', '/api/v1/namespaces/x/pods', ''])
    assert.equal(readPath(other), undefined);
  assert.equal(findResource('leasecandidates.v1alpha2.coordination.k8s.io')?.version, 'v1alpha2');
  assert.equal(findResource('Lease.coordination.k8s.io')?.name, 'leases');
  assert.equal(findResource('leases.apps'), undefined);
});

test('what was typed is put right where that is safe, and refused in a sentence where not', async () => {
  assert.equal(readTarget(' apis/x '), '/apis/x');
  assert.equal(readTarget('http://127.0.0.1:8765/version'), '/version');
  assert.throws(() => readTarget(' '), /The path is empty/);
  assert.throws(() => readTarget('/a b'), /contains a space/);
  assert.deepEqual(readHeaders('Accept: x\n\n A: b\n'), ['Accept: x', 'A: b']);
  assert.throws(() => readHeaders('nonsense'), /“nonsense” is not a header/);
  assert.equal(await readBody(' \n'), undefined);
  assert.deepEqual(await readBody('{"a":1}'), { a: 1 });
  assert.deepEqual(await readBody('a: 1\nb: [x]'), { a: 1, b: ['x'] });
  await assert.rejects(
    readBody('{"a":}'),
    (error) => error instanceof DraftError && error.body && /not JSON/.test(error.message),
  );
  await assert.rejects(readBody('a: &x 1'), /The body is not YAML\. Line 1: anchors/);
});

test('an exchange in few words', () => {
  assert.equal(
    shortTarget('/apis/coordination.k8s.io/v1/namespaces/default/leases/demo?watch=true'),
    '…/leases/demo?watch=true',
  );
  assert.equal(shortTarget('/api/v1/namespaces/x'), '/api/v1/namespaces/x');
  assert.equal(statusText(409), '409 Conflict');
  assert.equal(statusText(0), 'no answer');
  const lease = {
    kind: 'Lease',
    metadata: { name: 'demo', namespace: 'default', resourceVersion: '7' },
    spec: { holderIdentity: 'b' },
  };
  assert.equal(frameText(JSON.stringify({ type: 'ADDED', object: lease })), 'ADDED     demo  rv=7  holder b');
  assert.equal(
    frameText(JSON.stringify({ type: 'ERROR', object: { code: 410, reason: 'Expired', message: 'gone' } })),
    'ERROR     410 Expired: gone',
  );
});
