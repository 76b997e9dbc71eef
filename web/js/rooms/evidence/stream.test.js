import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { each } from '../../lib/testsupport/calls.js';
import { isEvidence } from './detect.js';
import { linesAround, startOf, streamOf } from './stream.js';

/**
 * A file whose stream comes in pieces of this many bytes.
 * @param {Uint8Array<ArrayBuffer> | string} content
 * @param {number} size
 * @returns {Blob}
 */
function inPieces(content, size) {
  const blob = new Blob([content]);
  const stream = () =>
    new ReadableStream({
      async start(controller) {
        const bytes = new Uint8Array(await blob.arrayBuffer());
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
  return Object.assign(blob, { stream: /** @type {any} */ (stream) });
}
/** @param {Blob} file @param {(bytes: number) => void} [tell] */
async function whole(file, tell) {
  const parts = [];
  for await (const chunk of streamOf(file, tell)) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts).toString();
}

test('gzip is unpacked by its content, and the progress counts the bytes of the file', async () => {
  const packed = new Uint8Array(gzipSync('one\ntwo\n'));
  let read = 0;
  const text = await whole(new Blob([packed]), (bytes) => {
    read += bytes;
  });
  assert.deepEqual([text, read], ['one\ntwo\n', packed.length]);
  assert.equal(await whole(new Blob(['plain'])), 'plain');
});

test('a gzip file is unpacked by another that can, to its end', async () => {
  const packed = new Uint8Array(gzipSync('one\n'));
  /** @type {number[]} */
  const sizes = [];
  let left = 0;
  const unpack = (/** @type {Uint8Array | undefined} */ bytes) => {
    if (bytes) {
      sizes.push(bytes.length);
      left = 2; // each piece yields two
    }
    return new TextEncoder().encode(left-- > 0 ? 'x\n' : '');
  };
  const parts = [];
  for await (const chunk of streamOf(inPieces(packed, 20), undefined, unpack)) parts.push(chunk.length);
  assert.deepEqual([sizes, parts.length], [[20, packed.length - 20, 0], 6]);
  assert.deepEqual(each(await linesAround(inPieces(packed, 20), 3, unpack), 'number'), [1, 2, 3, 4, 5, 6]);
});

test('damaged gzip is told in a sentence', async () => {
  const packed = new Uint8Array(gzipSync('one\n'.repeat(1000)));
  await assert.rejects(whole(new Blob([packed.slice(0, 20)])), /the gzip data is damaged, or cut off/);
});

test('a line comes with its neighbors, however the file is cut into pieces', async () => {
  const text = Array.from({ length: 10 }, (_, i) => `line ${i + 1} ä`).join('\r\n');
  for (const size of [1, 3, 7, 1000]) {
    const lines = await linesAround(inPieces(text, size), 8);
    assert.deepEqual(
      each(lines, 'number', 'text', 'cut'),
      [5, 6, 7, 8, 9, 10].map((n) => [n, `line ${n} ä`, false]),
    );
  }
});

test('a long neighbor is cut, the line that was asked for is whole', async () => {
  const [before, asked] = await linesAround(inPieces(`${'a'.repeat(1000)}\n${'b'.repeat(1000)}\n`, 100), 2);
  assert.deepEqual([before.text.length, before.cut], [200, true]);
  assert.deepEqual([asked.text.length, asked.cut], [1000, false]);
});

test('a file is evidence by what is in it; a document of the laboratory is none', async () => {
  const is = (/** @type {string | Uint8Array<ArrayBuffer>} */ text, name = 'x.txt') =>
    isEvidence(new File([text], name));
  const lease = '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1"}';
  for (const text of [
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"get"}',
    'I1120 19:16:38.466096   17779 leaderelection.go:258] "Attempting to acquire leader lease..."',
    lease,
    `{"type":"ADDED","object":${lease}}`,
    'apiVersion: coordination.k8s.io/v1\nkind: Lease\n',
    '{"apiVersion":"leaselab.dev/v1alpha1","kind":"Trace","scenario":{"kind":"Scenario"}}',
    '{"record":"leaselab.dev/record/v1","engine":3,"scenario":{"apiVersion":"leaselab.dev/v1alpha1",' +
      '"kind":"Scenario"}}',
    '{"t":0.5,"n":1,"node":"a","kind":"act","events":["started"]}',
    '2026-11-20T19:16:38.466Z\tINFO\tsetup\tstarting manager',
    '[pod/node-a/manager] 2026-11-20T19:16:38.465675123Z starting',
    '2026-11-20T19:16:38.465675123Z stderr F starting',
    '{"log": "starting\\n", "stream": "stderr"}',
    '{"status":"success","data":{"resultType":"streams"}}',
    '@timestamp,@message\n2026-11-20 19:16:37.963,starting',
    new Uint8Array(gzipSync(lease)),
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n',
    'NAME   HOLDER   AGE\ndemo   node-a   3d\n',
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
  ])
    assert.equal(await is(text), true, String(text));
  for (const text of [
    'apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\n',
    'apiVersion: apps/v1\nkind: Deployment\n', // the engine makes a scenario from it
    '{\n    "apiVersion": "apps/v1",\n    "kind": "Deployment"\n}\n',
    '{"apiVersion":"leaselab.dev/v1alpha1","kind":"Session","note":"audit.k8s.io/"}',
    '{"kind": "Lesson"}',
    'hello',
  ])
    assert.equal(await is(text), false, text);
  for (const name of ['node-a.log', 'must-gather.tar.gz', 'logs.zip']) assert.equal(await is('hello', name), true);
  assert.equal(
    await is(' '.repeat((4 << 20) + 1), 'big.json'),
    false,
    'the page refuses it as a scenario that is too large',
  );
  assert.equal(await startOf(new Blob(['abcdef']), 3), 'abc');
});
