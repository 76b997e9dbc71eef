import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, decodeLink, encodeLink, parseInstant } from './share.js';

const share = {
  scenario: 'a-leader-dies',
  patch: [{ path: 'elector.leaseDuration', value: '20s' }],
  actions: [1, 2, 3, 4, 5].map((i) => ({ at: `${i * 7.123456789}s`, act: 'crash', target: 'abc'[i % 3] })),
  seed: 1004,
  engine: 1,
  hash: '0123456789abcdef',
  cursor: { t: 34_038_760_571, n: 3 },
  edge: { t: 36_000_000_000, n: -1 },
  selection: /** @type {const} */ ({ kind: 'node', node: 'b' }),
};

test('a link opens as what was shared', async () => {
  const link = await encodeLink(share);
  assert.deepEqual(await decodeLink(`#${link}`), share);
  assert.equal(await encodeLink(structuredClone(share)), link);
});

test('a shipped scenario with five acts fits 300 characters', async () => {
  assert.ok((await encodeLink({ ...share, patch: [], selection: undefined })).length <= 300);
});

test('every truncation and every changed character is refused', async () => {
  const link = await encodeLink(share);
  for (let i = 4; i < link.length; i++) {
    await assert.rejects(decodeLink(link.slice(0, i)), /default scenario/);
    const other = link[i] === 'A' ? 'B' : 'A';
    await assert.rejects(decodeLink(link.slice(0, i) + other + link.slice(i + 1)), /default scenario/);
  }
});

test('a link that unpacks to no run is refused', async () => {
  await assert.rejects(decodeLink(await encodeLink(/** @type {any} */ ({ scenario: 4 }))), /default scenario/);
});

test('short links', async () => {
  const crash = await decodeLink('#s=crash&t=40s&e=60s');
  assert.equal(crash?.scenario, 'crash');
  assert.deepEqual(crash?.cursor, { t: 40e9, n: -1 });
  assert.deepEqual(crash?.edge, { t: 60e9, n: -1 });
  const named = await decodeLink('#first-election&t=1.5s&seed=7');
  assert.equal(named?.scenario, 'first-election');
  assert.equal(named?.seed, 7);
  assert.deepEqual(named?.edge, { t: 1.5e9, n: -1 });
  assert.equal(await decodeLink(''), undefined);
  await assert.rejects(decodeLink('#<script>'), /names no scenario/);
  await assert.rejects(decodeLink('#first-election&t=soon'), /t=40s/);
});

test('instants as people write them', () => {
  assert.equal(parseInstant('40s'), 40e9);
  assert.equal(parseInstant('34.039 s'), 34_039_000_000);
  assert.equal(parseInstant('1m20s'), 80e9);
  assert.equal(parseInstant('01:20.5'), 80.5e9);
  assert.equal(parseInstant('00:34.038760571'), 34_038_760_571);
  assert.equal(parseInstant('12'), 12e9);
  assert.equal(parseInstant('soon'), undefined);
});

test('canonical JSON orders members, not lists', () => {
  assert.equal(canonicalJson({ b: 1, a: [{ d: 1, c: 2 }] }), '{"a":[{"c":2,"d":1}],"b":1}');
});
