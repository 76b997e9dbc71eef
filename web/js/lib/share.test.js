import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalJson, decodeLink, droppedWords, encodeLink, isPlain, packLink, parseInstant } from './share.js';

const share = {
  scenario: 'a-leader-dies',
  patch: [{ path: 'elector.leaseDuration', value: '20s' }],
  actions: [1, 2, 3, 4, 5].map((i) => ({ at: `${i * 7.123456789}s`, act: 'crash', target: 'abc'[i % 3] })),
  seed: 1004,
  engine: 1,
  hash: '0123456789abcdef',
  cursor: { t: 34_038_760_571, n: 3 },
  live: { t: 36_000_000_000, n: -1 },
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

/** A link with any content. @param {unknown} content */
const linkTo = (content) => encodeLink(/** @type {any} */ (content));
const run = { scenario: 'a-leader-dies', cursor: { t: 1, n: -1 }, live: { t: 1, n: -1 } };

test('what a link may leave out is filled in', async () => {
  assert.deepEqual(await decodeLink(await linkTo(run)), { ...run, patch: [], actions: [] });
});

test('a link of an earlier version, which says edge for live, opens', async () => {
  const { live, ...rest } = run;
  assert.deepEqual(await decodeLink(await linkTo({ ...rest, edge: live })), { ...run, patch: [], actions: [] });
});

test('a link with a part of the wrong shape is refused, and the sentence names the part', async () => {
  for (const [part, values] of Object.entries({
    scenario: [null, 7, [], undefined],
    cursor: [null, 7, {}, { t: 1 }, { t: 1.5, n: 0 }, { t: '1', n: 0 }, { t: 1e99, n: 0 }, [1, 2]],
    live: [null, undefined, { t: 1, n: null }],
    patch: [null, {}, 'x', [1], [null], [{}], [{ path: 'seed', value: 7 }]],
    actions: [null, {}, 'x', [1], [null], [[]]],
  })) {
    for (const value of values) {
      await assert.rejects(decodeLink(await linkTo({ ...run, [part]: value })), {
        message: new RegExp(
          `^This link cannot be read: its ${part} must be .+\\. The default scenario is open instead\\.$`,
        ),
      });
    }
  }
});

test('an optional part of the wrong shape is left out, and a sentence names it', async () => {
  for (const [part, values] of Object.entries({
    seed: [null, '7', 1.5, {}],
    engine: [null, '1'],
    hash: [null, 7],
    breakpoints: [null, {}, [null], [{ text: 7 }]],
    compare: [null, 7, {}, { a: {} }, { a: {}, b: [] }],
    selection: [null, 7, 'node', {}, { kind: 7 }, { kind: 'node', node: {} }, { kind: 'band', from: null }],
  })) {
    for (const value of values) {
      const linked = await decodeLink(await linkTo({ ...run, [part]: value }));
      assert.deepEqual([linked?.cursor, part in (linked ?? {})], [run.cursor, false]);
      assert.match(
        droppedWords(linked),
        new RegExp(`^The ${part} of this link must be .+, so the run opens without it\\.$`),
      );
    }
  }
});

test('a deep link is refused before anything reads it', async () => {
  for (const levels of [101, 5000, 500_000]) {
    const deep = `{"scenario":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    await assert.rejects(decodeLink(await packLink(deep)), /nested more than 100 levels deep/);
  }
});

test('a link that unpacks to no run is refused', async () => {
  await assert.rejects(decodeLink(await encodeLink(/** @type {any} */ ({ scenario: 4 }))), /default scenario/);
});

test('short links', async () => {
  const crash = await decodeLink('#s=crash&t=40s&e=60s');
  assert.equal(crash?.scenario, 'crash');
  assert.deepEqual(crash?.cursor, { t: 40e9, n: -1 });
  assert.deepEqual(crash?.live, { t: 60e9, n: -1 });
  const named = await decodeLink('#first-election&t=1.5s&seed=7');
  assert.equal(named?.scenario, 'first-election');
  assert.equal(named?.seed, 7);
  assert.deepEqual(named?.live, { t: 1.5e9, n: -1 });
  assert.equal(await decodeLink(''), undefined);
  await assert.rejects(decodeLink('#<script>'), /names no scenario/);
  await assert.rejects(decodeLink('#%zz'), /names no scenario/);
  await assert.rejects(decodeLink('#s=%zz'), /names no scenario/);
  assert.match(droppedWords(await decodeLink(`#crash&t=${'9'.repeat(400)}s`)), /t=40s/);
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

/**
 * The links of this file are also in the command's tests: sim/lab/link. @type {{by: string, link: string, share:
 * any}[]}
 */
const corpus = JSON.parse(readFileSync(new URL('../../../sim/lab/link/testdata/links.json', import.meta.url), 'utf8'));
test('links that the page and the command wrote', async () => {
  assert.deepEqual([...new Set(corpus.map(({ by }) => by))].sort(), ['command', 'page']);
  for (const { link, share: expected } of corpus) assert.deepEqual(await decodeLink(link), expected);
});

test('a link may name an incident of the museum', async () => {
  assert.equal((await decodeLink('#museum=B02'))?.museum, 'B02');
  assert.equal((await decodeLink('#crash&t=3s'))?.museum, undefined);
});

test('an invalid seed, or one that JavaScript would round, is named, and the rest opens', async () => {
  assert.equal((await decodeLink('#crash&seed=9007199254740991'))?.seed, 9007199254740991);
  for (const seed of ['x7', '9007199254740992', '9999999999999999', '12345678901234567', '-1', '1.5', '']) {
    const linked = await decodeLink(`#crash&t=3s&seed=${seed}`);
    assert.deepEqual([linked?.scenario, linked?.cursor.t, linked?.seed], ['crash', 3e9, undefined], seed);
    assert.match(droppedWords(linked), /^The seed “.*” must be a whole number .*own seed\.$/, seed);
  }
});

test('a time that cannot be read is named, and the run opens at its start', async () => {
  const linked = await decodeLink('#crash&t=soon');
  assert.deepEqual([linked?.scenario, linked?.cursor.t], ['crash', 0]);
  assert.equal(droppedWords(linked), 'This link says t=soon, which is not a time (write t=40s).');
});

test('a link that names a run and no instant plays', async () => {
  for (const fragment of ['#crash', '#s=crash&seed=7'])
    assert.equal((await decodeLink(fragment))?.plays, true, fragment);
  for (const fragment of ['#crash&t=0s', '#lesson=3', '#museum=B03&seed=7', await encodeLink(share)])
    assert.equal((await decodeLink(fragment))?.plays, undefined, fragment);
});

test('what a link says and leaselab does not know is named, and the rest opens', async () => {
  const short = await decodeLink('#crash&sed=7&t=3s&utm_source=mail');
  assert.deepEqual([short?.scenario, short?.cursor.t, short?.dropped], ['crash', 3e9, ['sed=7', 'utm_source=mail']]);
  assert.match(droppedWords(short), /^This link says “sed=7” and “utm_source=mail”, which leaselab does not know/);
  const written = await packLink(JSON.stringify({ ...share, minutes: 5 }));
  assert.deepEqual((await decodeLink(written))?.dropped, ['minutes']);
  assert.equal(droppedWords(await decodeLink(await encodeLink(share))), '');
  assert.equal(droppedWords(await decodeLink('#s=crash&t=40s&e=60s&seed=7&museum=B02')), '');
  assert.equal(droppedWords(await decodeLink('#lesson=3&step=4&bet=30')), '');
});

test('a picture of the shipped run shows a link without patch, acts or a seed of its own', async () => {
  const linked = /** @type {any} */ (await decodeLink('#crash&t=3s'));
  assert.equal(isPlain(linked, 7), true);
  assert.equal(isPlain({ ...linked, seed: 7 }, 7), true);
  assert.equal(isPlain({ ...linked, seed: 8 }, 7), false);
  assert.equal(isPlain({ ...linked, patch: share.patch }, 7), false);
  assert.equal(isPlain({ ...linked, actions: share.actions }, 7), false);
});

test('a link that unpacks to more than 4 MiB is not read', async () => {
  const linkOfLength = (/** @type {number} */ length) =>
    packLink(JSON.stringify({ ...share, hash: 'x'.repeat(length) }));
  assert.equal((await decodeLink(await linkOfLength(4_000_000)))?.hash.length, 4_000_000);
  await assert.rejects(decodeLink(await linkOfLength(4 << 20)), /cannot be read/);
});
