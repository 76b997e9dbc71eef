/** The figure beside each strip of an incident: what the fix changes, in two or three words. */
import { plural } from '../../lib/format.js';
import { lengthOf, totalsOf } from '../../lib/strip.js';

/** @import { Strip } from '../../lib/strip.js' */

/** long: with a verb. @typedef {{words: string, long: string, tone: '' | 'bad' | 'good'}} Figure */

/** What the engine counts in a run, by its name there, and the words for a count. */
const COUNTS = /** @type {[string, (n: number) => string][]} */ ([
  ['staleWritesAccepted', (n) => (n ? plural(n, 'stale write') : 'no stale write')],
  ['resourceOwnedTwice', (n) => (n ? 'two owners' : 'one owner')],
  ['newerThanApiServer', (n) => (n ? 'leader too new' : 'never too new')],
  ['transitionsMiscount', (n) => (n ? plural(n, 'wrong count') : 'counts right')],
  ['nodeReadyMismatch', (n) => (n ? plural(n, 'wrong verdict') : 'none wrong')],
  ['candidateStored', (n) => plural(n, 'answer')],
  ['requestServed', (n) => `${plural(n, 'request')} in 1 s`],
]);

/** @param {Strip} strip @returns {Figure} */
function lengthFigure(strip) {
  const { two, nobody } = totalsOf(strip);
  if (two > 0) return { words: `two ${lengthOf(two)}`, long: `two led for ${lengthOf(two)}`, tone: 'bad' };
  if (nobody >= 50)
    return { words: `nobody ${lengthOf(nobody)}`, long: `nobody led for ${lengthOf(nobody)}`, tone: '' };
  return { words: 'no gap', long: 'no gap', tone: 'good' };
}

/**
 * @param {Strip} failing @param {Strip} fixed @returns {{failing: Figure, fixed: Figure}} lengths, or counts if those
 *   are what the fix changes
 */
export function figuresOf(failing, fixed) {
  const of = (/** @type {Strip} */ strip, /** @type {string} */ name) => strip.counts?.[name] ?? 0;
  const count = COUNTS.find(([name]) => of(failing, name) > of(fixed, name));
  const same = lengthOf(totalsOf(failing).two) === lengthOf(totalsOf(fixed).two);
  if (!count || !same) return { failing: lengthFigure(failing), fixed: lengthFigure(fixed) };
  const [name, say] = count;
  const words = (/** @type {Strip} */ strip) => say(of(strip, name));
  return {
    failing: { words: words(failing), long: words(failing), tone: '' },
    fixed: { words: words(fixed), long: words(fixed), tone: of(fixed, name) ? '' : 'good' },
  };
}

/**
 * What to know about a fix after which two still lead; "" for any other fix.
 * @param {Strip} failing @param {Strip} fixed
 */
export function fenceNote(failing, fixed) {
  const [before, after] = [totalsOf(failing).two, totalsOf(fixed).two];
  if (after === 0) return '';
  if (lengthOf(before) === lengthOf(after))
    return 'Two lead as long as before. The fix is a fence at the data: it refuses the writes of the old leader.';
  return 'The fix shortens it. It cannot end it: only a fence at the data can.';
}
