/** Draws a heat map: a table as the grid, and its legend. Numbers and words show the same as the colors. */
import { html, nothing } from 'lit-html';
import { plural } from '../../lib/format.js';
import { when } from '../../lib/parts.js';
import { COARSE, placeOf, valueText } from './axis.js';

/** @import { HeatCell, HeatPlan, Measure } from '../../protocol.js' */

/** A value in the few characters that fit into a cell: 0, 0.25, 14.0, 137. @param {number} value */
export function cellText(value) {
  if (value === 0) return '0';
  return value.toFixed(value >= 100 ? 0 : value >= 1 ? 1 : 2);
}

/** A lower bound in even fewer characters, rounded down: 9.7, 59. @param {number} value */
export const roundDown = (value) =>
  value >= 10 ? String(Math.floor(value)) : (Math.floor(value * 10) / 10).toFixed(1);

/** A figure of a cell with its unit. @param {HeatCell} cell @param {number} index @param {Measure} measure */
export const figureText = ({ values, atLeast }, index, { unit }) =>
  `${atLeast[index] ? `at least ${roundDown(values[index])}` : cellText(values[index])}${unit && ` ${unit}`}`;

/**
 * How bad each value is, from 0 to 1. A measure that counts violations is 0 only where there are none.
 * @param {(number | undefined)[]} values @param {Measure} measure @returns {(number | undefined)[]}
 */
export function shades(values, { alarm, least }) {
  const known = values.filter((value) => value !== undefined);
  const low = alarm ? 0 : Math.min(...known);
  const range = Math.max(...known) - low;
  return values.map((value) => {
    if (value === undefined || range === 0) return value === undefined ? undefined : 0;
    return least ? 1 - (value - low) / range : (value - low) / range;
  });
}

/** The real components with the settings of a cell. @param {HeatPlan} plan @param {number} at */
export const namesOf = ({ presets }, at) => presets.filter(({ cell }) => cell === at).map(({ name }) => name);

/** A field of an axis. @typedef {{path: string, label: string}} Named */
/**
 * @typedef {object} MapProps
 * @property {HeatPlan} plan
 * @property {(HeatCell | undefined)[]} cells
 * @property {number} seeds of a finished cell
 * @property {{x: Named, y: Named}} fields
 * @property {Measure} measure
 * @property {number} index of the measure
 * @property {number} own cell: the settings of the run; -1: not on this map
 * @property {number} chosen cell, -1: none
 */

/**
 * The words of a cell for a screen reader.
 * @param {MapProps} shown @param {number} i @param {string | undefined} rule
 */
export function cellLabel(shown, i, rule) {
  const { plan, cells, measure, index, own } = shown;
  const place = [placeOf(shown, i), i === own ? 'your settings' : '', ...namesOf(plan, i)].filter(Boolean).join(', ');
  if (rule !== undefined) return `${place}: refused, ${rule}`;
  const cell = cells[i];
  return cell ? `${place}: ${figureText(cell, index, measure)}, ${plural(cell.runs, 'run')}` : `${place}: not run yet`;
}

/**
 * The first cell for the keyboard: the run's own, or else one with runs. It is not the first corner, because the engine
 * often refuses those values.
 * @param {Pick<MapProps, 'plan' | 'own'>} shown
 */
export function entryOf({ plan: { x, y, refused }, own }) {
  if (own >= 0) return own;
  const rules = new Set(refused.map(({ cell }) => cell));
  const all = Array.from({ length: x.length * y.length }, (_, i) => i);
  return all.find((i) => !rules.has(i)) ?? 0;
}

/**
 * The grid: the largest value of the vertical field is on top.
 * @param {MapProps} shown
 * @param {(cell: number) => void} choose
 */
export function gridTemplate(shown, choose) {
  const { plan, cells, fields, measure, index, own, chosen, seeds } = shown;
  const rules = new Map(plan.refused.map(({ cell, rule }) => [cell, rule]));
  const shade = shades(
    Array.from({ length: plan.x.length * plan.y.length }, (_, i) => cells[i]?.values[index]),
    measure,
  );
  const columns = plan.x.length;
  const stop = chosen >= 0 ? chosen : entryOf(shown);
  const cellTemplate = (/** @type {number} */ i) => {
    const rule = rules.get(i);
    const cell = cells[i];
    const state = rule !== undefined ? 'refused' : !cell ? 'open' : cell.runs < seeds ? 'preview' : 'whole';
    const value = cell && rule === undefined ? cell.values[index] : undefined;
    const never = measure.alarm && value === 0;
    const text = value === undefined ? '' : cell?.atLeast[index] ? `≥${roundDown(value)}` : cellText(value);
    return html`<td role="gridcell" data-cell=${i} data-state=${state} data-never=${never ? 'true' : nothing}
      data-own=${i === own ? 'true' : nothing} tabindex=${i === stop ? '0' : '-1'}
      aria-selected=${i === chosen ? 'true' : 'false'} .style=${`--of:${shade[i] ?? 0}`}
      aria-label=${cellLabel(shown, i, rule)}
      @click=${() => choose(i)}>${never ? 'never' : text}</td>`;
  };
  const rows = plan.y.map((value, y) => ({ value, y })).reverse();
  return html`<table role="grid" class="heat" data-alarm=${measure.alarm || measure.least ? 'true' : 'false'}
    data-large=${plan.x.length > COARSE ? 'true' : 'false'}
    aria-label=${`${measure.label}, by “${fields.x.label}” and “${fields.y.label}”`}
      @keydown=${(/** @type {KeyboardEvent} */ event) => moveIn(event, plan.x.length, plan.y.length, choose)}>
    <tbody>${rows.map(
      ({ value, y }) =>
        html`<tr role="row"><th role="rowheader"
          scope="row">${valueText(value)}</th>${plan.x.map((_, x) => cellTemplate(y * columns + x))}</tr>`,
    )}</tbody>
    <tfoot><tr role="row"><td></td>${plan.x.map(
      (value) => html`<th role="columnheader" scope="col">${valueText(value)}</th>`,
    )}</tr></tfoot>
  </table>`;
}

/**
 * The cell that an arrow key moves to; undefined for any other key.
 * @param {string} key
 * @param {number} from
 * @param {number} columns
 * @param {number} rows
 */
export function moveTo(key, from, columns, rows) {
  const x = from % columns;
  const y = Math.floor(from / columns);
  /** @type {Record<string, [number, number]>} */
  const to = {
    ArrowLeft: [x - 1, y],
    ArrowRight: [x + 1, y],
    ArrowUp: [x, y + 1],
    ArrowDown: [x, y - 1],
    Home: [0, y],
    End: [columns - 1, y],
    PageUp: [x, rows - 1],
    PageDown: [x, 0],
  };
  if (!to[key]) return undefined;
  const clamp = (/** @type {number} */ value, /** @type {number} */ limit) => Math.min(limit - 1, Math.max(0, value));
  return clamp(to[key][1], rows) * columns + clamp(to[key][0], columns);
}

/** @param {KeyboardEvent} event @param {number} columns @param {number} rows @param {(cell: number) => void} choose */
function moveIn(event, columns, rows, choose) {
  const origin = /** @type {HTMLElement} */ (event.target).closest('td');
  if (!origin || event.ctrlKey || event.metaKey || event.altKey) return;
  const from = Number(origin.dataset.cell);
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    choose(from);
    return;
  }
  const to = moveTo(event.key, from, columns, rows);
  if (to === undefined) return;
  event.preventDefault();
  const grid = /** @type {HTMLElement} */ (event.currentTarget);
  const target = /** @type {HTMLElement | null} */ (grid.querySelector(`[data-cell="${to}"]`));
  origin.tabIndex = -1;
  if (!target) return;
  target.tabIndex = 0;
  target.focus();
}

/**
 * The scale of the colors, and what the marks mean.
 * @param {MapProps} shown
 */
export function legendTemplate({ plan, cells, measure, index, own }) {
  const known = cells.filter((cell) => cell !== undefined);
  const order = [...known].sort((a, b) => a.values[index] - b.values[index]);
  if (measure.least) order.reverse();
  const [best, worst] = [order[0], order.at(-1)];
  const [x, y] = [plan.x[own % plan.x.length], plan.y[Math.floor(own / plan.x.length)]];
  return html`<div class="heat-legend" data-alarm=${measure.alarm || measure.least ? 'true' : 'false'}>
    ${when(
      best && worst,
      () =>
        html`<span class="heat-scale">${
          measure.alarm ? html`<b>never</b>` : figureText(best, index, measure)
        }<i></i>${figureText(worst ?? best, index, measure)}</span>`,
    )}
    <span class="spacer"></span>
    ${when(own >= 0, () => html`<span class="mute heat-mine"><i></i> yours: ${valueText(x)} / ${valueText(y)}</span>`)}
  </div>`;
}

/** What the map does not show in color. @param {MapProps} shown */
export const notesTemplate = ({ plan: { refused }, cells, index }) => html`<div class="heat-notes mute">
    ${when(
      refused.length > 0,
      () => html`<p>Empty: client-go refuses ${plural(refused.length, 'combination')}. Choose one to read why.</p>`,
    )}
    ${when(
      cells.some((cell) => cell?.atLeast[index]),
      () => html`<p>≥: some runs end before a leader returns. A longer duration shows the whole length.</p>`,
    )}
  </div>`;
