import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { difference, packFrames, splitOpening } from '../../opening.mjs';
import { compareCursors, decodeFrames, merge, RecordedRun } from './opening.js';
import { opening } from './opening.testsupport.js';

const S = 1e9;

test('differences merge member by member; arrays are replaced; null deletes', () => {
  const base = { a: { b: 1, c: 2 }, list: [1, 2, 3], gone: 1 };
  assert.deepEqual(merge(base, { a: { c: 3 }, list: [9], gone: null }), { a: { b: 1, c: 3 }, list: [9] });
  assert.deepEqual(base, { a: { b: 1, c: 2 }, list: [1, 2, 3], gone: 1 });
});

test('difference and merge are inverse', () => {
  const pairs = [
    [{ a: 1 }, { a: 2, b: [1] }],
    [{ list: [{ x: 1 }, { x: 2 }] }, { list: [{ x: 1 }, { x: 3, y: 4 }] }],
    [{ list: [1, 2] }, { list: [1] }],
    [{ a: { b: 1 } }, {}],
  ];
  for (const [before, after] of pairs) assert.deepEqual(merge(before, difference(before, after)), after);
  assert.equal(difference({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), undefined);
});

test('packed frames show the same as plain ones, with less', () => {
  const plain = decodeFrames(opening().frames);
  const packed = decodeFrames(packFrames(opening().frames));
  assert.equal(packed.length, plain.length);
  for (let i = 0; i < plain.length; i++) {
    assert.deepEqual(packed[i].nodes, plain[i].nodes);
    assert.deepEqual(packed[i].cursor, plain[i].cursor);
    assert.equal(packed[i].undo, plain[i].undo);
    assert.equal('hash' in packed[i], false);
  }
});

test('the rest of the recording continues the story', () => {
  const { story, rest } = splitOpening(opening(), 6 * S);
  const run = new RecordedRun(story, 0);
  assert.equal(run.frames.length, 3);
  run.extend(structuredClone(rest));
  const whole = new RecordedRun({ ...opening(), frames: packFrames(opening().frames) }, 0);
  assert.deepEqual(run.frames, whole.frames);
  assert.deepEqual(run.opening.events.rows, whole.opening.events.rows);
  assert.deepEqual(run.opening.objects, whole.opening.objects);
  assert.deepEqual(run.opening.hello, whole.opening.hello);
});

test('of events, objects and causes nothing after the live instant leaves', async () => {
  const run = new RecordedRun(opening(), 6 * S);
  const events = await run.request('events', { count: 50 });
  assert.equal(events.total, 2);
  assert.equal(run.view().lease.versions, 1);
  await assert.rejects(run.request('why', { change: 1 }));
  await assert.rejects(run.request('object', { version: 2 }));
  await assert.rejects(run.request('act', { act: 'crash' }), /still loading/);
});

test('seeking never passes the live instant; steps, runs ahead and filters wait for the engine', async () => {
  const run = new RecordedRun(opening(), 0);
  run.live = { t: 9 * S, n: -1 };
  assert.deepEqual((await run.request('seek', { cursor: { t: 50 * S, n: -1 } })).cursor, { t: 9 * S, n: -1 });
  assert.equal((await run.request('seek', { cursor: { t: 6 * S, n: -1 } })).nodes[0].role, 'down');
  assert.deepEqual(run.live, { t: 9 * S, n: -1 });
  for (const op of /** @type {const} */ (['step', 'runTo', 'act'])) assert.equal(run.can(op), false, op);
  await assert.rejects(run.request('events', { count: 50, filter: 'leading' }), /still loading/);
});

test('it plays at the pace of the story, never across a change of pace or past the end in one frame', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let wall = 0;
  const clock = mock.method(performance, 'now', () => wall);
  const run = new RecordedRun(opening(), 0);
  /** @type {number[]} */
  const shown = [];
  run.onView = (view) => shown.push(view.cursor.t / S);
  const pass = (/** @type {number} */ ms) => {
    wall += ms;
    mock.timers.tick(16);
  };
  run.play(0, 9 * S);
  for (let frame = 0; frame < 9; frame++) pass(250);
  pass(9000);
  assert.deepEqual(shown, [1, 2, 3, 4, 5, 6, 7, 8, 8.25, 8.5], 'a page that slept does not jump');
  assert.deepEqual(run.live, { t: 8.5 * S, n: -1 });
  run.play(100);
  pass(100);
  assert.deepEqual([run.view().cursor.t, run.playing], [12 * S, false]);
  clock.mock.restore();
  mock.timers.reset();
});

test('a bare instant stands after everything of it', () => {
  assert.ok(compareCursors({ t: 1, n: -1 }, { t: 1, n: 5 }) > 0);
  assert.ok(compareCursors({ t: 1, n: 2 }, { t: 1, n: 5 }) < 0);
  assert.equal(compareCursors({ t: 1, n: -1 }, { t: 1, n: -1 }), 0);
});

test('windows of the event list', async () => {
  const run = new RecordedRun(opening(), 12 * S);
  const one = await run.request('events', { count: 1, from: 2, node: '' });
  assert.deepEqual([one.total, one.rows[0].text], [4, 'takes the Lease.']);
});
