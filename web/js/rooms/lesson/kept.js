/**
 * The progress of a visitor through the lessons: kept in this browser only, and written to a file or read from one when
 * the visitor wants that. There is no account.
 */
import { isListOf, isObject, isText, isWhole } from '../../lib/shape.js';
import { sentence } from './words.js';

/** @import { Prediction } from './facts.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */

/**
 * How far a visitor came in a lesson. step: counted from 0; done: the question was answered; goal: it was reached.
 * @typedef {{step: number, bet: Prediction, answered: string[], done: boolean, goal: boolean}} Came
 */
/** By the names of the lessons. @typedef {Record<string, Came>} Kept */

/** Each site of an origin has its own entry. */
const store = () => `leaselab lessons ${new URL('.', document.baseURI).pathname}`;
/** No lesson has more; a file that says so is none of ours. */
const MOST = 1000;

/** @param {unknown} came @returns {came is Came} */
function isCame(came) {
  return (
    isObject(came) &&
    isWhole(came.step) &&
    (came.bet === null || isText(came.bet) || isWhole(came.bet)) &&
    isListOf(came.answered, isText) &&
    typeof came.done === 'boolean' &&
    typeof came.goal === 'boolean'
  );
}

/**
 * What a value has of progress; the rest is left out, because any page of the origin can write it.
 * @param {unknown} value
 * @returns {Kept}
 */
function keptIn(value) {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).slice(0, MOST);
  return /** @type {Kept} */ (
    Object.fromEntries(entries.filter(([name, came]) => /^[a-z0-9-]+$/.test(name) && isCame(came)))
  );
}

/** @returns {Kept} */
export function readKept() {
  try {
    return keptIn(JSON.parse(localStorage.getItem(store()) ?? '{}'));
  } catch {
    return {};
  }
}

/** @param {Kept} kept */
export function writeKept(kept) {
  try {
    localStorage.setItem(store(), JSON.stringify(kept));
  } catch {
    // The lessons also work in a browser without storage.
  }
}

/** @param {Lesson} lesson @param {Progress} now @param {boolean} reached the goal @returns {Came} */
export function cameOf(lesson, { step, bet, placed, answered }, reached) {
  const done = answered.length > 0 && step === lesson.steps.length - 1;
  return { step, bet: placed === 'bet' ? bet : null, answered, done, goal: reached };
}

/** The further of two, with everything that either has. @param {Came | undefined} a @param {Came} b @returns {Came} */
export function further(a, b) {
  if (!a) return b;
  const ahead = a.done !== b.done ? (a.done ? a : b) : a.step > b.step ? a : b;
  const answered = [...new Set([...a.answered, ...b.answered])];
  return { ...ahead, bet: ahead.bet ?? a.bet ?? b.bet, answered, done: a.done || b.done, goal: a.goal || b.goal };
}

/** Adds progress to progress: of each lesson the further. @param {Kept} mine @param {Kept} added @returns {Kept} */
export function merged(mine, added) {
  const all = { ...mine };
  for (const [name, came] of Object.entries(added)) all[name] = further(mine[name], came);
  return all;
}

const HEAD = { apiVersion: 'leaselab.dev/v1alpha1', kind: 'LessonProgress' };

/** @param {Kept} kept @returns {string} */
export function fileOf(kept) {
  return `${JSON.stringify({ ...HEAD, lessons: kept }, null, 2)}\n`;
}

/** @param {string} name @param {string} text @returns {Kept} an error says what is wrong with the file */
export function keptFrom(name, text) {
  /** @type {unknown} */
  let document;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error(sentence('progressNoJson', { file: name }));
  }
  if (!isObject(document) || document.kind !== HEAD.kind) {
    throw new Error(sentence('progressNone', { file: name, kind: HEAD.kind }));
  }
  const lessons = isObject(document.lessons) ? document.lessons : {};
  const kept = keptIn(lessons);
  const wrong = Object.keys(lessons).find((lesson) => !(lesson in kept));
  if (wrong !== undefined) throw new Error(sentence('progressWrong', { file: name, lesson: wrong }));
  return kept;
}
