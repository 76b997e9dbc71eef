/**
 * Presenter mode: a lesson in large type for a projector, with the teacher's notes in a second window. Keys or a
 * clicker move through the lesson. The room's texts come from the language file of the player.
 */

import { effect, signal } from '@preact/signals-core';
import { html, nothing, render } from 'lit-html';
import { set } from '../../lib/control.js';
import { element } from '../../lib/element.js';
import { sentence } from '../lesson/words.js';
import { Clock } from './clock.js';
import { moveOf } from './keys.js';
import { notesTemplate } from './notes.js';
import { openWindow } from './window.js';

/** @import { Lessons } from '../desk/rooms.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { Move } from './keys.js' */

/** @param {Pick<Page, "state" | "notifier" | "run" | "showTab">} page @param {Lessons} lessons */
export function open({ state, notifier, run, showTab }, lessons) {
  const presenting = signal(false);
  /** Whether the projector is blank, so that everybody looks at the teacher. */
  const blank = signal(false);
  const clock = new Clock();
  const root = document.createElement('div');
  root.id = 'presenter';
  element('sheet').append(root);

  /** @type {Record<Move, () => unknown>} */
  const moves = {
    forth: () => lessons.click(),
    back: () => lessons.back(),
    blank: () => set(blank, !blank.value),
    leave: () => (blank.value ? moves.blank() : stop()),
  };
  /** @param {KeyboardEvent} event */
  function press(event) {
    const move = moveOf(event, document.querySelector('dialog:modal') !== null);
    if (!move) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (blank.value && move !== 'blank' && move !== 'leave') blank.value = false;
    moves[move]();
  }

  const notes = openWindow(press);
  const on = {
    ...moves,
    notes() {
      if (notes.show(sentence('notesTitle'))) clock.start();
      else notifier.notify(sentence('notesBlocked'), { tone: 'error' });
    },
    restart: () => clock.restart(),
    copy: () => run('copyStep'),
    code: () => run('qrCode'),
    nextClass: () => run('nextClass'),
  };

  function start() {
    if (!lessons.isOn()) {
      run('lessons');
      notifier.notify(sentence('presentFirst'));
      return;
    }
    if (!state.projector.value) run('projector');
    presenting.value = true;
    clock.start();
    addEventListener('keydown', press, true);
    showTab('story');
  }

  function stop() {
    removeEventListener('keydown', press, true);
    presenting.value = false;
    blank.value = false;
    notes.close();
    clock.stop();
    if (state.projector.value) run('projector');
  }

  effect(() => {
    const { dataset } = document.documentElement;
    // Presenting needs the large type.
    if (presenting.value && state.projector.value) dataset.presenting = blank.value ? 'blank' : 'lesson';
    else delete dataset.presenting;
  });
  effect(() => {
    if (presenting.value && !state.projector.value) stop();
  });
  effect(() => {
    render(presenting.value ? barTemplate(on) : nothing, root);
  });
  effect(() => {
    const at = lessons.place();
    const time = clock.text.value;
    if (presenting.value && notes.isOpen.value) notes.draw(notesTemplate(at, time, on));
  });

  return { present: () => (presenting.value ? stop() : start()), notes: on.notes };
}

/** @param {{notes: () => void, copy: () => void, code: () => void, nextClass: () => void, leave: () => void}} on */
function barTemplate(on) {
  const button = (/** @type {string} */ name, /** @type {() => unknown} */ run) =>
    html`<button type="button" @click=${run}>${sentence(name)}</button>`;
  return html`<div role="toolbar" aria-label=${sentence('presenting')}>
    ${button('notes', on.notes)} ${button('copyStep', on.copy)} ${button('code', on.code)}
    ${button('nextClass', on.nextClass)}
    ${button('endPresenting', on.leave)}
  </div>`;
}
