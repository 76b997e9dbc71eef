/**
 * The panel of a teacher who writes a lesson: its steps, what to add, the file as text, and ways to save and share it.
 */

import { html, nothing } from 'lit-html';
import { onSubmit, withChecked, withValue } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { pair, segmentsTemplate, when } from '../../lib/parts.js';
import { lengthOf } from './draft.js';

/** @import { Problem } from './checker.js' */
/** @import { Draft, Offer, Says, Step } from './draft.js' */

/**
 * The state that the panel draws.
 * @typedef {object} PanelProps
 * @property {Draft | undefined} draft undefined while the text is not YAML
 * @property {string} text
 * @property {boolean} file the panel shows the file in place of the steps
 * @property {number} open the step that the teacher is editing; -1: none
 * @property {Problem[]} problems
 * @property {boolean} checking
 * @property {boolean} undoes
 * @property {boolean} recording whether the run on screen is the lesson's run
 * @property {boolean} preview
 * @property {number} at the cursor
 * @property {string} marked the words for what a new step would mark
 * @property {Offer[] | null} offers null while the list is closed
 */
/**
 * @typedef {{close: () => void, write: (text: string) => void, title: (text: string) => void, show: (file: boolean) =>
 *   void, open: (i: number) => void, addStep: (title: string, text: string) => void, askOffers: () => void,
 *   closeOffers: () => void, addBet: (offer: Offer) => void, says: (i: number, says: Partial<Says>) => void, mark: (i:
 * number) => void, lease: (i: number, on: boolean) => void, until: (i: number, text: string) => void, move: (i: number,
 * by: 1 | -1) => void, remove: (i: number) => void, undo: () => void, preview: (step: number) => void, stopPreview: ()
 * => void, save: () => void, link: () => void, beginAnother: () => void, run: () => void, line: (line: number) =>
 * void}} On
 */

const KINDS = /** @type {Record<string, string>} */ ({
  look: 'Look',
  act: 'Act',
  bet: 'Bet',
  see: 'Answer',
  why: 'Why',
  transfer: 'Question',
});

/** @param {PanelProps} shown @param {On} on */
export function authorTemplate(shown, on) {
  if (shown.preview)
    return html`<div class="author-bar"><span>Preview of your lesson</span>
      <button type="button" @click=${on.stopPreview}>Back to writing</button></div>`;
  const { draft, file, recording } = shown;
  return html`<article class="lesson author" aria-label="Write a lesson">
    <header class="lesson-head">
      <p class="mute">Your lesson</p>
      <button type="button" class="icon" aria-label="Stop writing" title="Stop writing; the lesson is kept"
        @click=${on.close}>×</button>
    </header>
    <div class="lesson-row" role="group" aria-label="The lesson">
      <button type="button" class="primary" aria-disabled=${draft?.steps?.length ? 'false' : 'true'}
        @click=${() => on.preview(0)}>Preview</button>
      <button type="button" aria-disabled=${shown.undoes ? 'false' : 'true'} @click=${on.undo}>Undo the edit</button>
      <button type="button" @click=${on.save}>Save as a file</button>
      <button type="button" @click=${on.link}>Copy the link</button>
      <button type="button" class="quiet" @click=${on.beginAnother}>Start another lesson</button>
    </div>
    <label class="author-title">Title <input type="text" .value=${draft?.title ?? ''} ?disabled=${!draft}
      @change=${withValue(on.title)} /></label>
    ${
      recording
        ? nothing
        : html`<p class="author-note">The run on screen is not this lesson's run, so nothing is recorded. <button
          type="button" @click=${on.run}>Open the lesson's run</button></p>`
    }
    ${segmentsTemplate(
      ['Steps', 'File'].map(pair),
      { label: 'Show', chosen: file ? 'File' : 'Steps', class: 'lesson-row' },
      (which) => on.show(which === 'File'),
    )}
    ${file || !draft ? fileTemplate(shown, on) : stepsTemplate(draft, shown, on)}
    ${problemsTemplate(shown, on)}
  </article>`;
}

/** @param {PanelProps} shown @param {On} on */
function problemsTemplate({ draft, problems, checking }, on) {
  if (checking && problems.length === 0) return html`<p class="mute" role="status">Checking…</p>`;
  if (problems.length === 0)
    return html`<p class="mute" role="status">${draft?.steps?.length ? 'The lesson has no error.' : nothing}</p>`;
  return html`<div class="author-problems" role="status">
    <p>${problems.length === 1 ? '1 error:' : `${problems.length} errors:`}</p>
    <ul>${problems.map(
      ({ line, message }) =>
        html`<li>${when(
          line > 0,
          () => html`<button type="button" class="quiet" @click=${() => on.line(line)}>Line ${line}</button> `,
        )}${message}</li>`,
    )}</ul>
  </div>`;
}

/** @param {PanelProps} shown @param {On} on */
const fileTemplate = ({ text }, on) =>
  html`<textarea id="author-file" class="author-file" aria-label="The file of the lesson" rows="18" spellcheck="false"
    autocapitalize="off" .value=${text} @input=${withValue(on.write)}></textarea>`;

/** @param {Draft} draft @param {PanelProps} shown @param {On} on */
function stepsTemplate(draft, shown, on) {
  const { at, marked, offers } = shown;
  const steps = draft.steps ?? [];
  const instant = formatInstant(at);
  const add = (/** @type {FormData} */ data) => on.addStep(String(data.get('title')), String(data.get('words')));
  return html`
    ${
      steps.length === 0
        ? html`<p class="mute">Play the run. Crash, pause or cut off a node: each act becomes a step. Go to an instant
          and add words.</p>`
        : html`<ol class="author-steps">${steps.map((step, i) => stepTemplate(step, i, shown, on))}</ol>`
    }
    <form class="author-add" aria-label="New step" @submit=${onSubmit(add)}>
      <label>Heading of the new step <input type="text" name="title" autocomplete="off" /></label>
      <label>Words <textarea name="words" rows="3"></textarea></label>
      ${
        marked
          ? html`<p class="mute">It marks ${marked}.</p>`
          : html`<p class="mute">Select a node to mark its lane.</p>`
      }
      <div class="lesson-row">
        <button type="submit">Add a step here, at ${instant}</button>
        <button type="button" aria-expanded=${offers ? 'true' : 'false'}
          @click=${offers ? on.closeOffers : on.askOffers}>Place a bet here…</button>
      </div>
    </form>
    ${offers ? offersTemplate(offers, instant, on) : nothing}`;
}

/** @param {Offer[]} offers @param {string} instant @param {On} on */
function offersTemplate(offers, instant, on) {
  if (offers.length === 0) return html`<p class="mute">Nothing that could be predicted happens after ${instant}.</p>`;
  return html`<div class="author-offers" role="group" aria-label="Bets that this run answers">
    ${offers.map(
      (offer) =>
        html`<button type="button" @click=${() => on.addBet(offer)}>${offer.name} <span
          class="mute">Answer: ${offer.answer}</span></button>`,
    )}
  </div>`;
}

/** @param {Step} step @param {number} i @param {PanelProps} shown @param {On} on */
function stepTemplate(step, i, { open, marked }, on) {
  const title = step.says?.title ?? step.name;
  const expanded = open === i;
  return html`<li>
    <button type="button" class="author-step" aria-expanded=${expanded ? 'true' : 'false'}
      @click=${() => on.open(expanded ? -1 : i)}>
      <b>${title}</b> <span class="mute">${KINDS[step.kind] ?? step.kind}, ${formatInstant(lengthOf(step.until))}</span>
    </button>
    ${expanded ? editTemplate(step, i, marked, on) : nothing}
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

/** @param {Step} step @param {number} i @param {string} marked @param {On} on */
function editTemplate(step, i, marked, on) {
  const { says = { title: '' } } = step;
  const words = (says.text ?? []).join('\n\n');
  return html`<div class="author-edit" role="group" aria-label="Step ${i + 1}">
    <label>Heading <input type="text" .value=${says.title}
      @change=${withValue((title) => on.says(i, { title }))} /></label>
    ${
      step.kind === 'see'
        ? nothing
        : html`<label>Words <textarea rows="4" .value=${words}
          @change=${withValue((text) => on.says(i, { text: text.split(/\n\s*\n/) }))}></textarea></label>`
    }
    ${(SENTENCES[step.kind] ?? [])
      .filter(([name]) => name === 'done' || says[name] !== undefined)
      .map(
        ([name, label]) =>
          html`<label>${label} <textarea rows="2" .value=${says[name] ?? ''}
            @change=${withValue((text) => on.says(i, { [name]: text || undefined }))}></textarea></label>`,
      )}
    ${
      step.act
        ? nothing
        : html`<label>The run goes on until <input type="text" inputmode="decimal" autocomplete="off"
          .value=${formatInstant(lengthOf(step.until))} @change=${withValue((text) => on.until(i, text))} /></label>`
    }
    ${step.act ? html`<p class="mute">The visitor does it: ${step.act.act} ${step.act.node}.</p>` : nothing}
    <label class="author-check"><input type="checkbox" .checked=${step.lease ?? false}
      @change=${withChecked((lease) => on.lease(i, lease))} /> Show the Lease beside the words</label>
    <p class="mute">${step.look?.node ? `It marks the lane of ${step.look.node}.` : 'It marks nothing.'}
      <button type="button" class="quiet"
        @click=${() => on.mark(i)}>${marked ? `Mark ${marked}` : 'Mark nothing'}</button></p>
    <div class="lesson-row">
      <button type="button" @click=${() => on.move(i, -1)}>Earlier</button>
      <button type="button" @click=${() => on.move(i, 1)}>Later</button>
      <button type="button" @click=${() => on.preview(i)}>Preview from here</button>
      <button type="button" @click=${() => on.remove(i)}>Delete</button>
    </div>
  </div>`;
}
