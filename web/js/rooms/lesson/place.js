/** A place in a lesson in the form of a link: the lesson, a step counted from 1, and the prediction as typed. */
import { parseInstant } from '../../lib/share.js';
import { betText } from './facts.js';
import { stepOfKind } from './lessons.js';
import { sentence } from './words.js';

/** @import { LessonLink } from '../../lib/share.js' */
/** @import { Prediction } from './facts.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { Place, Progress } from './progress.js' */

/**
 * The fragment of a link to a step.
 * @param {Lesson} lesson @param {Pick<Progress, "step" | "bet" | "placed">} progress
 */
export function linkTo({ name }, { step, bet, placed }) {
  const typed = typeof bet === 'number' ? betText(bet) : bet;
  return `lesson=${name}${step > 0 ? `&step=${step + 1}` : ''}${placed === 'bet' ? `&bet=${typed}` : ''}`;
}

/**
 * The lesson that a link names, and the place in that lesson. refusal: the part of the link that does not exist.
 * @param {LessonLink} link @param {Lesson[]} lessons
 * @returns {{lesson?: Lesson, place?: Place, refusal: string}}
 */
export function placeOf({ name, step = 1, bet = '' }, lessons) {
  const lesson = lessons.find((one) => one.name === name || String(one.number) === name);
  if (!lesson) return { refusal: sentence('noLesson', { name: name ?? '' }) };
  const count = lesson.steps.length;
  if (step < 1 || step > count)
    return { lesson, refusal: sentence('noStep', { step, of: count, number: lesson.number }) };
  return { lesson, place: { step: step - 1, bet: predictionOf(bet, lesson) }, refusal: '' };
}

/**
 * @param {string} typed
 * @param {Lesson} lesson
 * @returns {Prediction} null: no prediction, or one that the lesson does not ask for
 */
function predictionOf(typed, lesson) {
  const bet = stepOfKind(lesson, 'bet')?.bet;
  if (!bet || typed === '') return null;
  if (bet.kind === 'choice') return bet.options?.some(({ name }) => name === typed) ? typed : null;
  if (bet.kind === 'count') return /^\d+$/.test(typed) ? Number(typed) : null;
  return parseInstant(typed) ?? null;
}
