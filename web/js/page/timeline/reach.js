/**
 * While a run plays, the timeline's data is a moment older than the view. So whatever goes on at its end gets extended
 * to the instant of the view, and no bar lags behind the cursor. The view says who leads, who holds the Lease and what
 * role each node has now. Events between the two instants appear with the next answer. Pure.
 */

/** @import { Band, HolderSpan, Lane, Nanos, Timeline, View } from '../../protocol.js' */

/**
 * Extends the rows of a timeline to the live instant.
 * @template {Timeline | null} T
 * @param {T} timeline @param {View} view @returns {T}
 */
export function upToLive(timeline, view) {
  if (!timeline || !isBehind(timeline, view)) return timeline;
  const { live: known, holder, bands, faults, violations } = timeline;
  const live = view.live.t;
  return {
    ...timeline,
    holder: holder.map((span) => (span.to === known ? holderUpTo(span, known, view) : span)),
    bands: bandsUpTo(bands, known, view),
    faults: faults.map((span) => (span.open ? { ...span, to: live } : span)),
    violations: violations.map((mark) => (mark.to === known ? { ...mark, to: live } : mark)),
  };
}

/** @param {Timeline} timeline @param {View} view */
function isBehind({ live, run }, view) {
  return live < view.live.t && run === view.run && view.cursor.t === view.live.t;
}

/**
 * Extends a lane's roles to the live instant.
 * @param {Lane} lane
 * @param {Timeline | null} timeline
 * @param {View} view
 * @returns {Lane}
 */
export function laneUpToLive(lane, timeline, view) {
  const last = lane.spans[lane.spans.length - 1];
  const node = view.nodes[lane.index];
  if (!timeline || !isBehind(timeline, view) || node?.index !== lane.index || last?.to !== timeline.live) return lane;
  const to = view.live.t;
  if (node.role === last.role && node.since <= last.to)
    return { ...lane, spans: [...lane.spans.slice(0, -1), { ...last, to }] };
  const active = node.role === 'paused' && (last.role === 'leading' || last.role === 'lost');
  const now = { from: Math.max(last.to, node.since), to, role: node.role, ...(active ? { active } : {}) };
  return { ...lane, spans: [...lane.spans, now] };
}

/** @param {HolderSpan} span @param {Nanos} known @param {View} view @returns {HolderSpan} */
function holderUpTo(span, known, { lease, nodes, live }) {
  if (lease.holder !== span.holder) return span;
  const node = nodes[span.index];
  const renews = span.renewedUntil === known && node?.index === span.index;
  const renewedUntil = !renews ? span.renewedUntil : node.role === 'leading' ? live.t : Math.max(known, node.since);
  return { ...span, to: live.t, renewedUntil };
}

/** @param {Band[]} bands @param {Nanos} known @param {View} view @returns {Band[]} */
function bandsUpTo(bands, known, { headline: { kind, sinceT }, live }) {
  /** @type {Band['kind'] | ''} */
  const now = kind === 'nobody' || kind === 'two' ? kind : kind === 'leads' && sinceT !== undefined ? 'idle' : '';
  const isOngoing = (/** @type {Band} */ band) => band.open && band.to === known && band.kind === now;
  const all = bands.map((band) => (isOngoing(band) ? { ...band, to: live.t } : band));
  if (now === '' || bands.some(isOngoing)) return all;
  const from = Math.max(known, sinceT ?? known);
  return [...all, { from, to: live.t, kind: now, open: true, change: -1, addends: [] }];
}
