/**
 * Details for the beliefs: each node's clock, the times when no node or two nodes believed that they were the leader,
 * and the current margin.
 */
import { effect, signal } from '@preact/signals-core';
import { html, nothing, svg } from 'lit-html';
import { formatDuration, formatInstant, formatSeconds } from '../../lib/format.js';
import { Latest } from '../../lib/latest.js';

/** @import { Belief, BeliefBand, Beliefs, Cursor, LeaderMargin, Nanos } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */

/** @param {Pick<Page, "state" | "lab" | "select" | "currentTab">} ports */
export function open({ state, lab, select, currentTab }) {
  const beliefs = signal(/** @type {Beliefs | null} */ (null));
  const fetchBeliefs = new Latest((params) => lab.ask('beliefs', params), beliefs, 120);
  effect(() => {
    if (currentTab() !== 'beliefs') return;
    const { run, branch, cursor } = state.view.value;
    fetchBeliefs.want(`${run} ${branch} ${cursor.t} ${cursor.n}`, {});
  });
  const go = (/** @type {Cursor} */ cursor) => select({ kind: 'event', cursor });
  return { template: () => (beliefs.value ? innerTemplate(beliefs.value, go) : nothing) };
}

/** @param {Beliefs} beliefs @param {(cursor: Cursor) => void} go */
export function innerTemplate({ server, nodes, bands, from, to, margins, least, nearest }, go) {
  return html`<section class="inner-life" aria-label="Clocks, beliefs and margin">
    <h3>Who believed it was the leader, in the last ${formatDuration(Math.round((to - from) / 1e9) * 1e9)}</h3>
    ${stripTemplate(bands, from, to)}
    <p>${bandSentence(bands, nodes, to)}</p>
    ${margins.map((margin) => marginTemplate(margin, to))}
    ${least === undefined ? nothing : html`<p class="mute">${marginText(least, nearest)}</p>`}
    <h3>Clocks</h3>
    <table>
      <thead><tr><th>Node</th><th>Wall clock</th><th>Monotonic</th><th>The Lease is valid until</th></tr></thead>
      <tbody>
        <tr><th scope="row">API server</th><td>${server}</td><td></td><td>true time</td></tr>
        ${nodes.map(
          (node) => html`<tr>
            <th scope="row">${node.name}</th>
            <td>${node.wall}</td>
            <td>${node.alive ? formatSeconds(node.monoNs) : 'not running'}</td>
            <td>${countsTemplate(node, go)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** @param {Nanos} least @param {Nanos | undefined} nearest */
function marginText(least, nearest) {
  const margin = `The smallest margin so far is ${formatSeconds(least)}`;
  if (nearest === undefined) return `${margin}.`;
  return nearest < 0
    ? `${margin}, and two leaders overlapped by ${formatSeconds(-nearest)}.`
    : `${margin}; the shortest time from a stop to the next start is ${formatSeconds(nearest)}.`;
}

/** @param {Belief} node @param {(cursor: Cursor) => void} go */
function countsTemplate(node, go) {
  if (node.until === undefined || !node.seen) return '–';
  const { seen, until } = node;
  return html`${formatInstant(until)}, for ${node.holder || 'nobody'};
    <button type="button" class="quiet" @click=${() => go(seen)}>observed at ${formatInstant(seen.t)}</button>`;
}

/** @param {BeliefBand[]} bands @param {Nanos} from @param {Nanos} to */
function stripTemplate(bands, from, to) {
  const width = Math.max(1, to - from);
  const x = (/** @type {Nanos} */ t) => ((t - from) / width) * 1000;
  const label = bands.length === 0 ? 'One node at all times' : bands.map(bandText).join('; ');
  return html`<svg class="strip" viewBox="0 0 1000 14" preserveAspectRatio="none" role="img" aria-label=${label}>
    <rect class="ground" width="1000" height="14" />
    ${bands.map(
      (band) =>
        svg`<rect data-kind=${band.kind} x=${x(band.from)} width=${Math.max(2, x(band.to) - x(band.from))}
          height="14"><title>${bandText(band)}</title></rect>`,
    )}
  </svg>`;
}

/** @param {BeliefBand} band */
function bandText({ kind, who, from, to }) {
  return `${kind === 'two' ? who : 'nobody'} for ${formatSeconds(to - from)} from ${formatInstant(from)}`;
}

/** @param {BeliefBand[]} bands @param {Belief[]} nodes @param {Nanos} to */
function bandSentence(bands, nodes, to) {
  const last = bands.at(-1);
  if (!last || last.to < to) {
    const one = nodes.find((node) => node.leads);
    return one ? `Only ${one.name} believes it is the leader.` : 'No node believes it is the leader.';
  }
  const length = formatSeconds(last.to - last.from);
  return last.kind === 'two'
    ? `${last.who} believe they are the leader, for ${length} so far.`
    : `No node has believed it is the leader for ${length} so far.`;
}

/** @param {LeaderMargin} margin @param {Nanos} now */
function marginTemplate(margin, now) {
  const { node, leaseNs, renewNs, retryNs, answerNs, marginNs, stops, takes, paused } = margin;
  const share = (/** @type {Nanos} */ ns) => `flex-grow:${Math.max(0, ns)}`;
  const gap = stops !== undefined && takes !== undefined ? takes - stops : undefined;
  const bad = marginNs < 0 || paused || (gap !== undefined && gap < 0);
  return html`<div class="margin" data-bad=${bad ? 'true' : 'false'}>
    <h3>Margin of ${node}</h3>
    <div class="margin-bar" aria-hidden="true">
      <i .style=${share(renewNs)}>renewDeadline</i>
      <i class="retry" .style=${share(retryNs)}>retry</i>
      <i .style=${share(answerNs)}></i>
      <i class="safe" .style=${share(marginNs)}>${marginNs > 0 ? formatSeconds(marginNs) : ''}</i>
    </div>
    <p
      class="margin-sentence">${formatDuration(leaseNs)} − ${formatDuration(renewNs)} − ${formatDuration(retryNs)} −
      ${formatDuration(answerNs)} = ${formatSeconds(marginNs)}: leaseDuration minus renewDeadline, retryPeriod and the
      travel time of the last response.</p>
    ${
      paused
        ? html`<p class="margin-sentence">${node} is paused, so it cannot stop leading.</p>`
        : liveTemplate(margin, now)
    }
  </div>`;
}

/** @param {LeaderMargin} margin @param {Nanos} now */
function liveTemplate({ node, stops, takes, by }, now) {
  if (stops === undefined) return nothing;
  const must = `If no renewal succeeds from now on, ${node} stops in ${formatSeconds(Math.max(0, stops - now))}`;
  if (takes === undefined) return html`<p>${must}.</p>`;
  const gap = takes - stops;
  return html`<p>${must}, and ${by} may lead ${formatSeconds(Math.abs(gap))} ${gap < 0 ? 'before' : 'after'}
    that at the earliest.</p>`;
}
