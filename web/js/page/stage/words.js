/** A node in words: a line on the stage, and a sentence for a screen reader. */
import { formatCountdown, formatDuration, formatSeconds } from '../../lib/format.js';

/** @import { Nanos, NodeView } from '../../protocol.js' */

/** Roles, the important ones first. */
export const ROLES = ['leading', 'lost', 'paused', 'down', 'stopped', 'waiting', 'following'];

/** @param {NodeView[]} nodes */
export function byRole(nodes) {
  return [...nodes].sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
}

/** How long a node that does nothing has done nothing; "" for others. @param {NodeView} n @param {Nanos} now */
const idleFor = ({ role, since }, now, digits = 3) =>
  ['down', 'stopped', 'paused'].includes(role) ? formatSeconds(Math.max(0, now - since), digits) : '';

/**
 * The line under the role: what will happen to this node next, or how long it has had the role.
 * @param {NodeView} n @param {Nanos} now
 */
export const statusLine = (n, now) => idleFor(n, now) || countdownWords(n, now);

/** What will happen next; "" when nothing counts down. @param {NodeView} n @param {Nanos} now */
export function countdownWords(n, now) {
  if (!n.countdown) return '';
  const left = n.countdown.zeroAt - now;
  const what = n.countdown.kind === 'mustStop' ? 'must stop' : 'may acquire';
  return `${what} ${left > 0 ? `in ${formatCountdown(left)}` : 'now'}`;
}

/**
 * The same in as few words as possible, for a ring of many nodes.
 * @param {NodeView} n @param {Nanos} now
 */
export const shortStatus = (n, now) =>
  idleFor(n, now, 1) || countdownWords(n, now).replace(/^(must stop|may acquire) (in )?/, '');

/** The node's clock, if it differs from true time: "clock +1 h", "clock at 0.5×". @param {NodeView} n */
export function clockLine(n) {
  const parts = [];
  if (n.clockOffsetNs !== 0)
    parts.push(`${n.clockOffsetNs > 0 ? '+' : '−'}${formatDuration(Math.abs(n.clockOffsetNs))}`);
  if (n.clockRatePpm !== 1e6) parts.push(`${Number((n.clockRatePpm / 1e6).toFixed(3))}×`);
  return parts.length > 0 ? `clock ${n.wall.replace(/\.\d+$/, '')} (${parts.join(', ')})` : '';
}

/** @type {Record<string, string>} */
const CUTS = { both: 'cut off', up: 'requests cut', down: 'answers cut' };

/** @param {NodeView} n */
export const cutWords = (n) => CUTS[n.cut] ?? '';

/** The end of a long name, which tells names of one set apart. @param {string} name @param {number} most characters */
export const tail = (name, most) => (name.length > most ? `…${name.slice(1 - most)}` : name);

/** @param {NodeView} n @param {Nanos} now */
export function sentence(n, now) {
  const status = statusLine(n, now);
  // Without a countdown, the status says how long the node has had its role.
  const statusText = status !== '' && status !== countdownWords(n, now) ? `for ${status}` : status;
  return [n.name, n.roleWord, statusText, cutWords(n), clockLine(n)].filter((part) => part !== '').join(', ');
}
