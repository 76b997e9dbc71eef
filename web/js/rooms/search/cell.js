/** The panel of the chosen cell: what its runs have in common, its price, and its runs, the worst first. */
import { html, nothing } from 'lit-html';
import { formatCount, formatInstant, plural } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { button, when } from '../../lib/parts.js';
import { placeOf } from './axis.js';
import { cellText, figureText, namesOf } from './map.js';
import { stripRoom } from './strip.js';

/** @import { Detail, HeatCell, Listed } from '../../protocol.js' */
/** @import { MapProps } from './map.js' */
/** @import { Strip } from '../../lib/strip.js' */

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
/** @typedef {{open: (seed: number) => void, use: () => void, copy: () => void}} CellOn */

/** @param {MapProps} shown @param {CellShown} more @param {CellOn} on */
export function cellTemplate(shown, more, on) {
  const { plan, cells, chosen, own } = shown;
  const cell = cells[chosen];
  const names = namesOf(plan, chosen).join(', ');
  return html`<div aria-live="polite"><p class="label">${chosen === own ? 'Your settings' : 'The chosen cell'}</p>
    <h2>${placeOf(shown, chosen)}</h2>
    ${when(names, () => html`<p class="mute">${names}</p>`)}
    ${when(more.rule, () => html`<p class="lead">client-go refuses these values: ${more.rule}</p>`)}
    ${cell ? leadTemplate(shown, cell, more.price) : nothing}</div>
    ${cell && more.detail ? runsTemplate(shown, more.detail, more, on) : nothing}
    ${when(cell && !more.detail, () => html`<p class="mute" role="status">Making its runs…</p>`)}`;
}

/**
 * What the runs have in common, and what the settings cost.
 * @param {MapProps} shown @param {HeatCell} cell @param {Price | undefined} price
 */
function leadTemplate({ plan, cells, own, chosen, measure, index }, cell, price) {
  const { runs, values } = cell;
  const at = (/** @type {string} */ id) => plan.measures.findIndex((one) => one.id === id);
  const two = Math.round((values[at('two')] / 100) * runs);
  const longest = figureText(cell, at('doubleMax'), plan.measures[at('doubleMax')]);
  const lead = measure.alarm
    ? html`<b class=${two > 0 ? 'bad' : ''}>${two > 0 ? formatCount(two) : 'None'} of ${plural(runs, 'run')}</b> had two
        leaders${when(two > 0, () => html`, for up to <b>${longest}</b>`)}.`
    : html`${measure.label}: <b>${figureText(cell, index, measure)}</b>.`;
  const mine = own !== chosen ? cells[own]?.values[at('writes')] : undefined;
  const [here, before, unit] = measure.alarm
    ? [price?.here, price?.own, 's without a leader after a crash, in half of the runs']
    : [values[at('writes')], mine, 'writes of the Lease a minute'];
  const words = `${cellText(here ?? 0)} ${unit}${before === undefined ? '' : `, not ${cellText(before)}`}.`;
  return html`<p class="lead">${lead}</p>
    ${when(
      here !== undefined,
      () =>
        html`<p class="study-verdict" data-tone="fault">${icon('clock')}<span><b>Its price:</b> ${words}</span></p>`,
    )}`;
}

/** @param {MapProps} shown @param {Detail} detail @param {CellShown} more @param {CellOn} on */
function runsTemplate({ measure }, { runs, figures }, { drawn, busy }, on) {
  const unit = measure.unit === 's' || measure.id === 'two' ? ' s' : '';
  const [{ seed: worst }] = runs;
  const begins = drawn(worst);
  const link = (/** @type {Listed} */ { seed, text }) => html`<button type="button" class="quiet"
    aria-label=${`Open the run of seed ${seed} at its worst instant: ${text}`}
    aria-busy=${busy === seed ? 'true' : 'false'} @click=${() => on.open(seed)}>seed ${seed}</button>`;
  return html`<h3><span>Its runs, the worst first</span><small>${formatCount(runs.length)}</small></h3>
    <ol class="strips">${runs
      .slice(0, DRAWN)
      .map(
        (one) => html`<li>${link(one)}${stripRoom(drawn(one.seed)?.strip)}<b>${cellText(one.value)}${unit}</b></li>`,
      )}</ol>
    ${button(
      `Open the worst run${begins ? `, at ${formatInstant(begins.at, 1)}` : ''}`,
      () => on.open(worst),
      'primary wide',
    )}
    <div class="pair">${button('Use these settings', on.use)} ${button('Copy as a command', on.copy)}</div>
    <details><summary>All figures and runs</summary>${figures.map((sentence) => html`<p>${sentence}</p>`)}
      <ol class="heat-runs">${runs
        .slice(0, LISTED)
        .map((one) => html`<li data-broke=${one.broke ? 'true' : 'false'}>${link(one)} <span>${one.text}</span></li>`)}
      </ol>
      ${when(runs.length > LISTED, () => html`<p class="mute">And ${formatCount(runs.length - LISTED)} more.</p>`)}
    </details>`;
}
