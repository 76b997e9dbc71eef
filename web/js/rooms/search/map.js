/**
 * Draws a heat map: a table as the grid, its legend, the runs of a cell. Numbers and hatching show the same as the
 * colors.
 */
import { html, nothing } from 'lit-html';
import { formatCount, plural } from '../../lib/format.js';

/** @import { Bin, Detail, HeatCell, HeatPlan, Measure } from '../../protocol.js' */

/** How many shades there are. */
const LEVELS = 8;

/** A value in the few characters that fit into a cell: 0, 0.25, 14.0, 137. @param {number} value */
export function cellText(value) {
  if (value === 0) return '0';
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

/** A lower bound in even fewer characters, rounded down: 9.7, 59. @param {number} value */
export function roundDown(value) {
  return value >= 10 ? String(Math.floor(value)) : (Math.floor(value * 10) / 10).toFixed(1);
}

/** A value with its unit. @param {number} value @param {Measure} measure @param {boolean} atLeast */
const withUnit = (value, { unit }, atLeast) =>
  `${atLeast ? `at least ${roundDown(value)}` : cellText(value)}${unit && ` ${unit}`}`;

/** A short name for a path: leaseDuration, actions[0].at. @param {string} path */
export const nameOf = (path) => (path.startsWith('actions') ? path : (path.split('.').at(-1) ?? path));

/**
 * The shade of each value, where 0 is the best. A measure that counts violations has no shade for 0.
 * @param {(number | undefined)[]} values @param {Measure} measure @returns {(number | undefined)[]}
 */
export function shades(values, { alarm, least }) {
  const known = values.filter((value) => value !== undefined);
  const low = alarm ? 0 : Math.min(...known);
  const range = Math.max(...known) - low;
  return values.map((value) => {
    if (value === undefined) return undefined;
    if (range === 0) return 0;
    const share = (value - low) / range;
    const level = Math.round((least ? 1 - share : share) * LEVELS);
    return alarm && value > 0 ? Math.max(1, level) : level;
  });
}

/** The letters of the presets in a cell. @param {HeatPlan} plan @param {number} cell */
const lettersOf = ({ presets }, cell) =>
  presets.map((preset, i) => (preset.cell === cell ? String.fromCharCode(65 + i) : '')).join('');

/**
 * The names of the presets in a cell, each with the settings in which the preset differs.
 * @param {HeatPlan} plan @param {number} at
 */
const namesOf = ({ presets }, at) =>
  presets.filter(({ cell }) => cell === at).map(({ name, differs }) => (differs ? `${name} (${differs})` : name));

/**
 * @typedef {object} MapProps
 * @property {HeatPlan} plan
 * @property {(HeatCell | undefined)[]} cells
 * @property {number} seeds of a finished cell
 * @property {{x: string, y: string}} paths
 * @property {Measure} measure
 * @property {number} index of the measure
 * @property {number} chosen cell, -1: none
 */

/**
 * The words of a cell for a screen reader.
 * @param {MapProps} shown @param {number} i @param {string | undefined} rule
 */
export function cellLabel({ plan, cells, paths, measure, index }, i, rule) {
  const columns = plan.x.length;
  const place = `${nameOf(paths.x)} ${plan.x[i % columns]}, ${nameOf(paths.y)} ${plan.y[Math.floor(i / columns)]}`;
  const names = namesOf(plan, i);
  const preset = names.length > 0 ? `, ${names.join(', ')}` : '';
  if (rule !== undefined) return `${place}${preset}: refused, ${rule}`;
  const cell = cells[i];
  return cell
    ? `${place}${preset}: ${withUnit(cell.values[index], measure, cell.atLeast[index])}, ${plural(cell.runs, 'run')}`
    : `${place}${preset}: not run yet`;
}

/**
 * The first cell for the keyboard: a preset, or else a cell with runs. It is not the first corner, because the engine
 * often refuses those values.
 * @param {HeatPlan} plan
 */
export function entryOf({ x, y, presets, refused }) {
  const preset = presets.find(({ cell }) => cell >= 0);
  if (preset) return preset.cell;
  const rules = new Set(refused.map(({ cell }) => cell));
  const some = Array.from({ length: x.length * y.length }, (_, i) => i).find((i) => !rules.has(i));
  return some ?? 0;
}

/**
 * The grid: the largest value of the vertical field is on top.
 * @param {MapProps} shown
 * @param {(cell: number) => void} choose
 */
export function gridTemplate(shown, choose) {
  const { plan, cells, paths, measure, index, chosen, seeds } = shown;
  const rules = new Map(plan.refused.map(({ cell, rule }) => [cell, rule]));
  const shade = shades(
    Array.from({ length: plan.x.length * plan.y.length }, (_, i) => cells[i]?.values[index]),
    measure,
  );
  const columns = plan.x.length;
  const stop = chosen >= 0 ? chosen : entryOf(plan);
  const cellTemplate = (/** @type {number} */ i) => {
    const rule = rules.get(i);
    const cell = cells[i];
    const state = rule !== undefined ? 'refused' : !cell ? 'open' : cell.runs < seeds ? 'preview' : 'whole';
    const value = cell && rule === undefined ? cell.values[index] : undefined;
    const text = value === undefined ? nothing : cell?.atLeast[index] ? `≥${roundDown(value)}` : cellText(value);
    return html`<td role="gridcell" data-cell=${i} data-state=${state} data-shade=${shade[i] ?? nothing}
      tabindex=${i === stop ? '0' : '-1'} aria-selected=${i === chosen ? 'true' : 'false'}
      aria-label=${cellLabel(shown, i, rule)}
      @click=${() => choose(i)}>${text}<sup aria-hidden="true">${lettersOf(plan, i)}</sup></td>`;
  };
  const rows = plan.y.map((value, y) => ({ value, y })).reverse();
  return html`<table role="grid" class="heat" data-alarm=${measure.alarm || measure.least ? 'true' : 'false'}
    aria-label=${`${measure.label} by ${nameOf(paths.x)} and ${nameOf(paths.y)}`}
      @keydown=${(/** @type {KeyboardEvent} */ event) => moveIn(event, plan.x.length, plan.y.length, choose)}>
    <caption>${nameOf(paths.y)} ↑, ${nameOf(paths.x)} →</caption>
    <tbody>${rows.map(
      ({ value, y }) =>
        html`<tr role="row"><th role="rowheader"
          scope="row">${value}</th>${plan.x.map((_, x) => cellTemplate(y * columns + x))}</tr>`,
    )}</tbody>
    <tfoot><tr role="row"><td></td>${plan.x.map(
      (value) => html`<th role="columnheader" scope="col">${value}</th>`,
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
 * The number of cells with two leaders at once, for a measure that does not show this.
 * @param {Pick<MapProps, "plan" | "cells" | "measure">} shown
 */
export function hiddenOverlaps({ plan, cells, measure }) {
  const two = plan.measures.findIndex(({ id }) => id === 'two');
  return measure.alarm || two < 0 ? 0 : cells.filter((cell) => (cell?.values[two] ?? 0) > 0).length;
}

/** What the marks mean. @param {MapProps} shown */
export function legendTemplate({ plan: { presets, refused }, cells, index, seeds }) {
  const early = cells.find((cell) => cell && cell.runs < seeds);
  return html`<ul class="heat-legend">
    ${presets.map(
      ({ name, says, cell, differs }, i) =>
        html`<li title=${says}><b>${String.fromCharCode(65 + i)}</b> ${name}${
          cell < 0
            ? html` <span class="mute">(not on this map: ${says})</span>`
            : differs
              ? html` <span class="mute">(${differs})</span>`
              : nothing
        }</li>`,
    )}
    ${
      refused.length > 0
        ? html`<li><span class="heat-hatched" aria-hidden="true"></span> ${plural(refused.length, 'combination')} that
          client-go refuses: choose one to read why</li>`
        : nothing
    }
    <li>a stronger shade is worse</li>
    ${early ? html`<li><i>in italics</i> ${plural(early.runs, 'run')} of ${formatCount(seeds)} so far</li>` : nothing}
    ${
      cells.some((cell) => cell?.atLeast[index])
        ? html`<li><b>≥</b> some runs end too early: a longer duration shows the whole length</li>`
        : nothing
    }
  </ul>`;
}

/** How many runs the list shows at first. */
const LISTED = 50;

/**
 * The sentence about the chosen cell: why the engine refuses its values, or what its runs have in common.
 * @param {MapProps} shown
 * @param {Detail | null} detail null while the engine computes it
 * @param {string} [rule] the rule that refuses it
 */
export function toldTemplate(shown, detail, rule) {
  const { plan, cells, chosen, paths } = shown;
  const columns = plan.x.length;
  const x = plan.x[chosen % columns];
  const y = plan.y[Math.floor(chosen / columns)];
  const names = namesOf(plan, chosen);
  const head = html`<h3>${nameOf(paths.x)} ${x}, ${nameOf(paths.y)} ${y}</h3>
    ${names.length > 0 ? html`<p class="mute">${names.join(', ')}</p>` : nothing}`;
  if (rule !== undefined) return html`${head}<p class="heat-rule">${rule}</p>`;
  if (!cells[chosen]) return html`${head}<p class="mute">This cell has no runs yet.</p>`;
  if (!detail) return html`${head}<p class="mute">Making its runs…</p>`;
  return html`${head}${detail.figures.map((sentence) => html`<p>${sentence}</p>`)}`;
}

/**
 * The runs of the chosen cell: a histogram of their values, and a button for each run.
 * @param {MapProps} shown @param {Detail} detail
 * @param {{open: (seed: number) => void, busy: number}} more busy: the seed whose run the page is opening; -1 for none
 */
export function runsTemplate({ measure }, { bins, runs }, { open, busy }) {
  // The order of the runs, unless the words beside it name the measure.
  const orderText = (/** @type {number} */ value) =>
    measure.unit === 'per min' || measure.unit === '' ? `${withUnit(value, measure, false)}, ` : '';
  return html`${binsTemplate(bins)}
    <h4>Its runs, the worst first</h4>
    <ol class="heat-runs">${runs.slice(0, LISTED).map(
      ({ seed, value, text, broke }) =>
        html`<li><button type="button" title="Open this run at its worst instant"
            data-broke=${broke ? 'true' : 'false'} aria-busy=${busy === seed ? 'true' : 'false'}
            @click=${() => open(seed)}><b>Seed ${seed}</b>
            <span>${broke ? '! ' : ''}${orderText(value)}${text}</span></button></li>`,
    )}</ol>
    ${runs.length > LISTED ? html`<p class="mute">And ${formatCount(runs.length - LISTED)} more.</p>` : nothing}`;
}

/** @param {Bin[]} bins */
function binsTemplate(bins) {
  const most = Math.max(...bins.map(({ runs }) => runs));
  return html`<table class="heat-bins"><caption class="visually-hidden">How many runs have which value</caption><tbody>
    ${bins.map(
      ({ runs, label }) =>
        html`<tr><th scope="row">${label}</th><td><span class="heat-bar"
          .style=${`--share:${runs / most}`}></span></td><td>${runs}</td></tr>`,
    )}
  </tbody></table>`;
}
