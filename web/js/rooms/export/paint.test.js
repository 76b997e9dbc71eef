import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { palette } from '../../lib/testsupport/canvas.js';
import { browser } from '../../lib/testsupport/dom.js';
import { painter, paletteOf, smallPrint, WIDTH } from './paint.js';

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const recorded = JSON.parse(read('../../page/timeline/testdata/leader-dies.json'));
const LIVE = 40e9;
const live = { t: LIVE, n: -1 };

/** The takeover, as `leaselab export svg a-leader-dies --to 40s` draws it. @param {object} [more] */
const picture = (more = {}) => ({
  view: { ...recorded.views.at36, live },
  timeline: { ...recorded.timeline, live: LIVE },
  viewport: { from: 0, to: LIVE },
  palette,
  title: 'A leader dies',
  print: ['seed 1004 · engine 3', 'https://example.com/'],
  ...more,
});

/** What the picture of an instant says. @param {ReturnType<typeof picture>} of @param {number} t */
function wordsOf(of, t) {
  const { document } = browser();
  const canvas = /** @type {any} */ (document.createElement('canvas'));
  painter(canvas, of)(t);
  return canvas.pen.words();
}

test('the page draws what the command draws: the same words, of the same run', () => {
  const page = new Set(wordsOf(picture(), LIVE));
  const svg = read('../../../../sim/view/export/testdata/a-leader-dies.svg');
  const command = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text.replaceAll('&#39;', "'"));
  const print = /engine \d|example/;
  assert.deepEqual(
    command.filter((words) => !page.has(words) && !print.test(words)),
    [],
  );
  assert.ok(command.length > 20);
});

test('a picture of an earlier instant holds nothing that comes later, and marks the instant', () => {
  browser();
  const early = wordsOf(picture(), 25e9);
  assert.ok(early.includes('nobody leads, 5.0 s'), String(early));
  assert.ok(!early.some((/** @type {string} */ words) => /14\.039|may acquire|leading/.test(words)));
});

test('the canvas is sized for the picture and its small print, and painted whole', () => {
  const { document } = browser();
  const canvas = /** @type {any} */ (document.createElement('canvas'));
  const paint = painter(canvas, picture());
  assert.equal(canvas.width, 2 * WIDTH);
  const { height } = canvas;
  painter(canvas, picture({ print: ['one'] }));
  assert.equal(height - canvas.height, 30, 'a line of small print more');
  canvas.pen.clear();
  paint(LIVE);
  const [ground] = canvas.pen.of('fillRect');
  assert.deepEqual([ground.args.slice(0, 2), ground.args[2], ground.fill], [[0, 0], WIDTH, 'panel']);
  for (const words of ['A leader dies', 'Lease holder', 'a crashes', 'seed 1004 · engine 3'])
    assert.ok(canvas.pen.words().includes(words), words);
});

test('a picture has what only some runs have: writes, verdicts of monitors, hand-overs, close up the requests', () => {
  browser();
  const write = {
    t: 12e9,
    to: 12e9,
    n: 1,
    index: 0,
    outcome: 'accepted',
    stale: false,
    token: 3,
    lastToken: 3,
    count: 1,
  };
  const lanes = recorded.timeline.lanes.map((/** @type {any} */ lane) => ({
    ...lane,
    ready: [{ from: 0, to: 40e9, role: 'notReady' }],
  }));
  const timeline = {
    ...recorded.timeline,
    lanes,
    resource: { fence: 'none', writes: [write, { ...write, t: 38e9, to: 38e9, token: 4, lastToken: 4 }] },
    notes: [{ t: 15e9, n: 1, index: 0, other: 1, kind: 'handOver', text: 'b is preferred' }],
    observations: [],
  };
  const whole = wordsOf(picture({ timeline }), LIVE);
  for (const words of ['Resource', 'token 3', 'token 4', 'considered dead', '→ b'])
    assert.ok(whole.includes(words), words);
  assert.ok(!whole.includes('API server'), 'the picture is not close enough');
  const early = wordsOf(picture({ timeline }), 14e9);
  assert.ok(early.includes('token 3') && !early.includes('token 4') && !early.includes('→ b'), String(early));
  const close = wordsOf(picture({ timeline, viewport: { from: 17e9, to: 19e9 } }), LIVE);
  assert.ok(close.includes('API server'), String(close));
});

test('many lanes are low, and more than sixty make no picture', () => {
  browser();
  const [lane] = recorded.timeline.lanes;
  const lanes = Array.from({ length: 100 }, (_, i) => ({ ...lane, node: `node-${i}`, index: i }));
  const words = wordsOf(picture({ timeline: { ...recorded.timeline, lanes } }), LIVE);
  assert.ok(words.includes('node-59') && !words.includes('node-60'));
  const run = { scenario: 'many', title: 'Many', seed: 1 };
  assert.equal(smallPrint(run, { engine: 3, span: 'all', link: '', lanes: 100 })[0], 'and 40 more nodes');
  assert.match(smallPrint(run, { engine: 3, span: 'all', link: '', lanes: 60 })[0], /seed 1/);
});

test('the small print names the scenario unless the title does, and cuts an endless link', () => {
  const run = { scenario: 'crash', title: 'Crash', seed: 7 };
  assert.deepEqual(smallPrint(run, { engine: 3, span: '00:00 to 00:40', link: 'https://x/' }), [
    'crash · seed 7 · engine 3 · 00:00 to 00:40 · leaselab',
    'https://x/',
  ]);
  assert.equal(
    smallPrint({ ...run, title: 'crash' }, { engine: 3, span: 'all', link: '' })[0],
    'seed 7 · engine 3 · all · leaselab',
  );
  assert.equal(smallPrint(run, { engine: 3, span: 'all', link: 'x'.repeat(8000) }).length, 7);
});

test('the colours of a theme leave the page as it was', () => {
  const { document } = browser();
  const { dataset } = /** @type {any} */ (document.documentElement);
  dataset.projector = 'light';
  const seen = /** @type {unknown[]} */ ([]);
  Object.assign(globalThis, {
    getComputedStyle() {
      seen.push({ ...dataset });
      return { getPropertyValue: () => 'colour', fontFamily: 'sans' };
    },
  });
  assert.equal(paletteOf('dark').ink, 'colour');
  assert.deepEqual(seen[0], { theme: 'dark' });
  assert.deepEqual({ ...dataset }, { projector: 'light' });
  dataset.theme = 'light';
  paletteOf('dark');
  assert.equal(dataset.theme, 'light');
});
