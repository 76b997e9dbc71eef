/** A heat map as a table for a spreadsheet. */

/** @import { HeatCell, HeatPlan } from '../../protocol.js' */

/**
 * atLeast names the measures that are lower bounds.
 * @param {HeatPlan} plan
 * @param {(HeatCell | undefined)[]} cells
 * @param {{x: string, y: string}} paths
 */
export function csvOf(plan, cells, paths) {
  const columns = plan.x.length;
  const rules = new Map(plan.refused.map(({ cell, rule }) => [cell, rule]));
  const quoteCell = (/** @type {string | number} */ text) =>
    /[",\n]/.test(String(text)) ? `"${String(text).replaceAll('"', '""')}"` : String(text);
  const rows = [[paths.y, paths.x, 'runs', ...plan.measures.map(({ id }) => id), 'atLeast', 'refused']];
  for (let i = 0; i < columns * plan.y.length; i++) {
    const cell = cells[i];
    const values = plan.measures.map((_, k) => (cell ? String(cell.values[k]) : ''));
    const place = [plan.y[Math.floor(i / columns)], plan.x[i % columns]];
    const atLeast = plan.measures.filter((_, k) => cell?.atLeast[k]).map(({ id }) => id);
    if (cell || rules.has(i))
      rows.push([...place, String(cell?.runs ?? 0), ...values, atLeast.join(' '), rules.get(i) ?? '']);
  }
  return rows.map((row) => `${row.map(quoteCell).join(',')}\n`).join('');
}
