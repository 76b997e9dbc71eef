/**
 * The panel of a teacher who writes a lesson: its steps, what to add, the file as text, and ways to save and share it.
 */

import { html, nothing } from 'lit-html';
import { onSubmit, set, withChecked, withValue } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { pair, segmentsTemplate, when } from '../../lib/parts.js';
import { lengthOf } from './draft.js';

/** @import { Author } from './author.js' */
/** @import { Draft, Offer, Step } from './draft.js' */

/** @type {Record<string, string>} */
const KINDS = { look: 'Look', act: 'Act', bet: 'Bet', see: 'Answer', why: 'Why', transfer: 'Question' };

/** @param {Author} author */
export function authorTemplate(author) {
  const { writing, recorder, file, preview } = author;
  if (preview.value)
    return html`<div class="author-bar"><span>Preview of your lesson</span>
      <button type="button" @click=${() => set(preview, false)}>Back to writing</button></div>`;
  const draft = writing.draft.value;
  return html`<article class="lesson author" aria-label="Write a lesson">
    <header class="lesson-head">
      <p class="mute">Your lesson</p>
      <button type="button" class="icon" aria-label="Stop writing" title="Stop writing; the lesson is kept"
        @click=${() => author.close()}>×</button>
    </header>
    <div class="lesson-row" role="group" aria-label="The lesson">
      <button type="button" class="primary" aria-disabled=${draft?.steps?.length ? 'false' : 'true'}
        @click=${() => author.play(0)}>Preview</button>
      <button type="button" aria-disabled=${writing.undoes.value ? 'false' : 'true'}
        @click=${() => writing.undo()}>Undo the edit</button>
      <button type="button" @click=${() => author.save()}>Save as a file</button>
      <button type="button" @click=${() => author.copyLink()}>Copy the link</button>
      <button type="button" class="quiet" @click=${() => author.beginAnother()}>Start another lesson</button>
    </div>
    <label class="author-title">Title <input type="text" .value=${draft?.title ?? ''} ?disabled=${!draft}
      @change=${withValue((title) => author.title(title))} /></label>
    ${when(
      !recorder.on.value,
      () => html`<p class="author-note">The run on screen is not this lesson's run, so nothing is recorded. <button
          type="button" @click=${() => author.openRun()}>Open the lesson's run</button></p>`,
    )}
    ${segmentsTemplate(
      ['Steps', 'File'].map(pair),
      { label: 'Show', chosen: file.value ? 'File' : 'Steps', class: 'lesson-row' },
      (which) => set(file, which === 'File'),
    )}
    ${file.value || !draft ? fileTemplate(author) : stepsTemplate(draft, author)}
    ${problemsTemplate(author)}
  </article>`;
}

/** @param {Author} author */
function problemsTemplate({ writing, checking, file }) {
  const isChecked = writing.checked.value?.text === writing.text.value;
  const problems = (isChecked && writing.checked.value?.problems) || [];
  if (checking.value && !isChecked) return html`<p class="mute" role="status">Checking…</p>`;
  if (problems.length === 0)
    return html`<p class="mute" role="status">${
      writing.draft.value?.steps?.length ? 'The lesson has no error.' : nothing
    }</p>`;
  const go = (/** @type {number} */ line) => {
    file.value = true;
    requestAnimationFrame(() => requestAnimationFrame(() => markLine(line)));
  };
  return html`<div class="author-problems" role="status">
    <p>${problems.length === 1 ? '1 error:' : `${problems.length} errors:`}</p>
    <ul>${problems.map(
      ({ line, message }) =>
        html`<li>${when(
          line > 0,
          () => html`<button type="button" class="quiet" @click=${() => go(line)}>Line ${line}</button> `,
        )}${message}</li>`,
    )}</ul>
  </div>`;
}

/** @param {Author} author */
const fileTemplate = ({ writing }) =>
  html`<textarea id="author-file" class="author-file" aria-label="The file of the lesson" rows="18" spellcheck="false"
    autocapitalize="off" .value=${writing.text.value} @input=${withValue((text) => writing.write(text))}></textarea>`;

/** @param {Draft} draft @param {Author} author */
function stepsTemplate({ steps = [] }, author) {
  const marked = author.recorder.marked;
  const offers = author.offers.value;
  const instant = formatInstant(author.page.state.view.value.cursor.t);
  const add = async (/** @type {FormData} */ data) => {
    await author.addStep(String(data.get('title')), String(data.get('words')));
    /** @type {HTMLFormElement | null} */ (document.querySelector('.author-add'))?.reset();
  };
  return html`
    ${
      steps.length === 0
        ? html`<p class="mute">Play the run. Crash, pause or cut off a node: each act becomes a step. Go to an instant
          and add words.</p>`
        : html`<ol class="author-steps">${steps.map((step, i) => stepTemplate(step, i, author))}</ol>`
    }
    <form class="author-add" aria-label="New step" @submit=${onSubmit(add)}>
      <label>Heading of the new step <input type="text" name="title" autocomplete="off" /></label>
      <label>Words <textarea name="words" rows="3"></textarea></label>
      <p class="mute">${marked ? `It marks ${marked}.` : 'Select a node to mark its lane.'}</p>
      <div class="lesson-row">
        <button type="submit">Add a step here, at ${instant}</button>
        <button type="button" aria-expanded=${offers ? 'true' : 'false'}
          @click=${() => (offers ? set(author.offers, null) : author.askOffers())}>Place a bet here…</button>
      </div>
    </form>
    ${when(offers, (known) => offersTemplate(known, instant, author))}`;
}

/** @param {Offer[]} offers @param {string} instant @param {Author} author */
function offersTemplate(offers, instant, author) {
  if (offers.length === 0)
    return html`<p class="mute">Nothing that readers could predict happens after ${instant}.</p>`;
  return html`<div class="author-offers" role="group" aria-label="Bets that this run answers">
    ${offers.map(
      (offer) =>
        html`<button type="button" @click=${() => author.addBet(offer)}>${offer.name} <span
          class="mute">Answer: ${offer.answer}</span></button>`,
    )}
  </div>`;
}

/** @param {Step} step @param {number} i @param {Author} author */
function stepTemplate(step, i, author) {
  const title = step.says?.title ?? step.name;
  const expanded = author.step.value === i;
  return html`<li>
    <button type="button" class="author-step" aria-expanded=${expanded ? 'true' : 'false'}
      @click=${() => author.open(expanded ? -1 : i)}>
      <b>${title}</b> <span class="mute">${KINDS[step.kind] ?? step.kind}, ${formatInstant(lengthOf(step.until))}</span>
    </button>
    ${when(expanded, () => editTemplate(step, i, author))}
  </li>`;
}

/**
 * The sentences of a step that the teacher edits one by one: member, label, and whether it may have several paragraphs.
 * @type {Record<string, [string, string][]>}
 */
const SENTENCES = {
  act: [['done', 'When it is done']],
  see: [
    ['outcome', 'The answer'],
    ['missed', 'The answer to another prediction'],
    ['exact', 'The answer to the right prediction'],
  ],
};

/** @param {Step} step @param {number} i @param {Author} author */
function editTemplate(step, i, author) {
  const { marked } = author.recorder;
  const { says = { title: '' } } = step;
  const words = (says.text ?? []).join('\n\n');
  return html`<div class="author-edit" role="group" aria-label="Step ${i + 1}">
    <label>Heading <input type="text" .value=${says.title}
      @change=${withValue((title) => author.says(i, { title }))} /></label>
    ${
      step.kind === 'see'
        ? nothing
        : html`<label>Words <textarea rows="4" .value=${words}
          @change=${withValue((text) => author.says(i, { text: text.split(/\n\s*\n/) }))}></textarea></label>`
    }
    ${(SENTENCES[step.kind] ?? [])
      .filter(([name]) => name === 'done' || says[name] !== undefined)
      .map(
        ([name, label]) =>
          html`<label>${label} <textarea rows="2" .value=${says[name] ?? ''}
            @change=${withValue((text) => author.says(i, { [name]: text || undefined }))}></textarea></label>`,
      )}
    ${
      step.act
        ? nothing
        : html`<label>The run goes on until <input type="text" inputmode="decimal" autocomplete="off"
          .value=${formatInstant(lengthOf(step.until))}
          @change=${withValue((text) => author.until(i, text))} /></label>`
    }
    ${step.act ? html`<p class="mute">The visitor does it: ${step.act.act} ${step.act.node}.</p>` : nothing}
    <label class="author-check"><input type="checkbox" .checked=${step.lease ?? false}
      @change=${withChecked((lease) => author.lease(i, lease))} /> Show the Lease beside the words</label>
    <p class="mute">${step.look?.node ? `It marks the lane of ${step.look.node}.` : 'It marks nothing.'}
      <button type="button" class="quiet"
        @click=${() => author.mark(i)}>${marked ? `Mark ${marked}` : 'Mark nothing'}</button></p>
    <div class="lesson-row">
      <button type="button" @click=${() => author.move(i, -1)}>Earlier</button>
      <button type="button" @click=${() => author.move(i, 1)}>Later</button>
      <button type="button" @click=${() => author.play(i)}>Preview from here</button>
      <button type="button" @click=${() => author.remove(i)}>Delete</button>
    </div>
  </div>`;
}

/** Selects a line of the file. @param {number} line from 1 */
function markLine(line) {
  const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById('author-file'));
  if (!field) return;
  const lines = field.value.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  field.focus();
  field.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  field.scrollTop = (field.scrollHeight / lines.length) * Math.max(0, line - 4);
}
