/**
 * The postMessage messages between an embedded page and the page around it: four verbs come in, three events go out.
 *
 * In:  {leaselab: "play"} · {leaselab: "pause"} · {leaselab: "goTo", t: 34.5 or "34.5s"} · {leaselab: "act", act:
 * "crash", node?: "a"} Out: {leaselab: "ready", …state} · {leaselab: "state", …state} · {leaselab: "refused", verb,
 * why}
 *
 * Guarantee: the embedded page listens only to window.parent, and only if the parent has the origin in the address's
 * parameter `host`. It sends only to that origin. It ignores any other message, and logs each reason once to the
 * console.
 */
import { formatSeconds } from '../../lib/format.js';
import { isObject, isText } from '../../lib/shape.js';
import { parseInstant } from '../../lib/share.js';
import { leadersOf } from '../../page/state.js';

/** @import { Nanos, View } from '../../protocol.js' */
/** @import { Phase } from '../../page/state.js' */

/**
 * @typedef {{verb: 'play'} | {verb: 'pause'} | {verb: 'goTo', t: Nanos} | {verb: 'act', act: string, node?: string}}
 *   Request
 */
/**
 * The report of the run for the host. Instants are in seconds, and the report contains nothing after the live instant.
 * @typedef {{scenario: string, seed: number, t: number, live: number, end: number, playing: boolean, leaders: string[],
 *   headline: string, phase: Phase}} Report
 */

/** The origin that may send messages, or undefined. @param {string | null} text of the address */
export function originOf(text) {
  if (!text || !URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return /^https?:$/.test(protocol) && origin === text ? origin : undefined;
}

/** An instant of a message in nanoseconds. @param {unknown} t */
function instantOf(t) {
  if (isText(t)) return parseInstant(t);
  return typeof t === 'number' && t >= 0 && t < 1e7 ? Math.round(t * 1e9) : undefined;
}

/** The request in a message, or what is wrong with it. @param {unknown} data @returns {Request | string} */
export function requestOf(data) {
  if (!isObject(data)) return 'it must be an object such as {leaselab: "play"}';
  const { leaselab: verb, act, node } = data;
  if (verb === 'play') return { verb };
  if (verb === 'pause') return { verb };
  if (verb === 'goTo') {
    const t = instantOf(data.t);
    return t === undefined ? 't must be in seconds, or a time such as "34.5s"' : { verb, t };
  }
  if (verb !== 'act') return 'leaselab must be "play", "pause", "goTo" or "act"';
  if (!isText(act)) return 'act must be the name of an act, such as "crash"';
  if (node === undefined) return { verb, act };
  return isText(node) ? { verb, act, node } : 'node must be the name of a node';
}

/**
 * Reads each message of a window.
 * @param {{host: string | undefined, parent: unknown, take: (request: Request) => unknown, log: (sentence: string) =>
 *   void}} ports host: the origin that may send messages; without it, none may
 * @returns {(message: Pick<MessageEvent, 'data' | 'origin' | 'source'>) => void}
 */
export function reader({ host, parent, take, log }) {
  /** @type {Set<string>} */
  const logged = new Set();
  const ignore = (/** @type {string} */ reason, sentence = reason) => {
    if (!logged.has(reason)) log(`leaselab ignored a message: ${sentence}.`);
    logged.add(reason);
  };
  return ({ data, origin, source }) => {
    if (source !== parent) ignore('it does not come from the page around this frame');
    else if (!host)
      ignore('the address of this frame names no origin that may send one, such as &host=https://docs.example.com');
    else if (origin !== host) ignore('origin', `it comes from ${origin}, and the address of this frame names ${host}`);
    else {
      const request = requestOf(data);
      if (isText(request)) ignore('shape', request);
      else take(request);
    }
  };
}

/** The shortest time from one goTo to the next request: a frame. */
const FRAME_MS = 16;

/**
 * Takes the requests one after another. A later goTo replaces one that still waits right before it.
 * @param {(request: Request) => Promise<unknown>} take @returns {(request: Request) => Promise<void>}
 */
export function inTurn(take) {
  /** The request in work, and the ones that wait. @type {Request[]} */
  const queue = [];
  return async (request) => {
    const last = queue.length > 1 ? queue.at(-1) : undefined;
    if (request.verb === 'goTo' && last?.verb === 'goTo') queue.pop();
    if (queue.push(request) > 1) return;
    for (; queue.length > 0; queue.shift()) {
      await take(queue[0]);
      if (queue[0].verb === 'goTo') await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
    }
  };
}

/** @param {View} view @param {Phase} phase @returns {Report} */
export function reportOf(view, phase) {
  const { scenario, seed, cursor, live, end, playing, headline } = view;
  const { title, sinceT } = headline;
  const elapsed = sinceT === undefined ? '' : formatSeconds(Math.max(0, cursor.t - sinceT), 1);
  const instants = { t: cursor.t / 1e9, live: live.t / 1e9, end: end / 1e9 };
  const says = { leaders: leadersOf(view), headline: title.replace('{elapsed}', elapsed) };
  return { scenario, seed, ...instants, playing, ...says, phase };
}

/**
 * The part of a report whose change causes another message. While the run plays, a new instant alone causes no message.
 * @param {Report} told
 */
export const newsOf = ({ t, live, playing, headline, ...rest }) =>
  JSON.stringify(playing ? rest : { ...rest, t, live, headline });
