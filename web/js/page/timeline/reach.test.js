import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { layout } from './layout.js';
import { laneUpToLive } from './reach.js';
import { toX } from './viewport.js';

const recorded = JSON.parse(readFileSync(new URL('./testdata/leader-dies.json', import.meta.url), 'utf8'));
const S = 1e9;

/** The recorded timeline as an answer gives it while the run is live at an instant. @param {number} live */
function answerAt(live) {
  const upTo = (/** @type {any[]} */ spans) =>
    spans.filter(({ from }) => from < live).map((span) => ({ ...span, to: Math.min(span.to, live) }));
  const { timeline } = recorded;
  return {
    ...timeline,
    live,
    lanes: timeline.lanes.map((/** @type {any} */ lane) => ({ ...lane, spans: upTo(lane.spans) })),
    holder: upTo(timeline.holder).map((span) => ({ ...span, renewedUntil: Math.min(span.renewedUntil, span.to) })),
    bands: upTo(timeline.bands).map((band) =>
      band.to < live ? band : { ...band, open: true, change: -1, addends: [] },
    ),
    faults: upTo(timeline.faults).map((fault) => ({ ...fault, open: fault.to === live })),
  };
}

/** A view, live at its cursor. @param {string} name @param {number} t @param {object} [more] */
const viewAt = (name, t, more = {}) => ({ ...recorded.views[name], cursor: { t, n: -1 }, live: { t, n: -1 }, ...more });

/** Where the bars of a picture end, in s. @param {any} timeline @param {any} view */
function ends(timeline, view) {
  const l = layout({ view, timeline, viewport: { from: 0, to: 40 * S }, width: 900, height: 600 });
  const seconds = (/** @type {{x: number, w: number} | undefined} */ mark) =>
    mark && Math.round(((mark.x + mark.w - l.scale.x) * l.scale.perPx) / 1e8) / 10;
  return {
    holder: seconds(l.lease.at(-1)),
    works: seconds(l.terms.at(-1)),
    lanes: timeline.lanes.map(
      (/** @type {any} */ lane) => (laneUpToLive(lane, timeline, view).spans.at(-1)?.to ?? 0) / S,
    ),
    band: seconds(l.bands.at(-1)),
    fault: seconds(l.lanes[0].pins.at(-1)),
    overview: Math.abs(
      Math.round((l.overview.terms.at(-1)?.w ?? 0) - (toX(l.overview.scale, view.live.t) - l.overview.scale.x)),
    ),
    holds: l.lease.map(({ kind }) => kind),
  };
}

test('while a run plays, no bar ends before the live instant, although the answer is older', () => {
  const leads = ends(answerAt(15 * S), viewAt('at20', 17 * S));
  assert.deepEqual([leads.holder, leads.works, leads.lanes, leads.overview], [17, 17, [17, 17, 17], 0]);
  assert.deepEqual(leads.holds, ['holds']);
  const dead = ends(answerAt(23 * S), viewAt('at23', 25 * S));
  assert.deepEqual([dead.holder, dead.lanes, dead.band, dead.fault], [25, [25, 25, 25], 25, 25]);
  assert.equal(dead.works, 20, 'nobody works any longer');
  assert.deepEqual(dead.holds, ['holds', 'stale']);
});

test('what began since the answer begins when the view says', () => {
  const { nodes } = recorded.views.at23;
  const view = viewAt('at23', 22 * S, {
    headline: { kind: 'nobody', title: '', sinceT: 20.5 * S, addends: [] },
    nodes: nodes.map((/** @type {any} */ node) =>
      node.name === 'a' ? { ...node, role: 'down', since: 20.5 * S } : node,
    ),
  });
  const l = layout({ view, timeline: answerAt(20 * S), viewport: { from: 0, to: 40 * S }, width: 900, height: 600 });
  const band = l.bands.at(-1);
  assert.deepEqual([band?.kind, band?.from, band?.to], ['nobody', 20.5 * S, 22 * S]);
  const newest = (/** @type {any} */ answer, /** @type {any} */ shown) =>
    laneUpToLive(answer.lanes[0], answer, shown).spans.at(-1);
  assert.deepEqual(newest(answerAt(20 * S), view), { from: 20.5 * S, to: 22 * S, role: 'down' });
  const paused = viewAt('at20', 22 * S, {
    headline: { kind: 'leads', title: 'a leads, but is paused', sinceT: 21 * S, addends: [] },
    nodes: recorded.views.at20.nodes.map((/** @type {any} */ node) =>
      node.name === 'a' ? { ...node, role: 'paused', since: 21 * S } : node,
    ),
  });
  const idle = layout({
    view: paused,
    timeline: answerAt(20 * S),
    viewport: { from: 0, to: 40 * S },
    ...{ width: 900, height: 600 },
  });
  assert.deepEqual([idle.bands.at(-1)?.kind, idle.bands.at(-1)?.from], ['idle', 21 * S]);
  assert.equal(newest(answerAt(20 * S), paused)?.active, true);
});

test('an answer is not continued with a view of another run, nor with one that looks back', () => {
  const other = ends(answerAt(15 * S), viewAt('at20', 17 * S, { run: 99 }));
  const back = ends(answerAt(15 * S), viewAt('at20', 17 * S, { cursor: { t: 10 * S, n: -1 } }));
  assert.deepEqual([other.holder, back.holder, other.works, back.works], [15, 15, 15, 15]);
});
