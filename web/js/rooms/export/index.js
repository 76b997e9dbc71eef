/** Exports: a span of the run as a picture, a clip, a diagram, a report, a trace or a table, to see, copy and save. */
import { computed, effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { formatCount } from '../../lib/format.js';
import { Latest } from '../../lib/latest.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { download } from '../desk/files.js';
import { openTools } from '../engine/tools.js';
import { choiceTemplate } from './choice.js';
import { record, videoType } from './clip.js';
import { named } from './formats.js';
import { fileOf, KINDS, maker, spansOf } from './make.js';

/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { State } from '../../page/state.js' */
/** @import { Chosen } from './choice.js' */
/** @import { Made, Wanted } from './make.js' */

/** A longer text is shown up to here. */
const SHOWN = 20_000;

/** @param {string} text */
const begin = (text) =>
  text.length <= SHOWN
    ? text
    : `${text.slice(0, SHOWN)}…\n\n${formatCount(text.length - SHOWN)} more characters are in the file.`;

/** @param {{state: State, lab: Lab, notifier: Notifier}} ports */
export function open({ state, lab, notifier }, tools = openTools(lab.assets)) {
  /** @type {Chosen} */
  const chosen = {
    kind: signal('png'),
    theme: signal('light'),
    spans: signal([]),
    span: signal(0),
    seconds: signal(10),
  };
  const made = signal(/** @type {Made | null} */ (null));
  /** How much of the clip is recorded, null while none is. */
  const recorded = signal(/** @type {number | null} */ (null));
  const clip = signal(/** @type {Blob | null} */ (null));
  const canvas = document.createElement('canvas');
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'Preview of the picture');
  const video = videoType();
  let cancel = new AbortController();
  const { dialog, show, close } = modal(newDialog('export', 'Export'), contents);
  dialog.addEventListener('close', () => cancel.abort());

  const latest = new Latest(maker({ state, lab }, canvas, tools.ask), made);
  const wanted = computed(() => {
    const { kind, theme, spans, span } = chosen;
    const one = spans.value[span.value];
    return one && /** @type {Wanted} */ ({ kind: kind.value, theme: theme.value, span: one.span });
  });
  effect(() => {
    if (!wanted.value) return;
    cancel.abort();
    clip.value = null;
    latest.want(JSON.stringify(wanted.value), wanted.value);
  });

  /** @param {string} ending */
  const fileName = (ending) =>
    [state.view.value.scenario || 'scenario', 'seed', state.view.value.seed].join('-') +
    `${ending === 'go' ? '_test' : ''}.${ending}`;

  /** @param {Made} one */
  async function save(one) {
    const [, ending, type] = KINDS[one.wanted.kind];
    download(fileName(ending), await fileOf(one, canvas), type);
  }

  /** @param {Made} one */
  async function copy(one) {
    const what = named(KINDS[one.wanted.kind][0]);
    if (one.text !== undefined) return lab.copy(one.text, what);
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': fileOf(one, canvas) })]);
      notifier.notify(`Copied: ${what}.`);
    } catch {
      notifier.notify(`Not copied: ${what}. Save it as a file instead.`, { tone: 'error' });
    }
  }

  /** @param {Made} one */
  async function recordClip({ paint, wanted: { span } }) {
    if (!paint || !video) return;
    cancel = new AbortController();
    clip.value = null;
    recorded.value = 0;
    const { live } = state.view.value;
    const last = Math.min(span.to, live.t);
    try {
      const blob = await record(canvas, {
        type: video.type,
        ms: chosen.seconds.value * 1000,
        frame: (share) => paint(Math.round(span.from + (last - span.from) * share)),
        tell(share) {
          recorded.value = share;
        },
        signal: cancel.signal,
      });
      clip.value = blob ?? null;
      notifier.say(blob ? 'The clip is recorded.' : 'The recording is cancelled.');
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
    recorded.value = null;
    if (made.value?.paint === paint) paint(live.t);
  }

  /** @param {Made} one */
  function previewTemplate({ wanted: { kind }, text, problem }) {
    if (problem) return html`<p class="field-error" role="alert">${problem}</p>`;
    if (kind === 'svg')
      return html`<img alt="Preview of the picture" src=${`data:image/svg+xml,${encodeURIComponent(text ?? '')}`} />`;
    return text === undefined
      ? canvas
      : html`<pre tabindex="0" role="region" aria-label="Preview of the text">${begin(text)}</pre>`;
  }

  /** @param {Made} one */
  function clipTemplate(one) {
    const file = clip.value;
    if (!video) return html`<span>This browser records no video. Take a picture instead.</span>`;
    if (recorded.value !== null)
      return html`<progress aria-label="Recording" .value=${recorded.value}></progress>
        <button type="button" @click=${() => cancel.abort()}>Cancel</button>`;
    return html`${
      file
        ? html`<button type="button" class="primary"
          @click=${() => download(fileName(video.ending), file, file.type)}>Save the clip (${video.ending},
          ${Math.ceil(file.size / 1024)} KiB)</button>`
        : nothing
    }
    <button type="button" class=${file ? nothing : 'primary'}
      @click=${() => recordClip(one)}>${file ? 'Record again' : `Record ${chosen.seconds.value} s`}</button>`;
  }

  function contents() {
    const one = made.value;
    const ready = one !== null && one.wanted === wanted.value;
    return html`${dialogHead('Export', close)} ${choiceTemplate(chosen, recorded.value !== null)}
      <div class="export-preview" aria-busy=${ready ? 'false' : 'true'}>${ready ? previewTemplate(one) : nothing}</div>
      <p class="buttons">${
        !ready || one.problem
          ? nothing
          : one.wanted.kind === 'clip'
            ? clipTemplate(one)
            : html`<button type="button" class="primary" @click=${() => copy(one)}>Copy</button>
              <button type="button" @click=${() => save(one)}>Save as a file</button>`
      }
      ${
        ready && one.linkless
          ? html`<span class="soft">The link to this run is too long to print. Save the run as a file and pass it on as
            well.</span>`
          : nothing
      }</p>`;
  }

  return {
    async show() {
      if (state.phase.value !== 'ready') {
        notifier.notify('The simulator is still loading.');
        return;
      }
      if (state.view.value.playing) await lab.pause();
      const dark = getComputedStyle(document.documentElement).colorScheme === 'dark';
      latest.reset();
      made.value = null;
      chosen.theme.value = dark ? 'dark' : 'light';
      chosen.span.value = 0;
      chosen.spans.value = spansOf(state);
      show();
      /** @type {HTMLElement | null} */ (dialog.querySelector('input[type="radio"]:checked'))?.focus();
    },
  };
}
