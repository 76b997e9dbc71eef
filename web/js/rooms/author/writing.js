/**
 * The text of a lesson in progress: its document, its errors, undo, and a copy that survives a reload.
 */
import { computed, signal } from '@preact/signals-core';
import { readStored, writeStored } from '../../lib/stored.js';
import { printYaml } from '../../lib/yamltext.js';
import { readLesson } from './checker.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { CheckResult } from './checker.js' */
/** @import { Draft } from './draft.js' */

/** How many texts undo remembers. */
const UNDOS = 100;

export class Writing {
  /** @type {string[]} */
  #before = [];

  /** @param {string} key under which the browser keeps the text between visits */
  constructor(key) {
    this.key = key;
    this.text = signal(readStored(key));
    /** Whether there is a change to undo. */
    this.undoes = signal(false);
    /** The document of the text; undefined while the text is not YAML. */
    this.draft = computed(() => (this.text.value ? readLesson(this.text.value).document : undefined));
    /** The last check and its text. @type {Signal<(CheckResult & {text: string}) | null>} */
    this.checked = signal(null);
  }

  /** @param {string} text */
  write(text) {
    if (text === this.text.peek()) return;
    this.#before = [...this.#before.slice(1 - UNDOS), this.text.peek()];
    this.#put(text);
  }

  /** @param {Draft} draft */
  change(draft) {
    if (draft !== this.draft.peek()) this.write(printYaml(dropUndefined(draft)));
  }

  undo() {
    const last = this.#before.pop();
    if (last !== undefined) this.#put(last);
  }

  /** @param {string} text */
  #put(text) {
    this.text.value = text;
    this.undoes.value = this.#before.length > 0;
    writeStored(this.key, text);
  }
}

/**
 * A document without undefined members, which YAML does not have.
 * @param {Draft} draft
 * @returns {Draft}
 */
const dropUndefined = (draft) => JSON.parse(JSON.stringify(draft));
