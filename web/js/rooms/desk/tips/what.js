/** What is drawn at a place of the timeline, in words. Pure. */
import { formatInstant, formatSeconds } from '../../../lib/format.js';
import { hit, zoneAt } from '../../../page/timeline/hit.js';
import { toTime } from '../../../page/timeline/viewport.js';

/** @import { Lane, Nanos, Tick, Timeline, View } from '../../../protocol.js' */
/** @import { Layout } from '../../../page/timeline/layout.js' */

/**
 * @param {Layout} l @param {Timeline} timeline @param {View} view
 * @param {number} x in the timeline's pixels @param {number} y @returns {string} "" where there is nothing to say
 */
export function whatIsAt(l, timeline, view, x, y) {
  const { g, scale } = l;
  const zone = zoneAt(l, y);
  if (zone === 'overview') return 'The whole run so far. Click to move the view.';
  if (x < scale.x || x > scale.x + scale.w) return '';
  const t = toTime(scale, x);
  const at = formatInstant(t);
  if (zone === 'ruler') return t > view.live.t ? `${at}: not computed yet` : `${at}: click to go there`;
  if (t > view.live.t || t < 0) return '';
  switch (zone) {
    case 'holder':
      return holderAt(timeline, t);
    case 'lanes': {
      const lane = l.lanes.find((one) => y >= one.y && y < one.y + one.h);
      const data = timeline.lanes.find(({ node }) => node === lane?.node);
      if (!lane || !data) return '';
      const inRow = y - lane.y;
      if (inRow < g.lane.tick - 1) return roleAtWords(data, t, view.live.t);
      const request = inRow < g.lane.ramp - 2 ? requestAt(l, timeline, x, y) : '';
      return request || (inRow >= g.lane.ramp - 2 ? rampAt(data, t) : roleAtWords(data, t, view.live.t));
    }
    case 'resource':
      return resourceWords(timeline.resource?.fence ?? 'none');
    case 'violations':
      return timeline.observations?.some((one) => one.from <= t && t <= one.to)
        ? 'A diamond is an observation: a broken rule that is no violation. The Beliefs tab explains it.'
        : 'Violations of the safety rules so far';
    case 'bands':
      return 'Gaps and overlaps: how long nobody or more than one led';
    case 'faults':
      return 'Faults: what was done to the nodes, the network and the API server';
    default:
      return '';
  }
}

/**
 * What a lane has at the cursor: its role, the last request, and the countdown.
 * @param {Timeline} timeline @param {View} view @param {string} node
 */
export function laneAtCursor(timeline, { cursor, live }, node) {
  const lane = timeline.lanes.find((one) => one.node === node);
  if (!lane) return '';
  const { t } = cursor;
  const request = lane.ticks.findLast((one) => one.t <= t);
  const outcome = request && request.end > live.t ? 'open' : (request?.outcome ?? '');
  return [
    roleAtWords(lane, Math.min(t, live.t - 1), live.t),
    request ? `${node} ${requestWords(request, outcome)}` : '',
    rampAt(lane, t),
  ]
    .filter((words) => words !== '')
    .join('\n');
}

/** @param {string} fence */
function resourceWords(fence) {
  const what =
    fence === 'none'
      ? 'It has no fence: it accepts every write that arrives.'
      : `Its fence refuses a token (${fence}) lower than the highest that it has seen.`;
  return `Writes of leaders to the resource. ${what}`;
}

/** @param {Timeline} timeline @param {Nanos} t */
function holderAt(timeline, t) {
  const bar = timeline.holder.find((one) => one.from <= t && t < one.to);
  if (!bar || bar.holder === '') return `${formatInstant(t)}: the Lease has no holder`;
  const renewed = t < bar.renewedUntil;
  return `${formatInstant(t)}: the Lease says holderIdentity ${bar.holder}${renewed ? '' : ', and is no longer renewed'}`;
}

/** @type {Record<string, string>} */
const ROLES = {
  leading: 'leads',
  lost: 'has lost the Lease and still works',
  paused: 'is paused',
  following: 'follows',
  waiting: 'has not started',
  stopped: 'has stopped',
  down: 'is down',
};

/** @param {Lane} lane @param {Nanos} t @param {Nanos} live */
function roleAtWords(lane, t, live) {
  const span = lane.spans.find((one) => one.from <= t && t < one.to);
  if (!span) return '';
  const to = span.to >= live ? '' : ` to ${formatInstant(span.to)}`;
  const still = span.active ? ': it is an active leader that does no work' : '';
  return `${lane.node} ${ROLES[span.role] ?? span.role} from ${formatInstant(span.from)}${to}${still}`;
}

/** @param {Lane} lane @param {Nanos} t */
function rampAt(lane, t) {
  const point = lane.ramp.findLast((one) => one.t <= t);
  if (!point || point.zeroAt <= point.t) return '';
  const left = point.zeroAt - t;
  const what = point.leading ? 'must stop leading' : 'may acquire the Lease';
  return left > 0
    ? `${formatInstant(t)}: ${lane.node} ${what} in ${formatSeconds(left, 1)}, as it believes`
    : `${formatInstant(t)}: ${lane.node} ${what}, as it believes`;
}

/** @param {Layout} l @param {Timeline} timeline @param {number} x @param {number} y */
function requestAt(l, timeline, x, y) {
  const lanes = l.lanes.map(({ node }) => /** @type {Lane} */ (timeline.lanes.find((lane) => lane.node === node)));
  const found = hit({ ...l, firstLane: 0 }, lanes, timeline, x, y);
  if (found?.kind !== 'event') return '';
  const lane = lanes.find(({ node }) => node === found.node);
  const tick = lane?.ticks.find((one) => one.t === found.from && one.verb === found.verb);
  return tick ? `${found.node}: ${requestWords(tick, found.outcome ?? '')}` : '';
}

/** @type {Record<string, string>} */
const OUTCOMES = {
  conflict: 'refused with a conflict: another write came first',
  lost: 'the answer never came',
  error: 'answered with an error',
  open: 'not answered yet',
};

/** @param {Tick} tick @param {string} outcome */
function requestWords(tick, outcome) {
  const what = tick.write ? 'writes the Lease' : 'reads the Lease';
  const end = OUTCOMES[outcome] ?? `answered after ${formatSeconds(tick.end - tick.t)}`;
  return `${what} (${tick.verb}) at ${formatInstant(tick.t)}, ${end}`;
}
