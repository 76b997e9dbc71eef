/**
 * Where a message is. This depends only on the instants of its flight, so a paused page shows the same as a playing
 * one. Pure.
 */

/** @import { Flight, Nanos } from '../../protocol.js' */

/** How long the link of an answered request stays lit, in seconds of wall time. */
export const AFTERGLOW = 0.3;
/** A lost message stops here on its link. */
export const CUT_AT = 0.5;
/** Above this speed a message would only flicker. */
export const STATES_ONLY_ABOVE = 30;

/**
 * @typedef {object} Place
 * @property {number} at 0 at the node … 1 at the server
 * @property {'up'|'down'|'server'|'stopped'|'done'} leg
 */

/** @param {Flight} f @param {Nanos} now @returns {Place|null} null: it is not under way */
export function placeOf(f, now) {
  if (now < f.sent) return null;
  if (f.stopped !== undefined && now >= f.stopped && (f.held || f.lost)) {
    const base = placeOf({ ...f, lost: undefined, held: undefined, stopped: undefined }, f.stopped);
    return base && { at: base.at, leg: 'stopped' };
  }
  if (f.lost === 'up') {
    const share = progress(f.sent, f.reaches, now);
    return share < CUT_AT ? { at: share, leg: 'up' } : { at: CUT_AT, leg: 'stopped' };
  }
  if (f.served === undefined || now < f.served) {
    const share = progress(f.sent, f.reaches, now);
    return share < 1 ? { at: share, leg: 'up' } : { at: 1, leg: 'server' };
  }
  if (f.returns === undefined) return { at: 1, leg: 'server' };
  const share = progress(f.served, f.returns, now);
  if (f.lost === 'down') return share < CUT_AT ? { at: 1 - share, leg: 'down' } : { at: 1 - CUT_AT, leg: 'stopped' };
  return share < 1 ? { at: 1 - share, leg: 'down' } : { at: 0, leg: 'done' };
}

/**
 * Whether a flight still lights its link: it is under way, or its answer arrived a moment ago in wall time.
 * @param {Flight} f @param {Nanos} now
 * @param {number} speed virtual seconds per second
 */
export function isLit(f, now, speed) {
  if (now < f.sent) return false;
  const endedAt = f.ended ?? f.gaveUp;
  return endedAt === undefined || now <= endedAt + AFTERGLOW * speed * 1e9;
}

/** @type {Record<string, string>} */
const NAMES = {
  leaseCandidate: 'LeaseCandidate write',
  controller: 'controller request',
  resource: 'write to the resource',
};
/** What a message is. @param {{message?: string, verb: string}} f */
export const messageName = ({ message = '', verb }) => NAMES[message] ?? (message || verb);

/** @param {Nanos} from @param {Nanos} to @param {Nanos} now */
function progress(from, to, now) {
  return to <= from ? 1 : Math.min(1, Math.max(0, (now - from) / (to - from)));
}
