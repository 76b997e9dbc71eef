/**
 * A teacher writes a lesson by playing. Acts on nodes become steps, and the teacher adds texts and a bet at the cursor.
 * The room keeps the lesson as the text of its file, which the player plays and the checker checks. The room is in the
 * Lesson tab.
 */

import { effect, untracked } from '@preact/signals-core';
import { element } from '../../lib/element.js';
import { Latest } from '../../lib/latest.js';
import { panel } from '../../lib/panel.js';
import { waitUntil } from '../../lib/until.js';
import { Author } from './author.js';
import { openChecker } from './checker.js';
import { authorTemplate } from './panel.js';
import { Recorder } from './recorder.js';
import { Writing } from './writing.js';

/** @import { Page } from '../desk/index.js' */
/** @import { CheckResult, Problem } from './checker.js' */

/**
 * The functions of the lesson room that this room uses.
 * @typedef {{play: (lesson: object, step: number) => Promise<unknown>, isOn: () => boolean, leave: () => unknown}}
 *   Player
 */
/**
 * @typedef {Pick<Page, "state" | "lab" | "notifier" | "showTab"> & {player: () => Promise<Player | undefined>,
 *   download: (name: string, text: string, type: string) => void}} Ports
 */

/** The storage key of the draft. Each site of an origin has its own key. */
const KEY = `leaselab ${new URL('.', document.baseURI).pathname} lesson`;
/** How long (ms) the text must stay unchanged before the next check. */
const REST_MS = 300;

/** @param {Ports} page @param {Pick<ReturnType<typeof openChecker>, "check" | "offers">} [checker] */
export function open(page, checker = openChecker(page.lab.assets)) {
  const { state, lab, notifier, showTab, player } = page;
  const writing = new Writing(KEY);
  const recorder = new Recorder(page, writing);
  const author = new Author(page, writing, recorder, checker);
  checkAlways(author);
  /** The last lesson from a file or a link. */
  let openedText = '';

  effect(() => {
    const { run, branch, undo } = state.view.value;
    void [run, branch, undo];
    if (author.on.value && recorder.on.value)
      untracked(() => recorder.record().catch((error) => lab.tellFailure(error)));
  });
  effect(() => {
    void state.view.value.scenario;
    if (untracked(() => recorder.on.value)) untracked(() => recorder.follow());
  });

  const root = document.createElement('div');
  root.id = 'author';
  element('lesson').prepend(root);
  effect(() => {
    element('lesson').dataset.writing = author.on.value ? (author.preview.value ? 'preview' : 'on') : '';
  });
  panel(root, () => (author.on.value ? authorTemplate(author) : ''));

  return {
    /** Opens the panel with the last lesson from a file or a link, with the teacher's draft, or with a new lesson. */
    async show() {
      showTab('story');
      await waitUntil(() => state.phase.value !== 'opening');
      if (state.phase.value === 'failed') return notifier.notify(state.failure.value, { tone: 'error' });
      const room = await player();
      if (room?.isOn()) room.leave();
      if (openedText) writing.write(openedText);
      openedText = '';
      author.on.value = true;
      if (!writing.text.value) await recorder.begin();
      showTab('story');
      // In one column the panel stands below the chart.
      if (state.layout.value === 'narrow') root.scrollIntoView({ block: 'start' });
    },
    /**
     * Plays a lesson from a file or a link.
     * @param {string} text YAML @returns {Promise<Problem[]>} its errors; a lesson with errors does not play
     */
    async play(text) {
      const { problems, lesson } = await checker.check(text);
      const room = await player();
      if (!lesson || !room) return problems;
      author.on.value = false;
      recorder.on.value = false;
      openedText = text;
      await waitUntil(() => state.phase.value !== 'opening');
      await room.play(lesson, 0);
      return [];
    },
  };
}

/** Checks the text after each change, once it has stayed unchanged for a while. @param {Author} author */
function checkAlways({ on, writing, checker, checking }) {
  const latest = new Latest(
    async (/** @type {string} */ text) => ({ text, ...(await checker.check(text)) }),
    (/** @type {(CheckResult & {text: string}) | null} */ answer) => {
      checking.value = false;
      if (answer) writing.checked.value = answer;
    },
    REST_MS,
    { refusals: true },
  );
  effect(() => {
    const text = writing.text.value;
    // A lesson without steps has one error, which the teacher knows about.
    if (!on.value || !text || writing.draft.value?.steps?.length === 0) return;
    checking.value = true;
    untracked(() => latest.want(text, text));
  });
}
