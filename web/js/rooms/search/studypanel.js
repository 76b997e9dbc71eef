/** The panel of a study: the fields that the engine names, progress, and the answer in its words. */
import { html, nothing } from 'lit-html';
import { onSubmit, withValue } from '../../lib/control.js';
import { formatCount } from '../../lib/format.js';
import { commandTemplate, leftText, progressTemplate } from './form.js';

/** @import { FormField, Item, Opens, Report } from '../../protocol.js' */
/** @import { Study } from './study.js' */

/**
 * @typedef {object} StudyOn
 * @property {() => void} start
 * @property {(run: Opens) => void} open
 * @property {(command: string) => void} copy
 * @property {() => void} link
 * @property {() => void} saveScenario as scenario.yaml
 * @property {(run: Opens) => void} saveRun its scenario, as scenario.yaml
 * @property {() => unknown} source names the scenario of the answer, if another one is open
 */

/** @param {Study} study @param {StudyOn} on */
export function studyTemplate(study, on) {
  const form = study.form.value;
  const error = study.error.value;
  const status = study.status.value;
  if (!form)
    return error ? html`<p class="field-error" role="alert">${error.message}</p>` : html`<p role="status">Loading…</p>`;
  const hasField = form.fields.some(({ name }) => name === error?.path);
  return html`<div class="study">
    <p>${form.says}</p>
    <form class="study-form" aria-label=${form.start} @submit=${onSubmit(on.start)}>
      ${form.fields.map((field) => fieldTemplate(field, study))}
      <p class="buttons"><button type="submit"
        class="primary">${status === 'running' || status === 'paused' ? 'Start again' : form.start}</button></p>
    </form>
    ${error && !hasField ? html`<p class="field-error" role="alert">${error.message}</p>` : nothing}
    ${studyProgress(study)}
    ${on.source()}
    ${study.report.value ? reportTemplate(study.report.value, on) : nothing}
  </div>`;
}

/** @param {FormField} field @param {Study} study */
function fieldTemplate({ name, label, help, options }, study) {
  const value = study.values.value[name] ?? '';
  const wrong = study.error.value?.path === name ? study.error.value.message : '';
  const change = withValue((to) => study.fill(name, to));
  const id = `study-${study.kind}-${name}`;
  return html`<div class="study-field">
    <label for=${id}>${label}</label>
    ${
      options
        ? html`<select id=${id} aria-describedby=${`${id}-help`}
          @change=${change}>${options.map((one) => html`<option .selected=${one === value}>${one}</option>`)}</select>`
        : html`<input id=${id} autocomplete="off" spellcheck="false" .value=${value} aria-describedby=${`${id}-help`}
          aria-invalid=${wrong ? 'true' : 'false'} @change=${change} />`
    }
    <p class="mute" id=${`${id}-help`}>${help}</p>
    ${wrong ? html`<p class="field-error" role="alert">${wrong}</p>` : nothing}
  </div>`;
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

/** @param {Study} study */
function studyProgress(study) {
  const status = study.status.value;
  if (status === '') return nothing;
  const hasReport = status !== 'planning' && study.report.value;
  const { done, of } = study.progress;
  const words = status === 'paused' ? 'Paused: ' : status === 'stopped' ? 'Stopped, with these results: ' : '';
  const barred = status === 'running' || status === 'paused';
  const pace = hasReport ? paceText(study.progress, status === 'running') : 'Starting…';
  return progressTemplate({ status, done, of: barred ? of : 0, words: words + pace }, study);
}

/** @param {Report} report @param {StudyOn} on */
function reportTemplate({ title, tone, sentences, items, command }, on) {
  return html`<section class="study-answer" aria-label="The answer">
    <div role="status"><h3 data-tone=${tone}>${title}</h3></div>
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
    <ol class="study-items">${items.map((item) => itemTemplate(item, on))}</ol>
    <p class="heat-out">
      <button type="button" @click=${() => on.copy(command)}>Copy the command</button>
      <button type="button" @click=${on.link}>Copy the link</button>
    </p>
    ${commandTemplate(command, on.saveScenario)}
  </section>`;
}

/** @param {Item} item @param {StudyOn} on */
function itemTemplate({ title, lines, run }, on) {
  return html`<li>
    <h4>${title}</h4>
    <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
    ${
      run
        ? html`<button type="button" @click=${() => on.open(run)}>${run.label}</button>
          <button type="button" title="to run again: leaselab run scenario.yaml"
            @click=${() => on.saveRun(run)}>Save its scenario</button>`
        : nothing
    }
  </li>`;
}
