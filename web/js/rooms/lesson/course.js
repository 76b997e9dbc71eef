/** The visitor's way through all lessons: what is kept of it, as a file, and cleared. */
import { signal } from '@preact/signals-core';
import { cameOf, fileOf, keptFrom, merged, readKept, writeKept } from './kept.js';
import { sentence } from './words.js';

/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Kept } from './kept.js' */
/** @import { Lesson } from './lessons.js' */
/** @import { LessonState } from './state.js' */

/** Above this many bytes a file is none of ours. */
const MAX_FILE = 1 << 20;

export class Course {
  /**
   * @param {Pick<Notifier, "notify" | "say">} notifier
   * @param {(name: string, text: string) => void} download saves a file
   */
  constructor(notifier, download) {
    this.notifier = notifier;
    this.download = download;
    this.kept = signal(readKept());
  }

  /** @param {Kept} kept */
  #keep(kept) {
    this.kept.value = kept;
    writeKept(kept);
  }

  /**
   * Notes where the visitor stands in the lesson that is on. A lesson of no course, with the number 0, leaves nothing.
   * @param {LessonState} lesson
   */
  note({ on, progress, reached }) {
    const now = on.value;
    if (!now || now.number === 0) return;
    const came = cameOf(now, progress.value, reached.value);
    const before = this.kept.peek();
    if (came.step === 0 && !before[now.name]) return;
    const { done = false, goal = false } = before[now.name] ?? {};
    this.#keep({ ...before, [now.name]: { ...came, done: came.done || done, goal: came.goal || goal } });
  }

  save() {
    if (Object.keys(this.kept.peek()).length === 0) this.notifier.say(sentence('progressEmpty'));
    else this.download('leaselab-progress.json', fileOf(this.kept.peek()));
  }

  /**
   * Adds the progress of a file: of each lesson the further of both counts.
   * @param {Pick<File, "name" | "size" | "text">} file
   */
  async add(file) {
    try {
      if (file.size > MAX_FILE) throw new Error(sentence('progressTooLarge', { file: file.name }));
      const added = keptFrom(file.name, await file.text());
      this.#keep(merged(this.kept.peek(), added));
      this.notifier.notify(sentence('progressAdded', { file: file.name, lessons: Object.keys(added).length }));
    } catch (error) {
      this.notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }

  /** Clears the progress of a lesson, or of all of them; the message can undo it. @param {Lesson} [lesson] */
  clear(lesson) {
    const before = this.kept.peek();
    const { [lesson?.name ?? '']: _, ...others } = before;
    this.#keep(lesson ? others : {});
    const text = lesson ? sentence('clearedLesson', { number: lesson.number }) : sentence('cleared');
    this.notifier.notify(text, { action: { label: sentence('undo'), run: () => this.#keep(before) } });
  }

  /** Clears everything for good. */
  forget() {
    this.#keep({});
  }
}
