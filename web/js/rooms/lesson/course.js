/** Keeps and clears the visitor's progress through all lessons. */
import { signal } from '@preact/signals-core';
import { readKept, savedPlaceOf, writeKept } from './kept.js';
import { sentence } from './words.js';

/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Kept } from './kept.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { LessonState } from './state.js' */

export class Course {
  /** @param {Pick<Notifier, "notify">} notifier */
  constructor(notifier) {
    this.notifier = notifier;
    this.kept = signal(readKept());
  }

  /** @param {Kept} kept */
  #keep(kept) {
    this.kept.value = kept;
    writeKept(kept);
  }

  /**
   * Records the visitor's place in the open lesson. A lesson outside the course, with the number 0, leaves no entry.
   * @param {LessonState} lesson
   */
  note({ on, progress, reached }) {
    const now = on.value;
    if (!now || now.number === 0) return;
    const came = savedPlaceOf(now, progress.value, reached.value);
    const { [now.name]: before, ...others } = this.kept.peek();
    if (came.step === 0 && !before) return;
    const { done = false, goal = false } = before ?? {};
    // The last entry is the one that changed last.
    this.#keep({ ...others, [now.name]: { ...came, done: came.done || done, goal: came.goal || goal } });
  }

  /**
   * Clears the progress of one lesson or of all lessons. A button in the message can undo this. @param {Lesson}
   * [lesson]
   */
  clear(lesson) {
    const before = this.kept.peek();
    const { [lesson?.name ?? '']: _, ...others } = before;
    this.#keep(lesson ? others : {});
    const text = lesson ? sentence('clearedLesson', { number: lesson.number }) : sentence('cleared');
    this.notifier.notify(text, { action: { label: sentence('undo'), run: () => this.#keep(before) } });
  }

  /** Clears all progress, without undo. */
  forget() {
    this.#keep({});
  }
}
