/** The templates of the room: the place to drop files, the progress, and the report with its lines. */

import { html, nothing } from 'lit-html';
import { onSubmit, set, withValue } from '../../lib/control.js';
import { formatCount, formatSeconds, plural } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { optionsTemplate, when } from '../../lib/parts.js';
import { printValue } from '../desk/panels/knobs/knobs.js';

/**
 * @import { EvidenceAgain, EvidenceFile, EvidenceLease, EvidenceRun, Like } from '../../protocol.js'
 * @import { Moment, WhatIfLine } from '../../protocol.js'
 */
/** @import { Inquiry } from './inquiry.js' */
/** @import { Findings } from './reading.js' */
/** @import { Line } from './stream.js' */

/** How many moments the list shows before the reader asks for the others. */
export const MOMENTS = 200;

/**
 * The options for reading. nodes: the candidate that wrote each log, by the log's file.
 * @typedef {{lease: string, around: string, nodes: Record<string, string>}} Options
 */
/**
 * The lines of a moment: the chosen place, and the text around it.
 * @typedef {{places: string[], place: string, lines?: Line[], error?: string}} LineProps
 */

/** @param {{bytes: number, of: number, seconds: number}} progress @param {() => void} cancel */
export function readingTemplate({ bytes, of, seconds }, cancel) {
  const mib = (/** @type {number} */ n) => (n / (1 << 20)).toFixed(1);
  const rate = seconds > 0.3 && bytes > 0 ? `, ${mib(bytes / seconds)} MiB/s` : '';
  return html`<h1 tabindex="-1">Reading your files…</h1><div class="evidence-reading">
    <progress aria-label="Reading" max=${Math.max(of, 1)} .value=${bytes}></progress>
    <span>${mib(bytes)} of ${mib(of)} MiB read${rate}</span>
    <button type="button" class="btn tint" @click=${cancel}>Cancel</button>
  </div>`;
}

/** Each kind of moment: its word, and the tone of that word. @type {Record<Moment["kind"], [string, string?]>} */
const KINDS = {
  ...{ leader: ['Leader'], gap: ['Gap'], overlap: ['Two leaders', 'bad'] },
  ...{ finding: ['Sign', 'fault'], conflict: ['Refused'], near: ['Nearly expired', 'fault'] },
};

/**
 * The statements, each with its files and lines. Under the chosen one stand the lines themselves.
 * @param {Pick<EvidenceLease, "moments" | "unlisted">} lease @param {Inquiry} inquiry
 */
export function momentsTemplate({ moments, unlisted }, inquiry) {
  const { moment, every } = inquiry;
  const listed = every.value ? moments : moments.slice(0, MOMENTS);
  return html`<ol class="evidence-moments" aria-label="What happened">
      ${listed.map((one) => {
        const isChosen = one === moment.value;
        return html`<li data-kind=${one.kind}><span class="evidence-time">${one.time}</span>
          <div><button type="button" class="says" aria-current=${isChosen ? 'true' : 'false'}
            @click=${() => inquiry.pick(one)}><span class="tag"
              data-tone=${KINDS[one.kind][1] ?? nothing}>${KINDS[one.kind][0]}</span>
            <b>${one.says}</b> <small>${isChosen ? '' : one.lines[0]}</small></button>
          ${when(isChosen, () => linesTemplate(inquiry))}</div></li>`;
      })}
    </ol>
    ${when(
      listed.length < moments.length,
      () => html`<button type="button" class="btn tint" @click=${() => set(every, true)}>Show the other
          ${formatCount(moments.length - listed.length)}</button>`,
    )}
    ${when(
      unlisted > 0,
      () => html`<p class="mute">${formatCount(unlisted)} less important moments are not listed: narrow the time below,
          under “Files and what to read of them”.</p>`,
    )}`;
}

/** @param {Inquiry} inquiry */
export function linesTemplate(inquiry) {
  const shown = inquiry.shown.value;
  if (!shown) return nothing;
  const { places, place, lines, error } = shown;
  const chosen = Number(place.slice(place.lastIndexOf(':') + 1));
  return html`<p class="evidence-places">${places.map(
    (one) =>
      html`<button type="button" aria-pressed=${one === place ? 'true' : 'false'}
        @click=${() => inquiry.line(one)}>${one}</button>`,
  )}</p>
  ${
    error
      ? html`<p class="field-error" role="alert">${error}</p>`
      : lines
        ? html`<ol class="evidence-lines" tabindex="0" aria-label=${`Lines of ${place}`}>${lines.map(
            ({ number, text, cut }) =>
              html`<li value=${number}
                aria-current=${number === chosen ? 'true' : nothing}><code>${text}${cut ? '…' : ''}</code></li>`,
          )}</ol>`
        : html`<p role="status">Reading ${place}…</p>`
  }`;
}

/**
 * The settings and clocks that the files show.
 * @param {EvidenceLease} lease @param {(name: string) => string} plainName of a setting; "" without one
 */
export const settingsTemplate = (
  { settings, clocks, renewals },
  plainName,
) => html`<h2 class="label">Read from your files</h2>
    <table class="logs-read"><tbody>${settings.map(({ name, value, confidence, by }) => {
      const plain = plainName(name);
      return html`<tr title=${by}><th scope="row">${plain || name}${plain ? html` <code>${name}</code>` : nothing}</th>
        <td><b>${printValue(value)}</b> <small>${Math.round(100 * confidence)} % sure</small></td></tr>`;
    })}${clocks.map(
      ({ source, offsetSeconds, errorSeconds, by }) => html`<tr title=${by}><th scope="row">Clock of ${source}</th>
        <td>${
          errorSeconds < 0
            ? 'unknown'
            : html`<b>${offsetSeconds.toFixed(3)} s</b> <small>± ${errorSeconds.toFixed(3)} s</small>`
        }</td></tr>`,
    )}${when(
      renewals.count > 0,
      () => html`<tr><th scope="row">${formatCount(renewals.count)} renewals</th>
          <td><b>${renewals.p50Seconds.toFixed(3)} s</b>
          <small>apart, at most ${renewals.maxSeconds.toFixed(3)} s</small></td></tr>`,
    )}</tbody></table>`;

/** @param {EvidenceLease} lease */
export const limitsTemplate = ({
  limits,
  unattributed,
}) => html`<section class="evidence-limits" aria-label="What these files cannot show">
    <h2 class="label">What these files cannot show</h2>
    <ul>${limits.map((limit) => html`<li>${limit}</li>`)}${
      limits.length === 0 && unattributed === 0 ? html`<li>Every request names its candidate.</li>` : nothing
    }</ul>
  </section>`;

/** @param {Findings} findings @param {Inquiry} inquiry */
export function problemsTemplate({ found: { problems, problemCount }, notes }, inquiry) {
  if (problemCount === 0 && notes.length === 0) return nothing;
  return html`<section class="evidence-problems" aria-label="What leaselab could not read">
    <h2 class="label">What leaselab could not read</h2>
    <ul>${notes.map((note) => html`<li>${note}</li>`)}${problems.map(
      ({ file, line, says }) =>
        html`<li><button type="button" class="link"
          @click=${() => inquiry.line(`${file}:${line}`)}>${file}:${line}</button>
          ${says}</li>`,
    )}${when(
      problemCount > problems.length,
      () => html`<li>${formatCount(problemCount - problems.length)} more lines.</li>`,
    )}</ul>
  </section>`;
}

/** The trace files with a repeated run. @param {EvidenceFile[]} files @param {(run: EvidenceRun) => void} look */
export const runsTemplate = (files, look) =>
  files.map(({ name, run }) =>
    run
      ? html`<p class="evidence-run"><span>${run.says}</span>
          <button type="button" class="btn primary" aria-label=${`Open the run of ${name}`}
            @click=${() => look(run)}>Open its run</button></p>`
      : nothing,
  );

/** @param {EvidenceFile[]} files @param {Inquiry} inquiry @param {boolean} opened */
export function filesTemplate(files, inquiry, opened) {
  const { lease, around } = inquiry.options.value;
  const submit = (/** @type {FormData} */ data) => {
    const text = (/** @type {string} */ name) => String(data.get(name) ?? '').trim();
    const nodes = Object.fromEntries(
      files.flatMap(({ name }, i) => (text(`node-${i}`) ? [[name, text(`node-${i}`)]] : [])),
    );
    inquiry.options.value = { lease: text('lease'), around: text('around'), nodes };
    inquiry.start();
  };
  const lines = files.reduce((sum, one) => sum + one.lines, 0);
  return html`<details ?open=${opened}>
    <summary>Files and what to read of them: ${plural(files.length, 'file')}, ${plural(lines, 'line')}</summary>
    <form class="evidence-files" aria-label="What to read" @submit=${onSubmit(submit)}>
      <table><thead><tr><th>File</th><th>Lines</th><th>Records</th><th>Log
        of</th><th></th></tr></thead><tbody>${files.map(
          ({ name, lines, kinds, says, node }, i) => html`<tr><th scope="row">${name}</th><td>${formatCount(lines)}</td>
          <td>${kinds.join(', ')}${says ? html` <span class="mute">${says}</span>` : nothing}</td>
          <td>${when(
            node,
            () => html`<input name=${`node-${i}`} aria-label=${`Candidate whose log is ${name}`} autocomplete="off"
                .value=${node} size="12" />`,
          )}</td>
          <td><button type="button" class="btn icon-only" aria-label=${`Remove ${name}`}
            @click=${() => inquiry.remove(name)}>${icon('close')}</button></td></tr>`,
        )}</tbody></table>
      <p><label>Only the Lease <input name="lease" placeholder="namespace/name" autocomplete="off" spellcheck="false"
        .value=${lease} /></label>
        <label>Only 10 min on each side of <input name="around" placeholder="2026-11-20T19:17:00Z" autocomplete="off"
          spellcheck="false" .value=${around} /></label>
        <button type="submit" class="btn tint">Read again</button></p>
    </form>
  </details>`;
}

/**
 * What would have helped, with its price, and the ways to the run.
 * @param {{answer?: EvidenceAgain, error?: string} | null} result
 * @param {{look: (answer: EvidenceAgain) => void, cure: (answer: EvidenceAgain, line: WhatIfLine) => void,
 *   goTest: (answer: EvidenceAgain) => void, as: (cause: string) => void, lesson: () => void,
 *   museum: (like: Like) => void}} on
 */
export function againTemplate(result, { look, cure, goTest, as, lesson, museum }) {
  const title = html`<h2 class="label" id="logs-again">What would have helped</h2>`;
  if (!result)
    return html`<section aria-labelledby="logs-again">${title}<p role="status">Your night runs again, with each
      change in turn…</p></section>`;
  const { answer, error } = result;
  if (!answer)
    return html`<section aria-labelledby="logs-again">${title}<p>This night cannot run again: ${error}</p></section>`;
  const two = answer.kind === 'violation';
  const better = answer.cures.filter(({ effect }) => effect === 'better');
  const others = answer.cures.length - better.length;
  const price = ({ failoverNs = 0 }) =>
    failoverNs > answer.failoverNs ? `a crash: ${formatSeconds(failoverNs, 1)}` : '–';
  return html`<section aria-labelledby="logs-again">${title}
    ${answer.fit.map((sentence) => html`<p class="mute">${sentence}</p>`)}
    ${
      answer.nothing
        ? html`<p>${answer.nothing}</p>`
        : html`<table class="logs-cures"><thead><tr><th>Cure</th><th>${two ? 'Two lead' : 'Nobody leads'}</th>
            <th>Its price</th></tr></thead>
          <tbody>${better.map(
            (line) => html`<tr><th scope="row"><button type="button" class="link"
              aria-label=${`Open the run with ${line.label}`} title=${line.sentence}
              @click=${() => cure(answer, line)}>${line.label}</button></th>
              <td>${
                line.lengthNs ? formatSeconds(line.lengthNs, 1) : html`<b class="good">never</b>`
              }</td><td class="mute">${price(line)}</td></tr>`,
          )}</tbody></table>
          ${others > 0 ? html`<p class="mute">${plural(others, 'other change')} would not have helped.</p>` : nothing}`
    }
    ${when(
      answer.beyond,
      (says) => html`<p class="logs-fence">${icon('fence')}<span>${says}
          <button type="button" class="link" @click=${lesson}>Lesson 9</button></span></p>`,
    )}
    <button type="button" class="btn primary wide" @click=${() => look(answer)}>Run that night again</button>
    ${when(
      answer.causes.length > 1,
      () =>
        html`<p class="buttons"><span>The files fit several causes. The night as a:</span>${answer.causes.map(
          (cause) => html`<button type="button" class="btn" @click=${() => as(cause)}>${cause}</button>`,
        )}</p>`,
    )}
    <p class="buttons"><button type="button" class="btn tint"
      @click=${() => goTest(answer)}>Go test</button>${answer.likes.map(
        (like) => html`<button type="button" class="btn" title=${`${like.title}: ${like.why}`}
        @click=${() => museum(like)}>Like it: ${like.id}</button>`,
      )}</p></section>`;
}

/** @param {EvidenceLease[]} leases @param {Inquiry} inquiry */
export const leaseTemplate = (leases, inquiry) =>
  leases.length > 1
    ? html`<label>Lease <select @change=${withValue((name) => inquiry.choose(name))}>${optionsTemplate(
        leases.map(({ name, changes, overlaps }) => [
          name,
          `${name}${overlaps > 0 ? ', two leaders' : changes > 1 ? `, ${changes} leaders in turn` : ''}`,
        ]),
        inquiry.chosen.value,
      )}</select></label>`
    : html`<span>Lease <b>${inquiry.chosen.value}</b></span>`;
