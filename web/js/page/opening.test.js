import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clipTimeline,
  compareCursors,
  decodeFrames,
  difference,
  merge,
  packFrames,
  RecordedRun,
  splitOpening,
} from './opening.js';

const S = 1e9;

/** A run of four instants: nobody, a leads at 1 s, a crashes at 5 s, b leads at 9 s. */
function opening() {
  const first = {
    run: 1,
    scenario: 's',
    title: 'S',
    seed: 1,
    hash: 'h0',
    cursor: { t: 0, n: -1 },
    edge: { t: 0, n: -1 },
    nextT: 0,
    end: 12 * S,
    inInstant: 0,
    playing: false,
    speed: 0,
    storySpeed: 1,
    nodes: [
      { name: 'a', role: 'following' },
      { name: 'b', role: 'following' },
    ],
    lease: { version: 0, holder: '' },
    flights: [],
    headline: { kind: 'start', title: 'Nobody leads yet.', addends: [] },
    branches: [{ id: 0, name: 'S', parent: -1, forkAt: 0, edge: 0, hidden: false }],
    undo: 'nothing',
  };
  const frames = [
    first,
    {
      cursor: { t: 1 * S },
      nodes: [
        { name: 'a', role: 'leading' },
        { name: 'b', role: 'following' },
      ],
      lease: { version: 1, holder: 'a' },
    },
    {
      cursor: { t: 5 * S },
      nodes: [
        { name: 'a', role: 'down' },
        { name: 'b', role: 'following' },
      ],
      undo: null,
    },
    {
      cursor: { t: 9 * S },
      nodes: [
        { name: 'a', role: 'down' },
        { name: 'b', role: 'leading' },
      ],
      lease: { version: 2, holder: 'b' },
    },
  ];
  const band = { from: 5 * S, to: 9 * S, kind: 'nobody', open: false, change: 1, addends: [{ ns: 4 * S }] };
  return /** @type {any} */ ({
    engine: 1,
    hello: { scenarios: [], fieldHelp: [{ kind: 'Lease', field: 'spec', help: 'What it says.' }] },
    frames,
    timeline: {
      run: 1,
      from: 0,
      to: 12 * S,
      detail: true,
      violations: [],
      faults: [{ from: 5 * S, to: 12 * S, open: true, node: 'a', text: 'a is down' }],
      lanes: [
        {
          node: 'a',
          index: 0,
          spans: [{ from: 1 * S, to: 5 * S, role: 'leading' }],
          ticks: [{ t: 4 * S, end: 6 * S, outcome: 'ok', write: true }],
          ramp: [{ t: 1 * S }, { t: 8 * S }],
        },
      ],
      holder: [
        { from: 1 * S, to: 9 * S, holder: 'a', index: 0, renewedUntil: 5 * S },
        { from: 9 * S, to: 12 * S, holder: 'b', index: 1, renewedUntil: 12 * S },
      ],
      bands: [band],
      changes: [
        { index: 0, at: 1 * S },
        { index: 1, at: 9 * S },
      ],
      landmarks: [
        { t: 1 * S, n: 1, text: 'a leads' },
        { t: 5 * S, n: 1, text: 'a crashes' },
        { t: 9 * S, n: 2, text: 'b leads' },
      ],
    },
    events: {
      run: 1,
      total: 4,
      from: 0,
      at: -1,
      rows: [
        { t: 1 * S, n: 1, node: 'a', text: 'starts leading.', detail: '' },
        { t: 5 * S, n: 1, node: 'a', text: 'crashes.', detail: '' },
        { t: 9 * S, n: 1, node: 'b', text: 'takes the Lease.', detail: 'PUT' },
        { t: 9 * S, n: 2, node: 'b', text: 'starts leading.', detail: '' },
      ],
    },
    objects: [
      { version: 1, t: 1 * S },
      { version: 2, t: 9 * S },
    ],
    why: { change: { index: 1, at: 9 * S } },
    pace: [
      { t: 0, factor: 4 },
      { t: 8 * S, factor: 1 },
    ],
  });
}

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

test('nothing after the edge leaves', async () => {
  const run = new RecordedRun(opening(), 6 * S);
  const timeline = await run.request('timeline', { from: 0, to: 12 * S, widthPx: 100 });
  assert.deepEqual(
    timeline.changes.map((/** @type {any} */ change) => change.index),
    [0],
  );
  assert.deepEqual(timeline.bands, [{ from: 5 * S, to: 6 * S, kind: 'nobody', open: true, change: -1, addends: [] }]);
  assert.equal(timeline.holder.length, 1);
  assert.equal(timeline.holder[0].to, 6 * S);
  assert.equal(timeline.lanes[0].ramp.length, 1);
  assert.ok(!JSON.stringify(timeline).includes('b leads'));
  const events = await run.request('events', { count: 50 });
  assert.equal(events.total, 2);
  assert.equal(run.view().lease.versions, 1);
  await assert.rejects(run.request('why', { change: 1 }));
  await assert.rejects(run.request('object', { version: 2 }));
  await assert.rejects(run.request('act', { act: 'crash' }), /not here yet/);
});

test('a request still open at the edge is drawn open', () => {
  const { ticks } = clipTimeline(opening().timeline, 5 * S, 0, 12 * S).lanes[0];
  assert.deepEqual(ticks, [{ t: 4 * S, end: 4 * S, outcome: 'open', write: false }]);
});

test('the cursor walks by event and landmark, and never passes the edge by seeking', async () => {
  const run = new RecordedRun(opening(), 0);
  run.edge = { t: 9 * S, n: -1 };
  assert.deepEqual((await run.request('seek', { cursor: { t: 50 * S, n: -1 } })).cursor, { t: 9 * S, n: -1 });
  assert.deepEqual((await run.request('step', { direction: -1, unit: 'event' })).cursor, { t: 9 * S, n: 1 });
  assert.deepEqual((await run.request('step', { direction: -1, unit: 'landmark' })).cursor, { t: 5 * S, n: -1 });
  assert.equal(run.view().nodes[0].role, 'down');
  assert.deepEqual(run.edge, { t: 9 * S, n: -1 });
  await run.request('step', { direction: 1, unit: 'landmark' });
  assert.deepEqual((await run.request('step', { direction: 1, unit: 'landmark' })).cursor, { t: 12 * S, n: -1 });
  assert.deepEqual(run.edge, { t: 12 * S, n: -1 });
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
