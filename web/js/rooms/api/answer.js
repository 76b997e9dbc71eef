/** The answer in the API tab: which exchange it shows, in which format, and what the visitor can copy. */
import { computed, effect, signal } from '@preact/signals-core';
import { asCurl } from './copyas.js';
import { frameText, shownSent } from './exchange.js';
import { readJson } from './table.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { SentRequest } from '../desk/client.js' */
/** @import { ShownExchange } from './exchange.js' */

/** If an answer has more lines, the page first shows only a part of it. */
const MANY_LINES = 2000;

/** The formats of an exchange, the default first. @param {ShownExchange} shown */
export function formatsOf({ streams, answer }) {
  if (streams) return ['lines', 'json', 'raw'];
  return readJson(answer) === undefined ? ['raw'] : ['yaml', 'json', 'raw'];
}

/**
 * An answer in one of its formats.
 * @param {Pick<ShownExchange, "answer" | "streams">} shown
 * @param {"lines" | "json" | "raw" | string} format any format but YAML, which the engine prints
 */
export function textIn({ answer, streams }, format) {
  if (format === 'raw') return answer;
  if (streams) {
    const frames = answer.split('\n').filter(Boolean);
    return frames
      .map((frame) => (format === 'lines' ? frameText(frame) : JSON.stringify(readJson(frame), null, 2)))
      .join('\n');
  }
  return JSON.stringify(readJson(answer), null, 2);
}

export class Answer {
  /** The exchange of a node, if the tab shows one. @type {Signal<ShownExchange | null>} */
  foreign = signal(null);
  /** The number of a request of this visit, or 0 if the tab shows the exchange of a node. */
  own = signal(0);
  chosen = signal('yaml');
  whole = signal(false);
  /** The last text that the engine printed, and the answer that it belongs to. */
  #printed = signal({ key: '', text: '' });

  /**
   * @param {Signal<SentRequest[]>} sent
   * @param {(json: string) => Promise<string>} yaml
   */
  constructor(sent, yaml) {
    this.current = computed(() => {
      const own = sent.value.find(({ id }) => id === this.own.value);
      return own ? shownSent(own) : this.foreign.value;
    });
    /**
     * A long text takes time to build, so build it again only when the answer changes.
     * @type {{key: string, shown: ShownExchange} | null}
     */
    let last = null;
    const read = computed(() => {
      const exchange = this.current.value;
      const key = exchange ? `${exchange.id} ${exchange.frames} ${exchange.answer.length}` : '';
      if (key !== (last?.key ?? '')) last = exchange && { key, shown: exchange };
      return last;
    });
    this.formats = computed(() => (read.value ? formatsOf(read.value.shown) : []));
    this.format = computed(() => {
      const formats = this.formats.value;
      return formats.includes(this.chosen.value) ? this.chosen.value : (formats[0] ?? '');
    });
    this.text = computed(() => {
      if (this.format.value === 'yaml') {
        const { key, text } = this.#printed.value;
        return key === (read.value?.key ?? '') ? text : '…';
      }
      return read.value ? textIn(read.value.shown, this.format.value) : '';
    });
    effect(() => {
      if (!read.value || this.format.value !== 'yaml') return;
      const { key, shown } = read.value;
      yaml(shown.answer).then((text) => {
        this.#printed.value = { key, text: text.trimEnd() };
      });
    });
  }

  /** @param {number} id */
  showOwn(id) {
    this.whole.value = false;
    this.own.value = id;
  }

  /** @param {ShownExchange | null} exchange of a node */
  showForeign(exchange) {
    this.showOwn(0);
    this.foreign.value = exchange;
  }

  /** The visible part of the text, and the number of all its lines. */
  shownText() {
    const lines = this.text.value.split('\n');
    const whole = this.whole.value || lines.length <= MANY_LINES;
    return { whole, lines: lines.length, text: whole ? this.text.value : lines.slice(0, MANY_LINES).join('\n') };
  }

  /**
   * A text for the clipboard, and its name in messages.
   * @param {string} what "answer" | "curl" | "yaml"
   * @param {(json: string) => Promise<string>} yaml
   * @returns {Promise<[text: string, name: string] | undefined>}
   */
  async copyOf(what, yaml) {
    const exchange = this.current.value;
    if (!exchange) return undefined;
    const { ask, answer } = exchange;
    if (what === 'curl') return [asCurl(ask), 'The curl command'];
    if (what !== 'yaml') return [this.text.value, 'The answer'];
    const text = ask.body || answer;
    return [readJson(text) === undefined ? text : await yaml(text), 'The YAML'];
  }
}
