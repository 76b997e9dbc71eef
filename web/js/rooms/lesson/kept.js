/** The progress of a visitor through the lessons. The progress stays in this browser and needs no account. */
import { isListOf, isObject, isText, isWhole } from '../../lib/shape.js';
import { readStoredJson, writeStored } from '../../lib/stored.js';

/** @import { Prediction } from './facts.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */

/**
 * How far a visitor got in a lesson. step: counted from 0; done: the visitor answered the question; goal: the visitor
 * reached it.
 * @typedef {{step: number, bet: Prediction, answered: string[], done: boolean, goal: boolean}} SavedPlace
 */
/** The saved places by lesson name. @typedef {Record<string, SavedPlace>} Kept */

/** The storage key. Each site of an origin has its own key. */
const store = () => `leaselab lessons ${new URL('.', document.baseURI).pathname}`;
/** More lessons than any course has. */
const MOST = 1000;

/** @param {unknown} came @returns {came is SavedPlace} */
const isSavedPlace = (came) =>
  isObject(came) &&
  isWhole(came.step) &&
  (came.bet === null || isText(came.bet) || isWhole(came.bet)) &&
  isListOf(came.answered, isText) &&
  typeof came.done === 'boolean' &&
  typeof came.goal === 'boolean';

/**
 * The valid progress in a stored value. parseKept drops everything else, because any page of the origin can write to
 * the storage.
 * @param {unknown} value
 * @returns {Kept}
 */
function parseKept(value) {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).slice(0, MOST);
  return /** @type {Kept} */ (
    Object.fromEntries(entries.filter(([name, came]) => /^[a-z0-9-]+$/.test(name) && isSavedPlace(came)))
  );
}

export const readKept = () => parseKept(readStoredJson(store()));

/** @param {Kept} kept */
export const writeKept = (kept) => writeStored(store(), JSON.stringify(kept));

/** @param {Lesson} lesson @param {Progress} now @param {boolean} reached the goal @returns {SavedPlace} */
export function savedPlaceOf(lesson, { step, bet, placed, answered }, reached) {
  const done = answered.length > 0 && step === lesson.steps.length - 1;
  return { step, bet: placed === 'bet' ? bet : null, answered, done, goal: reached };
}
