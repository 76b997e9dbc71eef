/** What a map answers, in one sentence and a few figures. */
import { formatCount, plural } from '../../lib/format.js';
import { placeOf, valueText } from './axis.js';
import { figureText } from './map.js';

/** @import { MapProps } from './map.js' */

/** How many columns or rows two cells are apart. @param {number} a @param {number} b @param {number} columns */
const distance = (a, b, columns) =>
  Math.max(Math.abs((a % columns) - (b % columns)), Math.abs(Math.floor(a / columns) - Math.floor(b / columns)));

/**
 * The answer of a map as it stands; undefined before its first figure.
 * @param {MapProps} shown @param {string} run the run's title
 * @returns {{title: string, sub: string} | undefined}
 */
export function answerOf(shown, run) {
  const { cells, measure, index, own, seeds } = shown;
  const known = cells.flatMap((cell) => (cell ? [{ at: cell.cell, value: cell.values[index], cell }] : []));
  if (known.length === 0) return undefined;
  const runs = Math.max(...known.map(({ cell }) => cell.runs));
  const made = runs < seeds ? `${plural(runs, 'run')} each so far` : `${plural(runs, 'run')} each`;
  const sub = [`${run.replace(/\.$/, '')}.`, `${plural(known.length, 'setting')}, ${made}.`];
  const mine = known.find(({ at }) => at === own);
  const text = (/** @type {typeof known[number]} */ one) => figureText(one.cell, index, measure);
  if (measure.alarm) return alarmAnswer(shown, { known, mine, sub });
  const order = [...known].sort((a, b) => (measure.least ? b.value - a.value : a.value - b.value));
  const [best, worst] = [order[0], /** @type {typeof known[number]} */ (order.at(-1))];
  sub.push(
    best.value === worst.value
      ? `The same everywhere: ${text(best)}.`
      : `Best: ${text(best)} (${placeOf(shown, best.at)}). Worst: ${text(worst)} (${placeOf(shown, worst.at)}).`,
  );
  const gap = measure.id.startsWith('leaderless');
  const title = gap
    ? `Nobody leads for up to ${text(mine ?? worst)}${mine ? ' with your settings' : ''}`
    : mine
      ? `${measure.label}: ${text(mine)} with your settings`
      : `${measure.label}: ${text(best)} to ${text(worst)}`;
  return { title, sub: sub.join(' ') };
}

/**
 * @param {MapProps} shown
 * @param {{known: {at: number, value: number, cell: import('../../protocol.js').HeatCell}[], mine?: {value: number,
 *   cell: import('../../protocol.js').HeatCell}, sub: string[]}} found
 */
function alarmAnswer(shown, { known, mine, sub }) {
  const { plan, fields, own } = shown;
  const columns = plan.x.length;
  const safe = known.filter(({ value }) => value === 0);
  const two = plan.measures.findIndex(({ id }) => id === 'two');
  if (mine && mine.value > 0 && two >= 0) {
    const { runs, values } = mine.cell;
    const share = Math.round((values[two] / 100) * runs);
    const some = share === runs ? `all ${plural(runs, 'run')}` : `${formatCount(share)} of ${plural(runs, 'run')}`;
    sub.push(`With your settings two led in ${some}.`);
  }
  const from = safeFrom(shown, known);
  if (from) sub.push(`Never at “${fields.x.label}” ${valueText(from)} or more.`);
  else if (safe.length > 0 && safe.length < known.length) sub.push(`Never in ${safe.length} of these settings.`);
  const nearest = [...safe].sort((a, b) => distance(a.at, own, columns) - distance(b.at, own, columns))[0];
  let title = `${safe.length} of ${known.length} settings avoid two leaders`;
  if (safe.length === 0) title = 'No setting on this map avoids two leaders';
  else if (safe.length === known.length) title = 'No setting here has two leaders';
  else if (mine?.value === 0) title = 'Your settings avoid two leaders';
  else if (mine)
    title =
      distance(nearest.at, own, columns) > 1
        ? 'No setting near yours avoids two leaders'
        : `${placeOf(shown, nearest.at)}: no two leaders`;
  return { title, sub: sub.join(' ') };
}

/**
 * The first value across from which on no setting has the violation, after some that have it.
 * @param {MapProps} shown @param {{at: number, value: number}[]} known
 */
function safeFrom({ plan }, known) {
  const columns = plan.x.length;
  const broken = known.filter(({ value }) => value > 0).map(({ at }) => at % columns);
  const next = Math.max(-1, ...broken) + 1;
  return broken.length > 0 && next < columns && known.some(({ at }) => at % columns === next)
    ? plan.x[next]
    : undefined;
}
