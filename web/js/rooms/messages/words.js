/** A request in words: the facts that the visitor may know, and the names of the acts on the request. Pure. */
import { formatInstant } from '../../lib/format.js';
import { messageName } from '../../page/stage/flight.js';

/** @import { Flight, Nanos, Tick } from '../../protocol.js' */

/** @type {Record<string, string>} */
const OUTCOMES = {
  conflict: 'refused with a conflict: another write came first',
  notFound: 'answered: the Lease does not exist',
};

/** @param {string} node @param {Tick} tick @param {Nanos} live @param {Flight} [flight] */
export function requestWords(node, tick, live, flight) {
  const isKnown = tick.outcome !== 'open' && tick.end <= live;
  const parts = [`${node}: ${messageName(flight ?? tick)} sent at ${formatInstant(tick.t)}`];
  if (tick.heldFrom)
    parts.push(`held from ${formatInstant(tick.heldFrom)}${tick.heldTo ? ` to ${formatInstant(tick.heldTo)}` : ''}`);
  if (tick.served && tick.served <= live)
    parts.push(
      `served at ${formatInstant(tick.served)}` +
        (tick.version ? `, stored as v${tick.version}` : tick.outcome === 'conflict' ? ', conflict' : ''),
    );
  if (!isKnown) parts.push('not answered yet');
  else if (tick.outcome === 'lost' && tick.served === tick.end) parts.push('too late for its client');
  else if (tick.outcome === 'lost') parts.push(`no answer, given up at ${formatInstant(tick.end)}`);
  else if (tick.error) parts.push(`${tick.error} at ${formatInstant(tick.end)}`);
  else
    parts.push(
      OUTCOMES[tick.outcome]
        ? `${OUTCOMES[tick.outcome]} at ${formatInstant(tick.end)}`
        : `answered at ${formatInstant(tick.end)}`,
    );
  return parts.join(', ');
}

/** Where a message is. @param {Flight} flight */
export function placeWords({ held, served, hangs, message }) {
  const to = message === 'resource' ? 'the resource' : 'the API server';
  if (held) return served === undefined ? `It is held on its way to ${to}.` : 'Its answer is held.';
  if (served !== undefined) return 'Its answer is on its way back.';
  return hangs ? 'It waits at the API server.' : `It is on its way to ${to}.`;
}
