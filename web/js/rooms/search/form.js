/** The controls of a map, the bar of a study's progress, and the command that does the same. */

import { html, nothing } from 'lit-html';
import { onSubmit, withChecked, withValue } from '../../lib/control.js';
import { formatCount, plural } from '../../lib/format.js';
import { optionsTemplate } from '../../lib/parts.js';
import { coverOf, FINE, pick, valuesText, valueText } from './axis.js';

/** @import { Axis, Field, HeatPlan, HeatStudy, Measure } from '../../protocol.js' */
/** @import { Status } from './heat.js' */

/**
 * The study that a visitor wants. Its seeds are the text that the visitor typed.
 * @typedef {Omit<HeatStudy, "scenario" | "seeds"> & {seeds: string}} StudyDraft
 */

/** How many runs each cell of the first map has, and of a finer one. */
export const SEEDS = 60;
const FINE_SEEDS = 300;

/**
 * @typedef {object} FormShown
 * @property {StudyDraft} wanted
 * @property {Field[]} fields
 * @property {HeatPlan | null} plan
 * @property {Measure | undefined} measure on the map
 * @property {Status} status
 * @property {{message: string, path: string} | null} error
 */
/**
 * @typedef {object} FormOn
 * @property {(change: Partial<StudyDraft>) => void} change and draws again
 * @property {(id: string) => void} measure
 * @property {() => void} start
 */

/** @param {FormShown} shown @param {FormOn} on */
export function formTemplate(shown, on) {
  const { wanted, fields, plan, measure, status, error } = shown;
  const wrong = (/** @type {string} */ path) => (error?.path === path ? 'true' : 'false');
  const busy = status === 'running' || status === 'planning';
  const finer = finerOf(wanted, fields);
  return html`<form class="study-side" aria-label="Study" @submit=${onSubmit(on.start)}>
    ${axisTemplate('x', 'Across', shown, on)} ${axisTemplate('y', 'Up', shown, on)}
    <label><b>Show</b><select @change=${withValue(on.measure)}>${optionsTemplate(
      (plan?.measures ?? []).map(({ id, label }) => [id, label]),
      measure?.id ?? '',
    )}</select></label>
    <label><b>Runs in each cell</b><input name="seeds" aria-label="Runs in each cell" inputmode="numeric"
      autocomplete="off" .value=${wanted.seeds} aria-invalid=${wrong('seeds')}
      @change=${withValue((text) => on.change({ seeds: text.trim() }))} /></label>
    ${error ? html`<p class="field-error" role="alert">${error.message}</p>` : nothing}
    <button type="submit" class="btn tint">${busy || plan ? 'Draw it again' : 'Draw the map'}</button>
    ${
      finer
        ? html`<button type="button" class="btn tint" @click=${() => on.change(finer.change)}>${finer.words}</button>`
        : nothing
    }
    <details ?open=${error?.path === 'duration'}><summary>More</summary>
      <label><b>Duration of each run</b><input name="duration" aria-label="Duration" placeholder="as in the run"
        autocomplete="off" spellcheck="false" .value=${wanted.duration ?? ''} aria-invalid=${wrong('duration')}
        @change=${withValue((text) => on.change({ duration: text.trim() }))} /><small>such as 5m</small></label>
      ${
        fields.some(({ path }) => path.startsWith('actions['))
          ? html`<label class="heat-check"><input type="checkbox" .checked=${wanted.varyPhase ?? false}
            @change=${withChecked((varyPhase) => on.change({ varyPhase }))} /> Each seed delays the first act by up to
            one “look again every”</label>`
          : nothing
      }</details>
  </form>`;
}

/** A map with more values and runs than the wanted one. @param {StudyDraft} wanted @param {Field[]} fields */
function finerOf(wanted, fields) {
  const [x, y] = [wanted.x, wanted.y].map((axis) => {
    const field = fields.find(({ path }) => path === axis.path);
    if (!field) return undefined;
    const [from, to] = coverOf(field, axis.values);
    const values = pick(field.values.slice(from, to + 1), field.now, FINE);
    return values.length > axis.values.split(',').length ? { path: axis.path, values } : undefined;
  });
  if (!x && !y && (seedsOf(wanted.seeds) ?? 0) >= FINE_SEEDS) return undefined;
  const axis = (/** @type {Axis} */ now, /** @type {{values: string[]} | undefined} */ more) =>
    more ? { path: now.path, values: more.values.join(',') } : now;
  const size = x && y ? `${x.values.length} × ${y.values.length}, ` : '';
  return {
    words: `Finer: ${size}${FINE_SEEDS} runs each`,
    change: { x: axis(wanted.x, x), y: axis(wanted.y, y), seeds: String(FINE_SEEDS) },
  };
}

/** The number of seeds that a text requests; undefined if the text is not a count. @param {string} text */
export function seedsOf(text) {
  const seeds = Number(text.replaceAll(',', '') || Number.NaN);
  return Number.isSafeInteger(seeds) && seeds > 0 ? seeds : undefined;
}

/** @param {"x" | "y"} axis @param {string} label @param {FormShown} shown @param {FormOn} on */
function axisTemplate(axis, label, { wanted, fields, plan, error }, on) {
  const { path, values } = wanted[axis];
  const field = fields.find((one) => one.path === path);
  const change = (/** @type {Partial<Axis>} */ to) => on.change({ [axis]: { path, values, ...to } });
  const choose = (/** @type {string} */ to) => {
    const next = fields.find((one) => one.path === to);
    change({ path: to, values: next ? pick(next.values, next.now, 6).join(',') : values });
  };
  const typed = values.includes('..') ? undefined : values.split(',');
  return html`<fieldset class="heat-axis"><legend>${label}</legend>
    <select aria-label=${`${label}: field`} @change=${withValue(choose)}>${optionsTemplate(
      [...fields.map((one) => [one.path, one.label]), ['', 'another path…']],
      field ? path : '',
    )}</select>
    ${
      field
        ? nothing
        : html`<input aria-label=${`${label}: path`} placeholder="candidates[0].clock.ratePpm" autocomplete="off"
          spellcheck="false" .value=${path} @change=${withValue((to) => change({ path: to.trim() }))} />`
    }
    <details ?open=${error?.path === axis}><summary>${valuesText(typed ?? plan?.[axis] ?? [values])}</summary>
      ${field && field.values.length > 2 ? slidersTemplate(label, field, values, (to) => change({ values: to })) : nothing}
      <label>Values<input aria-label=${`${label}: values`} autocomplete="off" spellcheck="false" .value=${values}
        aria-invalid=${error?.path === axis ? 'true' : 'false'}
        @change=${withValue((to) => change({ values: to.trim() }))} /></label>
      <small>5s,10s · 10s..20s/1s · 1s..64s/x2 · 1ms..10s/log9 <code>${path.split('.').at(-1)}</code></small>
    </details></fieldset>`;
}

/** @param {string} label @param {Field} field @param {string} text @param {(text: string) => void} change */
function slidersTemplate(label, field, text, change) {
  const [from, to] = coverOf(field, text);
  const last = field.values.length - 1;
  const slider = (
    /** @type {string} */ name,
    /** @type {number} */ at,
    /** @type {(at: number) => [number, number]} */ span,
  ) => html`<label>${name} ${valueText(field.values[at])}<input type="range" min="0" max=${last} .value=${String(at)}
      aria-label=${`${label}: ${name.toLowerCase()}`} aria-valuetext=${valueText(field.values[at])}
      @change=${withValue((value) => {
        const [low, high] = span(Number(value));
        change(pick(field.values.slice(low, high + 1), field.now, 6).join(','));
      })} /></label>`;
  return html`${slider('From', from, (at) => [Math.min(at, to), to])}
    ${slider('To', to, (at) => [from, Math.max(at, from)])}`;
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
      ? html`<p><span class="mute">The command reads this scenario from a file:</span>
        <button type="button" class="quiet" @click=${save}>Save scenario.yaml</button></p>`
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
 * The buttons come before the words, so that they do not move under the pointer: a double click on Pause pauses
 * and resumes.
 * @param {{status: Status, done: number, of: number, words: string}} shown of: 0 if unknown
 * @param {{pause: () => void, resume: () => void, stop: () => void}} study
 */
export function progressTemplate({ status, done, of, words }, study) {
  if (status === '') return nothing;
  const alive = ['running', 'paused'].includes(status);
  return html`<div class="heat-progress">
    ${of > 0 ? html`<progress aria-label="Runs" max=${of} .value=${done}></progress>` : nothing}
    ${
      alive
        ? html`<button type="button" class="btn tint heat-pause"
          @click=${() => (status === 'running' ? study.pause() : study.resume())}>${
            status === 'running' ? 'Pause' : 'Resume'
          }</button>`
        : nothing
    }
    ${
      alive || status === 'planning'
        ? html`<button type="button" class="btn tint" @click=${() => study.stop()}>Stop</button>`
        : nothing
    }
    <span class="mute">${words}</span>
  </div>`;
}
