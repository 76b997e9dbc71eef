import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineText } from '../../lib/format.js';
import { each, placeAt } from '../../lib/testsupport/calls.js';
import { placeOf } from '../../page/stage/flight.js';
import { layout } from '../../page/timeline/layout.js';
import { layoutArrows, MOST_ARROWS, serverLine } from './arrows.js';
import { actionOf, chosenOf, messageAt, possible } from './choice.js';
import { requestWords } from './words.js';

const MS = 1e6;
const at = (/** @type {number} */ ms) => 10e9 + ms * MS;

/** @param {object[]} ticks of a @param {object[]} [others] of b @returns {any} */
const timelineOf = (ticks, others = []) => ({
  lanes: [
    { node: 'a', index: 0, spans: [], ramp: [], ticks },
    { node: 'b', index: 1, spans: [], ramp: [], ticks: others },
  ],
  holder: [],
  bands: [],
  faults: [],
  violations: [],
  changes: [],
  landmarks: [],
  detail: true,
});

/** @param {object} [more] @returns {any} */
const viewOf = (more = {}) => ({
  ...placeAt(at(100)),
  end: 60e9,
  nodes: [
    { name: 'a', index: 0 },
    { name: 'b', index: 1 },
  ],
  flights: [],
  totals: { leaders: 0, leaderlessNs: 0, doubleNs: 0, violations: 0 },
  branches: [],
  ...more,
});

/** The arrows of a tenth of a second. @param {any} timeline @param {any} view @param {object} [more] */
const picture = (timeline, view, more = {}) =>
  layout({ view, timeline, viewport: { from: at(0), to: at(200) }, width: 1000, height: 700, server: true, ...more });

const update = (/** @type {number} */ sent, /** @type {object} */ more) => ({
  ...{ t: at(sent), end: at(sent + 5), verb: 'update', outcome: 'ok', write: true, n: 2 },
  ...more,
});

test('the API server has a lane in a close picture only, and only where it is drawn', () => {
  const timeline = timelineOf([update(10, { served: at(12) })]);
  assert.ok(picture(timeline, viewOf()).g.server.h > 20);
  assert.equal(picture(timeline, viewOf(), { viewport: { from: 0, to: 60e9 } }).g.server.h, 0);
  assert.equal(picture(timeline, viewOf(), { server: false }).g.server.h, 0);
});

test('a request is sent, served and answered: two arrows and a mark', () => {
  const timeline = timelineOf([update(10, { served: at(12), version: 7 })]);
  const view = viewOf();
  const l = picture(timeline, view);
  const [arrow] = layoutArrows(l, timeline, view);
  const x = (/** @type {number} */ ms) => l.scale.x + (ms / 200) * l.scale.w;
  const points = arrow.legs.map((leg) => leg.map((p) => [Math.round(p.x), p.y]));
  const foot = l.lanes[0].y + l.g.lane.tick + l.g.lane.tall;
  const [sent, served, ended] = [10, 12, 15].map((ms) => Math.round(x(ms)));
  assert.deepEqual(points, [
    [
      [sent, foot],
      [served, serverLine(l)],
    ],
    [
      [served, serverLine(l)],
      [ended, foot],
    ],
  ]);
  assert.deepEqual(arrow.mark, { x: arrow.legs[0][1].x, kind: 'write', version: 7 });
  assert.deepEqual(arrow.stops, []);
});

test('of two writes that race, the order is that of the server, and the loser has another shape', () => {
  const timeline = timelineOf(
    [update(10, { served: at(16), end: at(19), outcome: 'conflict', write: false })],
    [update(11, { served: at(13), end: at(16), version: 8 })],
  );
  const view = viewOf();
  const [a, b] = layoutArrows(picture(timeline, view), timeline, view);
  assert.ok(a.legs[0][0].x < b.legs[0][0].x, 'a is sent first');
  assert.ok((a.mark?.x ?? 0) > (b.mark?.x ?? 0), 'b is served first');
  assert.deepEqual([a.mark?.kind, b.mark?.kind], ['conflict', 'write']);
});

test('a message that is lost ends half way, on the leg on which it was lost', () => {
  const lost = { outcome: 'lost', write: false, end: at(60) };
  const timeline = timelineOf([update(10, lost)], [update(20, { ...lost, served: at(22) })]);
  const view = viewOf();
  const l = picture(timeline, view);
  const [request, answer] = layoutArrows(l, timeline, view);
  assert.equal(request.mark, null);
  assert.equal(request.legs.length, 1);
  assert.equal(answer.legs.length, 2);
  for (const { stops } of [request, answer]) assert.deepEqual(each(stops, 'kind'), ['lost']);
});

test('nothing after the live instant is drawn: a message under way ends where it is', () => {
  const flight = { node: 0, seq: 3, verb: 'update', sent: at(10), reaches: at(40), outcome: '' };
  const live = (/** @type {number} */ ms, /** @type {object} */ more = {}) => {
    const instant = { t: at(ms), n: -1 };
    const view = viewOf({ cursor: instant, live: instant, flights: [{ ...flight, ...more }] });
    const open = timelineOf([
      {
        ...update(10, { end: at(10), outcome: 'open', write: false }),
        ...('served' in more ? { served: at(40) } : {}),
      },
    ]);
    const l = picture(open, view);
    const arrows = layoutArrows(l, open, view);
    const right = l.scale.x + (ms / 200) * l.scale.w + 0.01;
    for (const { legs, stops, mark } of arrows) {
      for (const p of [...legs.flat(), ...stops]) assert.ok(p.x <= right);
      assert.ok((mark?.x ?? 0) <= right);
    }
    return arrows[0];
  };
  assert.deepEqual([live(25).legs.length, live(25).mark], [1, null]);
  assert.equal(live(50, { served: at(40), returns: at(70) }).legs.length, 2);
  assert.equal(live(50, { served: at(40), returns: at(70), outcome: 'conflict' }).mark?.kind, 'conflict');
  assert.equal(live(50, { served: at(40), returns: at(70), outcome: 'ok' }).mark?.kind, 'write');
  assert.deepEqual(each(live(30, { stopped: at(20), held: true }).stops, 'kind'), ['held']);
  assert.deepEqual(each(live(30, { stopped: at(20), lost: 'up' }).stops, 'kind'), ['lost']);
  assert.deepEqual(each(live(60, { hangs: true }).stops, 'kind'), ['waits']);
  const late = timelineOf([update(10, { served: at(40), end: at(70) })]);
  const early = viewOf({ ...placeAt(at(20)) });
  assert.deepEqual(
    layoutArrows(picture(late, early), late, early)[0].legs,
    [],
    'the data may reach further than what is shown',
  );
});

test('the time in which an act held a message is a level part of its arrow, on the leg where it was', () => {
  const ticks = [
    update(10, { served: at(62), end: at(65), heldFrom: at(11), heldTo: at(61) }),
    update(100, { served: at(102), end: at(155), heldFrom: at(103), heldTo: at(153) }),
  ];
  const timeline = timelineOf(ticks);
  const view = viewOf({ live: { t: at(190), n: -1 }, cursor: { t: at(190), n: -1 } });
  const l = picture(timeline, view);
  const [request, answer] = layoutArrows(l, timeline, view);
  const px = (/** @type {number} */ ms) => (ms / 200) * l.scale.w;
  assert.deepEqual(
    [request.legs.map(({ length }) => length), answer.legs.map(({ length }) => length)],
    [
      [4, 2],
      [2, 4],
    ],
  );
  for (const { holds, legs } of [request, answer]) {
    assert.equal(holds.length, 1);
    const [{ x0, x1, y }] = holds;
    assert.ok(Math.abs(x1 - x0 - px(50)) < 0.01);
    assert.ok(legs.flat().filter((p) => p.y === y).length === 2, 'level');
  }
  const foot = request.legs[0][0].y;
  assert.ok(Math.abs(request.holds[0].y - (foot + serverLine(l)) / 2) < 0.01, 'half of its way of 2 ms was done');
  const words = requestWords('a', /** @type {any} */ (ticks[0]), at(190));
  assert.match(words, /^a: update sent at 00:10\.010, held from 00:10\.011 to 00:10\.061, served at/);
});

test('a message that arrives after its client has given up has one arrow, to the server and not back', () => {
  const lost = { outcome: 'lost', write: false };
  const timeline = timelineOf([
    update(10, { ...lost, end: at(60), heldFrom: at(11) }),
    update(10, { ...lost, served: at(112), end: at(112), heldFrom: at(11), heldTo: at(111) }),
  ]);
  const at150 = { t: at(150), n: -1 };
  const [arrow, ...more] = layoutArrows(picture(timeline, viewOf({ live: at150 })), timeline, viewOf({ live: at150 }));
  assert.deepEqual([more.length, arrow.legs.length, arrow.holds.length, arrow.stops], [0, 1, 1, []]);
  assert.notEqual(arrow.mark, null);
  assert.match(requestWords('a', arrow.tick, at150.t), /too late for its client$/);
  const flight = {
    node: 0,
    seq: 3,
    verb: 'update',
    sent: at(10),
    reaches: at(12),
    outcome: '',
    stopped: at(11),
    held: true,
  };
  const view = viewOf({ flights: [flight] }); // the client has given up while an act holds the message
  const held = layoutArrows(picture(timeline, view), timeline, view);
  const stopped = held.map(({ stops }) => stops.map(({ kind }) => kind));
  assert.deepEqual(stopped, [['held']]);
});

test('messages of other clients have arrows while they are under way, to the resource those to it', () => {
  const flights = ['leaseCandidate', 'controller', 'heartbeat', 'resource'].map((message, k) => ({
    ...{
      node: k % 2,
      seq: 4,
      verb: 'update',
      message,
      sent: at(90),
      reaches: at(110),
      outcome: '',
      canBeStopped: true,
    },
  }));
  const timeline = timelineOf([]);
  const view = viewOf({ flights });
  const l = picture(timeline, view, { resource: true });
  const arrows = layoutArrows(l, timeline, view);
  const kinds = arrows.map(({ flight }) => flight?.message);
  assert.deepEqual(kinds, ['leaseCandidate', 'heartbeat', 'controller', 'resource']);
  for (const { flight, legs } of arrows) assert.equal(legs[0][1].y > legs[0][0].y, flight?.message === 'resource');
  const chosen = messageAt(view, null, 'b', { seq: 4, message: 'resource' });
  assert.ok(chosen);
  assert.deepEqual(possible(chosen), ['drop', 'hold', 'later']);
  assert.deepEqual(actionOf('hold', chosen, '2s', view), {
    ...{ at: '0s', target: 'b', message: 'resource', act: 'intercept', effect: 'late' },
  });
  const held = /** @type {any} */ ({ ...chosen, flight: { ...chosen.flight, held: true } });
  assert.deepEqual(actionOf('deliver', held, '2s', view), {
    ...{ at: '0s', target: 'b', message: 'resource', nth: 4, act: 'deliver' },
  });
  assert.equal(
    requestWords('b', chosen.tick, at(100), chosen.flight),
    'b: write to the resource sent at 00:10.090, not answered yet',
  );
});

test('a dense picture has marks without arrows', () => {
  const ticks = Array.from({ length: MOST_ARROWS + 1 }, (_, k) => update(k / 4, { served: at(k / 4), end: at(k / 4) }));
  const timeline = timelineOf(ticks);
  const view = viewOf();
  const arrows = layoutArrows(picture(timeline, view), timeline, view);
  assert.equal(arrows.length, ticks.length);
  assert.ok(arrows.every(({ legs }) => legs.length === 0));
});

test('a message that an act stopped stays where it was', () => {
  const flight = /** @type {any} */ ({ node: 0, sent: 0, reaches: 100, outcome: '' });
  assert.deepEqual(placeOf({ ...flight, stopped: 30, held: true }, 80), { at: 0.3, leg: 'stopped' });
  assert.deepEqual(placeOf({ ...flight, stopped: 30, lost: 'up' }, 80), { at: 0.3, leg: 'stopped' });
  assert.deepEqual(placeOf({ ...flight, stopped: 30, held: true }, 20), { at: 0.2, leg: 'up' });
});

test('an act concerns the message at the cursor, or else the request when it was on its way', () => {
  const tick = /** @type {any} */ (update(10, { served: at(12) }));
  const past = chosenOf(viewOf(), 'a', 0, tick);
  assert.deepEqual(possible(past), ['drop', 'hold', 'later', 'loseAnswer']);
  assert.deepEqual(actionOf('drop', past, '2s', viewOf()), {
    ...{ at: '10.011s', target: 'a', act: 'intercept', effect: 'drop' },
  });
  const flight = { node: 0, seq: 4, verb: 'update', sent: at(10), reaches: at(12), outcome: '', canBeStopped: true };
  const view = viewOf({ flights: [flight] });
  const now = chosenOf(view, 'a', 0, tick);
  assert.deepEqual(actionOf('later', now, '2s', view), {
    ...{ at: '0s', target: 'a', act: 'intercept', effect: 'late', for: '2s' },
  });
  assert.deepEqual(possible({ ...now, flight: /** @type {any} */ ({ ...flight, served: at(12) }) }), [
    'drop',
    'hold',
    'later',
  ]);
  const held = /** @type {any} */ ({ ...flight, canBeStopped: false, held: true });
  assert.deepEqual(possible({ ...now, flight: held }), ['deliver', 'drop']);
  const newer = { ...flight, seq: 5, sent: at(50) };
  assert.deepEqual(actionOf('hold', now, '2s', viewOf({ flights: [flight, newer] })), {
    ...{ at: '0s', target: 'a', nth: 4, act: 'intercept', effect: 'late' },
  });
});

test('a key means the message of the selected node, another one, or the last request before the cursor', () => {
  const flight = { node: 1, seq: 4, verb: 'get', sent: at(90), reaches: at(110), outcome: '', canBeStopped: true };
  const view = viewOf({ flights: [flight] });
  assert.equal(messageAt(view, null, 'b')?.flight?.seq, 4);
  assert.equal(messageAt(view, null, 'a')?.node, 'b');
  assert.equal(messageAt(view, null, 'b', { seq: 9 }), undefined);
  const timeline = timelineOf([update(10, {}), update(150, {})]);
  assert.equal(messageAt(viewOf(), timeline, 'a')?.tick.t, at(10));
  assert.equal(messageAt(viewOf(), timeline, 'b'), undefined);
});

test('a request is told as far as it is known', () => {
  const tick = /** @type {any} */ (update(10, { served: at(12), version: 7 }));
  assert.equal(
    requestWords('a', tick, at(99)),
    'a: update sent at 00:10.010, served at 00:10.012, stored as v7, answered at 00:10.015',
  );
  assert.equal(requestWords('a', tick, at(11)), 'a: update sent at 00:10.010, not answered yet');
  const lost = /** @type {any} */ (update(10, { outcome: 'lost', end: at(60) }));
  assert.match(requestWords('a', lost, at(99)), /no answer, given up at 00:10\.060$/);
  const refused = /** @type {any} */ (update(10, { outcome: 'error', error: 'connection refused' }));
  assert.match(requestWords('a', refused, at(99)), /sent at 00:10\.010, connection refused at 00:10\.015$/);
  assert.deepEqual([engineText(20e9), engineText(20e9 + 1)], ['20s', '20.000000001s']);
});
