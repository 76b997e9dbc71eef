/** The teacher's text in the second window: the step, its notes, the next step, and the time. */
import { html, nothing } from 'lit-html';
import { richText } from '../lesson/panel.js';
import { clickOf, stepOf } from '../lesson/progress.js';
import { sentence } from '../lesson/words.js';

/** @import { Lesson } from '../lesson/lessons.js' */
/** @import { Click, Progress } from '../lesson/progress.js' */

/**
 * The class's place in the lesson; null without a lesson. @typedef {{lesson: Lesson, progress: Progress} | null}
 * Standing
 */

/**
 * @param {Standing} at @param {string} time since the start
 * @param {{forth: () => unknown, back: () => unknown, blank: () => unknown, restart: () => unknown}} on
 */
export function notesTemplate(at, time, on) {
  return html`<div role="main">
    <p class="notes-clock">
      <b>${time}</b>
      <button type="button" @click=${on.restart}>${sentence('clockAgain')}</button>
    </p>
    ${at ? stepNotes(at, on) : html`<p>${sentence('noLessonOn')}</p>`}
  </div>`;
}

/** @param {NonNullable<Standing>} at @param {{forth: () => unknown, back: () => unknown, blank: () => unknown}} on */
function stepNotes({ lesson, progress }, on) {
  const step = stepOf(lesson, progress);
  const next = lesson.steps[progress.step + 1];
  const { number, title, steps } = lesson;
  return html`<p class="mute">${sentence(number ? 'place' : 'ownPlace', {
    number,
    title,
    step: progress.step + 1,
    steps: steps.length,
  })}</p>
    <h1>${step.title}</h1>
    <p class="notes-words">${step.notes ? richText(step.notes) : sentence('noNotes')}</p>
    <p><b>${sentence('nextClick')}</b> ${clickText(lesson, progress)}</p>
    <h2>${next ? sentence('nextStep', { title: next.title }) : sentence('lastStep')}</h2>
    ${next?.notes ? html`<p class="mute">${richText(next.notes)}</p>` : nothing}
    <div class="notes-row">
      <button type="button" @click=${on.back}>${sentence('back')}</button>
      <button type="button" class="primary" @click=${on.forth}>${sentence('next')}</button>
      <button type="button" @click=${on.blank}>${sentence('blank')}</button>
    </div>`;
}

/** What the next click does. @param {Lesson} lesson @param {Progress} progress */
function clickText(lesson, progress) {
  const step = stepOf(lesson, progress);
  const clicks = clickOf(step, progress);
  if (clicks !== 'doIt') return sentence(CLICKS[clicks]);
  return step.kind === 'act' ? sentence('clickDoIt', { act: step.act.act, node: step.act.node }) : '';
}

/** @type {Record<Exclude<Click, "doIt">, string>} */
const CLICKS = { place: 'clickPlace', show: 'clickShow', showAnswer: 'clickAnswer', next: 'clickNext' };
