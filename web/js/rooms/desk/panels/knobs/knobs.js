/** The settings that decide, each editable in place, and the resulting safety margin. */

import { html, nothing } from 'lit-html';
import { withValue } from '../../../../lib/control.js';
import { formatDuration, formatInstant, secondsText } from '../../../../lib/format.js';
import { optionsTemplate } from '../../../../lib/parts.js';
import { parseInstant } from '../../../../lib/share.js';

/** @import { Run } from '../../../../page/actions.js' */
/** @import { EditMode, Hello, Knob, View } from '../../../../protocol.js' */

/**
 * @typedef {{begin: (path: string) => void, type: (value: string) => void, commit: () => void,
 *   apply: (mode: EditMode) => void, cancel: () => void}} KnobCallbacks
 */

/** The three durations that decide. */
const THREE = ['leaseDuration', 'renewDeadline', 'retryPeriod'];

/**
 * The three durations, and every other setting that differs from its default.
 * @param {View} view @param {Hello} hello
 * @param {{edit: {path: string, value: string, error: string, ask: boolean} | null, target: string}} shown
 * @param {KnobCallbacks & {run: Run}} on
 */
export function knobsTemplate(view, hello, { edit, target }, on) {
  const known = view.knobs.flatMap((value) => {
    const knob = hello.knobs.find((candidate) => candidate.path === value.path);
    return knob ? [{ knob, value }] : [];
  });
  const shown = known.filter(
    ({ knob, value }) => THREE.includes(knob.label) || value.value !== knob.default || value.pending,
  );
  return html`
    <h2 class="label">Three numbers decide</h2>
    <dl class="knobs">${shown.map(({ knob, value }) =>
      row(knob, value, { edit: edit?.path === value.path ? edit : null, view, target }, on),
    )}</dl>
    ${marginTemplate(view)}
    <p class="all-knobs">
      <button type="button" class="quiet" @click=${() => on.run('faults', 'settings')}>All settings…</button>
      <button type="button" class="quiet" @click=${() => on.run('faults', 'acts')}>All faults…</button>
    </p>
  `;
}

/**
 * The lease as a bar to scale: the time to renew, the time until the next try, and the rest before two can lead.
 * @param {{deadlineNs: number, retryNs: number, marginNs: number}} durations
 */
export function marginBar({ deadlineNs, retryNs, marginNs }) {
  // A margin above zero is never "0 s".
  const seconds = (/** @type {number} */ ns) => `${secondsText(ns, Math.abs(ns) < 5e7 ? 3 : 1).replace(/\.0+$/, '')} s`;
  const safe = marginNs > 0;
  return html`<div class="margin-bar" aria-hidden="true">
      <i .style=${`flex-grow:${deadlineNs}`}>${seconds(deadlineNs)} renew</i>
      <i class="retry" .style=${`flex-grow:${retryNs}`}>${seconds(retryNs)}</i>
      <i class=${safe ? 'safe' : 'none'} .style=${`flex-grow:${Math.max(Math.abs(marginNs), deadlineNs / 10)}`}
        >${seconds(marginNs)}${safe ? ' safe' : ''}</i>
    </div>
    <p class="margin" title="leaseDuration − renewDeadline − retryPeriod − latency: the time between the leader
stopping and the next one starting, with its last request still under way.">
      Safety margin <b>${secondsText(marginNs)} s</b>${
        safe ? ': the time left before two can lead.' : ': two can lead.'
      }</p>`;
}

/** @param {View} view */
function marginTemplate({ nodes, knobs, marginNs }) {
  const nsOf = (/** @type {string} */ end) =>
    parseInstant(knobs.find(({ path }) => path.endsWith(end))?.value ?? '') ?? 0;
  const deadlineNs = nsOf('renewDeadline');
  if (nodes.length === 0 || deadlineNs === 0) return nothing;
  return marginBar({ deadlineNs, retryNs: nsOf('retryPeriod'), marginNs });
}

/**
 * @param {Knob} knob @param {{value: string, pending?: string}} known
 * @param {{edit: {value: string, error: string, ask: boolean} | null, view: View, target: string}} shown
 * @param {KnobCallbacks} on
 */
function row(knob, { value, pending }, { edit, view, target }, on) {
  const id = `knob-${knob.path.replaceAll('.', '-')}`;
  const printedValue = printValue(value);
  return html`<div class="knob" data-path=${knob.path}>
    <dt><span id=${`${id}-label`} title=${knob.help}>${
      THREE.includes(knob.label) ? html`<b>${knob.name}</b> <code>${knob.label}</code>` : knob.label
    }</span></dt>
    <dd>
      ${
        edit
          ? field(knob, id, edit, on)
          : html`<button type="button" class="value" id=${id} title=${knob.help}
            aria-label=${`${knob.label}: ${printedValue}. Change`}
            @click=${() => on.begin(knob.path)}>${printedValue}</button>`
      }
      ${pending ? html`<span class="pending">${printValue(pending)} at the next start</span>` : nothing}
    </dd>
    ${edit?.error ? html`<p class="field-error" id=${`${id}-error`} role="alert">${edit.error}</p>` : nothing}
    ${edit?.ask ? question(knob, view, target, on) : nothing}
  </div>`;
}

/** @param {Knob} knob @param {string} id @param {{value: string, error: string}} edit @param {KnobCallbacks} on */
function field(knob, id, edit, on) {
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter') on.commit();
    else if (event.key === 'Escape') on.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const invalid = edit.error ? 'true' : 'false';
  const described = edit.error ? `${id}-error` : nothing;
  if (knob.kind === 'bool') {
    const choose = withValue((value) => {
      on.type(value);
      on.commit();
    });
    return html`<select id=${id} aria-labelledby=${`${id}-label`} aria-invalid=${invalid}
      aria-describedby=${described} @change=${choose} @keydown=${keydown}>
      ${optionsTemplate(Object.entries({ false: 'off', true: 'on' }), edit.value)}
    </select>`;
  }
  return html`<input id=${id} type="text" size="8" autocomplete="off" spellcheck="false"
    aria-labelledby=${`${id}-label`} aria-invalid=${invalid} aria-describedby=${described}
    .value=${edit.value} @input=${withValue(on.type)} @keydown=${keydown} />`;
}

/**
 * A running elector cannot change its settings, so the page asks when the change should apply.
 * @param {Knob} knob @param {View} view @param {string} target @param {KnobCallbacks} on
 */
function question(knob, view, target, on) {
  const at = formatInstant(view.cursor.t, 0);
  const mode = knob.takes === 'now' ? 'now' : 'restart';
  const words = mode === 'now' ? `Change it at ${at}` : `Restart ${target} with it at ${at}`;
  return html`<div class="question" role="group" aria-label=${`Use the new ${knob.label} how?`}>
    <button type="button" class="primary" @click=${() => on.apply('rerun')}>Run again from 0 with this</button>
    <button type="button" @click=${() => on.apply(mode)}>${words}</button>
    <button type="button" class="quiet" @click=${on.cancel}>Cancel</button>
  </div>`;
}

/** "15s" → "15 s", "1m30s" → "1 min 30 s", "false" → "off". @param {string} value */
export function printValue(value) {
  if (value === 'true') return 'on';
  if (value === 'false') return 'off';
  const ns = /[a-zµ]$/.test(value) ? parseInstant(value) : undefined;
  return ns === undefined ? value : formatDuration(ns);
}
