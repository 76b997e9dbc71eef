/** Exports: a span of the run as a picture, a diagram, a report, a trace or a table, to see, copy and save. */
import { computed, effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { formatCount } from '../../lib/format.js';
import { Latest } from '../../lib/latest.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { download } from '../desk/files.js';
import { openTools } from '../engine/tools.js';
import { choiceTemplate } from './choice.js';
import { kindWords } from './formats.js';
import { addressOf, fileOf, KINDS, maker, spansOf } from './make.js';

/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { State } from '../../page/state.js' */
/** @import { ExportChoice } from './choice.js' */
/** @import { ExportResult, ExportOptions } from './make.js' */

/** The dialog shows at most this many characters of a text. */
const SHOWN = 20_000;

/** @param {string} text */
const begin = (text) =>
  text.length <= SHOWN
    ? text
    : `${text.slice(0, SHOWN)}…\n\n${formatCount(text.length - SHOWN)} more characters are in the file.`;

/** @param {{state: State, lab: Lab, notifier: Notifier}} ports */
export function open({ state, lab, notifier }, tools = openTools(lab.assets)) {
  /** @type {ExportChoice} */
  const chosen = { kind: signal('png'), theme: signal('light'), spans: signal([]), span: signal(0) };
  const result = signal(/** @type {ExportResult | null} */ (null));
  const { dialog, show, close } = modal(newDialog('export', 'Export'), contents);

  const latest = new Latest(maker({ state, lab }, tools.ask), result);
  const wanted = computed(() => {
    const { kind, theme, spans, span } = chosen;
    const one = spans.value[span.value];
    return one && /** @type {ExportOptions} */ ({ kind: kind.value, theme: theme.value, span: one.span });
  });
  effect(() => {
    if (wanted.value) latest.want(JSON.stringify(wanted.value), wanted.value);
  });

  /** @param {string} ending */
  const fileName = (ending) =>
    [state.view.value.scenario || 'scenario', 'seed', state.view.value.seed].join('-') +
    `${ending === 'go' ? '_test' : ''}.${ending}`;

  /** @param {ExportResult} one */
  async function save(one) {
    const [, ending, type] = KINDS[one.wanted.kind];
    download(fileName(ending), await fileOf(one), type);
  }

  /** @param {ExportResult} one */
  async function copy(one) {
    const what = kindWords(KINDS[one.wanted.kind][0]);
    if (one.wanted.kind !== 'png') return lab.copy(one.text, what);
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': fileOf(one) })]);
      notifier.notify(`Copied: ${what}.`);
    } catch {
      notifier.notify(`Not copied: ${what}. Save it as a file instead.`, { tone: 'error' });
    }
  }

  /** @param {ExportResult} one */
  function previewTemplate({ wanted: { kind }, text, problem }) {
    if (problem) return html`<p class="field-error" role="alert">${problem}</p>`;
    return kind === 'png' || kind === 'svg'
      ? html`<img alt="Preview of the picture" src=${addressOf(text)} />`
      : html`<pre tabindex="0" role="region" aria-label="Preview of the text">${begin(text)}</pre>`;
  }

  function contents() {
    const one = result.value;
    const ready = one !== null && one.wanted === wanted.value;
    return html`${dialogHead('Export', close)} ${choiceTemplate(chosen)}
      <div class="export-preview" aria-busy=${ready ? 'false' : 'true'}>${ready ? previewTemplate(one) : nothing}</div>
      <p class="buttons">${
        !ready || one.problem
          ? nothing
          : html`<button type="button" class="primary" @click=${() => copy(one)}>Copy</button>
            <button type="button" @click=${() => save(one)}>Save as a file</button>`
      }
      ${
        ready && one.linkless
          ? html`<span class="mute">The link to this run is too long to print. Save the run as a file and pass it on as
            well.</span>`
          : nothing
      }</p>`;
  }

  return {
    /** @param {ExportOptions["kind"]} [kind] */
    async show(kind) {
      if (state.phase.value !== 'ready') {
        notifier.notify('The simulator is still loading.');
        return;
      }
      if (state.view.value.playing) await lab.pause();
      const dark = getComputedStyle(document.documentElement).colorScheme === 'dark';
      latest.reset();
      result.value = null;
      if (kind) chosen.kind.value = kind;
      chosen.theme.value = dark ? 'dark' : 'light';
      chosen.span.value = 0;
      chosen.spans.value = spansOf(state);
      show();
      /** @type {HTMLElement | null} */ (dialog.querySelector('input[type="radio"]:checked'))?.focus();
    },
  };
}
