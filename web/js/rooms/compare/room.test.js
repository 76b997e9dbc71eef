import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { button, each, enter, nameOf, placeAt, settle, text, the, waitUntil } from '#dom';
import { brush } from '../../lib/testsupport/canvas.js';
import { pageAt } from '../../page/page.testsupport.js';
import { makeScale } from '../../page/timeline/viewport.js';
import { open } from './index.js';
import { glyphOf, markDifferences } from './marks.js';

const recorded = JSON.parse(
  readFileSync(new URL('../../page/timeline/testdata/leader-dies.json', import.meta.url), 'utf8'),
);
const run = (/** @type {object} */ side) => ({
  side,
  title: `Run of ${JSON.stringify(side)}`,
  until: 40e9,
  view: recorded.views.at36,
  timeline: recorded.timeline,
});
const DIFFERENCES = [
  { t: 5e9, kind: 'first', in: 'both', text: 'the first difference', textA: 'a', textB: 'b' },
  { t: 20e9, kind: 'event', in: 'a', text: 'only in A' },
  { t: 70e9, kind: 'violation', in: 'b', text: 'only in B' },
];
const comparisonOf = (/** @type {any} */ { a, b }) => ({
  a: run(a),
  b: run(b),
  differences: DIFFERENCES,
  settings: [],
  totals: [],
  same: false,
  to: 60e9,
});

/** The room with a run of two branches. @param {(sides: any) => any} [answer] of the engine */
function room(answer = comparisonOf) {
  const branch = (/** @type {number} */ id) => ({ id, parent: id - 1, name: `branch ${id}`, hidden: false });
  const view = { branches: [branch(0), branch(1)], branch: 1, seed: 7, playing: false };
  const page = pageAt(view, {
    ask: async (/** @type {string} */ _, /** @type {any} */ sides) => answer(sides),
    share: async () => ({ scenario: 'a', ...placeAt(0), patch: [], actions: [] }),
  });
  page.state.hello.value = /** @type {any} */ ({ scenarios: [{ name: 'other', title: 'Other' }] });
  const unit = open(page.ports);
  const [dialog] = page.added();
  const sides = () => page.done.filter(([name]) => name === 'ask').map(([, , given]) => given);
  return { ...page, ...unit, dialog, sides };
}

test('it opens with the branch and the one it comes from, and says how they differ', async () => {
  const { show, dialog, done, sides } = room();
  await show();
  assert.equal(dialog.open, true);
  assert.deepEqual(sides(), [{ a: { branch: 0 }, b: { branch: 1 } }]);
  assert.deepEqual(done.at(-1), ['say', '3 differences, the first at 00:05.000.']);
  assert.match(text(dialog), /Cursor 00:05\.000/);
});

test('a run that plays is paused first; without an engine the room stays closed', async () => {
  const { show, state, done, dialog } = room();
  state.view.value = { ...state.view.value, playing: true };
  await show();
  assert.deepEqual(done[0], ['pause']);
  dialog.close();
  state.phase.value = 'opening';
  await show();
  assert.deepEqual(done.at(-1), ['notify', 'The simulator is still loading.']);
  assert.equal(dialog.open, false);
});

test('another side is compared at once; an answer that comes late is dropped', async () => {
  /** @type {((answer: any) => void)[]} */
  const waiting = [];
  const { show, dialog, sides } = room(() => new Promise((resolve) => waiting.push(resolve)));
  show();
  await settle();
  assert.match(text(dialog), /Comparing …/);
  enter(the(dialog, 'select[name="b"]'), 'scenario other');
  assert.deepEqual(sides().at(-1), { a: { branch: 0 }, b: { scenario: 'other' } });
  waiting[1](comparisonOf({ a: { branch: 0 }, b: { scenario: 'other' } }));
  await settle();
  waiting[0](comparisonOf({ a: { branch: 0 }, b: { branch: 1 } }));
  await settle();
  assert.match(text(dialog), /Run of \{"scenario":"other"\}/);
});

test('a refusal, and a comparison that was stopped, are told where the summary would stand', async () => {
  const refused = room(() => {
    throw new Error('Branch 9 is unknown.');
  });
  await refused.show();
  assert.match(text(refused.dialog), /Branch 9 is unknown\./);
  const stopped = room(() => ({ cursor: { t: 0, n: 0 } }));
  await stopped.show();
  assert.match(text(stopped.dialog), /The comparison was stopped\./);
});

test('a difference is chosen from the list; its instant comes into view and is said', async () => {
  const { show, dialog, done } = room();
  await show();
  button(dialog, /only in B/).click();
  assert.deepEqual(done.at(-1), ['say', '01:10.000: only in B.']);
  assert.match(text(dialog), /Cursor 01:10\.000/);
  assert.equal(nameOf(the(dialog, 'button[aria-pressed="true"]')).includes('only in B'), true);
});

test('the link holds both sides', async () => {
  const { show, dialog, done } = room();
  await show();
  button(dialog, 'Copy the link to this comparison').click();
  await waitUntil(() => done.at(-1)?.[0] === 'copy');
  const [name, link] = /** @type {any} */ (done.at(-1));
  assert.equal(name, 'copy');
  const { decodeLink } = await import('../../lib/share.js');
  assert.deepEqual((await decodeLink(new URL(link).hash.slice(1)))?.compare, { a: { branch: 0 }, b: { branch: 1 } });
  assert.match(text(dialog), /Copied: the link to this comparison/);
});

test('a difference has the shape of its kind, filled if it is in one run only', () => {
  const glyphs = [...DIFFERENCES, { kind: 'event', in: 'both' }].map((one) => glyphOf(/** @type {any} */ (one)));
  assert.deepEqual(glyphs, ['◆', '▲', '■', '△']);
});

test('each picture has the differences of its run, the chosen one thicker, and numbers that do not touch', () => {
  const l = /** @type {any} */ ({
    scale: makeScale({ from: 0, to: 60e9 }, 100, 600),
    g: { ruler: { y: 0, h: 24 }, ribbon: { y: 24, h: 40 }, bottom: 300 },
  });
  const at = (/** @type {number} */ t, /** @type {string} */ where) =>
    /** @type {any} */ ({ t, in: where, kind: 'event' });
  const all = [at(5e9, 'both'), at(5.1e9, 'a'), at(30e9, 'b')];
  const drawRun = (/** @type {"a" | "b"} */ which, /** @type {number} */ chosen) => {
    const pen = brush();
    markDifferences(
      which,
      () => all,
      () => chosen,
    )(pen.b, l);
    return pen;
  };
  assert.deepEqual([drawRun('a', -1).callsOf('stroke').length, drawRun('b', -1).callsOf('stroke').length], [2, 2]);
  assert.deepEqual(drawRun('a', -1).words(), ['△1'], 'the second is too near');
  assert.deepEqual(drawRun('a', 1).words(), ['△1', '▲2'], 'the chosen one always has its number');
  assert.deepEqual(each(drawRun('a', 1).callsOf('stroke'), 'width'), [1, 2.5]);
  const ends = ['moveTo', 'lineTo'].map((name) => drawRun('a', -1).callsOf(name)[0].args[1]);
  assert.deepEqual(ends, [24, 300], 'from the ribbon to the foot of the lanes');
  const [number] = drawRun('a', -1).callsOf('fillText');
  assert.ok(number.args[2] < 24, 'over the ribbon, which has its own words');
});
