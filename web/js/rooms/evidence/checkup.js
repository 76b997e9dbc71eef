/** The check-up of a cluster's Leases: how they are, and a slider for a stall of the API. */

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { plural } from '../../lib/format.js';
import { when } from '../../lib/parts.js';

/** @import { Cluster, Inferred, Lease, Stall, Stalled } from '../../protocol.js' */
/** @import { Inquiry } from './inquiry.js' */

const STALL = 30;
const SECOND = 1e9;

/** @param {number | undefined} n @param {string} [other] */
const seconds = (n, other = 'unknown') => (n === undefined ? other : `${Number(n.toFixed(1))} s`);

/** @type {Record<Stalled["outcome"], [words: string, tone: string]>} */
const OUTCOMES = {
  loses: ['loses the lead, restarts', 'bad'],
  either: ['may lose the lead', 'fault'],
  expires: ['Lease may expire', 'fault'],
  survives: ['survives', 'good'],
};

/** Heartbeats without a warning are only counted. @param {Lease} lease */
const isListed = ({ kind, warnings }) => kind === 'elector' || warnings.length > 0;

export class Checkup {
  stall = signal(STALL);
  report = signal(/** @type {Cluster | null} */ (null));

  /** @param {Inquiry} inquiry */
  constructor(inquiry) {
    this.inquiry = inquiry;
  }

  /** Asks again, for a stall of some seconds. */
  async ask(stall = this.stall.peek()) {
    this.stall.value = stall;
    try {
      const report = await this.inquiry.reading.ask('evidenceCheckup', { stall: stall * SECOND });
      if (this.stall.value === stall) this.report.value = report;
    } catch (failure) {
      this.inquiry.tellFailure(failure);
    }
  }

  headline() {
    const leases = this.report.value?.leases ?? [];
    const warned = leases.filter(({ warnings }) => warnings.length > 0).length;
    return `${plural(leases.length, 'Lease')}, ${warned === 0 ? 'none' : warned} with a warning.`;
  }

  template() {
    const report = this.report.value;
    if (!report?.stall) return html`<p role="status">Checking…</p>`;
    const listed = report.leases.filter(isListed);
    const healthy = report.leases.length - listed.length;
    return html`<section class="checkup" aria-label="If the API stalls">
        ${stallTemplate(report.stall, this)}
      </section>
      <section class="checkup" aria-label="The Leases of the cluster">
        <h2 class="label">The Leases</h2>
        <div class="checkup-table" tabindex="0" role="group" aria-label="Table of the Leases"><table>
          <thead><tr><th>Lease</th><th>Settings</th><th>Renews every</th><th>Age</th><th>Safety margin</th></tr></thead>
          <tbody>${listed.map(rowTemplate)}</tbody></table></div>
        <p class="mute">${when(
          healthy > 0,
          () => html`${plural(healthy, 'heartbeat')} of nodes and API servers without
          a warning. `,
        )}* assumed: a Lease does not show it. Ages count to ${report.at ?? 'no time'}, the newest in your
          files.</p>
      </section>`;
  }
}

/** @param {Inferred} one */
const titleOf = ({ name, from, program }) => `${name}: ${from}${program ? `, as in ${program}` : ''}`;

/** @param {Lease} lease */
const rowTemplate = ({ name, kind, holder, settings, renewPeriodSeconds, ageSeconds, safetyMarginSeconds, warnings }) =>
  html`<tr><th scope="row">${name}<small>${kind}, ${holder ? `held by ${holder}` : 'nobody holds it'}</small>
      ${warnings.map(({ says }) => html`<small class="checkup-warning">${says}</small>`)}</th>
    <td>${settings.map(
      (one, i) =>
        html`${i > 0 ? ' / ' : nothing}<span title=${titleOf(one)}>${seconds(
          one.seconds,
        )}${one.from === 'assumed' ? '*' : nothing}</span>`,
    )}</td><td>${seconds(renewPeriodSeconds)}</td><td>${seconds(ageSeconds)}</td>
    <td>${seconds(safetyMarginSeconds, '–')}</td></tr>`;

/** @param {Stall} stall @param {Checkup} checkup */
function stallTemplate({ leases, everybodyBackSeconds }, checkup) {
  const { stall } = checkup;
  const told = leases.filter(({ kind, stops }) => stops || kind === 'elector');
  const others = leases.filter((one) => !told.includes(one));
  const expiring = others.filter(({ outcome }) => outcome === 'expires').length;
  return html`<h2 class="label">If the API stalls</h2>
    <label class="checkup-stall"><span>The API refuses all requests for <b>${stall.value} s</b></span>
      <input type="range" min="1" max="180" .value=${String(stall.value)} aria-valuetext=${`${stall.value} seconds`}
        @input=${withValue((value) => checkup.ask(Number(value)))}></label>
    <p role="status">${
      leases.length === 0
        ? 'Nobody renews any of these Leases.'
        : html`Everybody is back at most
      <b>${seconds(everybodyBackSeconds)}</b> after the start.`
    }</p>
    <ol class="checkup-order" aria-label="Who loses, in this order">${told.map(
      ({ name, outcome, stops, survivesSeconds, backSeconds }) =>
        html`<li><span class="tag" data-tone=${OUTCOMES[outcome][1]}>${OUTCOMES[outcome][0]}</span> <b>${name}</b>
          <small>${
            stops
              ? `stops ${seconds(stops.fromSeconds)} to ${seconds(stops.toSeconds)} after the start,
                back within ${seconds(backSeconds)}`
              : `a stall of up to ${seconds(survivesSeconds)}`
          }</small></li>`,
    )}</ol>
    ${when(
      others.length > 0,
      () => html`<p class="mute">Kubelets and API servers never give up.
      ${
        expiring > 0 ? `${plural(expiring, 'Lease')} of theirs may expire meanwhile.` : 'Their Leases stay valid.'
      }</p>`,
    )}`;
}
