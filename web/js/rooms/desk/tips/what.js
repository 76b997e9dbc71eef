/** Says in words what the timeline shows at a place. Pure. */
import { formatCountdown, formatInstant, formatSeconds } from '../../../lib/format.js';
import { faultText, PIN } from '../../../page/timeline/faults.js';
import { hit, zoneAt } from '../../../page/timeline/hit.js';
import { totalsLine } from '../../../page/timeline/layout.js';
import { toTime, toX } from '../../../page/timeline/viewport.js';
import { diamondY } from '../panels/observations.js';

/** @import { Lane, Nanos, Tick, Timeline, View } from '../../../protocol.js' */
/** @import { LaneLayout } from '../../../page/timeline/lanelayout.js' */
/** @import { Layout } from '../../../page/timeline/layout.js' */

/** @typedef {{x: number, y: number}} Point */

/** Within this distance (px), the tip is about a small mark, whatever is under the mark. */
const TICK_REACH = 4;
const MARK_REACH = 7;

/**
 * @param {Layout} l @param {Timeline} timeline @param {View} view
 * @param {Point} at in the timeline's pixels @returns {string} "" for nothing to say
 */
export function whatIsAt(l, timeline, view, { x, y }) {
  const { g, scale } = l;
  const zone = zoneAt(l, y);
  const observed = observationAt(l, timeline, view, { x, y });
  if (observed) return observed;
  if (zone === 'overview') return `The whole run: ${totalsLine(view)}\nClick to move the view.`;
  if (x < scale.x || x > scale.x + scale.w) return '';
  const t = toTime(scale, x);
  const at = formatInstant(t);
  if (zone === 'ruler') return t > view.live.t ? `${at}: not computed yet` : `${at}: click to go there`;
  if (t > view.live.t || t < 0) return '';
  switch (zone) {
    case 'ribbon':
      return 'Who works: the active leaders, and the time with none or with two';
    case 'lease':
      return holderAt(timeline, t);
    case 'lanes': {
      const lane = l.lanes.find((one) => y >= one.y && y < one.y + one.h);
      const data = timeline.lanes.find(({ node }) => node === lane?.node);
      if (!lane || !data) return '';
      const inRow = y - lane.y;
      const mark = faultAt(l, timeline, lane, { x, inRow }) || tickAt(l, timeline, lane, { x, y });
      if (mark) return mark;
      if (inRow < g.lane.ramp) return roleAtWords(data, t, view.live.t);
      return (
        (inRow > g.lane.base && requestAt(l, timeline, x, y)) || rampAt(data, t) || roleAtWords(data, t, view.live.t)
      );
    }
    case 'resource':
      return resourceWords(timeline.resource?.fence ?? 'none');
    case 'network':
      return 'Faults of the API server and of the network';
    default:
      return '';
  }
}

/**
 * The diamond that is nearest.
 * @param {Layout} l @param {Timeline} timeline @param {View} view @param {Point} at
 */
function observationAt(l, timeline, view, { x, y }) {
  if (Math.abs(y - diamondY(l)) > MARK_REACH) return '';
  const distanceOf = (/** @type {{from: Nanos}} */ { from }) => Math.abs(toX(l.scale, from) - x);
  const near = (timeline.observations ?? [])
    .filter((one) => one.from <= view.live.t && distanceOf(one) <= MARK_REACH)
    .sort((one, other) => distanceOf(one) - distanceOf(other))[0];
  if (!near) return '';
  const at = formatInstant(near.from);
  return `Observation at ${at}: ${near.text}\nAn observation is not a violation. The Beliefs tab explains it.`;
}

/**
 * The pin of a fault.
 * @param {Layout} l @param {Timeline} timeline @param {LaneLayout} lane
 * @param {{x: number, inRow: number}} at
 */
function faultAt({ g }, timeline, lane, { x, inRow }) {
  const pin = lane.pins.find((one) => one.hasPin && Math.hypot(x - one.x, inRow - g.lane.base) <= PIN + 2);
  return pin ? `${faultText(timeline, pin.item)} at ${formatInstant(pin.item.from)}` : '';
}

/**
 * A request right under the pointer. It takes precedence over the ramp behind it.
 * @param {Layout} l @param {Timeline} timeline @param {LaneLayout} lane @param {Point} at
 */
function tickAt(l, timeline, { y: top, ticks }, { x, y }) {
  const { tick, tall } = l.g.lane;
  const inTicks = y >= top + tick - 1 && y <= top + tick + tall + 1;
  const near = ticks.x.some((from, i) => x >= from - TICK_REACH && x <= from + ticks.w[i] + TICK_REACH);
  return inTicks && near ? requestAt(l, timeline, x, y) : '';
}

/**
 * The state of a lane at the cursor: its role, the last request, and the countdown.
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
  const old = renewed ? '' : ', and is no longer renewed';
  return `${formatInstant(t)}: the Lease says holderIdentity ${bar.holder}${old}`;
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
    ? `${formatInstant(t)}: ${lane.node} believes that it ${what} in ${formatCountdown(left)}`
    : `${formatInstant(t)}: ${lane.node} believes that it ${what}`;
}

/** @param {Layout} l @param {Timeline} timeline @param {number} x @param {number} y */
function requestAt(l, timeline, x, y) {
  const lanes = l.lanes.map(({ node }) => /** @type {Lane} */ (timeline.lanes.find((lane) => lane.node === node)));
  const found = hit({ ...l, firstLane: 0 }, { lanes, timeline }, x, y);
  if (found?.kind !== 'event') return '';
  const lane = lanes.find(({ node }) => node === found.node);
  const tick = lane?.ticks.find((one) => one.t === found.from && one.verb === found.verb);
  return tick ? `${found.node}: ${requestWords(tick, found.outcome ?? '')}` : '';
}

/** @type {Record<string, string>} */
const OUTCOMES = {
  conflict: 'refused with a conflict: another write came first',
  lost: 'no answer',
  open: 'not answered yet',
};

/** @param {Tick} tick @param {string} outcome */
function requestWords(tick, outcome) {
  const what = tick.verb === 'get' ? 'reads the Lease' : 'writes the Lease';
  const failed = tick.error ?? OUTCOMES[outcome];
  const end = failed ?? `answered after ${formatSeconds(tick.end - tick.t)}`;
  return `${what} (${tick.verb}) at ${formatInstant(tick.t)}, ${end}`;
}
