/**
 * The page of a study: its question as fields with choices, progress, and each finding once. The chosen finding has a
 * panel.
 */
import { html, nothing } from 'lit-html';
import { onSubmit, set, withValue } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { button, optionsTemplate, segmentsTemplate, when } from '../../lib/parts.js';
import { lengthOf, totalsOf } from '../../lib/strip.js';
import { commandTemplate, progressTemplate } from './form.js';
import { stripRoom } from './strip.js';
import { incidentsLike } from './subject.js';

/** @import { FormField, Item, Opens, Report, StudyKind } from '../../protocol.js' */
/** @import { Strip } from '../../lib/strip.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Room } from './heatpanel.js' */
/** @import { Study } from './study.js' */
/** @import { Document } from './subject.js' */

/** @typedef {Item & {run: Opens}} Finding */
/**
 * What the panel uses of the room. about: studies another run; choose: opens a tab; explain: explains the violation
 * that begins at an instant of the open run.
 * @typedef {Room & {about: (run: Document, kind: StudyKind) => unknown, choose: (kind: StudyKind) => unknown,
 *   explain: (at: number) => unknown, run: Page["run"]}} StudyRoom
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

/** The answer, as the head of the page. @param {Study} study @param {StudyRoom} room */
export function studyHead(study, room) {
  const copyLink = () => {
    const { values = [], scenario = room.subjects.document } = study.spec ?? {};
    const filled = Object.fromEntries(values.map(({ name, value }) => [name, value]));
    return room.copyLink({ kind: study.kind, values: filled }, scenario);
  };
  const { title = '', sentences = [] } = study.report.value ?? {};
  const says = study.form.value?.says ?? '';
  if (title) return { title, sub: sentences[0] ?? says, act: button(html`${icon('share')}Copy the link`, copyLink) };
  const failed = study.kind === 'shrink' && study.error.value;
  return { title: failed ? 'This run has no failure to simplify' : QUESTIONS[study.kind], sub: says, act: nothing };
}

/** @param {Study} study @param {StudyRoom} room */
export function studyTemplate(study, room) {
  const form = study.form.value;
  const error = study.error.value;
  if (!form)
    return html`<p class="study-loading" role=${error ? 'alert' : 'status'}>${
      error?.message ?? 'Reading the run…'
    }</p>`;
  const report = study.report.value;
  const found = findingsOf(study, room);
  const start = () => study.start(room.subjects.document);
  const chosen = found[Math.min(study.chosen.value, found.length - 1)];
  const idle = !report && study.status.value === '';
  const begins = study.kind === 'advise' && idle;
  const stuck = study.kind === 'shrink' && error;
  const isOfField = !stuck && form.fields.some(({ name }) => name === error?.path);
  const looked = report ? 'How it looked' : begins ? 'Or state your goals' : 'What it tries';
  return html`<div class="study-grid" data-kind=${study.kind}>
    <div class="study-middle">
      ${when(begins, () => goalsTemplate(study, start))}
      <details class="study-how" ?open=${idle || error !== null}><summary><b>${looked}</b>
        <span class="mute">${when(report, () => valuesWords(study))}</span></summary>
        ${room.subject()}
        <form class="study-form" aria-label=${form.start} @submit=${onSubmit(start)}>
          ${form.fields.map((field) => fieldTemplate(field, study))}
          <p class="buttons"><button type="submit" class=${`btn ${idle && !stuck ? 'primary' : 'tint'}`}>${
            idle ? form.start : `${form.start} again`
          }</button></p>
        </form>
        ${when(report, ({ command }) => [
          commandTemplate(command, () => room.saveFile(study.spec?.scenario ?? room.subjects.document)),
          button('Copy the command', () => room.lab.copy(command, 'the command that does the same')),
        ])}
      </details>
      ${when(
        error && !isOfField,
        () => html`<p class="study-verdict" data-tone="fault" role="alert">${icon('errors')} ${error?.message}</p>`,
      )}
      ${when(stuck, () => button('Find failures', () => room.choose('hunt'), 'primary'))}
      ${progressTemplate(study)}
      ${report ? listTemplate(study, { report, found, chosen }, room) : nothing}
    </div>
    ${when(
      chosen,
      () =>
        html`<aside class="study-right"
          aria-label="The chosen finding">${findingTemplate(study, chosen, room)}</aside>`,
    )}
  </div>`;
}

/** @param {Study} study @param {() => unknown} start */
const goalsTemplate = (study, start) => html`<h2 class="label">Begin with a goal that many have</h2>
  <div class="goals">${GOALS.map(
    ([words, says, values]) => html`<button type="button" class="question-card"
      @click=${() => {
        for (const [name, value] of Object.entries({ ...NO_GOALS, ...values })) study.fill(name, value);
        start();
      }}><span><b>${words}</b><small>${says}</small></span>${icon('forth')}</button>`,
  )}</div>`;

/** What the study used, as words. @param {Study} study */
const valuesWords = (study) =>
  (study.form.value?.fields ?? [])
    .map(({ name, label, options = [] }) => {
      const value = study.values.value[name] ?? '';
      const words = options.find((one) => one.value === value)?.label ?? value;
      return value === '' ? '' : `${label.toLowerCase()}: ${words}`;
    })
    .filter(Boolean)
    .join(' · ');

/** The choice that opens a field for any text. */
const OTHER = '\u2026';

/** @param {FormField} field @param {Study} study */
function fieldTemplate({ name, label, help, options = [], fixed }, study) {
  const value = study.values.value[name] ?? '';
  const wrong = study.kind !== 'shrink' && study.error.value?.path === name ? study.error.value.message : '';
  const typing = !fixed && (study.typing.value[name] || !options.some((one) => one.value === value));
  const change = (/** @type {string} */ to) => {
    study.typing.value = { ...study.typing.value, [name]: to === OTHER };
    if (to !== OTHER) study.fill(name, to);
  };
  const choices = options.map((one) => [one.value, one.label]);
  if (!fixed) choices.push([OTHER, 'something else…']);
  const id = `study-${study.kind}-${name}`;
  return html`<div class="study-field"><b>${label}</b>
    ${when(
      options.length > 0,
      () =>
        html`<select aria-label=${label} @change=${withValue(change)}>${optionsTemplate(
          choices,
          typing ? OTHER : value,
        )}</select>`,
    )}
    ${when(
      typing,
      () => html`<input aria-label=${label} autocomplete="off" spellcheck="false" .value=${value}
        aria-describedby=${id} aria-invalid=${wrong ? 'true' : 'false'}
        @change=${withValue((to) => study.fill(name, to))} /><p class="mute" id=${id}>${help}</p>`,
    )}
    ${when(wrong, () => html`<p class="field-error" role="alert">${wrong}</p>`)}
  </div>`;
}

/** For how long two lead, in ms. @param {Strip | undefined} strip */
const twoOf = (strip) => (strip ? totalsOf(strip).two : 0);

/** The findings in the chosen order. @param {Study} study @param {StudyRoom} room @returns {Finding[]} */
function findingsOf(study, room) {
  const found = /** @type {Finding[]} */ ((study.report.value?.items ?? []).filter(({ run }) => run));
  if (study.kind !== 'hunt') return found;
  const acts = (/** @type {Finding} */ { run }) =>
    /** @type {{actions?: object[]}} */ (run.scenario).actions?.length ?? 0;
  const two = (/** @type {Finding} */ { run }) => twoOf(room.strips.of(run));
  return [...found].sort(study.order.value === 'longest' ? (a, b) => two(b) - two(a) : (a, b) => acts(a) - acts(b));
}

/**
 * @param {Study} study @param {{report: Report, found: Finding[], chosen: Finding | undefined}} shown
 * @param {StudyRoom} room
 */
function listTemplate(study, { report, found, chosen }, room) {
  const order = (/** @type {Order} */ to) => {
    study.chosen.value = 0;
    study.order.value = to;
  };
  return html`<section aria-label="The answer" class="study-answer">
    ${report.sentences.slice(report.title ? 1 : 0).map((sentence) => html`<p>${sentence}</p>`)}
    ${when(
      study.kind === 'hunt' && found.length > 0,
      () => html`<div class="study-list-head"><h2 class="label">Each failure once, with the fewest faults</h2>
        ${segmentsTemplate(ORDERS, { label: 'Order', chosen: study.order.value, class: 'seg' }, order)}</div>`,
    )}
    <ol class="findings">${found.map((item, i) => {
      const strip = room.strips.of(item.run);
      const two = twoOf(strip);
      return html`<li><button type="button" aria-current=${item === chosen ? 'true' : nothing}
        @click=${() => set(study.chosen, i)}><span class="mute">${i + 1}</span>
        <span><b>${item.title}</b><small>${item.note ?? ''}</small></span>
        ${stripRoom(strip)}<b class=${two ? 'bad' : ''}>${two ? lengthOf(two) : ''}</b>
        <small>${item.kind ?? ''}</small></button></li>`;
    })}</ol>
    ${report.items
      .filter(({ run }) => !run)
      .map(
        ({ title, lines }) => html`<details><summary>${title}</summary>
        <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></details>`,
      )}
  </section>`;
}

/** The address of a scenario's durations on the page of numbers. @param {any} scenario */
const numbersOf = ({ elector: { leaseDuration, renewDeadline, retryPeriod } }) =>
  [leaseDuration, renewDeadline, retryPeriod].join('/');

/** @param {Study} study @param {Finding} item @param {StudyRoom} room */
function findingTemplate({ kind: of }, { title, kind, note, lines, run }, room) {
  const strip = room.strips.of(run);
  const two = twoOf(strip);
  const begin = strip?.bands.find(([, , led]) => led === 2)?.[0] ?? 0;
  const settings = of === 'advise';
  const incidents = settings || !strip ? [] : incidentsLike(room.subjects.shipped.value, run.scenario, two > 0);
  const head = settings ? 'Measured' : of === 'explore' ? 'The choices that lead there' : 'All it needs';
  return html`<p><span class="tag" data-tone=${settings ? nothing : 'bad'}>${kind}</span>
      <span class="mute">${note ?? ''}</span></p>
    <h2>${title}</h2>
    ${stripRoom(strip, 16)}
    <p class="strip-ends mute"><small>${formatInstant(0, 0)}</small><small>${formatInstant(run.end, 0)}</small></p>
    ${when(
      two > 0,
      () => html`<p class="lead">Two lead for <b class="bad">${lengthOf(two)}</b>, from
        ${formatInstant(begin * 1e6)} on.</p>`,
    )}
    ${when(lines.length > 0, () => html`<h3>${head}</h3>`)}
    <ul class="study-lines">${lines.map((line) => html`<li>${line}</li>`)}</ul>
    ${button(
      settings ? 'Open this run with it' : `Open this run, at ${formatInstant(run.at, 1)}`,
      () => room.openRun(run, 'The run is open. WHY explains it.'),
      'primary wide',
    )}
    <div class="pair">
      ${when(settings, () => button('What it leads to', () => room.run('numbers', numbersOf(run.scenario))))}
      ${when(!settings, () => [
        button('Why?', () => room.openRun(run, 'The run is open.', () => room.explain(run.at))),
        button('Keep as a Go test', () => room.saveGoTest(run)),
      ])}
      ${when(!settings && of !== 'shrink', () => button('Simplify it', () => room.about(run.scenario, 'shrink')))}
      ${button('Save its scenario', () => room.saveFile(run.scenario))}
    </div>
    ${when(incidents.length > 0, () => html`<h3>It really happened</h3>`)}
    ${incidents.map(
      (one) => html`<button type="button" class="question-card" @click=${() => room.run('museum', one.id)}>
        <span><b>${one.id}, ${one.title}</b><small>the same kind of fault</small></span>${icon('forth')}</button>`,
    )}`;
}
