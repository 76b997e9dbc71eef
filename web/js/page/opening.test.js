import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('the cursor walks by event and landmark, and never passes the live instant by seeking', async () => {
  const run = new RecordedRun(opening(), 0);
  run.live = { t: 9 * S, n: -1 };
  assert.deepEqual((await run.request('seek', { cursor: { t: 50 * S, n: -1 } })).cursor, { t: 9 * S, n: -1 });
  assert.deepEqual((await run.request('step', { direction: -1, unit: 'event' })).cursor, { t: 9 * S, n: 1 });
  assert.deepEqual((await run.request('step', { direction: -1, unit: 'landmark' })).cursor, { t: 5 * S, n: -1 });
  assert.equal(run.view().nodes[0].role, 'down');
  assert.deepEqual(run.live, { t: 9 * S, n: -1 });
  await run.request('step', { direction: 1, unit: 'landmark' });
  assert.deepEqual((await run.request('step', { direction: 1, unit: 'landmark' })).cursor, { t: 12 * S, n: -1 });
  assert.deepEqual(run.live, { t: 12 * S, n: -1 });
});

test('a bare instant stands after everything of it', () => {
  assert.ok(compareCursors({ t: 1, n: -1 }, { t: 1, n: 5 }) > 0);
  assert.ok(compareCursors({ t: 1, n: 2 }, { t: 1, n: 5 }) < 0);
  assert.equal(compareCursors({ t: 1, n: -1 }, { t: 1, n: -1 }), 0);
});

test('filters and windows of the event list', async () => {
  const run = new RecordedRun(opening(), 12 * S);
  const leads = await run.request('events', { count: 50, filter: 'LEADING' });
  assert.equal(leads.total, 2);
  const one = await run.request('events', { count: 1, from: 2, node: '' });
  assert.equal(one.rows[0].text, 'takes the Lease.');
  assert.equal((await run.request('events', { count: 50, filter: 'foo' })).total, 0);
});
