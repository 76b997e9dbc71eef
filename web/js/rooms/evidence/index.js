/**
 * Your logs: reads the logs and objects that a cluster left behind, on this machine. It shows one timeline per Lease,
 * with the lines that prove each event, and the same incident as a run of the laboratory.
 */

import { effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { set } from '../../lib/control.js';
import { icon } from '../../lib/icons.js';
import { modal, newDialog } from '../../lib/modal.js';
import { button, when } from '../../lib/parts.js';
import { loadStrips } from '../../lib/strip.js';
import { Again } from './again.js';
import { Checkup } from './checkup.js';
import { Inquiry } from './inquiry.js';
import { Outward } from './outward.js';
import { Reading } from './reading.js';
import { SAMPLE_LEASE, sampleFiles, startTemplate } from './start.js';
import {
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
/** @import { Findings } from './reading.js' */
/** @import { Sample } from './start.js' */

const TITLE = 'Your logs';

/**
 * @param {Pick<Page, "state" | "lab" | "notifier" | "run"> & {pages?: Page['pages'], readRecord?: (files: File[]) =>
 *   Promise<boolean>}} page readRecord opens one record of real programs as a run
 * @param {Reading} [reading]
 */
export function open(page, reading = new Reading(page.lab.assets)) {
  const { state, lab, notifier } = page;
  const inquiry = new Inquiry(reading, (sentence) => notifier.say(sentence));
  const { dialog, show, close } = modal(newDialog('evidence', TITLE), contents, { pages: page.pages });
  const again = new Again(page, inquiry, close);
  const outward = new Outward(inquiry, lab);
  const checkup = new Checkup(inquiry);
  const pasting = signal(false);
  const strips = signal(/** @type {Record<string, Sample>} */ ({}));
  effect(() => {
    const lease = inquiry.lease.value;
    if (lease) again.prepare(lease.name);
  });
  effect(() => {
    checkup.report.value = null;
    if (inquiry.read.value?.found.cluster) checkup.ask();
  });
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

  /** @param {string} name of a recorded incident */
  async function sample(name) {
    try {
      const files = await sampleFiles(name);
      inquiry.options.value = { ...inquiry.options.value, lease: SAMPLE_LEASE };
      inquiry.add(files);
    } catch (failure) {
      inquiry.tellFailure(failure);
    }
  }

  async function startPasting() {
    pasting.value = !pasting.value;
    await Promise.resolve();
    dialog.querySelector('textarea')?.focus();
  }

  function contents() {
    const { read, error, progress } = inquiry;
    if (progress.value) return readingTemplate(progress.value, cancel);
    const alert = error.value ? html`<p class="field-error" role="alert">${error.value}</p>` : nothing;
    if (read.value) return html`<div class="logs-result">${resultTemplate(read.value, alert)}</div>`;
    const copy = (/** @type {string} */ text) => lab.copy(text, 'the commands');
    return startTemplate(
      { pasting: pasting.value, alert, strips: strips.value },
      { choose, sample, paste: startPasting, copy },
    );
  }

  /** @param {Findings} findings @param {unknown} alert */
  function resultTemplate(findings, alert) {
    const { found } = findings;
    const one = inquiry.lease.value;
    return html`<div class="logs-main">
        <div class="logs-head"><h1 tabindex="-1"
          aria-live="polite">${
            found.cluster ? checkup.headline() : (one?.answer ?? 'These files name no Lease.')
          }</h1>${
            one?.cause && !found.cluster
              ? html`<span class="tag">confidence ${one.confidence.toFixed(2)}</span>`
              : nothing
          }</div>
        ${when(found.cluster, () => html`${checkup.template()}<h2>One Lease</h2><p>${one?.answer}</p>`)}
        <p class="logs-sub">${one?.cause ? html`Likely cause: <b>${one.cause}</b>. ` : nothing}${
          one ? leaseTemplate(found.leases, inquiry) : nothing
        }</p>
        ${alert} ${runsTemplate(found.files, (run) => again.trace(run))}
        ${one ? reportTemplate(one) : nothing}
        ${problemsTemplate(findings, inquiry)}
        ${when(!one, () => linesTemplate(inquiry))}
        ${filesTemplate(found.files, inquiry, !one)}
        ${when(one, () => outward.template())}
      </div>
      <aside class="logs-side" aria-label="Cures and settings">
        ${when(one, () => again.template())}
        ${when(
          one,
          (known) => html`<p class="buttons">${button('Copy the report', copy('text', 'the report as text'))}
            ${button('As a post-mortem', copy('markdown', 'the post-mortem as Markdown'))}
            ${button('As JSON', copy('json', 'the report as JSON'))}</p>
            ${settingsTemplate(known, plainName)}`,
        )}
        <p class="buttons">${button('Add files', choose)} ${button('Other files', () => inquiry.forget())}</p>
      </aside>`;
  }

  /** @param {'text' | 'json' | 'markdown'} format @param {string} what */
  const copy = (format, what) => async () => {
    try {
      lab.copy((await inquiry.reading.ask('evidenceText', { format })).text, what);
    } catch (failure) {
      inquiry.tellFailure(failure);
    }
  };

  /** @param {string} name of a setting */
  const plainName = (name) => state.hello.value.knobs.find(({ label }) => label === name)?.name ?? '';

  /** @param {EvidenceLease} lease */
  function reportTemplate(lease) {
    const { chart, moment } = inquiry;
    /** @type {Parameters<typeof timelineTemplate>[2]} */
    const on = {
      chosen: moment.value,
      pick: (one) => inquiry.pick(one),
      lines: (places) => inquiry.lines(places),
      enter: showLines,
    };
    return html`
      <section class="logs-chart" aria-label="Who led, by your files">
        ${chart.value ? timelineTemplate(lease, chart.value, on) : html`<p role="status">Drawing…</p>`}
        <div class="logs-foot">${legendTemplate()}
          <span class="evidence-zoom" role="group" aria-label="Zoom of the timeline">
            <button type="button" class="btn icon-only" aria-label="Zoom in"
              @click=${() => inquiry.zoom(1 / 3)}>${icon('add')}</button>
            <button type="button" class="btn icon-only" aria-label="Zoom out"
              @click=${() => inquiry.zoom(3)}>${icon('remove')}</button>
            <button type="button" class="btn" @click=${() => inquiry.lookAtAll()}>All</button>
          </span></div>
      </section>
      <section aria-label="The lines that say so">
        <h2 class="label">The lines that say so</h2>
        ${when(!moment.value, () => linesTemplate(inquiry))}
        ${momentsTemplate(lease, inquiry)}
      </section>
      ${limitsTemplate(lease)}
    `;
  }

  const focusAnswer = () => /** @type {HTMLElement | null} */ (dialog.querySelector('h1'))?.focus();
  // What had the focus has left the page with the start.
  effect(() => {
    if (inquiry.read.value && dialog.open) queueMicrotask(focusAnswer);
  });

  function enter() {
    show();
    if (!inquiry.read.value)
      loadStrips(lab.assets.strips)
        .then((all) => set(strips, /** @type {Record<string, Sample>} */ (all)))
        .catch(() => {}); // the cards have words
    focusAnswer();
  }

  return {
    show: enter,
    /** Reads files that are evidence. @param {File[]} files */
    take(files) {
      enter();
      inquiry.add(files);
    },
  };
}
