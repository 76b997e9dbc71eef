/** The actions of a teacher who writes a lesson: edit, preview, save, link. */
import { signal } from '@preact/signals-core';
import { engineText } from '../../lib/format.js';
import { encodeLink, MAX_LINK, parseInstant } from '../../lib/share.js';
import { waitUntil } from '../../lib/until.js';
import { addBet, addStep, changeStep, lengthOf, moveStep, nameOf, paragraphs, removeStep, runOf } from './draft.js';

/** @import { Linked } from '../../lib/share.js' */
/** @import { openChecker, Problem } from './checker.js' */
/** @import { Draft, Offer, Says } from './draft.js' */
/** @import { Ports } from './index.js' */
/** @import { Recorder } from './recorder.js' */
/** @import { Writing } from './writing.js' */

export class Author {
  /**
   * @param {Ports} page
   * @param {Writing} writing
   * @param {Recorder} recorder
   * @param {Pick<ReturnType<typeof openChecker>, "check" | "offers">} checker
   */
  constructor(page, writing, recorder, checker) {
    this.page = page;
    this.writing = writing;
    this.recorder = recorder;
    this.checker = checker;
    /** Whether the panel is open. */
    this.on = signal(false);
    /** Whether the panel shows the file in place of the steps. */
    this.file = signal(false);
    /** The step that the teacher is editing; -1: none. */
    this.step = signal(-1);
    /** Whether the checker reads the text. */
    this.checking = signal(false);
    /** Whether the lesson plays. */
    this.preview = signal(false);
    /**
     * The bets to choose from; null while the list is closed.
     * @type {import('@preact/signals-core').Signal<Offer[] | null>}
     */
    this.offers = signal(null);
  }

  /** The document; undefined, with a message, while the text is not a lesson. @returns {Draft | undefined} */
  draft() {
    const draft = this.writing.draft.peek();
    if (draft?.steps) return draft;
    this.page.notifier.notify('The file cannot be read as a lesson. Correct it, or undo the edit.', { tone: 'error' });
    return undefined;
  }

  /** @param {(draft: Draft) => Draft} change */
  edit(change) {
    const draft = this.draft();
    if (draft) this.writing.change(change(draft));
  }

  /** @param {string} title */
  title(title) {
    this.edit((draft) => ({ ...draft, title, name: nameOf(title) }));
  }

  close() {
    this.on.value = false;
    this.recorder.on.value = false;
    this.page.notifier.say('You stopped writing. The lesson is kept, and “Write a lesson” opens it again.');
  }

  /** Opens a step for editing and shows its instant. @param {number} i -1: none */
  open(i) {
    this.step.value = i;
    const step = this.writing.draft.value?.steps[i];
    if (!step || !this.recorder.on.value) return;
    const { live } = this.page.state.view.value;
    this.page.lab.seek({ t: Math.min(lengthOf(step.until) + (step.act ? 1 : 0), live.t), n: -1 });
  }

  /** @param {string} title @param {string} text */
  async addStep(title, text) {
    const { state, notifier } = this.page;
    await this.recorder.record();
    const at = state.view.value.cursor.t;
    const look = this.recorder.markedNode();
    const lease = this.recorder.marksLease();
    const shows = state.viewport.value;
    this.edit((draft) => addStep(draft, { at, title: title || 'Look.', text: text || '…', look, shows, lease }));
    notifier.say('The step is added.');
  }

  /** Asks the engine which bets the run after the cursor can answer. */
  async askOffers() {
    const { state, lab, notifier } = this.page;
    const { t } = state.view.value.cursor;
    const acts = (this.writing.draft.value?.steps ?? []).filter(({ act }) => act);
    if (acts.some(({ until: at }) => lengthOf(at) > t)) {
      notifier.notify('A bet comes after the acts that the lesson asks for. Go to an instant after the last of them.');
      return;
    }
    try {
      this.offers.value = await this.checker.offers((await lab.ask('save')).scenario, t);
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }

  /** @param {Offer} offer */
  addBet(offer) {
    this.offers.value = null;
    this.edit((draft) => addBet(draft, this.page.state.view.value.cursor.t, offer));
    this.step.value = this.writing.draft.value?.steps.findIndex(({ kind }) => kind === 'bet') ?? -1;
    this.page.notifier.say('The bet is placed.');
  }

  /** @param {number} i @param {Partial<Says>} says */
  says(i, says) {
    const text = says.text ? { text: paragraphs(says.text.join('\n\n')) } : {};
    this.edit((draft) => changeStep(draft, i, (step) => ({ ...step, says: { ...step.says, ...says, ...text } })));
  }

  /** @param {number} i */
  mark(i) {
    const look = this.recorder.markedNode();
    this.edit((draft) => changeStep(draft, i, (step) => ({ ...step, look })));
  }

  /** @param {number} i @param {boolean} on */
  lease(i, on) {
    this.edit((draft) => changeStep(draft, i, (step) => ({ ...step, lease: on || undefined })));
  }

  /** Sets the instant up to which the run goes on in a step. @param {number} i @param {string} text */
  until(i, text) {
    const t = parseInstant(text);
    if (t === undefined)
      return this.page.notifier.notify(`“${text}” must be an instant, such as 26s or 00:26.`, { tone: 'error' });
    this.edit((draft) => changeStep(draft, i, (step) => ({ ...step, until: engineText(t) })));
  }

  /** @param {number} i @param {1 | -1} by */
  move(i, by) {
    const draft = this.draft();
    const next = draft && moveStep(draft, i, by);
    if (!next)
      return this.page.notifier.notify(
        'This step cannot move: steps follow the order of time, and an act or a bet keeps its instant.',
      );
    this.writing.change(next);
    this.step.value = i + by;
  }

  /** @param {number} i */
  remove(i) {
    this.edit((draft) => removeStep(draft, i));
    this.step.value = -1;
    this.#undoable('The step is deleted.');
  }

  /** @param {string} sentence */
  #undoable(sentence) {
    this.page.notifier.notify(sentence, { action: { label: 'Undo', run: () => this.writing.undo() } });
  }

  /** Plays the lesson from a step. Shows the panel again when the teacher leaves the lesson. @param {number} step */
  async play(step) {
    const { notifier, player, showTab } = this.page;
    const text = this.writing.text.value;
    const checked = await this.checker.check(text);
    this.writing.checked.value = { text, ...checked };
    const room = await player();
    if (!checked.lesson || !room)
      return notifier.notify('The lesson has errors. Correct them, then preview it.', { tone: 'error' });
    this.recorder.on.value = false;
    this.preview.value = true;
    await room.play(checked.lesson, step);
    await waitUntil(() => !room.isOn() || !this.preview.value);
    room.leave();
    this.preview.value = false;
    showTab('story');
    await this.openRun();
  }

  /** Opens the run of the lesson, so that the teacher can record more. */
  async openRun() {
    const draft = this.draft();
    if (draft) await this.recorder.open(draft);
  }

  save() {
    const name = `${this.writing.draft.value?.name || 'lesson'}.yaml`;
    this.page.download(name, this.writing.text.value, 'application/yaml');
    this.page.notifier.say(`Saved: ${name}. To play it, drop the file on the page, or use “Open a file”.`);
  }

  async copyLink() {
    const draft = this.draft();
    if (!draft) return;
    /** @type {Linked} */
    const linked = { ...runOf(draft, false), lesson: { document: draft } };
    const link = await encodeLink(linked);
    if (link.length > MAX_LINK) {
      this.save();
      this.page.notifier.notify(
        `The link would have ${link.length} characters, and many programs cut links of more than ${MAX_LINK}. ` +
          'The lesson is saved as a file instead.',
      );
      return;
    }
    await this.page.lab.copy(new URL(`#${link}`, location.href).href, 'the link, which plays your lesson');
  }

  /** Begins another lesson with the run on screen. */
  async beginAnother() {
    await this.recorder.begin();
    this.step.value = -1;
    this.#undoable('A new lesson begins with the run on screen.');
  }
}
