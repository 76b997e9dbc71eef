import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { all, browser, nameOf } from '#dom';
import { brush } from '../../../lib/testsupport/canvas.js';
import { layout } from '../../../page/timeline/layout.js';
import { summaryRows } from '../../../page/timeline/summary.js';
import { makeScale, toX } from '../../../page/timeline/viewport.js';
import { fateOf, markResource, marksWords, markWords, writeMarks } from './resource.js';

const { views, timeline } = JSON.parse(
  readFileSync(new URL('../../../page/timeline/testdata/leader-dies.json', import.meta.url), 'utf8'),
);
const S = 1e9;

/** @param {number} t in s @param {object} [more] @returns {import('../../../protocol.js').Write} */
const write = (t, more = {}) => ({
  ...{ t: t * S, to: t * S, n: 3, index: 0, outcome: /** @type {const} */ ('accepted'), stale: false },
  ...{ token: 1, lastToken: 1, highest: 1, count: 1 },
  ...more,
});
const refused = { outcome: /** @type {const} */ ('refused'), stale: true, token: 0, lastToken: 0 };
const scale = makeScale({ from: 0, to: 40 * S }, 100, 800);
const name = (/** @type {number} */ index) => 'abc'[index];

test('writes that lie close together are one mark with their number, and the gravest gives it its shape', () => {
  const marks = writeMarks([write(1), write(1.1, { index: 1, ...refused }), write(1.2), write(9)], scale, 30 * S);
  assert.deepEqual(
    marks.map(({ fate, count, write: one }) => [fate, count, one.t / S]),
    [
      ['refused', 3, 1.1],
      ['accepted', 1, 9],
    ],
  );
  assert.equal(
    markWords(marks[0], name),
    '00:01.000 to 00:01.200: 3 writes of a, b, tokens 0 to 1: 1 refused, 2 accepted',
  );
  assert.equal(markWords(marks[1], name), '00:09.000: a writes with token 1: accepted');
});

test('nothing after the live instant is a mark', () => {
  const places = writeMarks([write(5), write(20)], scale, 10 * S).map(({ write: { t } }) => t);
  assert.deepEqual(places, [5 * S]);
});

test('a stale write says so, whatever the resource made of it', () => {
  const wordsOf = (/** @type {object} */ more) => markWords(writeMarks([write(5, more)], scale, 10 * S)[0], name);
  assert.equal(fateOf(write(1, { stale: true })), 'staleAccepted');
  assert.match(wordsOf({ stale: true }), /token 1: accepted\. The write is stale: another candidate/);
  assert.match(wordsOf(refused), /token 0: refused, because the resource has seen token 1\. The write is stale/);
  assert.match(wordsOf({ outcome: 'lost' }), /lost on the way$/);
  assert.match(wordsOf({ outcome: 'givenUp' }), /gives the resource up$/);
  assert.match(wordsOf({ outcome: 'kept' }), /still owns the resource/);
});

test('a token stands where it changes and at what is refused; a series of merged marks tells its number', () => {
  const words = (/** @type {any[]} */ writes) => marksWords(writeMarks(writes, scale, 40 * S));
  assert.deepEqual(words([write(1), write(3), write(5, { token: 2, lastToken: 2 })]), [
    ['token 1', '1'],
    [],
    ['token 2', '2'],
  ]);
  assert.deepEqual(words([write(1), write(3, { index: 1, ...refused }), write(5, { index: 1, ...refused })]).slice(1), [
    ['token 0', '0'],
    ['token 0', '0'],
  ]);
  assert.deepEqual(words([write(1), write(1.1), write(3)]).at(-1), ['token 1, ×3', '×3']);
});

/** Draws the row. @param {import('../../../protocol.js').Write[] | undefined} writes @param {object} [selection] */
function row(writes, selection) {
  const { at } = browser();
  const root = /** @type {any} */ (at('timeline'));
  /** @type {any[]} */
  const selected = [];
  const view = /** @type {any} */ ({ root, overlays: new Set(), resourceRow: false });
  markResource(view, (one) => selected.push(one));
  assert.equal(view.resourceRow, true);
  const data = { ...timeline, ...(writes ? { resource: { fence: 'leaseTransitions', writes } } : {}) };
  const given = { view: views.at34, timeline: data, viewport: { from: 0, to: 40 * S }, width: 900, height: 640 };
  const l = layout({ ...given, resource: writes !== undefined });
  const pen = brush();
  for (const overlay of view.overlays) overlay(pen.b, l, { ...given, selection, now: 34 * S });
  const group = root.lastElementChild;
  return { group, pen, l, selected, buttons: () => all(group, 'button') };
}

test('each write is a button that says it, is pressed when it is selected, and opens its event', () => {
  const { buttons, selected, group, l } = row([write(10), write(20, { index: 1, ...refused })], {
    ...{ kind: 'event', index: 1, cursor: { t: 20 * S, n: 3 } },
  });
  assert.deepEqual(
    buttons().map((one) => [nameOf(one).slice(0, 12), one.getAttribute('aria-pressed')]),
    [
      ['00:10.000: a', 'false'],
      ['00:20.000: b', 'true'],
    ],
  );
  buttons()[1].click();
  assert.deepEqual(selected, [{ kind: 'event', node: 'b', index: 1, from: 20 * S, cursor: { t: 20 * S, n: 3 } }]);
  assert.equal(group.hidden, false);
  assert.ok(l.g.resource.h >= 20 && l.g.resource.y === l.g.lanes.y + l.g.lanes.h);
});

test('every fate has its own shape, in the color of the writer', () => {
  const shapes = (/** @type {object} */ more) => {
    const { pen, l } = row([write(10, more)]);
    const x = toX(l.scale, 10 * S);
    const near = pen.calls.filter(({ args }) => typeof args[0] === 'number' && Math.abs(args[0] - x) < 8);
    return near.map(({ name: what }) => what).join(' ');
  };
  const seen = [{}, { stale: true }, refused, { outcome: 'lost' }, { outcome: 'givenUp' }].map(shapes);
  assert.equal(new Set(seen).size, seen.length, seen.join(' | '));
  const { pen } = row([write(10, { outcome: 'kept' })]);
  assert.equal(pen.callsOf('arc').length, 1);
  assert.ok(pen.callsOf('fill').some(({ fill }) => fill === 'a'));
});

test('without a resource there is no row', () => {
  const { group, l } = row(undefined);
  assert.equal(group.hidden, true);
  assert.equal(l.g.resource.h, 0);
});

test('the table of the run has the writes, those of one fate in a row as one', () => {
  const other = write(1.5, { index: 1, ...refused });
  const writes = [write(1), other, write(2), write(4, { outcome: 'kept' }), write(50)];
  const data = { ...timeline, lanes: timeline.lanes, resource: { fence: 'none', writes } };
  const rows = summaryRows(data, 34 * S).filter(([what]) => /write|resource/.test(what));
  assert.deepEqual(rows, [
    ['write accepted, 2 times', 'a, token 1', '00:01.000', '00:02.000', '1.000 s'],
    ['stale write refused', 'b, token 0', '00:01.500', '00:01.500', '0.000 s'],
    ['resource not given up: the last step was lost', 'a, token 1', '00:04.000', '00:04.000', '0.000 s'],
  ]);
});
