/** The line: its text, the earlier lines, and their output. */
import { signal } from '@preact/signals-core';
import { headersFor, readBody, verbOf } from './draft.js';
import { runLine } from './kubectl.js';

/** @import { ApiObject } from './objects.js' */
/** @import { Signal } from '@preact/signals-core' */
/** @import { Ask, SentRequest } from '../desk/client.js' */
/** @import { Block } from './panel.js' */
/** @import { Requests } from './requests.js' */

/** If an output has more lines, the page keeps only the last ones. */
const MANY_LINES = 2000;

/**
 * @typedef {object} LinePorts
 * @property {() => {namespace: string, name: string}} lease the run's own Lease
 * @property {(value: unknown) => Promise<string>} yaml
 * @property {(ask: Ask, how: {verb: string, before?: ApiObject}) => void} edit opens the editor with a request
 * @property {() => void} onBegin called when a line starts, so that the page shows its output
 * @property {(sentence: string) => void} say
 */

export class Lines {
  text = signal('');
  isRunning = signal(false);
  /** The output of the last line, or null while the page shows an exchange. @type {Signal<Block[] | null>} */
  output = signal(null);
  /** Counts lines, so that an abandoned line prints nothing more. */
  turn = signal(0);
  /** @type {string[]} */
  #earlier = [];
  #place = 0;

  /** @param {Requests} requests @param {LinePorts} ports */
  constructor(requests, ports) {
    this.requests = requests;
    this.ports = ports;
  }

  /** Recalls an earlier line, or a later one. @param {number} by */
  recall(by) {
    this.#place = Math.max(0, Math.min(this.#earlier.length, this.#place + by));
    this.text.value = this.#earlier[this.#place] ?? '';
  }

  /** Hides the output. The line continues. */
  hide() {
    this.output.value = null;
  }

  /** Hides the output and ends the line. */
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
   * The functions that a line needs from the page.
   * @param {() => boolean} here whether it is still the running line
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
      edit: async ({ verb, target, object, before }) => {
        const { method } = verbOf(verb);
        ports.edit(
          { method, target, headers: headersFor(verbOf(verb)), body: await ports.yaml(object) },
          { verb, before },
        );
      },
      send: (ask) => requests.send(ask),
      watch: (sent, tell) =>
        new Promise((resolve) => {
          if (here()) requests.follow(/** @type {SentRequest} */ (sent), { tell, end: () => resolve() });
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

/** The last line of the output, for screen readers. @param {string} text */
function lastLine(text) {
  const lines = text.trimEnd().split('\n');
  return lines.length > 2 ? `${lines.length - 1} lines. ${lines.at(-1)}` : (lines.at(-1) ?? '');
}
