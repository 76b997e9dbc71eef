/** The page of lessons: four chapters of four questions, with the visitor's progress in each. */
import { html, nothing, svg } from 'lit-html';
import { icon } from '../../lib/icons.js';
import { when } from '../../lib/parts.js';
import { stripTemplate } from '../../lib/strip.js';
import { stepOfKind } from './lessons.js';
import { sentence } from './words.js';

/** @import { Strips } from '../../lib/strip.js' */
/** @import { SavedPlace, Kept } from './kept.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */

/**
 * @typedef {object} ShelfCallbacks
 * @property {(lesson: Lesson) => void} open opens a lesson where the visitor left it
 * @property {(lesson: Lesson) => void} begin opens a lesson at its first step
 * @property {(lesson: Lesson) => void} clear
 * @property {() => void} clearAll
 * @property {() => void} nextClass
 * @property {() => void} write opens the room in which teachers write lessons
 */
/**
 * left: a lesson whose run is still there.
 * @typedef {{left: {lesson: Lesson, progress: Progress} | null, kept: Kept, strips: Strips}} Shelf
 */

/** The chapters: the names of their sentences, and their lessons by number. */
const CHAPTERS = [
  { title: 'chapter1', rest: 'chapter1Rest', line: 'chapter1Line', numbers: [1, 2, 5, 6] },
  { title: 'chapter2', rest: 'chapter2Rest', line: 'chapter2Line', numbers: [3, 4, 14, 15] },
  { title: 'chapter3', rest: 'chapter3Rest', line: 'chapter3Line', numbers: [7, 8, 9, 10] },
  { title: 'chapter4', rest: 'chapter4Rest', line: 'chapter4Line', numbers: [11, 12, 13, 16] },
];

/**
 * The lesson to go on with: the one that the visitor left, else the next one that is not done.
 * @param {Lesson[]} lessons @param {Shelf} shelf @returns {{lesson: Lesson, step: number}}
 */
export function nextOf(lessons, { left, kept }) {
  if (left?.lesson.number) return { lesson: left.lesson, step: left.progress.step };
  // The last entry is the one that changed last.
  const last = lessons.findIndex(({ name }) => name === Object.keys(kept).at(-1));
  const from = [...lessons.slice(Math.max(0, last)), ...lessons];
  const lesson = from.find(({ name }) => !kept[name]?.done) ?? lessons[0];
  return { lesson, step: kept[lesson.name]?.done ? 0 : (kept[lesson.name]?.step ?? 0) };
}

/** @param {Lesson[]} lessons @param {Shelf} shelf @param {ShelfCallbacks} on */
export function shelfTemplate(lessons, shelf, on) {
  const { lesson, step } = nextOf(lessons, shelf);
  const { number } = lesson;
  const done = lessons.filter(({ name }) => shelf.kept[name]?.done).length;
  return html`<div class="page-head">
      <div>
        <h1 tabindex="-1" autofocus>${sentence('shelfTitle', { count: lessons.length })}</h1>
        <p class="mute">${sentence('shelfLine', { done, of: lessons.length })}</p>
      </div>
      <button type="button" class="btn primary" @click=${() => on.open(lesson)}>${
        step > 0 ? sentence('goOnLesson', { number, step: step + 1 }) : sentence('beginLesson', { number })
      }</button>
      ${dropTemplate(
        sentence('forTeachers'),
        html`<button type="button" class="btn tint" @click=${on.write}>${sentence('write')}</button>
          <button type="button" class="btn tint" @click=${on.nextClass}>${sentence('nextClass')}</button>
          <p>${sentence('presentHow')}</p>
          <p><a href="docs/guarantees.html">${sentence('guarantees')}</a></p>`,
      )}
      ${dropTemplate(sentence('progress'), progressTemplate(lessons, shelf, on))}
    </div>
    ${CHAPTERS.map(
      ({ title, rest, line, numbers }, i) => html`<section class="chapter-row" aria-labelledby=${title}>
        <div>
          <p class="label">${sentence('chapter', { number: i + 1 })}</p>
          <h2 id=${title}>${sentence(title)} <span>${sentence(rest)}</span></h2>
          <p class="mute">${sentence(line)}</p>
        </div>
        ${lessons
          .filter((one) => numbers.includes(one.number))
          .map((one) => cardTemplate(one, { ...shelf, next: one === lesson && step > 0 }, on))}
      </section>`,
    )}`;
}

/** Closes an open list, and not the page. @param {KeyboardEvent} event */
function closeByKey(event) {
  const drop = /** @type {HTMLDetailsElement} */ (event.currentTarget);
  if (event.key !== 'Escape' || !drop.open) return;
  event.preventDefault();
  drop.open = false;
  drop.querySelector('summary')?.focus();
}

/** Closes an open list when the focus leaves it. @param {FocusEvent} event */
function closeBehind({ currentTarget, relatedTarget }) {
  const drop = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (relatedTarget && !drop.contains(/** @type {Node} */ (relatedTarget))) drop.open = false;
}

/** A button that opens a list below it. @param {string} label @param {unknown} contents */
const dropTemplate = (label, contents) => html`<details class="drop" @keydown=${closeByKey} @focusout=${closeBehind}>
    <summary class="btn tint">${label}${icon('chevron')}</summary>
    <div>${contents}</div>
  </details>`;

/**
 * The share of a lesson that the visitor has done, from 0 to 1.
 * @param {Lesson} lesson @param {SavedPlace | undefined} came
 */
const shareOf = ({ steps }, came) => (came?.done ? 1 : (came?.step ?? 0) / steps.length);

/**
 * @param {Lesson} lesson @param {Shelf & {next: boolean}} shelf next: it is the one to go on with
 * @param {ShelfCallbacks} on
 */
function cardTemplate(lesson, { kept, strips, next }, on) {
  const { name, number, question, teaser, steps } = lesson;
  const came = kept[name];
  const bet = stepOfKind(lesson, 'bet');
  const seen = !bet || came?.done || steps.indexOf(bet) < (came?.step ?? 0);
  const strip = strips[`lesson-${number}-${steps.length}`];
  const open = (/** @type {Event} */ event) => {
    event.preventDefault();
    on.open(lesson);
  };
  return html`<a class="lesson-card" href=${`#lesson=${name}`} ?data-next=${next} @click=${open}>
    <h3>${question}</h3>${ringTemplate(shareOf(lesson, came))}
    <p>${teaser}</p>
    ${strip ? stripTemplate(strip, { curtain: seen ? undefined : bet.until / 1e6 }) : nothing}
    <small>${placeText(lesson, came)}</small>
  </a>`;
}

/** @param {Lesson} lesson @param {SavedPlace | undefined} came */
function placeText({ number, steps }, came) {
  if (came?.done) return sentence(came.goal ? 'cardGoal' : 'cardDone', { number });
  return came ? sentence('cardStep', { number, step: came.step + 1, of: steps.length }) : sentence('card', { number });
}

/** @param {number} share done */
const ringTemplate = (share) =>
  html`<svg class="ring" viewBox="0 0 26 26" aria-hidden="true">${
    share === 1
      ? svg`<circle class="full" cx="13" cy="13" r="12" /><path class="tick" d="M8 13.5l3.5 3.5 7-7.5" />`
      : svg`<circle cx="13" cy="13" r="10.5" />${when(
          share > 0,
          () => svg`<circle class="part" cx="13" cy="13" r="10.5" pathLength="100"
              stroke-dasharray=${`${100 * share} 100`} transform="rotate(-90 13 13)" />`,
        )}`
  }</svg>`;

/** @param {Lesson[]} lessons @param {Shelf} shelf @param {ShelfCallbacks} on */
function progressTemplate(lessons, { kept }, on) {
  const begun = lessons.filter(({ name }) => kept[name]);
  if (begun.length === 0) return html`<p>${sentence('progressNone')}</p>`;
  return html`<ul>${begun.map(
    (lesson) => html`<li><span>${placeText(lesson, kept[lesson.name])}</span>
        <button type="button" class="quiet" aria-label=${sentence('beginLesson', { number: lesson.number })}
          @click=${() => on.begin(lesson)}>${sentence('beginAgain')}</button>
        <button type="button" class="quiet" aria-label=${sentence('clearLesson', { number: lesson.number })}
          @click=${() => on.clear(lesson)}>${sentence('clear')}</button></li>`,
  )}</ul>
    <button type="button" class="btn tint" @click=${on.clearAll}>${sentence('clearAll')}</button>`;
}
