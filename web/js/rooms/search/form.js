/** The form of a heat map, and the bar of its progress. */

import { html, nothing } from 'lit-html';
import { onSubmit, withValue } from '../../lib/control.js';
import { formatCount, plural } from '../../lib/format.js';
import { optionsTemplate } from '../../lib/parts.js';

/** @import { Axis, Field, HeatStudy, Measure } from '../../protocol.js' */
/** @import { Status } from './heat.js' */

/**
 * The study that a visitor wants. Its seeds are the text that the visitor typed.
 * @typedef {Omit<HeatStudy, "scenario" | "seeds"> & {seeds: string}} StudyDraft
 */

/** The initial values of the form. @type {StudyDraft} */
export const USUAL = {
  x: { path: 'elector.leaseDuration', values: '5s..45s/2500ms,60s,90s,137s' },
  y: { path: 'elector.renewDeadline', values: '2500ms..40s/2500ms,60s,80s,107s,120s' },
  first: 1,
  seeds: '50',
  varyPhase: true,
};

/**
 * @typedef {object} FormShown
 * @property {StudyDraft} wanted
 * @property {Field[]} fields
 * @property {Status} status
 * @property {{message: string, path: string} | null} error
 */
/**
 * @typedef {object} FormOn
 * @property {(axis: "x" | "y", to: Axis) => void} axis
 * @property {(change: Partial<StudyDraft>) => void} change
 * @property {() => void} start
 */

/** @param {FormShown} shown @param {FormOn} on */
export function formTemplate(shown, on) {
  const { wanted, fields, status, error } = shown;
  const busy = status === 'running' || status === 'planning';
  return html`<form class="heat-form" aria-label="Study" @submit=${onSubmit(on.start)}>
    ${axisTemplate('x', 'Across', shown, on)} ${axisTemplate('y', 'Up', shown, on)}
    <label>Seeds <input name="seeds" inputmode="numeric" size="6" autocomplete="off" .value=${wanted.seeds}
      aria-invalid=${error?.path === 'seeds' ? 'true' : 'false'}
      @change=${withValue((text) => on.change({ seeds: text.trim() }))} /></label>
    <label>Duration <input name="duration" size="6" placeholder="as is"
      title="of each run, such as 5m; empty: as long as the scenario" autocomplete="off" spellcheck="false"
      .value=${wanted.duration ?? ''}
      aria-invalid=${error?.path === 'duration' ? 'true' : 'false'}
      @change=${withValue((text) => on.change({ duration: text.trim() }))} /></label>
    ${
      fields.length > 0 && !fields.some(({ path }) => path.startsWith('actions['))
        ? nothing
        : html`<label class="heat-check"><input type="checkbox" .checked=${wanted.varyPhase ?? false} @change=${(
            /** @type {Event} */ event,
          ) =>
            on.change({
              varyPhase: /** @type {HTMLInputElement} */ (event.target).checked,
            })} /> Each seed delays the first act by up to one retryPeriod</label>`
    }
    <button type="submit" class="primary">${busy || status === 'paused' ? 'Start again' : 'Run the study'}</button>
    ${error ? html`<p class="field-error" role="alert">${error.message}</p>` : nothing}
  </form>`;
}

/** The number of seeds that a text requests; undefined if the text is not a count. @param {string} text */
export function seedsOf(text) {
  const seeds = Number(text.replaceAll(',', '') || Number.NaN);
  return Number.isSafeInteger(seeds) && seeds > 0 ? seeds : undefined;
}

/** Explains what a map is for, until the first map appears. */
export const introTemplate = () => html`<div class="heat-intro">
    <p><b>How would this scenario go with other settings?</b> The map tries each pair of values of two fields, every
      pair with the same seeds. The runs of one pair differ only by chance.</p>
    <ol>
      <li>Run the study as it stands: a first map of leaseDuration and renewDeadline takes some seconds.</li>
      <li>Choose a cell: its runs are listed, the worst first.</li>
      <li>Open a run: the timeline shows its worst instant, and WHY explains it.</li>
    </ol>
    <p class="mute">Values: <code>5s,10s,15s</code> · <code>10s..20s/1s</code> in steps of 1s · <code>1s..64s/x2</code>
      doubles · <code>1ms..10s/log9</code> nine values, each the same multiple of the one before.</p>
  </div>`;

/** @param {"x" | "y"} axis @param {string} label @param {FormShown} shown @param {FormOn} on */
function axisTemplate(axis, label, { wanted, fields, error }, on) {
  const { path, values } = wanted[axis];
  // Until the engine has sent the fields, show the selected one.
  const shownFields = fields.length > 0 ? fields : [{ path, label: path.slice(path.lastIndexOf('.') + 1) }];
  const hasField = shownFields.some((field) => field.path === path);
  const choose = (/** @type {string} */ to) =>
    on.axis(axis, { path: to, values: fields.find((field) => field.path === to)?.values ?? '' });
  return html`<fieldset class="heat-axis"><legend>${label}</legend>
    <select aria-label=${`${label}: field`} @change=${withValue(choose)}>
      ${optionsTemplate(
        [...shownFields.map((field) => [field.path, field.label]), ['', 'another path…']],
        hasField ? path : '',
      )}</select>
    ${
      hasField
        ? nothing
        : html`<input aria-label=${`${label}: path`} placeholder="candidates[0].clock.ratePpm" autocomplete="off"
          spellcheck="false" .value=${path} @change=${withValue((to) => on.axis(axis, { path: to.trim(), values }))} />`
    }
    <input aria-label=${`${label}: values`} title="5s,10s,15s · 10s..20s/1s · 1s..64s/x2 · 1ms..10s/log9"
      autocomplete="off" spellcheck="false" .value=${values}
      aria-invalid=${error?.path === axis ? 'true' : 'false'}
      @change=${withValue((to) => on.axis(axis, { path, values: to.trim() }))} />
  </fieldset>`;
}

/**
 * "12,400 of 20,000 runs, 3,100 a second, 2.5 s left".
 * @param {number} runs
 * @param {number} of
 * @param {{rate: number, left: number}} pace
 * @param {Status} status
 */
export function progressText(runs, of, { rate, left }, status) {
  if (status === 'planning') return 'Reading the study…';
  const done = `${formatCount(runs)} of ${plural(of, 'run')}`;
  const speed = rate > 0 ? `, ${formatCount(Math.round(rate))} a second` : '';
  if (status === 'running') return runs === 0 ? `${done}: a first picture…` : `${done}${speed}, ${leftText(left)} left`;
  if (status === 'paused') return `Paused: ${done}`;
  if (status === 'stopped') return `Stopped: ${done}. The results so far stay.`;
  return `${done}${speed}`;
}

/**
 * The command that makes the same study, and a button to save the file that the command reads.
 * @param {string} command @param {() => void} save
 */
export const commandTemplate = (command, save) => html`<p><code class="heat-command">${command}</code></p>
  ${
    / scenario\.yaml( |$)/.test(command)
      ? html`<p class="heat-out"><span class="mute">The command reads this scenario from a file:</span>
        <button type="button" @click=${save}>Save scenario.yaml</button></p>`
      : nothing
  }`;

/** @param {number} seconds */
export const leftText = (seconds) =>
  seconds < 10
    ? `${seconds.toFixed(1)} s`
    : seconds < 90
      ? `${Math.round(seconds)} s`
      : `${Math.round(seconds / 60)} min`;

/**
 * @param {{status: Status, done: number, of: number, words: string}} shown of: 0 if unknown
 * @param {{pause: () => void, resume: () => void, stop: () => void}} study
 */
export function progressTemplate({ status, done, of, words }, study) {
  if (status === '') return nothing;
  const on = { pause: () => study.pause(), resume: () => study.resume(), stop: () => study.stop() };
  return html`<div class="heat-progress">
    ${of > 0 ? html`<progress aria-label="Runs" max=${of} .value=${done}></progress>` : nothing}
    ${stopTemplate(status, on)}
    <span>${words}</span>
  </div>`;
}

/**
 * The buttons come before the words, so that they do not move under the pointer: a double click on Pause pauses
 * and resumes.
 * @param {Status} status @param {{pause: () => void, resume: () => void, stop: () => void}} on
 */
const stopTemplate = (status, on) => html`
  ${
    ['running', 'paused'].includes(status)
      ? html`<button type="button" class="heat-pause"
        @click=${status === 'running' ? on.pause : on.resume}>${status === 'running' ? 'Pause' : 'Resume'}</button>`
      : nothing
  }
  ${
    ['running', 'paused', 'planning'].includes(status)
      ? html`<button type="button" @click=${on.stop}>Stop</button>`
      : nothing
  }`;

/** @param {Measure[]} measures @param {string} chosen @param {(id: string) => void} choose */
export const measureTemplate = (measures, chosen, choose) =>
  html`<label class="heat-measure">Measure <select @change=${withValue(choose)}>${optionsTemplate(
    measures.map(({ id, label, unit }) => [id, `${label}${unit ? ` (${unit})` : ''}`]),
    chosen,
  )}</select></label>`;
