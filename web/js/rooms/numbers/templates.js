/** The parts of the page: the fields, the sentence, the cards, and the table of the presets. */
import { html, nothing, svg } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { formatCount } from '../../lib/format.js';
import { button, when } from '../../lib/parts.js';
import { FIELDS, NAMES } from './formulas.js';

/** @import { Answer } from '../../protocol.js' */
/** @import { Setting } from './formulas.js' */

/**
 * A setting as the visitor types it, and what it leads to.
 * @typedef {{parts: string[], error: string, setting: Setting, answer: Answer}} Shown
 */

/** @param {number} n @param {number} [digits] */
const number = (n, digits = 1) => String(Number(n.toFixed(digits))).replace('-', '−');
/** @param {number | null} seconds @param {number} [digits] @param {string} [none] */
const length = (seconds, digits = 1, none = 'no end') =>
  seconds === null ? none : `${number(seconds, digits)}\u00a0s`;
/** @param {number | null} value */
const percent = (value) => (value === null ? '–' : `${number(Math.max(0, value))} %`);

/** The answer in a sentence. @param {Shown} shown @param {boolean} isOneOfTwo */
export function sentenceOf({ error, answer }, isOneOfTwo) {
  const { takeoverSeconds: takeover, measured, setting } = answer;
  const start = isOneOfTwo ? `With ${setting}, after a crash` : 'After a crash';
  if (error || !measured) return error || `${start}, another one leads within ${length(takeover.max)} in every case.`;
  const slowest = `the slowest of ${formatCount(measured.runs)} took ${length(measured.slowestSeconds)}.`;
  return `${start}, half of the takeovers take ${length(takeover.p50)} or more; ${slowest}`;
}

/** @param {Shown} shown @param {string} label @param {(parts: string[], done: boolean) => void} type */
export const fieldsTemplate = ({ parts, error }, label, type) => html`<div class="numbers-fields" role="group"
  aria-label=${label}>${parts.map((part, i) => {
    const change = (/** @type {boolean} */ done) =>
      withValue((to) => type([...parts.slice(0, i), to, ...parts.slice(i + 1)], done));
    return html`${when(i, () => html`<span aria-hidden="true">/</span>`)}<label><input
      aria-label=${`${NAMES[i]}, ${FIELDS[i]}`} autocomplete="off" spellcheck="false" .value=${part}
      aria-invalid=${error.startsWith(FIELDS[i]) ? 'true' : 'false'} @input=${change(false)}
      @change=${change(true)} /><b>${NAMES[i]}</b><code>${FIELDS[i]}</code></label>`;
  })}</div>`;

/** @param {NonNullable<Answer['measured']>} measured @param {number} p50 */
function histogram({ histogram: { fromSeconds: from, toSeconds: to, runs } }, p50) {
  const perRun = 44 / Math.max(...runs);
  const middle = Math.floor(((p50 - from) / (to - from)) * runs.length);
  return html`<svg class="numbers-runs" viewBox="0 0 220 62" role="img"
    aria-label=${`${length(from)} to ${length(to)}, half of them within ${length(p50)} of the crash.`}>${runs.map(
      (n, i) => svg`<rect x=${i * 13.75} y=${46 - n * perRun} width="12" height=${n * perRun}
        ?data-middle=${i === middle} />`,
    )}${svg`<text y="60">${length(from)}</text><text x="220" y="60" text-anchor="end">${length(to)}</text>`}</svg>`;
}

/** @param {Answer} answer */
function takeoverTemplate({ takeoverSeconds: takeover, takeoverAfterReleaseSeconds: released, measured }) {
  const figure = (/** @type {string} */ value, /** @type {string} */ words) =>
    html`<p><b class="numbers-value">${value}</b><small>${words}</small></p>`;
  return html`<div class="numbers-figures">
      ${figure(measured ? length(takeover.p50) : '…', 'half of them (p50)')}
      ${figure(measured ? length(takeover.p99) : '…', '99 of 100')} ${figure(length(takeover.max), 'never more')}
      ${when(measured, (known) => histogram(known, takeover.p50))}</div>
    <p>After a release, half of them take ${length(released.p50)}, and all ${length(released.max)} at most.</p>`;
}

/** @param {Answer} answer */
const secondsTemplate = ({ measured }) =>
  html`<div class="numbers-seconds" aria-hidden="true">${measured?.middle.map(
    ({ seconds, counting }) => html`<i ?data-counting=${counting} .style=${`flex-grow:${seconds}`}></i>`,
  )}</div><ul class="numbers-words">${measured?.middle.map(
    ({ shown, text, counting }) => html`<li ?data-counting=${counting}><b>${shown} s</b> ${text}</li>`,
  )}</ul>`;

/** What the numbers come from. @param {Answer} answer @param {(seed: number) => void} open */
export const sourceTemplate = ({ measured }, open) =>
  html`<p class="numbers-source">${
    measured
      ? html`Measured, not estimated: ${formatCount(measured.runs)} runs in which the leader crashes, 5 ms to the API
      server and back. ${button('Open the middle run', () => open(measured.middleSeed), 'quiet')}
      ${button('Open the slowest', () => open(measured.slowestSeed), 'quiet')}`
      : 'These are formulas. The runs for the rest begin when the engine has loaded.'
  } <a href="./docs/numbers.html">Where each number comes from</a></p>`;

/**
 * The small cards: the title, the value, and a note about lengths in seconds.
 * @type {[string, (a: Answer) => string, (a: Answer, lease: number, renew: number, retry: number) => string][]}
 */
// biome-ignore format: a table
const CARDS = [
  ['API may be away', (a) => length(a.apiOutageSurvivedSeconds, 3),
    ({ apiOutageSurvivedSeconds: away, silentOutageSurvivedSeconds: silent }, _lease, _renew, retry) => away === null
      ? 'The leader never gives up.'
      : `The leader stays if requests fail at once. From ${length(away + retry, 3)} on it never does. If requests ` +
        `get no answer, ${length(silent, 3)}.`],
  ['Safety margin', (a) => length(a.safetyMarginSeconds, 3, 'none'),
    ({ safetyMarginSeconds: margin }) => (margin ?? -1) < 0
      ? 'A leader that loses the network leads beside the next one.'
      : 'left before two can lead, with answers in 3 ms'],
  ['Writes a minute', (a) => number(a.writesPerMinute),
    (a) => `for the Lease. ${a.candidates} candidates: ${number(a.requestsPerMinute)} requests. 300 Leases: ` +
      `${number(a.writesPerMinute * 5, 0)} writes a second.`],
  ['Wait in a test', (a) => `${a.testTimeoutSeconds} s`,
    (a) => `a safe timeout for “another one leads”: at most ${length(a.takeoverSeconds.max)}`],
  ['A clock may be slow by', (a) => percent(a.clockTolerancePercent),
    (a, lease, renew, retry) => a.clockTolerancePercent === null
      ? 'Without a deadline, no clock is right enough.'
      : `${number(lease, 3)} / (${number(renew, 3)} + ${number(retry, 3)}) = ${number(lease / (renew + retry), 2)}. ` +
        'The year and the hour do not matter.'],
  ['A pause may last', (a) => length(a.harmlessPauseSeconds, 3),
    (_, lease, _renew, retry) =>
      `${number(lease)} − ${number(retry, 3)}. After a longer one, two can lead. A fence covers all.`],
];

/** All cards; each has the settings one below the other. @param {Shown[]} all without errors */
export function cardsTemplate(all) {
  const card = (/** @type {string} */ title, /** @type {(one: Shown) => unknown} */ body, kind = '') =>
    html`<section class=${`numbers-card ${kind}`}><h3 class="label">${title}</h3>${all.map(
      (one) => html`${when(all.length > 1, () => html`<h4>${one.answer.setting}</h4>`)}${body(one)}`,
    )}</section>`;
  return html`<div class="numbers-cards">
    ${card('Takeover after a crash', ({ answer }) => takeoverTemplate(answer), 'wide')}
    ${card('Where the seconds go, in the middle run', ({ answer }) => secondsTemplate(answer), 'wide')}
    ${CARDS.map(([title, value, note], i) =>
      card(title, ({ answer, setting: { lease, renew, retry } }) => {
        // A Lease stores whole seconds, and renewals within one second look alike.
        const seconds = /** @type {const} */ ([Math.floor(lease / 1e9), renew / 1e9, Math.max(1, retry / 1e9)]);
        const tone = (answer.safetyMarginSeconds ?? -1) < 0 ? 'bad' : 'good';
        return html`<b class="numbers-value" data-tone=${i === 1 ? tone : nothing}>${value(answer)}</b>
          <p>${note(answer, ...seconds)}</p>`;
      }),
    )}</div>`;
}

const COLUMNS = ['Takeover p50', 'p99', 'API away', 'Margin', 'Writes/min', 'Slow clock'];

/** @param {{name: string, answer: Answer}[]} rows @param {string} own the setting on the page */
export const tableTemplate = (rows, own) => html`<section class="numbers-card">
  <h3 class="label">Beside the presets</h3>
  <div class="numbers-table" role="region" aria-label="Beside the presets" tabindex="0"><table><thead><tr><td></td
    >${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
  <tbody>${rows.map(({ name, answer: a }) => {
    const [p50, p99] = a.measured ? [length(a.takeoverSeconds.p50), length(a.takeoverSeconds.p99)] : ['…', '…'];
    return html`<tr ?data-own=${a.setting === own}><th scope="row">${name} <small>${a.setting}</small></th>
      <td>${p50}</td><td>${p99}</td>
      <td>${length(a.apiOutageSurvivedSeconds)}</td><td>${length(a.safetyMarginSeconds, 1, 'none')}</td>
      <td>${number(a.writesPerMinute)}</td>
      <td data-tone=${(a.clockTolerancePercent ?? 5) < 5 ? 'bad' : nothing}>${percent(
        a.clockTolerancePercent,
      )}</td></tr>`;
  })}</tbody></table></div></section>`;
