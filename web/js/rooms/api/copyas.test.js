import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { askIs as ask } from './api.testsupport.js';
import { asCurl, quote } from './copyas.js';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

test('a quoted word comes out of a shell as it went in', () => {
  for (const text of ['plain', 'two words', `it's "so"`, '$HOME `x` \\ !', '', 'a\nb', '{"a":[1,2]}', '-x'])
    assert.equal(execFileSync('sh', ['-c', `printf %s ${quote(text)}`], { encoding: 'utf8' }), text);
});

test('as curl', () => {
  assert.equal(asCurl(ask('GET', LEASES)), `curl http://127.0.0.1:8765${LEASES}`);
  assert.equal(asCurl(ask('GET', `${LEASES}?watch=true`)), `curl -N 'http://127.0.0.1:8765${LEASES}?watch=true'`);
  assert.equal(
    asCurl(ask('POST', LEASES, `{"a":"it's"}\n`, 'application/json')),
    [`curl -X POST http://127.0.0.1:8765${LEASES}`, `-H 'Content-Type: application/json'`].join(' \\\n  ') +
      ` \\\n  --data-binary '{"a":"it'\\''s"}'`,
  );
});
