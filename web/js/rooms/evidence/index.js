/**
 * Evidence: reads the logs and objects that a cluster left behind, on this machine. It shows one timeline per Lease,
 * with the lines that prove each event, and the same incident as a run of the laboratory.
 */

import { html, nothing } from 'lit-html';
import { set } from '../../lib/control.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { Again } from './again.js';
import { isEvidence } from './detect.js';
import { Inquiry } from './inquiry.js';
import { Outward } from './outward.js';
import { Reading } from './reading.js';
import {
  emptyTemplate,
  filesTemplate,
  leaseTemplate,
  limitsTemplate,
  linesTemplate,
  momentsTemplate,
  problemsTemplate,
  readingTemplate,
  runsTemplate,
  settingsTemplate,
} from './templates.js';
import { legendTemplate, timelineTemplate } from './timeline.js';

/** @import { EvidenceLease } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */

const TITLE = 'What really happened';

/**
 * @param {Pick<Page, "state" | "lab" | "notifier" | "run"> & {pages?: Page['pages'], readRecord?: (files: File[]) => Promise<boolean>}} page
 *   readRecord opens one record of real programs as a run
 * @param {Reading} [reading]
 */
export function open(page, reading = new Reading(page.lab.assets)) {
  const { lab, notifier } = page;
  const inquiry = new Inquiry(reading, (sentence) => notifier.say(sentence));
  const { dialog, show, close } = modal(newDialog('evidence', TITLE), contents, { pages: page.pages });
  const again = new Again(page, inquiry, close);
  const outward = new Outward(inquiry, lab);
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', async () => {
    const files = [...(input.files ?? [])];
    input.value = '';
    if (inquiry.files.size === 0 && (await page.readRecord?.(files))) close();
    else inquiry.add(files);
  });
  const choose = () => input.click();
  dialog.addEventListener('paste', paste);

  /** Takes pasted files, or pasted lines as one file. @param {Event} event */
  function paste(event) {
    const { clipboardData, target } = /** @type {ClipboardEvent} */ (event);
    const files = [...(clipboardData?.files ?? [])];
    const text = clipboardData?.getData('text/plain') ?? '';
    if (target instanceof HTMLInputElement || (files.length === 0 && text.trim() === '')) return;
    event.preventDefault();
    inquiry.add(files.length > 0 ? files : [new File([text], 'pasted.txt')]);
  }

  function cancel() {
    inquiry.forget();
    notifier.say('Cancelled.');
  }

  /** Moves the focus to the lines of the chosen moment, or to the list while the lines load. */
  function showLines() {
    /** @type {HTMLElement | null} */ (
      dialog.querySelector('.evidence-lines') ?? dialog.querySelector('.evidence-places button')
    )?.focus();
  }

  function contents() {
    const privately = html`<span class="mute evidence-private">read on this machine only</span>`;
    return html`${dialogHead(TITLE, close, { beside: privately })} ${body()}`;
  }

  function body() {
    const { read, error, chosen, lease, options, progress, shown } = inquiry;
    if (progress.value) return readingTemplate(progress.value, cancel);
    const alert = error.value ? html`<p class="field-error" role="alert">${error.value}</p>` : nothing;
    if (!read.value) return [alert, emptyTemplate({ choose })];
    const { found, notes } = read.value;
    const copy = (/** @type {'text' | 'json'} */ format, /** @type {string} */ what) => async () => {
      try {
        lab.copy((await inquiry.reading.ask('evidenceText', { format })).text, what);
      } catch (failure) {
        inquiry.tellFailure(failure);
      }
    };
    const line = (/** @type {string} */ place) => inquiry.line(place);
    return html`
      <div class="evidence-head">
        ${leaseTemplate(found.leases, chosen.value, (name) => inquiry.choose(name))}
        <span class="evidence-buttons">
          <button type="button" @click=${choose}>Add files…</button>
          <button type="button" @click=${copy('text', 'the report as text')}>Copy as text</button>
          <button type="button" @click=${copy('json', 'the report as JSON')}>Copy as JSON</button>
          <button type="button" @click=${() => inquiry.forget()}>Clear</button>
        </span>
      </div>
      ${alert} ${runsTemplate(found.files, (run) => again.trace(run))}
      ${lease.value ? reportTemplate(lease.value) : html`<h3 class="evidence-headline">No Lease was found.</h3>`}
      ${problemsTemplate(found, notes, line)}
      ${!lease.value && shown.value ? linesTemplate(shown.value, line) : nothing}
      ${filesTemplate(found.files, options.value, !lease.value, {
        readAgain(wanted) {
          options.value = wanted;
          inquiry.start();
        },
        remove: (name) => inquiry.remove(name),
      })}
    `;
  }

  /** @param {EvidenceLease} lease */
  function reportTemplate(lease) {
    const { chart, moment, every, shown } = inquiry;
    const isRunning = again.result.value === 'running';
    const pick = (/** @type {EvidenceLease["moments"][number]} */ one) => inquiry.pick(one);
    const on = {
      chosen: moment.value,
      pick,
      lines: (/** @type {string[]} */ places) => inquiry.lines(places),
      enter: showLines,
    };
    const showAll = () => set(every, true);
    return html`
      <h3 class="evidence-headline">${lease.headline}</h3>
      <p class="evidence-run">
        <button type="button" class="primary" ?disabled=${isRunning}
          @click=${() => again.start()}>${isRunning ? 'Running…' : 'Run it again'}</button>
        <span class="evidence-zoom" role="group" aria-label="Zoom of the timeline">
          <button type="button" aria-label="Zoom in" @click=${() => inquiry.zoom(1 / 3)}>+</button>
          <button type="button" aria-label="Zoom out" @click=${() => inquiry.zoom(3)}>−</button>
          <button type="button" @click=${() => inquiry.lookAtAll()}>All</button>
        </span>
      </p>
      ${again.template()}
      ${chart.value ? timelineTemplate(lease, chart.value, on) : html`<p role="status">Drawing…</p>`}
        ${legendTemplate()}
      <div class="evidence-body">
        <section aria-label="What happened">${momentsTemplate(lease, { ...on, all: every.value, showAll })}</section>
        <section
          aria-label="The lines that show it">${linesTemplate(shown.value, (place) => inquiry.line(place))}</section>
      </div>
      ${limitsTemplate(lease)} ${settingsTemplate(lease)} ${outward.template()}
    `;
  }

  return {
    show,
    /**
     * Reads those files that are evidence.
     * @param {File[]} dropped
     * @returns {Promise<boolean>} whether any file is
     */
    async take(dropped) {
      const kinds = await Promise.all(dropped.map(isEvidence));
      const evidence = dropped.filter((_, i) => kinds[i]);
      if (evidence.length === 0) return false;
      show();
      inquiry.add(evidence);
      return true;
    },
  };
}
