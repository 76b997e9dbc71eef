/**
 * Turns the requests in a close-up of the timeline into arrows between the lanes of the nodes and the lane of the API
 * server: sent, served, answered. Pure. Nothing after the live instant appears: the arrow of a message that has not
 * arrived yet ends at the message's current position.
 */
import { placeOf } from '../../page/stage/flight.js';
import { toX } from '../../page/timeline/viewport.js';
import { tickOf } from './choice.js';

/** @import { Flight, Lane, Tick, Timeline, View } from '../../protocol.js' */
/** @import { LaneLayout } from '../../page/timeline/lanelayout.js' */
/** @import { Layout } from '../../page/timeline/layout.js' */

/** @typedef {{x: number, y: number}} Point */
/**
 * @typedef {object} Arrow
 * @property {string} node
 * @property {number} index of the node
 * @property {Tick} tick
 * @property {Flight} [flight] the message if it is in transit at the live instant
 * @property {Point[][]} legs each from its start to its end, with an arrowhead at the end unless the message stops
 * there
 * @property {{x0: number, x1: number, y: number}[]} holds while an act held the message
 * @property {(Point & {kind: 'lost' | 'held' | 'waits'})[]} stops where a leg ends without arriving
 * @property {{x: number, kind: 'write' | 'read' | 'conflict' | 'error', version: number} | null} mark at the server
 * @property {number} x where its button is
 */

/** At most this many requests get arrows. With more requests, only the marks at the server appear. */
export const MOST_ARROWS = 300;

/** The line of the server's lane. @param {Layout} l */
export const serverLine = ({ g }) => g.server.y + g.server.h - 9;

/** Where a message goes: the API server, or the resource. @param {Layout} l @param {Flight} [flight] */
const lineOf = (l, flight) => (flight?.message === 'resource' ? l.g.resource.y + l.g.resource.h / 2 : serverLine(l));

/**
 * @param {Layout} l @param {Timeline} timeline @param {View} view
 * @returns {Arrow[]}
 */
export function layoutArrows(l, timeline, view) {
  if (l.g.server.h === 0) return [];
  /** The messages in transit at the live instant. */
  const flights = view.cursor.t === view.live.t ? view.flights.filter((f) => f.ended === undefined) : [];
  const lanes = new Map(timeline.lanes.map((lane) => [lane.index, lane]));
  /** @type {Arrow[]} */
  const arrows = [];
  for (const shownLane of l.lanes) {
    const lane = lanes.get(shownLane.index);
    if (!lane) continue;
    for (const k of shownLane.ticks.ref) {
      const tick = lane.ticks[k];
      if (!tick || tick.t > view.live.t || isShownByLater(lane, tick, view.live.t)) continue;
      const flight = flights.find((f) => f.node === lane.index && !f.message && f.sent === tick.t);
      arrows.push(arrowOf(l, shownLane, lane, { tick, flight, live: view.live.t }));
    }
    // The trace has only electors' requests. Other requests are visible only while they are in transit.
    for (const flight of flights.filter((f) => f.message && f.node === lane.index))
      if (flight.message !== 'resource' || l.g.resource.h > 0)
        arrows.push(arrowOf(l, shownLane, lane, { tick: tickOf(flight), flight, live: view.live.t }));
  }
  if (arrows.length > MOST_ARROWS) for (const arrow of arrows) arrow.legs = arrow.stops = [];
  return arrows;
}

/**
 * Whether another arrow shows this request. A request that arrives after its client gave up has two ticks, and the
 * later tick shows the whole request.
 * @param {Lane} lane @param {Tick} tick @param {number} live
 */
const isShownByLater = ({ ticks }, tick, live) =>
  tick.heldFrom !== undefined &&
  (tick.end > live
    ? tick.served === tick.end
    : ticks.some((one) => one.t === tick.t && one.end > tick.end && one.end <= live));

/**
 * The path of a message. The path is level while an act holds the message.
 * @param {Arrow} arrow
 * @param {(t: number) => number} x
 * @param {[number, number]} from instant and height
 * @param {[number, number]} to
 */
function way({ tick, holds }, x, [t0, y0], [t1, y1]) {
  const { heldFrom = 0, heldTo = 0 } = tick;
  const points = [
    { x: x(t0), y: y0 },
    { x: x(t1), y: y1 },
  ];
  if (heldFrom < t0 || heldTo > t1 || heldTo <= heldFrom) return points;
  const y = y0 + (y1 - y0) * Math.min(1, (heldFrom - t0) / Math.max(1, t1 - t0 - (heldTo - heldFrom)));
  holds.push({ x0: x(heldFrom), x1: x(heldTo), y });
  points.splice(1, 0, { x: x(heldFrom), y }, { x: x(heldTo), y });
  return points;
}

/** @returns {Pick<Arrow, 'legs' | 'holds' | 'stops' | 'mark'>} */
const nothingYet = () => ({ legs: [], holds: [], stops: [], mark: null });

/**
 * @param {Layout} l @param {LaneLayout} shown @param {Lane} lane
 * @param {{tick: Tick, flight: Flight | undefined, live: number}} request
 * @returns {Arrow}
 */
function arrowOf(l, shown, lane, { tick, flight, live }) {
  const x = (/** @type {number} */ t) => toX(l.scale, t);
  const foot = shown.y + l.g.lane.tick + l.g.lane.tall;
  const server = lineOf(l, flight);
  const origin = { x: x(tick.t), y: foot };
  /** @type {Arrow} */
  const arrow = { node: lane.node, index: lane.index, tick, flight, ...nothingYet(), x: origin.x };
  if (tick.outcome === 'open' || tick.end > live || flight?.held) {
    placeUnderWay(arrow, flight, { sent: origin, server, x, live });
    return arrow;
  }
  const ended = { x: x(tick.end), y: foot };
  if (!tick.served) {
    const reach = { x: origin.x + Math.min(12, (ended.x - origin.x) / 2), y: (foot + server) / 2 };
    arrow.x = reach.x;
    arrow.legs.push([origin, reach]);
    arrow.stops.push({ ...reach, kind: 'lost' });
    return arrow;
  }
  const served = { x: x(tick.served), y: server };
  arrow.x = served.x;
  arrow.mark = markOf(tick, served.x);
  arrow.legs.push(way(arrow, x, [tick.t, foot], [tick.served, server]));
  if (tick.outcome !== 'lost') {
    arrow.legs.push(way(arrow, x, [tick.served, server], [tick.end, foot]));
    return arrow;
  }
  if (tick.served === tick.end) return arrow; // nobody waits for the answer
  const half = { x: served.x + Math.min(12, (ended.x - served.x) / 2), y: (foot + server) / 2 };
  arrow.legs.push([served, half]);
  arrow.stops.push({ ...half, kind: 'lost' });
  return arrow;
}

/**
 * A request without an answer at the live instant.
 * @param {Arrow} arrow @param {Flight | undefined} flight
 * @param {{sent: Point, server: number, x: (t: number) => number, live: number}} at
 */
function placeUnderWay(arrow, flight, { sent, server, x, live }) {
  const { tick } = arrow;
  const served = tick.served && tick.served <= live ? { x: x(tick.served), y: server } : undefined;
  if (served) {
    arrow.legs.push(way(arrow, x, [tick.t, sent.y], [tick.served ?? 0, server]));
    arrow.mark = markOf({ ...tick, outcome: flight?.outcome || 'ok', write: tick.verb !== 'get' }, served.x);
    arrow.x = served.x;
  }
  if (!flight) return;
  const place = placeOf(flight, live);
  const now = x(flight.stopped ?? live);
  if (!place) return;
  const point = { x: now, y: sent.y + (server - sent.y) * place.at };
  if (served) arrow.legs.push([served, point]);
  else if (place.leg === 'server') {
    const arrival = { x: x(flight.reaches), y: server };
    arrow.legs.push([sent, arrival]);
    arrow.stops.push({ ...arrival, x: now, kind: 'waits' });
    arrow.x = arrival.x;
    return;
  } else {
    arrow.legs.push([sent, point]);
    arrow.x = point.x;
  }
  if (flight.held) {
    arrow.stops.push({ ...point, kind: 'held' });
    arrow.holds.push({ x0: point.x, x1: x(live), y: point.y });
  } else if (place.leg === 'stopped') arrow.stops.push({ ...point, kind: 'lost' });
}

/** @param {Tick} tick @param {number} x @returns {Arrow['mark']} */
function markOf(tick, x) {
  const version = tick.version ?? 0;
  if (tick.outcome === 'conflict') return { x, kind: 'conflict', version };
  if (tick.outcome === 'error') return { x, kind: 'error', version };
  return { x, kind: tick.write || version > 0 ? 'write' : 'read', version };
}
