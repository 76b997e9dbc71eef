/** The templates of the room: the place to drop files, the progress, and the report with its lines. */

import { html, nothing } from 'lit-html';
import { onSubmit, withValue } from '../../lib/control.js';
import { formatCount } from '../../lib/format.js';
import { optionsTemplate } from '../../lib/parts.js';

/**
 * @import { EvidenceAgain, EvidenceFile, EvidenceFound, EvidenceLease, EvidenceRun, Like } from '../../protocol.js'
 * @import { Moment, WhatIfLine } from '../../protocol.js'
 */
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

/** The dialog around this part handles a paste. @param {{choose: () => void}} on */
export const emptyTemplate = ({ choose }) => html`<div class="evidence-empty">
    <p>Two controllers worked at once, or nobody did? Drop what your cluster left behind, in any combination:</p>
    <ul>
      <li><b>Audit log</b> of kube-apiserver, level Request or RequestResponse for leases; plain, rotated or gzip</li>
      <li><b>Watch</b>: <code>kubectl get lease NAME -w -o json --output-watch-events</code></li>
      <li><b>Lease</b>: <code>kubectl get lease NAME -o yaml</code></li>
      <li><b>Logs of the electors</b>: klog as text or JSON, controller-runtime’s zap; one file per candidate, named
        after it</li>
      <li><b>Traces</b> of leaselab, as NDJSON</li>
    </ul>
    <p class="buttons"><button type="button" class="primary" @click=${choose}>Choose files…</button></p>
    <label class="evidence-paste">or paste lines here
      <textarea rows="2" spellcheck="false"></textarea></label>
    <p class="mute">Your files stay on this machine: a worker without network access reads them, and nothing is
      uploaded. <a href="docs/evidence.html">What to collect, and how</a></p>
  </div>`;

/** @param {{bytes: number, of: number, seconds: number}} progress @param {() => void} cancel */
export function readingTemplate({ bytes, of, seconds }, cancel) {
  const mib = (/** @type {number} */ n) => (n / (1 << 20)).toFixed(1);
  const rate = seconds > 0.3 && bytes > 0 ? `, ${mib(bytes / seconds)} MiB/s` : '';
  return html`<div class="evidence-reading">
    <progress aria-label="Reading" max=${Math.max(of, 1)} .value=${bytes}></progress>
    <span>${mib(bytes)} of ${mib(of)} MiB read${rate}</span>
    <button type="button" @click=${cancel}>Cancel</button>
  </div>`;
}

const KINDS = {
  leader: 'Leader',
  gap: 'Gap',
  overlap: 'Two leaders',
  finding: 'Sign',
  conflict: 'Refused',
  near: 'Nearly expired',
};

/**
 * @param {Pick<EvidenceLease, "moments" | "unlisted">} lease
 * @param {{chosen: Moment | undefined, all: boolean, pick: (moment: Moment) => void, showAll: () => void}} on
 */
export function momentsTemplate({ moments, unlisted }, { chosen, all, pick, showAll }) {
  const listed = all ? moments : moments.slice(0, MOMENTS);
  return html`<ol class="evidence-moments" aria-label="What happened">
      ${listed.map(
        (one) => html`<li><button type="button" data-kind=${one.kind} aria-current=${one === chosen ? 'true' : 'false'}
          @click=${() => pick(one)}>
          <span class="evidence-time">${one.time}</span> <b>${KINDS[one.kind]}</b> ${one.says}</button></li>`,
      )}
    </ol>
    ${
      listed.length < moments.length
        ? html`<button type="button" @click=${showAll}>Show the other
          ${formatCount(moments.length - listed.length)}</button>`
        : nothing
    }
    ${
      unlisted > 0
        ? html`<p class="mute">${formatCount(unlisted)} less important moments are not listed: narrow the time below,
          under “Files and what to read of them”.</p>`
        : nothing
    }`;
}

/** @param {LineProps | null} shown @param {(place: string) => void} pick */
export function linesTemplate(shown, pick) {
  if (!shown)
    return html`<p class="mute">Choose a moment, or a bar of the timeline. The lines that show it appear here.</p>`;
  const { places, place, lines, error } = shown;
  const chosen = Number(place.slice(place.lastIndexOf(':') + 1));
  return html`<p class="evidence-places">${places.map(
    (one) =>
      html`<button type="button" aria-pressed=${one === place ? 'true' : 'false'}
        @click=${() => pick(one)}>${one}</button>`,
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

/** @param {EvidenceLease} lease */
export const settingsTemplate = ({ settings, clocks, renewals }) => html`<details>
    <summary>Settings and clocks</summary>
    ${
      renewals.count > 0
        ? html`<p>${formatCount(renewals.count)} renewals; intervals: median ${renewals.p50Seconds.toFixed(3)} s,
          longest ${renewals.maxSeconds.toFixed(3)} s.</p>`
        : nothing
    }
    <table><thead><tr><th>Setting</th><th>Value</th><th>Confidence</th><th>What shows it</th></tr></thead>
      <tbody>${settings.map(
        (one) =>
          html`<tr><th scope="row">${one.name}</th><td>${one.value}</td><td>${Math.round(100 * one.confidence)}
            %</td><td>${one.by}</td></tr>`,
      )}</tbody></table>
    ${
      clocks.length > 0
        ? html`<table><thead><tr><th>Clock of</th><th>Offset</th><th>Error</th><th>By</th></tr></thead>
      <tbody>${clocks.map(
        (one) =>
          html`<tr><th scope="row">${one.source}</th>${
            one.errorSeconds < 0
              ? html`<td colspan="2">unknown</td>`
              : html`<td>${one.offsetSeconds.toFixed(3)} s</td><td>± ${one.errorSeconds.toFixed(3)} s</td>`
          }<td>${one.by}</td></tr>`,
      )}</tbody></table>`
        : nothing
    }
  </details>`;

/** @param {EvidenceLease} lease */
export const limitsTemplate = ({
  limits,
  unattributed,
}) => html`<section class="evidence-limits" aria-label="What these files cannot show">
    <h4>What these files cannot show</h4>
    <ul>${limits.map((limit) => html`<li>${limit}</li>`)}${
      limits.length === 0 && unattributed === 0 ? html`<li>Every request names its candidate.</li>` : nothing
    }</ul>
  </section>`;

/** @param {EvidenceFound} found @param {string[]} notes @param {(place: string) => void} pick */
export function problemsTemplate({ problems, problemCount }, notes, pick) {
  if (problemCount === 0 && notes.length === 0) return nothing;
  return html`<section class="evidence-problems" aria-label="What could not be read">
    <h4>What could not be read</h4>
    <ul>${notes.map((note) => html`<li>${note}</li>`)}${problems.map(
      ({ file, line, says }) =>
        html`<li><button type="button" class="link" @click=${() => pick(`${file}:${line}`)}>${file}:${line}</button>
          ${says}</li>`,
    )}${
      problemCount > problems.length
        ? html`<li>${formatCount(problemCount - problems.length)} more lines.</li>`
        : nothing
    }</ul>
  </section>`;
}

/** The trace files with a repeated run. @param {EvidenceFile[]} files @param {(run: EvidenceRun) => void} look */
export const runsTemplate = (files, look) =>
  files.map(({ name, run }) =>
    run
      ? html`<p class="evidence-run"><span>${run.says}</span>
          <button type="button" class="primary" aria-label=${`Open the run of ${name}`}
            @click=${() => look(run)}>Open its run</button></p>`
      : nothing,
  );

/**
 * @param {EvidenceFile[]} files @param {Options} options @param {boolean} opened
 * @param {{readAgain: (options: Options) => void, remove: (name: string) => void}} on
 */
export function filesTemplate(files, options, opened, { readAgain, remove }) {
  const submit = (/** @type {FormData} */ data) => {
    const text = (/** @type {string} */ name) => String(data.get(name) ?? '').trim();
    const nodes = Object.fromEntries(
      files.flatMap(({ name }, i) => (text(`node-${i}`) ? [[name, text(`node-${i}`)]] : [])),
    );
    readAgain({ lease: text('lease'), around: text('around'), nodes });
  };
  return html`<details ?open=${opened}>
    <summary>Files and what to read of them</summary>
    <form class="evidence-files" aria-label="What to read" @submit=${onSubmit(submit)}>
      <table><thead><tr><th>File</th><th>Lines</th><th>Records</th><th>Log
        of</th><th></th></tr></thead><tbody>${files.map(
          ({ name, lines, kinds, says, node }, i) => html`<tr><th scope="row">${name}</th><td>${formatCount(lines)}</td>
          <td>${kinds.join(', ')}${says ? html` <span class="mute">${says}</span>` : nothing}</td>
          <td>${
            node
              ? html`<input name=${`node-${i}`} aria-label=${`Candidate whose log is ${name}`} autocomplete="off"
                .value=${node} size="12" />`
              : nothing
          }</td>
          <td><button type="button" class="icon" aria-label=${`Remove ${name}`}
            @click=${() => remove(name)}>×</button></td></tr>`,
        )}</tbody></table>
      <p><label>Only the Lease <input name="lease" placeholder="namespace/name" autocomplete="off" spellcheck="false"
        .value=${options.lease} /></label>
        <label>Only 10 min on each side of <input name="around" placeholder="2026-11-20T19:17:00Z" autocomplete="off"
          spellcheck="false" .value=${options.around} /></label>
        <button type="submit">Read again</button></p>
    </form>
  </details>`;
}

/**
 * @param {EvidenceAgain} again
 * @param {{look: () => void, cure: (line: WhatIfLine) => void, museum: (like: Like) => void}} on
 */
export function againTemplate({ fit, cures, likes }, { look, cure, museum }) {
  const better = cures.filter(({ effect }) => effect === 'better');
  return html`<section class="evidence-again" aria-label="Run it again">
    <h4 role="status">The run is open in the laboratory.</h4>
    ${fit.map((sentence) => html`<p>${sentence}</p>`)}
    <p><button type="button" class="primary" @click=${look}>Look at the run</button></p>
    <h4>What would have helped</h4>
    <ul>${better.map(
      (line) =>
        html`<li><button type="button" aria-label=${`Open the run with ${line.label}`}
          @click=${() => cure(line)}>Open</button> With ${line.sentence}.</li>`,
    )}</ul>
    ${better.length === 0 ? html`<p>None of the ${cures.length} changes that were tried.</p>` : nothing}
    ${
      likes.length > 0
        ? html`<h4>Similar in the museum</h4>
          <ul>${likes.map(
            (like) =>
              html`<li><button type="button" class="link" @click=${() => museum(like)}>${like.title}</button>:
                ${like.why}</li>`,
          )}</ul>`
        : nothing
    }
  </section>`;
}

/** @param {EvidenceLease[]} leases @param {string} chosen @param {(name: string) => void} choose */
export const leaseTemplate = (leases, chosen, choose) =>
  leases.length > 1
    ? html`<label>Lease <select @change=${withValue(choose)}>${optionsTemplate(
        leases.map(({ name, changes, overlaps }) => [
          name,
          `${name}${overlaps > 0 ? ', two leaders' : changes > 1 ? `, ${changes} leaders in turn` : ''}`,
        ]),
        chosen,
      )}</select></label>`
    : html`<span>Lease <b>${chosen}</b></span>`;
