import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { asCurl, asKubectl, quote } from './copyas.js';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
/** @param {string} method @param {string} target @param {string} [body] @param {string} [type] */
const ask = (method, target, body = '', type = '') => ({
  method,
  target,
  headers: type ? [`Content-Type: ${type}`] : [],
  body,
});

test('a quoted word comes out of a shell as it went in', () => {
  for (const text of ['plain', 'two words', `it's "so"`, '$HOME `x` \\ !', '', 'a\nb', '{"a":[1,2]}', '-x'])
    assert.equal(execFileSync('sh', ['-c', `printf %s ${quote(text)}`], { encoding: 'utf8' }), text);
});

test('as curl', () => {
  assert.equal(asCurl(ask('GET', LEASES)), `curl http://127.0.0.1:8765${LEASES}`);
  assert.equal(asCurl(ask('GET', `${LEASES}?watch=true`)), `curl -N 'http://127.0.0.1:8765${LEASES}?watch=true'`);
  assert.equal(
    asCurl(ask('POST', LEASES, `{"a":"it's"}\n`, 'application/json')),
    `curl -X POST http://127.0.0.1:8765${LEASES} \\\n  -H 'Content-Type: application/json' \\\n  --data-binary '{"a":"it'\\''s"}'`,
  );
});

const COMMANDS = [
  [ask('GET', LEASES), 'kubectl get leases -n default -o yaml'],
  [ask('GET', `${LEASES}/demo`), 'kubectl get lease demo -n default -o yaml'],
  [ask('GET', '/apis/coordination.k8s.io/v1/leases'), 'kubectl get leases -A -o yaml'],
  [ask('GET', `${LEASES}?watch=true&labelSelector=a%3Db`), 'kubectl get leases -n default -l a=b -w -o yaml'],
  [ask('GET', '/api/v1/namespaces/default'), 'kubectl get namespace default -o yaml'],
  [
    ask('GET', '/apis/coordination.k8s.io/v1alpha2/namespaces/x/leasecandidates/c'),
    'kubectl get leasecandidate.v1alpha2.coordination.k8s.io c -n x -o yaml',
  ],
  [ask('GET', '/version'), 'kubectl get --raw /version'],
  [ask('POST', LEASES, '{"kind":"Lease"}'), `kubectl create -n default -f - <<'EOF'\n{"kind":"Lease"}\nEOF`],
  [
    ask('PUT', `${LEASES}/demo?fieldManager=me`, '{}'),
    `kubectl replace -n default --field-manager=me -f - <<'EOF'\n{}\nEOF`,
  ],
  [
    ask('PATCH', `${LEASES}/demo`, '{"a":1}', 'application/merge-patch+json'),
    `kubectl patch lease demo -n default --type=merge -p '{"a":1}'`,
  ],
  [
    ask('PATCH', `${LEASES}/demo?dryRun=All`, '[]', 'application/json-patch+json'),
    `kubectl patch lease demo -n default --type=json --dry-run=server -p '[]'`,
  ],
  [
    ask('PATCH', `${LEASES}/demo?fieldManager=me&force=true`, 'kind: Lease', 'application/apply-patch+yaml'),
    `kubectl apply --server-side -n default --field-manager=me --force-conflicts -f - <<'EOF'\nkind: Lease\nEOF`,
  ],
  [ask('DELETE', `${LEASES}/demo`), 'kubectl delete lease demo -n default'],
  [ask('DELETE', LEASES), 'kubectl delete leases -n default --all'],
  [ask('DELETE', `${LEASES}?labelSelector=a`), 'kubectl delete leases -n default -l a'],
  [ask('PATCH', '/version', '{}'), '# kubectl has no command for PATCH /version, use curl.'],
];
for (const [request, command] of /** @type {[any, string][]} */ (COMMANDS)) {
  test(`as kubectl: ${request.method} ${request.target}`, () =>
    assert.equal(asKubectl(request), command.replace(/^kubectl /, 'kubectl --server http://127.0.0.1:8765 ')));
}
