/** Which message a visitor means, and the acts on it. Pure. */
import { engineText } from '../../lib/format.js';

/** @import { Flight, Nanos, Tick, Timeline, View } from '../../protocol.js' */

/**
 * @typedef {object} MessageChoice a message that an act can stop
 * @property {string} node
 * @property {Tick} tick
 * @property {Flight} [flight] the message if it is in transit at the cursor
 * @property {Nanos} [at] without a flight, the instant of the act: the request was in transit at that instant
 */

/** @typedef {'drop' | 'hold' | 'later' | 'loseAnswer' | 'deliver'} What */

/** Whether an act can affect a message now. @param {Flight} f */
const isPicked = (f) => f.canBeStopped === true || f.held === true;

/**
 * The flight of an elector's request at the cursor, if an act can change it.
 * @param {View} view
 * @param {number} index
 * @param {Nanos} sent
 */
const flightOf = (view, index, sent) =>
  view.flights.find((f) => f.node === index && !f.message && f.sent === sent && isPicked(f));

/**
 * The message of a request: at the cursor, or else just after the node sent it.
 * @param {View} view @param {string} node @param {number} index @param {Tick} tick @returns {MessageChoice}
 */
export function chosenOf(view, node, index, tick) {
  const flight = flightOf(view, index, tick.t);
  if (flight) return { node, tick, flight };
  const half = tick.served ? Math.floor((tick.served - tick.t) / 2) : 1;
  return { node, tick, at: tick.t + Math.max(1, half) };
}

/** A message in transit, as a request without an answer. @param {Flight} f @returns {Tick} */
export const tickOf = (f) => ({
  t: f.sent,
  end: f.sent,
  verb: f.verb,
  outcome: 'open',
  write: false,
  n: -1,
  ...(f.served === undefined ? {} : { served: f.served }),
});

/**
 * The message that a key or a click on the stage means: the node's message in transit at the cursor, else any other
 * message in transit, else the node's last request before the cursor.
 * @param {View} view @param {Timeline | null} timeline @param {string} node
 * @param {{seq: number, message?: string}} [given] a flight of the node
 * @returns {MessageChoice | undefined}
 */
export function messageAt(view, timeline, node, given) {
  const index = view.nodes.find(({ name }) => name === node)?.index ?? -1;
  const flights = view.flights.filter(isPicked).reverse();
  const flight = given
    ? flights.find((f) => f.node === index && f.seq === given.seq && f.message === given.message)
    : (flights.find((f) => f.node === index) ?? flights[0]);
  if (flight)
    return { node: view.nodes.find((n) => n.index === flight.node)?.name ?? '', tick: tickOf(flight), flight };
  const lane = timeline?.lanes.find((one) => one.node === node);
  const tick = lane?.ticks.findLast((one) => one.t < view.cursor.t);
  return lane && tick && chosenOf(view, node, lane.index, tick);
}

/** The possible acts on a message. @param {MessageChoice} chosen @returns {What[]} */
export function possible({ flight }) {
  if (flight?.held) return ['deliver', 'drop'];
  if (flight?.message === 'resource') return ['drop', 'hold', 'later'];
  return flight?.served === undefined ? ['drop', 'hold', 'later', 'loseAnswer'] : ['drop', 'hold', 'later'];
}

/**
 * The act in the form of a scenario.
 * @param {What} what @param {MessageChoice} chosen @param {string} later how much later, "2s"
 * @param {View} view for a message that is not the newest of its client
 */
export function actionOf(what, { node, flight, at }, later, view) {
  const alike = view.flights.filter((f) => f.node === flight?.node && f.message === flight.message && isPicked(f));
  const which = {
    ...(flight?.message ? { message: flight.message } : {}),
    ...(flight && (flight.held || alike.at(-1)?.seq !== flight.seq) ? { nth: flight.seq } : {}),
  };
  const when = { at: at === undefined ? '0s' : engineText(at), target: node, ...which };
  if (what === 'deliver') return { ...when, act: 'deliver' };
  const effect = { drop: 'drop', hold: 'late', later: 'late', loseAnswer: 'dropResponse' }[what];
  return { ...when, act: 'intercept', effect, ...(what === 'later' ? { for: later } : {}) };
}
