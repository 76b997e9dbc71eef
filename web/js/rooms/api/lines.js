/** The line: what is typed, the lines before it, and what they print. */
import { signal } from '@preact/signals-core';
import { headersFor, readBody, verbOf } from './draft.js';
import { runLine } from './kubectl.js';

/** @import { ApiObject } from './objects.js' */
/** @import { Signal } from '@preact/signals-core' */
/** @import { Ask, Sent } from '../desk/client.js' */
/** @import { Block } from './panel.js' */
/** @import { Requests } from './requests.js' */

/** Of a longer output the last lines stay. */
const MANY_LINES = 2000;

/**
 * @typedef {object} LinePorts
 * @property {() => {namespace: string, name: string}} lease the run's own
 * @property {(value: unknown) => Promise<string>} yaml
 * @property {(ask: Ask, how: {verb: string, before?: ApiObject}) => void} edit opens the editor with a request
 * @property {() => void} onBegin a line runs: its output is shown from now on
 * @property {(sentence: string) => void} say
 */

export class Lines {
  text = signal('');
  isRunning = signal(false);
  /** What the last line printed, or null while an exchange is shown. @type {Signal<Block[] | null>} */
  output = signal(null);
  /** Counts lines: one that was left prints nothing any more. */
  turn = signal(0);
  /** @type {string[]} */
  #earlier = [];
  #place = 0;

  /** @param {Requests} requests @param {LinePorts} ports */
  constructor(requests, ports) {
    this.requests = requests;
    this.ports = ports;
  }

  /** To an earlier line, or a later one. @param {number} by */
  recall(by) {
    this.#place = Math.max(0, Math.min(this.#earlier.length, this.#place + by));
    this.text.value = this.#earlier[this.#place] ?? '';
  }

  /** Something else is shown; the line goes on. */
  hide() {
    this.output.value = null;
  }

  /** Something else is shown, and the line is over. */
  leave() {
    this.turn.value++;
    this.isRunning.value = false;
    this.requests.stop();
    this.hide();
  }

  async run() {
    const text = this.text.value.trim();
    if (text === '') return;
    this.requests.stop();
    if (this.#earlier.at(-1) !== text) this.#earlier.push(text);
    this.#place = this.#earlier.length;
    this.text.value = '';
    this.ports.onBegin();
    const turn = ++this.turn.value;
    this.output.value = [{ text: `$ kubectl ${text.replace(/^(\$\s*)?(kubectl|k)\s+/, '')}\n`, prose: true }];
    this.isRunning.value = true;
    const isCurrent = () => turn === this.turn.value;
    try {
      await runLine(text, this.#io(isCurrent));
    } finally {
      if (isCurrent()) {
        this.isRunning.value = false;
        this.ports.say(lastLine((this.output.value ?? []).map((block) => block.text).join('')));
      }
    }
  }

  /**
   * What a line needs of the page.
   * @param {() => boolean} here it is still the one that runs
   * @returns {import('./calls.js').Io}
   */
  #io(here) {
    const { requests, ports } = this;
    const { namespace, name } = ports.lease();
    const add = (/** @type {string} */ words, /** @type {boolean} */ prose) => {
      if (here() && this.output.value) this.output.value = append(this.output.value, `${words}\n`, prose);
    };
    return {
      namespace,
      lease: name,
      yaml: ports.yaml,
      parse: async (patch) => readBody(patch),
      print: (words) => add(words, false),
      say: (sentence) => add(sentence, true),
      pause: (ms) => new Promise((resolve) => setTimeout(() => resolve(here()), ms)),
      edit: async ({ verb, target, object, before }) => {
        const { method } = verbOf(verb);
        ports.edit(
          { method, target, headers: headersFor(verbOf(verb)), body: await ports.yaml(object) },
          { verb, before },
        );
      },
      send: (ask) => requests.send(ask),
      unwatch: () => {
        if (here()) requests.stop();
      },
      watch: (sent, tell) =>
        new Promise((resolve) => {
          if (here()) requests.follow(/** @type {Sent} */ (sent), { tell, end: () => resolve() });
          else resolve();
        }),
    };
  }
}

/** @param {Block[]} blocks @param {string} text @param {boolean} prose @returns {Block[]} */
function append(blocks, text, prose) {
  const last = blocks.at(-1);
  if (last?.prose !== prose) return [...blocks.slice(-MANY_LINES), { text, prose }];
  const lines = `${last.text}${text}`.split('\n');
  return [...blocks.slice(0, -1), { text: lines.slice(-MANY_LINES).join('\n'), prose }];
}

/** For screen readers: the end of the output. @param {string} text */
function lastLine(text) {
  const lines = text.trimEnd().split('\n');
  return lines.length > 2 ? `${lines.length - 1} lines. ${lines.at(-1)}` : (lines.at(-1) ?? '');
}
