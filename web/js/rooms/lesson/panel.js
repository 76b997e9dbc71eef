/** The lesson's panel: one step at a time with its words and its task, and buttons to go back and forward. */
import { html, nothing } from 'lit-html';
import { onSubmit, withValue } from '../../lib/control.js';
import { secondsText } from '../../lib/format.js';
import { when } from '../../lib/parts.js';
import { outcomeOf, predictionText, thoughtOf } from './facts.js';
import { stepOfKind } from './lessons.js';
import { asksAct, stepOf } from './progress.js';
import { fill, inSeconds, pieces, sentence, strayedText } from './words.js';

/** @import { View, Why } from '../../protocol.js' */
/** @import { Facts } from './facts.js' */
/** @import { BetStep, Lesson, SeeStep, Step, TransferStep, WhyStep } from './lessons.js' */
/** @import { Progress } from './progress.js' */

/**
 * The data of a step on screen.
 * @typedef {object} StepProps
 * @property {Lesson} lesson
 * @property {Lesson | null} next the lesson after it, if the course has one
 * @property {Progress} progress
 * @property {View} view
 * @property {string} waits why the next step has to wait, or ""
 * @property {Record<string, string>} values of the run, as soon as the page knows them
 * @property {boolean} known whether the page knows every value in the sentences after the prediction
 * @property {Record<string, number>} points values that the rules of thoughts name
 * @property {Why | null} why
 * @property {Facts | null} facts
 * @property {number | null} marked addend marked anywhere on the page
 * @property {{text: string, error: string, read: string}} field of the bet; read: how the page interprets the text
 * @property {{chosen: string, running: {done: number, of: number} | null, result: string, right: boolean}} transfer
 * @property {string} goal the engine's verdict on the goal, or ""
 * @property {string} act the label of the act that the step asks for
 * @property {(id: string) => string} key
 */
/**
 * @typedef {{next: () => void, back: () => void, close: () => void, doIt: () => void, undo: () => void,
 *   comeBack: () => void, type: (text: string) => void, nudge: (steps: number) => void, option: (name: string) => void,
 *   place: () => void, show: () => void, mark: (i: number | null) => void, openPart: (i: number) => void,
 *   choose: (choice: string) => void, answer: () => void, showAnswer: () => void, stop: () => void,
 *   changeSettings: () => void, checkGoal: () => void, exhibit: (id: string) => void, nextLesson: () => void,
 *   present: () => void, copyLink: () => void}} LessonCallbacks
 */

/** @param {string} text */
export const richText = (text) =>
  pieces(text).map(({ text: words, as }) =>
    as === 'b' ? html`<b>${words}</b>` : as === 'em' ? html`<em>${words}</em>` : words,
  );

/** @param {StepProps} shown @param {LessonCallbacks} on */
export function stepTemplate(shown, on) {
  const { lesson, progress, waits, key } = shown;
  const step = stepOf(lesson, progress);
  const last = progress.step === lesson.steps.length - 1;
  const arrow = (/** @type {string} */ id) => (key(id) ? html`<kbd aria-hidden="true">${key(id)}</kbd>` : nothing);
  return html`<article class="lesson" data-step=${progress.step + 1} data-kind=${step.kind}>
    <header class="lesson-head">
      <p id="lesson-place" class="mute">${placeText(lesson, progress)}</p>
      <span class="spacer"></span>
      ${when(
        lesson.number,
        () => html`<button type="button" class="quiet" title=${sentence('copyStepHint')}
            @click=${on.copyLink}>${sentence('link')}</button>`,
      )}
      <button type="button" class="quiet lesson-present" title=${sentence('presentHint')}
        @click=${on.present}>${sentence('present')}</button>
      <button type="button" class="icon" aria-label=${sentence('leave')} title=${sentence('leaveHint')}
        @click=${on.close}>×</button>
    </header>
    <div class="lesson-says">
      <h2 id="lesson-heading" tabindex="-1"
        aria-describedby="lesson-place lesson-words">${isDone(step, progress) ? sentence('actDone') : step.title}</h2>
      <div id="lesson-words" class="lesson-words">${words(step, shown, on)}</div>
    </div>
    <div class="lesson-asks">
      ${step.lease ? noteTemplate(shown.view) : nothing}
      ${step.candidates ? candidatesTemplate(shown.view) : nothing}
      ${askTemplate(step, shown, on)}
    </div>
    ${answeredTemplate(step, shown, on)}
    <footer class="lesson-foot">
      <button type="button" aria-disabled=${progress.step === 0 ? 'true' : 'false'}
        @click=${on.back}>${sentence('back')} ${arrow('lessonBack')}</button>
      ${
        last
          ? lesson.number
            ? html`<button type="button" class=${progress.answered.length > 0 ? 'primary' : ''}
                @click=${() => on.nextLesson()}>${sentence(shown.next ? 'nextLesson' : 'allLessons')}</button>`
            : nothing
          : html`<button type="button" class=${waits ? '' : 'primary'} aria-disabled=${waits ? 'true' : 'false'}
            title=${waits} @click=${on.next}>${sentence('next')} ${arrow('lessonForth')}</button>`
      }
    </footer>
  </article>`;
}

/** Whether the visitor has done what the step asks for. @param {Step} step @param {Progress} progress */
const isDone = (step, progress) => step.kind === 'act' && Boolean(step.done) && !asksAct(step, progress);

/** @param {Lesson} lesson @param {Progress} progress */
const placeText = ({ number, title, steps }, { step }) =>
  sentence(number ? 'place' : 'ownPlace', { number, title, step: step + 1, steps: steps.length });

/** @param {Step} step @param {StepProps} shown @param {LessonCallbacks} on */
function words(step, shown, on) {
  const paragraph = (/** @type {string} */ text) => html`<p>${richText(text)}</p>`;
  const { progress, values, known, facts } = shown;
  if (step.kind === 'why') return when(facts, () => sum(step, shown, on));
  if (step.kind === 'see')
    return known && progress.seen ? feedback(step, shown).map(paragraph) : html`<p class="mute">${waitText(shown)}</p>`;
  const done = isDone(step, progress) && step.kind === 'act' && step.done;
  return done ? paragraph(done) : step.text.map((text) => paragraph(fill(text, values)));
}

/** @param {StepProps} shown */
function predictedText({ lesson, progress }) {
  const step = /** @type {BetStep} */ (stepOfKind(lesson, 'bet'));
  return sentence('yourPrediction', { prediction: predictionText(progress.bet, step) });
}

/** @param {StepProps} shown */
const waitText = (shown) =>
  shown.progress.placed === 'bet' ? `${predictedText(shown)} ${sentence('goesOn')}` : sentence('goesOn');

/**
 * The two lines after the outcome: how close the prediction was, and the thought behind it.
 * @param {SeeStep} step @param {Pick<StepProps, "lesson" | "progress" | "points" | "values">} shown
 */
export function feedback(step, { lesson, progress, points, values }) {
  const { bet: asked } = /** @type {BetStep} */ (stepOfKind(lesson, 'bet'));
  const bet = progress.placed === 'bet' ? progress.bet : null;
  const thought = step.thoughts?.[thoughtOf(bet, step.rules, points, asked.kind)];
  return [outcomeOf(step, bet, asked, points), thought ?? ''].filter(Boolean).map((text) => fill(text, values));
}

/**
 * The parts of the gap, each as a button. They are the same as in the headline and under the band.
 * @param {WhyStep} step @param {StepProps} shown @param {LessonCallbacks} on
 */
function sum(step, { why, values, marked }, on) {
  const parts = why?.addends ?? [];
  const ours = parts.length === step.parts.length;
  const chain = parts.map((part, i) => {
    const text = ours ? fill(step.parts[i], values) : part.text;
    return html`${i > 0 ? ' + ' : nothing}<button type="button" class="lesson-part" data-addend=${i}
        ?data-marked=${marked === i} @click=${() => on.openPart(i)}
        @pointerenter=${() => on.mark(i)} @pointerleave=${() => on.mark(null)}
        @focus=${() => on.mark(i)} @blur=${() => on.mark(null)}><b>${part.shown}</b> ${text}</button>`;
  });
  const [before, after] = fill(step.sum, { ...values, chain: '\u0000' }).split('\u0000');
  const other = 'other' in values ? html`<p>${richText(fill(step.other, values))}</p>` : nothing;
  return html`<p class="lesson-sum">${before}${chain}${after}</p><p class="mute">${sentence('sumHint')}</p>${other}`;
}

/** The Lease as the other nodes read it. @param {View} view */
function noteTemplate({ lease, knobs }) {
  const counts = knobs.find((knob) => knob.path === 'elector.leaseDuration')?.value ?? '';
  return html`<dl class="lesson-note" aria-label=${sentence('note')}>
    <div><dt>${sentence('noteLeader')}</dt><dd data-index=${lease.holderIndex}><b
      class="letter">${lease.holder}</b></dd></div>
    <div><dt>${sentence('noteValid')}</dt><dd>${counts.replace(/(\d)([a-z])/, '$1 $2')}</dd></div>
    <div><dt>${sentence('noteWritten')}</dt><dd>${sentence('noteTimes', { times: lease.version })}</dd></div>
  </dl>`;
}

/** The stored LeaseCandidates. @param {View} view */
const candidatesTemplate = ({ nodes, lease }) => html`<table class="lesson-candidates">
    <caption>${sentence('candidates')}</caption>
    <thead><tr>${['candidate', 'emulationVersion', 'binaryVersion'].map(
      (name) => html`<th scope="col">${sentence(name)}</th>`,
    )}</tr></thead>
    <tbody>${nodes.map(({ name, index, candidate }) =>
      when(
        candidate?.exists && candidate,
        ({ emulationVersion, binaryVersion }) => html`<tr data-index=${index}>
          <th scope="row"><b class="letter">${name}</b> ${index === lease.holderIndex ? sentence('holds') : ''}</th>
          <td>${emulationVersion}</td><td>${binaryVersion}</td></tr>`,
      ),
    )}</tbody>
  </table>`;

/**
 * The part that asks the visitor to do something. @param {Step} step @param {StepProps} shown @param {LessonCallbacks}
 * on
 */
function askTemplate(step, shown, on) {
  const { progress } = shown;
  if (progress.strayed && !progress.seen) return strayedTemplate(step, shown, on);
  if (step.kind === 'bet') return progress.placed ? placedTemplate(shown) : bet(step, shown, on);
  if (step.kind === 'transfer') return transfer(step, shown, on);
  if (!asksAct(step, progress)) return nothing;
  return html`<div class="lesson-row"><button type="button" class="primary"
    @click=${on.doIt}>${shown.act}</button></div>`;
}

/** @param {Step} step @param {StepProps} shown @param {LessonCallbacks} on */
const strayedTemplate = (step, { lesson, progress }, on) => html`<div class="lesson-stray">
    <p>${strayedText(lesson, progress)}</p>
    <div class="lesson-row">
      <button type="button" @click=${on.undo}>${sentence('undo')}</button>
      ${
        step.kind === 'act' && asksAct(step, progress)
          ? html`<button type="button" @click=${on.doIt}>${sentence('doIt')}</button>`
          : html`<button type="button" @click=${on.comeBack}>${sentence('comeBack')}</button>`
      }
    </div>
  </div>`;

/** @param {StepProps} shown */
const placedTemplate = (shown) =>
  html`<p class="mute">${shown.progress.placed === 'bet' ? predictedText(shown) : sentence('noPrediction')}</p>`;

/** @param {BetStep} step @param {StepProps} shown @param {LessonCallbacks} on */
function bet(step, { field, progress, lesson }, on) {
  const bare = progress.bet === null;
  return html`<form class="lesson-bet" novalidate @submit=${onSubmit(on.place)}>
    ${step.bet.kind === 'choice' ? options(step, progress, on) : number(step, field, on)}
    ${field.read ? html`<p class="mute" role="status">${field.read}</p>` : nothing}
    ${field.error ? html`<p id="lesson-bet-error" class="field-error" role="alert">${field.error}</p>` : nothing}
    <div class="lesson-row">
      <button type="submit" class=${bare ? '' : 'primary'}
        aria-disabled=${bare ? 'true' : 'false'}>${sentence('lockIn')}</button>
      ${lesson.curtained ? nothing : html`<button type="button" @click=${on.show}>${sentence('showMe')}</button>`}
    </div>
  </form>`;
}

/** @param {BetStep} step @param {Progress} progress @param {LessonCallbacks} on */
function options(step, progress, on) {
  return html`<div id="lesson-bet" role="radiogroup" aria-labelledby="lesson-words" tabindex="-1">
    ${(step.bet.options ?? []).map(
      ({ name }) => html`<label><input type="radio" name="lesson-option" value=${name}
        .checked=${progress.bet === name} @change=${() => on.option(name)} /> ${step.options[name]}</label>`,
    )}</div>`;
}

/** @param {BetStep} step @param {StepProps["field"]} field @param {LessonCallbacks} on */
function number({ bet: { kind } }, field, on) {
  const amount = kind === 'count' ? '1' : inSeconds('0.5');
  return html`<div class="lesson-row">
      <button type="button" @click=${() => on.nudge(-1)}>${sentence('less', { amount })}</button>
      <span class="lesson-field"><input id="lesson-bet" type="text" inputmode="decimal" autocomplete="off"
        aria-label=${sentence(kind === 'count' ? 'field' : 'fieldSeconds')} .value=${field.text}
        aria-invalid=${field.error ? 'true' : 'false'} aria-describedby=${field.error ? 'lesson-bet-error' : nothing}
        @input=${withValue(on.type)} />${kind === 'count' ? nothing : inSeconds('')}</span>
      <button type="button" @click=${() => on.nudge(1)}>${sentence('more', { amount })}</button>
    </div>`;
}

/** @param {TransferStep} step @param {StepProps} shown @param {LessonCallbacks} on */
function transfer(step, shown, on) {
  const { chosen, running, right } = shown.transfer;
  const seeds = runsOf(step, shown.lesson);
  return html`<form class="lesson-transfer" @submit=${onSubmit(on.answer)}>
      <div role="radiogroup" aria-labelledby="lesson-words">
        ${step.choices.map(
          ({ name, label }) => html`<label><input type="radio" name="lesson-choice" value=${name}
            .checked=${chosen === name} @change=${() => on.choose(name)} /> ${label}</label>`,
        )}
      </div>
      <div class="lesson-row">
        <button type="submit" class=${chosen && !right ? 'primary' : ''}
          aria-disabled=${chosen && !running ? 'false' : 'true'}>${
            seeds === 1 ? sentence('runAgain') : sentence('runAgainSeeds', { seeds })
          }</button>
        <button type="button" aria-disabled=${running ? 'true' : 'false'}
          @click=${on.showAnswer}>${sentence('showMe')}</button>
      </div>
    </form>
    ${when(
      running,
      (share) => html`<p class="lesson-progress"><progress aria-label=${sentence('seedsDone')} max=${share.of}
          .value=${share.done}></progress> ${sentence('doneOf', share)} <button type="button"
            @click=${on.stop}>${sentence('stop')}</button></p>`,
    )}`;
}

/**
 * The numbers that answer the question, and the end of the lesson.
 * @param {Step} step
 * @param {StepProps} shown
 * @param {LessonCallbacks} on
 */
function answeredTemplate(step, shown, on) {
  const { progress, transfer } = shown;
  if (step.kind !== 'transfer' || (progress.strayed && !progress.seen)) return nothing;
  const result = () =>
    html`<p class="lesson-result">${richText(transfer.result)}</p><p class="mute">${sentence('beside')}</p>`;
  return html`${transfer.result ? result() : nothing}
    ${progress.answered.length > 0 ? endTemplate(shown, on) : nothing}`;
}

/** How many runs answer a question. @param {TransferStep} step @param {Lesson} lesson */
export const runsOf = (step, lesson) =>
  (step.seeds || lesson.numbers.find(({ name }) => name === step.number)?.seeds) ?? 1;

/** The end of a lesson: what to remember, and what to try. @param {StepProps} shown @param {LessonCallbacks} on */
const endTemplate = ({ lesson, goal }, on) => html`<div class="lesson-end">
    <p><b>${richText(sentence('takeaway', { takeaway: lesson.takeaway }))}</b></p>
    <p>${richText(lesson.goal.text)} ${sentence('goalHow')}</p>
    <div class="lesson-row">
      <button type="button" @click=${() => on.changeSettings()}>${sentence('changeSettings')}</button>
      <button type="button" @click=${() => on.checkGoal()}>${sentence('checkGoal')}</button>
    </div>
    ${goal ? html`<p class="lesson-goal">${goal}</p>` : nothing}
    ${
      lesson.exhibits.length > 0
        ? html`<p class="mute">${sentence('museum')} ${lesson.exhibits.map(
            ({ id, title }, i) =>
              html`${i > 0 ? ', ' : nothing}<button type="button" class="quiet"
                @click=${() => on.exhibit(id)}>${id} ${title}</button>`,
          )}</p>`
        : nothing
    }
    <p class="mute"><a href="docs/guarantees.html">${sentence('guarantees')}</a></p>
  </div>`;

/** @param {number | undefined} ns */
export const lengthText = (ns) => (ns === undefined ? sentence('noEnd') : inSeconds(secondsText(ns)));
