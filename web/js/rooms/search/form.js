/** The controls of a map, the bar of a study's progress, and the command that does the same. */

import { html, nothing } from 'lit-html';
import { onSubmit, withChecked, withValue } from '../../lib/control.js';
import { formatCount } from '../../lib/format.js';
import { button, optionsTemplate, when } from '../../lib/parts.js';
import { COARSE, coverOf, FINE, pick, valuesText, valueText } from './axis.js';

/** @import { Axis, Field, HeatPlan, HeatStudy, Measure } from '../../protocol.js' */
/** @import { Heat } from './heat.js' */
/** @import { Study } from './study.js' */

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
 * @property {{message: string, path: string} | null} error
 * @property {string} made how many runs the map has, once it is done
 */
/**
 * @typedef {object} FormOn
 * @property {(change: Partial<StudyDraft>) => void} change and draws again
 * @property {(id: string) => void} measure
 * @property {() => void} start
 */

/** @param {FormShown} shown @param {FormOn} on */
export function formTemplate(shown, on) {
  const { wanted, fields, plan, measure, error, made } = shown;
  const wrong = (/** @type {string} */ path) => (error?.path === path ? 'true' : 'false');
  const finer = finerOf(wanted, fields);
  return html`<form class="study-side" aria-label="Study" @submit=${onSubmit(on.start)}>
    ${axisTemplate('x', 'Across', shown, on)} ${axisTemplate('y', 'Up', shown, on)}
    <label><b>Show</b><select @change=${withValue(on.measure)}>${optionsTemplate(
      (plan?.measures ?? []).map(({ id, label }) => [id, label]),
      measure?.id ?? '',
    )}</select></label>
    <label><b>Runs in each cell</b><input name="seeds" aria-label="Runs in each cell" inputmode="numeric"
      autocomplete="off" .value=${wanted.seeds} aria-invalid=${wrong('seeds')}
      @change=${withValue((text) => on.change({ seeds: text.trim() }))} /><small>${made}</small></label>
    ${when(error, () => html`<p class="field-error" role="alert">${error?.message}</p>`)}
    <button type="submit" class="btn tint">Draw it again</button>
    ${when(finer, () => button(finer?.words, () => on.change(finer?.change ?? {})))}
    <details ?open=${error?.path === 'duration'}><summary>More</summary>
      <label><b>Duration of each run</b><input name="duration" aria-label="Duration" placeholder="as in the run"
        autocomplete="off" spellcheck="false" .value=${wanted.duration ?? ''} aria-invalid=${wrong('duration')}
        @change=${withValue((text) => on.change({ duration: text.trim() }))} /><small>such as 5m</small></label>
      <label class="heat-check"><input type="checkbox" .checked=${wanted.varyPhase ?? false}
        @change=${withChecked((varyPhase) => on.change({ varyPhase }))} /> Each seed delays the first act by up to
        one “look again every”</label></details>
  </form>`;
}

/** A map with more values and runs than the wanted one. @param {StudyDraft} wanted @param {Field[]} fields */
function finerOf(wanted, fields) {
  const [x, y] = [wanted.x, wanted.y].map((axis) => {
    const field = fields.find(({ path }) => path === axis.path);
    if (!field) return undefined;
    const [from, to] = coverOf(field, axis.values);
    const values = pick(field.values.slice(from, to + 1), field.now, FINE);
    return values.length > axis.values.split(',').length ? values : undefined;
  });
  if (!x && !y && (seedsOf(wanted.seeds) ?? 0) >= FINE_SEEDS) return undefined;
  const axis = (/** @type {Axis} */ now, /** @type {string[] | undefined} */ more) =>
    more ? { path: now.path, values: more.join(',') } : now;
  const size = x && y ? `${x.length} × ${y.length}, ` : '';
  const change = { x: axis(wanted.x, x), y: axis(wanted.y, y), seeds: String(FINE_SEEDS) };
  return { words: `Finer: ${size}${FINE_SEEDS} runs each`, change };
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
    change({ path: to, values: next ? pick(next.values, next.now, COARSE).join(',') : values });
  };
  const typed = values.includes('..') ? undefined : values.split(',');
  const box = (/** @type {string} */ what, /** @type {"path" | "values"} */ name) =>
    html`<input aria-label=${`${label}: ${what}`}
      placeholder=${name === 'path' ? 'candidates[0].clock.ratePpm' : nothing} autocomplete="off" spellcheck="false"
      .value=${wanted[axis][name]} aria-invalid=${error?.path === axis ? 'true' : 'false'}
      @change=${withValue((to) => change({ [name]: to.trim() }))} />`;
  return html`<fieldset class="heat-axis"><legend>${label}</legend>
    <select aria-label=${`${label}: field`} @change=${withValue(choose)}>${optionsTemplate(
      [...fields.map((one) => [one.path, one.label]), ['', 'another path…']],
      field ? path : '',
    )}</select>
    ${when(!field, () => box('path', 'path'))}
    <details ?open=${error?.path === axis}><summary>${valuesText(typed ?? plan?.[axis] ?? [values])}</summary>
      ${field && field.values.length > 2 ? slidersTemplate(label, field, values, change) : nothing}
      <label>Values${box('values', 'values')}</label>
      <small>5s,10s · 10s..20s/1s · 1s..64s/x2 · 1ms..10s/log9 <code>${path.split('.').at(-1)}</code></small>
    </details></fieldset>`;
}

/**
 * @param {string} label @param {Field} field @param {string} text @param {(to: {values: string}) => void} change
 */
function slidersTemplate(label, field, text, change) {
  const cover = coverOf(field, text);
  const slider = (/** @type {string} */ name, /** @type {0 | 1} */ end) => {
    const value = valueText(field.values[cover[end]]);
    const move = (/** @type {string} */ to) => {
      const [from, upTo] = [Number(to), cover[1 - end]].sort((a, b) => a - b);
      change({ values: pick(field.values.slice(from, upTo + 1), field.now, COARSE).join(',') });
    };
    return html`<label>${name} ${value}<input type="range" min="0" max=${field.values.length - 1}
      .value=${String(cover[end])} aria-label=${`${label}: ${name.toLowerCase()}`} aria-valuetext=${value}
      @change=${withValue(move)} /></label>`;
  };
  return html`${slider('From', 0)} ${slider('To', 1)}`;
}

/**
 * The command that makes the same study, and a button to save the file that the command reads.
 * @param {string} command @param {() => void} save
 */
export const commandTemplate = (command, save) => html`<p><code class="heat-command">${command}</code></p>
  ${when(
    / scenario\.yaml( |$)/.test(command),
    () => html`<p><span class="mute">The command reads this scenario from a file:</span>
      <button type="button" class="quiet" @click=${save}>Save scenario.yaml</button></p>`,
  )}`;

/** @param {number} seconds */
function leftText(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/**
 * "1,200 of 20,000 runs, 830 a second, 23 s left; 2 failures".
 * @param {Study['progress']} progress
 * @param {boolean} running
 */
export function paceText({ done, of, unit, more, rate, left }, running) {
  const counted = done === 1 && of === 0 ? unit.replace(/s$/, '') : unit;
  const share = `${formatCount(done)}${of > 0 ? ` of ${formatCount(of)}` : ''} ${counted}`;
  const pace = rate > 0 ? `, ${formatCount(Math.round(rate))} a second` : '';
  const rest = running && Number.isFinite(left) ? `, ${leftText(left)} left` : '';
  return `${share}${pace}${rest}${more && `; ${more}`}`;
}

/**
 * The buttons come before the words, so that they do not move under the pointer: a double click on Pause pauses
 * and resumes.
 * @param {Heat | Study} study
 */
export function progressTemplate(study) {
  const status = study.status.value;
  if (status === '') return nothing;
  const alive = status === 'running' || status === 'paused';
  const { done, of } = study.progress;
  const words = status === 'paused' ? 'Paused: ' : status === 'stopped' ? 'Stopped, with these results: ' : '';
  return html`<div class="heat-progress">
    ${when(alive && of > 0, () => html`<progress aria-label="Runs" max=${of} .value=${done}></progress>`)}
    ${when(status === 'running', () => button('Pause', () => study.pause(), 'tint heat-pause'))}
    ${when(status === 'paused', () => button('Resume', () => study.resume(), 'tint heat-pause'))}
    ${when(alive || status === 'planning', () => button('Stop', () => study.stop()))}
    <span class="mute">${words}${
      done > 0 || !alive ? paceText(study.progress, status === 'running') : 'Starting…'
    }</span>
  </div>`;
}
