/**
 * The page of a study: its question as fields with choices, progress, and each finding once, beside what is known of the
 * chosen one.
 */
import { html, nothing } from 'lit-html';
import { onSubmit, set, withValue } from '../../lib/control.js';
import { formatCount, formatInstant, formatSeconds } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { optionsTemplate, segmentsTemplate } from '../../lib/parts.js';
import { commandTemplate, leftText, progressTemplate } from './form.js';
import { lengthOf, stripTemplate } from './strip.js';

/** @import { FormField, Item, Opens, Report, StudyKind } from '../../protocol.js' */
/** @import { Strip } from './strip.js' */
/** @import { Study } from './study.js' */

/** @typedef {Item & {run: Opens}} Finding */
/**
 * @typedef {object} StudyOn
 * @property {() => void} start
 * @property {(values: Record<string, string>) => void} preset fills the fields and starts
 * @property {(run: Opens) => void} open
 * @property {(run: Opens) => void} why opens it, and explains its violation
 * @property {(run: Opens) => void} simplify
 * @property {(run: Opens) => void} goTest saves it as a Go test
 * @property {(command: string) => void} copy
 * @property {() => void} link
 * @property {() => void} findFailures
 * @property {() => void} saveScenario as scenario.yaml
 * @property {(run: Opens) => void} saveRun its scenario, as scenario.yaml
 * @property {(run: Opens) => Strip | undefined} strip
 * @property {(run: Opens, two: boolean) => {id: string, title: string}[]} incidents with the same faults
 * @property {(id: string) => void} museum
 * @property {() => unknown} subject the choice of the run
 */

/** What each study asks, as a heading before it has an answer. @type {Record<StudyKind, string>} */
export const QUESTIONS = {
  advise: 'Which settings suit you?',
  hunt: 'What could break it?',
  shrink: 'What is the smallest run that fails like this?',
  explore: 'Can it happen at all?',
};

/** @type {Record<string, string>} */
const NO_GOALS = { survive: '', takeover: '', writes: '', requests: '', latency: '', overlap: '' };
/** Goals that many have. @type {[words: string, says: string, values: Record<string, string>][]} */
const GOALS = [
  ['Take over quickly', '15 s after a crash, although answers take up to 1 s', { takeover: '15s', latency: '1s' }],
  ['Write little', '10 writes a minute, and another leads 60 s after a crash', { takeover: '60s', writes: '10' }],
  ['Outlast an API outage', 'the leader stays for 60 s without the API server', { survive: '60s' }],
];

/** @typedef {"simplest" | "longest"} Order */
/** @type {[Order, string][]} */
const ORDERS = [
  ['simplest', 'simplest first'],
  ['longest', 'longest first'],
];

/** The answer, as the head of the page. @param {Study} study @param {StudyOn} on */
export function studyHead(study, on) {
  const report = study.report.value;
  const [first = study.form.value?.says ?? '', ...rest] = report?.sentences ?? [];
  return {
    title: report?.title || QUESTIONS[study.kind],
    sub: report?.title ? first : (study.form.value?.says ?? ''),
    more: rest,
    act: report?.title
      ? html`<button type="button" class="btn tint" @click=${on.link}>${icon('share')}Copy the link</button>`
      : nothing,
  };
}

/** @param {Study} study @param {StudyOn} on */
export function studyTemplate(study, on) {
  const form = study.form.value;
  const error = study.error.value;
  if (!form) return error ? html`<p class="field-error" role="alert">${error.message}</p>` : nothing;
  const report = study.report.value;
  const found = findingsOf(study, on);
  const chosen = found[Math.min(study.chosen.value, found.length - 1)];
  const status = study.status.value;
  const known = form.fields.some(({ name }) => name === error?.path);
  return html`<div class="study-grid" data-kind=${study.kind}>
    <div class="study-middle">
      ${
        study.kind === 'advise' && !report && status === ''
          ? html`<h2 class="label">Begin with a goal that many have</h2>
            <div class="goals">${GOALS.map(
              ([words, says, values]) => html`<button type="button" class="question-card"
                @click=${() => on.preset({ ...NO_GOALS, ...values })}><span><b>${words}</b><small>${says}</small></span>${icon('forth')}</button>`,
            )}</div>`
          : nothing
      }
      <details class="study-how" ?open=${!report || error !== null}><summary><b>${
        report ? 'How it looked' : study.kind === 'advise' ? 'Or state your goals' : 'What it tries'
      }</b> <span class="mute">${report ? valuesWords(study) : ''}</span></summary>
        ${on.subject()}
        <form class="study-form" aria-label=${form.start} @submit=${onSubmit(on.start)}>
          ${form.fields.map((field) => fieldTemplate(field, study))}
          <p class="buttons"><button type="submit" class=${report ? 'btn tint' : 'btn primary'}>${
            report || status !== '' ? `${form.start} again` : form.start
          }</button></p>
        </form>
        ${report ? commandTemplate(report.command, on.saveScenario) : nothing}
        ${report ? html`<button type="button" class="btn tint" @click=${() => on.copy(report.command)}>Copy the command</button>` : nothing}
      </details>
      ${
        error && !(known && error.path !== 'rule')
          ? html`<p class="study-verdict" data-tone="fault" role="alert">${icon('errors')}<span>${error.message}</span></p>`
          : nothing
      }
      ${
        error && study.kind === 'shrink'
          ? html`<button type="button" class="btn primary" @click=${on.findFailures}>Find failures</button>`
          : nothing
      }
      ${studyProgress(study)}
      ${report ? listTemplate(study, found, chosen, on) : nothing}
    </div>
    ${chosen ? html`<aside class="study-right" aria-label="The chosen finding">${findingTemplate(study, chosen, on)}</aside>` : nothing}
  </div>`;
}

/** What the study used, as words. @param {Study} study */
function valuesWords(study) {
  return (study.form.value?.fields ?? [])
    .map(({ name, label, options = [] }) => {
      const value = study.values.value[name] ?? '';
      const words = options.find((one) => one.value === value)?.label ?? value;
      return value === '' ? '' : `${label.toLowerCase()}: ${words}`;
    })
    .filter(Boolean)
    .join(' · ');
}

/** @param {FormField} field @param {Study} study */
function fieldTemplate({ name, label, help, options = [], fixed }, study) {
  const value = study.values.value[name] ?? '';
  const wrong = study.error.value?.path === name ? study.error.value.message : '';
  const known = options.some((one) => one.value === value);
  const typing = !fixed && (study.typing.value.has(name) || !known);
  const change = (/** @type {string} */ to) => {
    const types = to === OTHER;
    if (types !== study.typing.value.has(name)) {
      const typed = new Set(study.typing.value);
      if (types) typed.add(name);
      else typed.delete(name);
      study.typing.value = typed;
    }
    if (!types) study.fill(name, to);
  };
  const id = `study-${study.kind}-${name}`;
  const choices = options.map((one) => [one.value, one.label]);
  return html`<div class="study-field">
    <label for=${id}>${label}</label>
    ${
      options.length > 0
        ? html`<select id=${id} @change=${withValue(change)}>${optionsTemplate(
            fixed ? choices : [...choices, [OTHER, 'something else…']],
            typing ? OTHER : value,
          )}</select>`
        : nothing
    }
    ${
      typing || options.length === 0
        ? html`<input id=${options.length === 0 ? id : `${id}-typed`} aria-label=${label} autocomplete="off"
          spellcheck="false" .value=${value} aria-describedby=${`${id}-help`} aria-invalid=${wrong ? 'true' : 'false'}
          @change=${withValue((to) => study.fill(name, to))} /><p class="mute" id=${`${id}-help`}>${help}</p>`
        : nothing
    }
    ${wrong && study.kind !== 'shrink' ? html`<p class="field-error" role="alert">${wrong}</p>` : nothing}
  </div>`;
}

/** The choice that opens a field for any text. */
const OTHER = '\u2026';

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

/** The findings in the chosen order. @param {Study} study @param {StudyOn} on @returns {Finding[]} */
function findingsOf(study, on) {
  const found = /** @type {Finding[]} */ ((study.report.value?.items ?? []).filter(({ run }) => run));
  if (study.kind !== 'hunt') return found;
  const acts = (/** @type {Finding} */ { run }) =>
    /** @type {{actions?: object[]}} */ (run.scenario).actions?.length ?? 0;
  const two = (/** @type {Finding} */ { run }) => lengthOf(on.strip(run)?.two ?? []);
  return [...found].sort(study.order.value === 'longest' ? (a, b) => two(b) - two(a) : (a, b) => acts(a) - acts(b));
}

/** @param {Study} study @param {Finding[]} found @param {Finding | undefined} chosen @param {StudyOn} on */
function listTemplate(study, found, chosen, on) {
  const report = /** @type {Report} */ (study.report.value);
  const rest = report.items.filter(({ run }) => !run);
  return html`<section aria-label="The answer" class="study-answer">
    ${report.sentences.slice(report.title ? 1 : 0).map((sentence) => html`<p>${sentence}</p>`)}
    ${
      study.kind === 'hunt' && found.length > 0
        ? html`<div class="study-list-head"><h2 class="label">Each failure once, with the fewest faults</h2>
          ${segmentsTemplate(ORDERS, { label: 'Order', chosen: study.order.value, class: 'seg' }, (order) => {
            study.chosen.value = 0;
            study.order.value = order;
          })}</div>`
        : nothing
    }
    <ol class="findings">${found.map((item, i) => {
      const strip = on.strip(item.run);
      const two = strip && lengthOf(strip.two);
      return html`<li><button type="button" aria-current=${item === chosen ? 'true' : nothing}
        @click=${() => set(study.chosen, i)}><span class="mute">${i + 1}</span>
        <span><b>${item.title}</b><small>${item.note ?? ''}</small></span>
        ${stripTemplate(strip)}<b class=${two ? 'bad' : ''}>${two ? formatSeconds(two, 1) : ''}</b>
        <small>${item.kind ?? ''}</small></button></li>`;
    })}</ol>
    ${rest.map(
      ({ title, lines }) => html`<details><summary>${title}</summary>
        <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></details>`,
    )}
  </section>`;
}

/** @param {Study} study @param {Finding} item @param {StudyOn} on */
function findingTemplate(study, { title, kind, note, lines, run }, on) {
  const strip = on.strip(run);
  const settings = study.kind === 'advise';
  const incidents = settings || !strip ? [] : on.incidents(run, strip.two.length > 0);
  return html`<p>${kind ? html`<span class="tag" data-tone=${settings ? nothing : 'bad'}>${kind}</span>` : nothing}
      <span class="mute">${note ?? ''}</span></p>
    <h3>${title}</h3>
    <div class="strip-big">${stripTemplate(strip)}</div>
    <p class="strip-ends mute"><small>${formatInstant(0, 0)}</small><small>${formatInstant(run.end, 0)}</small></p>
    ${
      strip && strip.two.length > 0
        ? html`<p class="lead">Two lead for <b class="bad">${formatSeconds(lengthOf(strip.two), 1)}</b>, from
          ${formatInstant(strip.two[0].from)} on.</p>`
        : nothing
    }
    ${
      lines.length > 0
        ? html`<h4>${settings ? 'Measured' : study.kind === 'explore' ? 'The choices that lead there' : 'All it needs'}</h4>
          <ul class="study-lines">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
        : nothing
    }
    <button type="button" class="btn primary wide" @click=${() => on.open(run)}>${
      settings ? 'Open this run with it' : `Open this run, at ${formatInstant(run.at, 1)}`
    }</button>
    <div class="pair">
      ${
        settings
          ? nothing
          : html`<button type="button" class="btn tint" @click=${() => on.why(run)}>Why?</button>
            ${
              study.kind === 'shrink'
                ? nothing
                : html`<button type="button" class="btn tint" @click=${() => on.simplify(run)}>Simplify it</button>`
            }
            <button type="button" class="btn tint" @click=${() => on.goTest(run)}>Keep as a Go test</button>`
      }
      <button type="button" class="btn tint" title="to run again: leaselab run scenario.yaml"
        @click=${() => on.saveRun(run)}>Save its scenario</button>
    </div>
    ${
      incidents.length > 0
        ? html`<h4>It really happened</h4>${incidents.map(
            (one) => html`<button type="button" class="question-card" @click=${() => on.museum(one.id)}>
              <span><b>${one.id}, ${one.title}</b><small>the same kind of fault</small></span>${icon('forth')}</button>`,
          )}`
        : nothing
    }`;
}
