/** The panel of the chosen cell: what its runs have in common, its price, and its runs, the worst first. */
import { html, nothing } from 'lit-html';
import { formatCount, formatInstant, plural } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { placeOf } from './axis.js';
import { cellText, figureText, namesOf } from './map.js';
import { stripTemplate } from './strip.js';

/** @import { Detail, HeatCell, Listed } from '../../protocol.js' */
/** @import { MapProps } from './map.js' */
/** @import { Strip } from './strip.js' */

/** How many runs have a strip, and how many the list has at most. */
export const DRAWN = 5;
const LISTED = 50;

/** The median seconds without a leader after a crash. @typedef {{here: number, own: number | undefined}} Price */
/**
 * @typedef {object} CellShown
 * @property {Detail | null} detail null while the engine computes it
 * @property {string | undefined} rule the rule that refuses the cell
 * @property {Price | undefined} price
 * @property {(seed: number) => {at: number, strip: Strip | undefined} | undefined} drawn
 * @property {number} busy the seed whose run the page is opening; -1: none
 */
/**
 * @typedef {{open: (seed: number) => void, use: () => void, copy: () => void}} CellOn
 */

/** @param {MapProps} shown @param {CellShown} more @param {CellOn} on */
export function cellTemplate(shown, more, on) {
  const { plan, cells, chosen, own } = shown;
  const cell = cells[chosen];
  const names = namesOf(plan, chosen);
  return html`<div aria-live="polite"><h2 class="label">${chosen === own ? 'Your settings' : 'The chosen cell'}</h2>
    <h3>${placeOf(shown, chosen)}</h3>
    ${names.length > 0 ? html`<p class="mute">${names.join(', ')}</p>` : nothing}
    ${
      more.rule !== undefined
        ? html`<p class="lead">client-go refuses these values: ${more.rule}</p>`
        : cell
          ? html`<p class="lead">${sentenceOf(shown, cell)}</p>${priceTemplate(shown, cell, more.price)}`
          : html`<p class="mute">This cell has no runs yet.</p>`
    }</div>
    ${cell && more.detail ? runsTemplate(shown, cell, { ...more, detail: more.detail }, on) : nothing}
    ${cell && !more.detail ? html`<p class="mute" role="status">Making its runs…</p>` : nothing}`;
}

/** @param {MapProps} shown @param {HeatCell} cell */
function sentenceOf({ plan, measure, index }, cell) {
  const { runs, values } = cell;
  const at = (/** @type {string} */ id) => plan.measures.findIndex((one) => one.id === id);
  const figure = (/** @type {string} */ id) => figureText(cell, at(id), plan.measures[at(id)]);
  const two = Math.round((values[at('two')] / 100) * runs);
  const some = `${formatCount(two)} of ${plural(runs, 'run')}`;
  const overlap =
    two > 0
      ? html`<b class="bad">${two === runs ? `All ${plural(runs, 'run')}` : some}</b> had two leaders, for up to
          <b>${figure('doubleMax')}</b>.`
      : html`None of ${plural(runs, 'run')} had two leaders.`;
  const gap = html`Nobody led for up to <b>${figure('leaderlessMax')}</b>, in half of the runs for
    ${figure('leaderlessP50')} or less.`;
  const other = html`${measure.label}: <b>${figureText(cell, index, measure)}</b>.`;
  if (measure.alarm) return html`${overlap}`;
  return measure.id.startsWith('leaderless') ? html`${gap} ${overlap}` : html`${other} ${overlap}`;
}

/** @param {MapProps} shown @param {HeatCell} cell @param {Price | undefined} price */
function priceTemplate({ plan, cells, own, chosen, measure }, cell, price) {
  const mine = own !== chosen ? cells[own] : undefined;
  const writes = plan.measures.findIndex(({ id }) => id === 'writes');
  const seconds = (/** @type {number} */ value) => `${cellText(value)} s`;
  let words;
  if (measure.alarm && price)
    words = html`after a crash nobody leads for ${seconds(price.here)} (half of the runs)${
      price.own === undefined ? '' : `, not ${seconds(price.own)}`
    }.`;
  else if (!measure.alarm && writes >= 0)
    words = html`the Lease is written ${cellText(cell.values[writes])} times a minute${
      mine ? `, not ${cellText(mine.values[writes])}` : ''
    }.`;
  return words
    ? html`<p class="study-verdict" data-tone="fault">${icon('clock')}<span><b>Its price:</b> ${words}</span></p>`
    : nothing;
}

/** @param {MapProps} shown @param {HeatCell} cell @param {CellShown & {detail: Detail}} more @param {CellOn} on */
function runsTemplate({ measure }, cell, { detail, drawn, busy }, on) {
  const [worst] = detail.runs;
  const unit = measure.unit === 's' || measure.id === 'two' ? ' s' : '';
  const value = (/** @type {Listed} */ one) => (unit ? `${cellText(one.value)}${unit}` : cellText(one.value));
  const begins = drawn(worst.seed);
  const fine = detail.runs.filter(({ broke }) => !broke).length;
  return html`<h4><span>Its runs, the worst first</span><small>${formatCount(cell.runs)}</small></h4>
    <ol class="strips">${detail.runs.slice(0, DRAWN).map(
      (one) => html`<li><button type="button" class="quiet" title="Open this run at its worst instant"
        aria-label=${`Open the run of seed ${one.seed}: ${one.text}`} aria-busy=${busy === one.seed ? 'true' : 'false'}
        @click=${() => on.open(one.seed)}>seed ${one.seed}</button>${stripTemplate(drawn(one.seed)?.strip)}
        <b>${value(one)}</b></li>`,
    )}</ol>
    <button type="button" class="btn primary wide" aria-busy=${busy === worst.seed ? 'true' : 'false'}
      @click=${() => on.open(worst.seed)}>Open the worst run${begins ? `, at ${formatInstant(begins.at, 1)}` : ''}</button>
    <div class="pair"><button type="button" class="btn tint" @click=${on.use}>Use these settings</button>
      <button type="button" class="btn tint" @click=${on.copy}>Copy as a command</button></div>
    <details><summary>All figures, and ${
      measure.alarm && fine > 0 ? `${plural(fine, 'run')} without two leaders` : 'all runs'
    }</summary>
      ${detail.figures.map((sentence) => html`<p>${sentence}</p>`)}
      <ol class="heat-runs">${detail.runs.slice(0, LISTED).map(
        ({ seed, text, broke }) => html`<li data-broke=${broke ? 'true' : 'false'}><button type="button" class="quiet"
          @click=${() => on.open(seed)}>Seed ${seed}</button> <span>${text}</span></li>`,
      )}</ol>
      ${detail.runs.length > LISTED ? html`<p class="mute">And ${formatCount(detail.runs.length - LISTED)} more.</p>` : nothing}
    </details>`;
}
