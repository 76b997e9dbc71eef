/** The list of lessons, with the visitor's progress in each. */
import { html, nothing } from 'lit-html';
import { sentence } from './words.js';

/** @import { SavedPlace, Kept } from './kept.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { Progress } from './progress.js' */

/**
 * @typedef {object} ShelfCallbacks
 * @property {(lesson: Lesson) => void} begin
 * @property {() => void} resume
 * @property {(lesson: Lesson, came: SavedPlace) => void} goOn opens the lesson at the step that the visitor reached
 * @property {(lesson: Lesson) => void} clear
 * @property {() => void} clearAll
 * @property {() => void} nextClass
 * @property {() => void} write opens the room in which teachers write lessons
 */

/**
 * @param {Lesson[]} lessons
 * @param {{left: {lesson: Lesson, progress: Progress} | null, kept: Kept, wait: string}} shown left: a lesson whose run
 *   is still there; wait: why it cannot begin yet, or ""
 * @param {ShelfCallbacks} on
 */
export function shelfTemplate(lessons, { left, kept, wait }, on) {
  return html`<p class="mute">${sentence('replaces')}</p>
    ${wait ? html`<p class="mute">${wait}</p>` : nothing}
    ${lessons.map((lesson, i) => {
      const resumes = left?.lesson === lesson ? left : null;
      return entryTemplate(lesson, { came: kept[lesson.name], resumes, first: i === 0 && !left, wait }, on);
    })}
    ${courseTemplate(lessons, kept, on)}`;
}

/**
 * @param {Lesson} lesson
 * @param {{came: SavedPlace | undefined, resumes: {progress: Progress} | null, first: boolean, wait: string}} shown
 *   first: whether to begin with this lesson
 * @param {ShelfCallbacks} on
 */
function entryTemplate(lesson, { came, resumes, first, wait }, on) {
  const { number, title, steps } = lesson;
  const again = resumes !== null || came !== undefined;
  const isBegun = came && !came.done && came.step > 0 && !resumes;
  const disabled = wait ? 'true' : 'false';
  const begin = sentence(again ? 'beginAgainLesson' : 'beginLesson', { number });
  return html`<article class="lesson">
    <h2 id=${number === 1 ? 'lesson-heading' : nothing} tabindex="-1">${sentence('lesson', { number, title })}</h2>
    <p>${lesson.teaser}</p>
    <p class="mute">${sentence('length', { steps: steps.length })}${
      came ? html` · <span class="lesson-came">${cameText(came, lesson)}</span>` : nothing
    }</p>
    <div class="lesson-row">
      ${
        resumes
          ? html`<button type="button" class="primary"
            @click=${on.resume}>${sentence('resume', { step: resumes.progress.step + 1 })}</button>`
          : nothing
      }
      ${
        isBegun
          ? html`<button type="button" class="primary"
            aria-label=${sentence('goOnLesson', { number, step: came.step + 1 })} aria-disabled=${disabled}
            @click=${() => on.goOn(lesson, came)}>${sentence('goOn', { step: came.step + 1 })}</button>`
          : nothing
      }
      <button type="button" class=${first && !isBegun ? 'primary' : ''} aria-label=${begin} aria-disabled=${disabled}
        @click=${() => on.begin(lesson)}>${sentence(again ? 'beginAgain' : 'begin')}</button>
      ${
        came
          ? html`<button type="button" class="quiet" aria-label=${sentence('clearLesson', { number })}
            @click=${() => on.clear(lesson)}>${sentence('clear')}</button>`
          : nothing
      }
    </div>
  </article>`;
}

/** @param {SavedPlace} came @param {Lesson} lesson */
function cameText({ step, done, goal }, { steps }) {
  if (goal) return sentence('cameGoal');
  if (done) return sentence('cameDone');
  return sentence('cameStep', { step: step + 1, of: steps.length });
}

/** The actions for all lessons together. @param {Lesson[]} lessons @param {Kept} kept @param {ShelfCallbacks} on */
function courseTemplate(lessons, kept, on) {
  const done = lessons.filter(({ name }) => kept[name]?.done).length;
  const none = Object.keys(kept).length === 0;
  return html`<section class="lesson lesson-course" aria-label=${sentence('progress')}>
    <h2>${sentence('progress')}</h2>
    <p>${sentence('progressDone', { done, of: lessons.length })} ${sentence('progressLocal')}</p>
    <div class="lesson-row">
      <button type="button" aria-disabled=${none ? 'true' : 'false'}
        @click=${on.clearAll}>${sentence('clearAll')}</button>
      <button type="button" @click=${on.nextClass}>${sentence('nextClass')}</button>
      <button type="button" @click=${on.write}>${sentence('write')}</button>
    </div>
    <p><a href="docs/guarantees.html">${sentence('guarantees')}</a></p>
  </section>`;
}
