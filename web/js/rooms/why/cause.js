/**
 * The full answer to the question why: the chain of events, the story of a violation, what would have prevented it, and
 * when it became inevitable.
 */

import { html, nothing } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { formatInstant, formatSeconds } from '../../lib/format.js';
import { dialogHead } from '../../lib/modal.js';
import { optionsTemplate, when } from '../../lib/parts.js';
import { linesTemplate, place, sumTemplate } from '../desk/panels/why.js';
import { curveTemplate, percent } from './curve.js';

/**
 * @import { Addend, Cause, CauseRef, Cursor, Nanos, Rerolled, WhatIf, WhatIfLine } from '../../protocol.js'
 * @import { WhyLine } from '../../protocol.js'
 */

/**
 * @typedef {object} CauseProps
 * @property {Cause | null} cause
 * @property {WhatIf | null} whatIf
 * @property {Rerolled | null} rerolled
 * @property {"" | "whatIf" | "reroll"} running
 * @property {string} error
 * @property {number} now the cursor's instant
 */
/**
 * @typedef {{go: (cursor: Cursor) => void, close: () => void, whatIf: () => void, reroll: () => void,
 *   stop: () => void, tryIt: (line: WhatIfLine) => void, show: (ref: CauseRef) => void}} On
 */

/** The story of a violation or another change, and the parts of its length. @param {Cause} cause @param {On} on */
export function storyTemplate(cause, on) {
  return html`
    ${dialogHead(cause.title, on.close, { id: 'why-title' })}
    <h3>What happened</h3>
    ${linesTemplate(cause.story, on.go)}
    ${when(
      cause.parts.length > 0,
      () => html`<h3>What adds up to this length</h3>${sumTemplate(cause.parts, 'What adds up to this length', on)}`,
    )}
  `;
}

/** The part below the story of a change or violation. @param {CauseProps} shown @param {On} on */
export function causeTemplate(shown, on) {
  const { cause } = shown;
  if (!cause) return shown.error ? html`<p class="mute" role="alert">${shown.error}</p>` : nothing;
  return html`<section class="cause" aria-label="More about why">
    ${way(cause.chain, 'Every step to the new leader', on)}
    ${way(cause.ending, 'The previous leader, since its last renewal', on)}
    <div class="other-runs">${whatIfTemplate(shown, on)} ${rerollTemplate(shown, on)}</div>
    ${subjectsTemplate(cause, on)}
    ${shown.error ? html`<p role="alert">${shown.error}</p>` : nothing}
  </section>`;
}

/** @param {Addend[]} parts @param {string} title @param {On} on */
function way(parts, title, on) {
  if (parts.length === 0) return nothing;
  return html`<details>
    <summary>${title}</summary>
    ${sumTemplate(parts, title, on)}
  </details>`;
}

/**
 * The button that starts a question, with a word about it; its progress; or neither, once the answer is complete.
 * @param {{done: number, of: number} | null} how @param {string} running what runs, or "" @param {On} on
 * @param {unknown} start
 */
function askTemplate(how, running, on, start) {
  const { done = 0, of = 1 } = how ?? {};
  if (running)
    return html`<p class="running">
      <progress aria-label=${running} value=${done} max=${Math.max(1, of)}></progress>
      <span>${how ? `${done} of ${of}` : 'starting'}</span>
      <button type="button" @click=${on.stop}>Stop</button>
    </p>`;
  return how && done >= of ? nothing : html`<p>${start}</p>`;
}

/** @type {Record<string, string>} */
const EFFECTS = { better: '▾', same: '=', worse: '▴' };

/** @param {CauseProps} shown @param {On} on */
function whatIfTemplate({ cause, whatIf, running }, on) {
  const same = whatIf?.lines.filter(({ effect }) => effect === 'same') ?? [];
  const others = whatIf?.lines.filter(({ effect }) => effect !== 'same') ?? [];
  return html`<h3>What would have changed it, in this run?</h3>
    ${askTemplate(
      whatIf,
      running === 'whatIf' ? 'Runs with one thing changed' : '',
      on,
      html`<button type="button" @click=${on.whatIf}>What would have changed it?</button> <span
        class="mute">Runs it again with the same seed and one change.</span>`,
    )}
    ${when(whatIf, ({ failoverNs }) => linesOf(others, { label: 'With one thing changed', failoverNs }, on))}
    ${when(
      same.length,
      () => html`<details><summary>No difference: ${same.length}</summary>
        ${linesOf(same, { label: 'What makes no difference' }, on)}</details>`,
    )}
    ${when(
      whatIf && cause?.kind === 'violation',
      () => html`<p class="mute">Each line is this run again with one change. With another seed it can end differently.
        Only a fence at the data is safe for every pause: <a href="#lesson=9">lesson 9</a>.</p>`,
    )}`;
}

/**
 * @param {WhatIfLine[]} lines
 * @param {{label: string, failoverNs?: Nanos}} all failoverNs: the longest failover without a change
 * @param {On} on
 */
const linesOf = (lines, { label, failoverNs = Infinity }, on) => html`<ol class="what-if" aria-label=${label}>
    ${lines.map(
      (line) => html`<li data-effect=${line.effect}>
        <span class="effect" aria-hidden="true">${EFFECTS[line.effect]}</span>
        <span>with ${line.sentence}${when(
          (line.failoverNs ?? 0) > failoverNs,
          () => html`<small>Price: a failover can take ${formatSeconds(line.failoverNs ?? 0, 1)}.</small>`,
        )}</span>
        <button type="button" class="btn tint" aria-label=${`Try it: ${line.label}`}
          @click=${() => on.tryIt(line)}>Try it</button>
      </li>`,
    )}
  </ol>`;

/** @param {CauseProps} shown @param {On} on */
function rerollTemplate({ cause, rerolled, running, now }, on) {
  if (!cause?.bound) return nothing;
  const isDone = rerolled !== null && rerolled.done >= rerolled.of;
  return html`<h3>When did it become inevitable?</h3>
    ${askTemplate(
      rerolled,
      running === 'reroll' ? 'Futures' : '',
      on,
      html`<button type="button" @click=${on.reroll}>Find the point of no return</button> <span class="mute">Runs the
        future again from many instants, with other random draws: in how many does “${cause.bound}” hold?</span>`,
    )}
    ${when(rerolled, (known) => pointsTemplate(known, { bound: cause.bound, now, isDone }, on))}`;
}

/** @param {Rerolled} rerolled @param {{bound: string, now: Nanos, isDone: boolean}} at @param {On} on */
const pointsTemplate = (rerolled, { bound, now, isDone }, on) =>
  html`${when(rerolled.points.length > 1, () => curveTemplate(rerolled, bound, now, (t) => on.go({ t, n: -1 })))}
    ${when(isDone, () => outcomeTemplate(rerolled, on))}`;

/** @param {Rerolled} rerolled @param {On} on */
function outcomeTemplate(rerolled, on) {
  const { inevitable, turn } = rerolled;
  return html`
    <p class="inevitable">
      ${
        inevitable === undefined
          ? 'It was inevitable at none of these instants.'
          : html`Inevitable from ${place({ t: inevitable, n: -1 }, nothing, on.go)} on: at least 99 % of the futures end
            this way.`
      }
    </p>
    ${when(
      turn,
      ({ before, after, from, to, happened }) => html`<p>It rose from ${percent(before)} to ${percent(after)} between
          ${formatInstant(from)} and ${formatInstant(to)}${happened.length > 0 ? ':' : '.'}</p>
          ${linesTemplate(happened, on.go)}`,
    )}
    <details>
      <summary>As a table</summary>
      <table class="curve-table">
        <thead><tr><th>From</th><th>Share of futures</th><th>95 % interval</th></tr></thead>
        <tbody>
          ${rerolled.points.map(
            (point) => html`<tr>
              <td>${place({ t: point.t, n: -1 }, nothing, on.go)}</td>
              <td class="number">${percent(point.share)}</td>
              <td class="number">${percent(point.low)} to ${percent(point.high)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </details>
  `;
}

/** @param {Cause} cause @param {On} on */
function subjectsTemplate({ subject, kind, number }, on) {
  if (subject.length < 2) return nothing;
  return html`<label class="subjects">Explain
    <select @change=${withValue((at) => on.show(subject[Number(at)]))}>
      ${optionsTemplate(
        subject.map((ref, i) => [i, `${formatInstant(ref.cursor.t)} ${ref.title}`]),
        subject.findIndex((ref) => ref.kind === kind && ref.number === number),
      )}
    </select>
  </label>`;
}
