/** A request in words: what is known of it, and what an act on it is called. Pure. */
import { formatInstant } from '../../lib/format.js';

/** @import { Flight, Nanos, Tick } from '../../protocol.js' */

/** @type {Record<string, string>} */
const OUTCOMES = {
  conflict: 'refused with a conflict: another write came first',
  notFound: 'answered: there is no Lease',
};

/** @param {string} node @param {Tick} tick @param {Nanos} live */
export function requestWords(node, tick, live) {
  const known = tick.outcome !== 'open' && tick.end <= live;
  const parts = [`${node}: ${tick.verb} sent at ${formatInstant(tick.t)}`];
  if (tick.served && tick.served <= live)
    parts.push(
      `served at ${formatInstant(tick.served)}${tick.version ? `, stored as v${tick.version}` : tick.outcome === 'conflict' ? ', conflict' : ''}`,
    );
  if (!known) parts.push('not answered yet');
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
export function placeWords({ held, served, hangs }) {
  if (held) return served === undefined ? 'It is held on its way to the API server.' : 'Its answer is held.';
  if (served !== undefined) return 'Its answer is on its way back.';
  return hangs ? 'It waits at the API server.' : 'It is on its way to the API server.';
}

/** An instant as the engine reads it. @param {Nanos} t */
export function exactly(t) {
  const rest = t % 1e9;
  return rest === 0 ? `${t / 1e9}s` : `${(t - rest) / 1e9}.${String(rest).padStart(9, '0')}s`;
}
