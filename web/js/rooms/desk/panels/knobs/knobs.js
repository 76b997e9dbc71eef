/** The settings that decide, each a way to its field, and the resulting safety margin. */

import { html, nothing } from 'lit-html';
import { formatDuration, secondsText } from '../../../../lib/format.js';
import { parseInstant } from '../../../../lib/share.js';

/** @import { Run } from '../../../../page/actions.js' */
/** @import { Hello, Knob, KnobValue, View } from '../../../../protocol.js' */

/** The three durations that decide. */
const THREE = ['leaseDuration', 'renewDeadline', 'retryPeriod'];

/**
 * The three durations, and every other setting that differs from its default.
 * @param {View} view @param {Hello} hello @param {Run} run
 */
export function knobsTemplate(view, hello, run) {
  const known = view.knobs.flatMap((value) => {
    const knob = hello.knobs.find((candidate) => candidate.path === value.path);
    return knob ? [{ knob, value }] : [];
  });
  const shown = known.filter(
    ({ knob, value }) => THREE.includes(knob.label) || value.value !== knob.default || value.pending,
  );
  return html`
    <h2 class="label">Three numbers decide</h2>
    <dl class="knobs">${shown.map(({ knob, value }) => row(knob, value, run))}</dl>
    ${marginTemplate(view)}
    <p class="all-knobs">
      <button type="button" class="quiet" @click=${() => run('faults', 'settings')}>All settings…</button>
      <button type="button" class="quiet" @click=${() => run('faults', 'acts')}>All faults…</button>
      <button type="button" class="quiet" @click=${() => run('numbers', numbersOf(view))}>What they lead to…</button>
    </p>
  `;
}

/** From this share of the bar on, a part has room for a word beside its number. */
const NAMED = 0.19;

/**
 * The lease as a bar to scale: the time to renew, the time until the next try, and the rest before two can lead.
 * @param {{deadlineNs: number, retryNs: number, marginNs: number}} durations
 */
export function marginBar({ deadlineNs, retryNs, marginNs }) {
  // A margin above zero is never "0 s".
  const seconds = (/** @type {number} */ ns) => `${secondsText(ns, Math.abs(ns) < 5e7 ? 3 : 1).replace(/\.0+$/, '')} s`;
  const safe = marginNs > 0;
  const share = (/** @type {number} */ ns) => ns / (deadlineNs + retryNs + Math.abs(marginNs));
  // A narrow part has room for its number only.
  const named = (/** @type {number} */ ns, /** @type {string} */ name) =>
    `${seconds(ns)}${share(ns) > NAMED ? ` ${name}` : ''}`;
  return html`<div class="margin-bar" aria-hidden="true">
      <i .style=${`flex-grow:${deadlineNs}`}>${named(deadlineNs, 'renew')}</i>
      <i class="retry" .style=${`flex-grow:${retryNs}`}>${seconds(retryNs)}</i>
      <i class=${safe ? 'safe' : 'none'} .style=${`flex-grow:${Math.max(Math.abs(marginNs), deadlineNs / 10)}`}
        >${named(marginNs, 'safe')}</i>
    </div>
    <p class="margin" title="leaseDuration − renewDeadline − retryPeriod − latency: the time between the leader
stopping and the next one starting, with its last request still under way.">
      Safety margin <b>${secondsText(marginNs)} s</b>${
        safe ? ': the time left before two can lead, if nobody is paused.' : ': two can lead.'
      }</p>`;
}

/** The address of the three on the page of numbers. @param {View} view */
const numbersOf = ({ knobs }) =>
  THREE.map((name) => knobs.find(({ path }) => path.endsWith(name))?.value ?? '').join('/');

/** @param {View} view */
function marginTemplate({ nodes, knobs, marginNs }) {
  const nsOf = (/** @type {string} */ end) =>
    parseInstant(knobs.find(({ path }) => path.endsWith(end))?.value ?? '') ?? 0;
  const deadlineNs = nsOf('renewDeadline');
  if (nodes.length === 0 || deadlineNs === 0) return nothing;
  return marginBar({ deadlineNs, retryNs: nsOf('retryPeriod'), marginNs });
}

/**
 * A setting; its value leads to its field among all settings.
 * @param {Knob} knob @param {KnobValue} known @param {Run} run
 */
function row({ path, label, name, help }, { value, pending }, run) {
  const printedValue = printValue(value);
  return html`<div class="knob" data-path=${path}>
    <dt><span title=${help}>${THREE.includes(label) ? html`<b>${name}</b> <code>${label}</code>` : label}</span></dt>
    <dd>
      <button type="button" class="value" aria-label=${`${label}: ${printedValue}. Change`} title=${help}
        @click=${() => run('faults', path)}>${printedValue}</button>
      ${pending ? html`<span class="pending">${printValue(pending)} at the next start</span>` : nothing}
    </dd>
  </div>`;
}

/** "15s" → "15 s", "1m30s" → "1 min 30 s", "false" → "off". @param {string} value */
export function printValue(value) {
  if (value === 'true') return 'on';
  if (value === 'false') return 'off';
  const ns = /[a-zµ]$/.test(value) ? parseInstant(value) : undefined;
  return ns === undefined ? value : formatDuration(ns);
}
