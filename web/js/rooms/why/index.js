/** The panel of causes: asks the engine for one part after another, and shows each as it arrives. */
import { signal } from '@preact/signals-core';
import { causeTemplate, storyTemplate } from './cause.js';

/** @import { Cause, CauseParams, CauseRef, ChangeRef, Cursor, Given, Ops, Rerolled, WhatIf, WhatIfLine } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */

/** Futures of each instant, and how many instants: a second or two of work. */
const RUNS = 200;
const POINTS = 16;

/** @param {Pick<Page, "state" | "lab" | "notifier" | "select"> & {close: () => void}} ports */
export function open({ state, lab, notifier, select, close }) {
  /** @type {Cause | null} */
  let cause = null;
  /** @type {WhatIf | null} */
  let whatIf = null;
  /** @type {Rerolled | null} */
  let rerolled = null;
  /** @type {"" | "whatIf" | "reroll"} */
  let running = '';
  let error = '';
  /** Counts the questions, so that late answers to older ones are dropped. */
  let begun = 0;
  /** Counts the changes of all of these. */
  const version = signal(0);

  function changed() {
    version.value = version.peek() + 1;
  }

  function forget() {
    begun++;
    cause = whatIf = rerolled = null;
    running = '';
    error = '';
    changed();
  }

  /**
   * Asks until the answer is complete or another question begins.
   * @template {"whatIf" | "reroll"} O
   * @param {O} op @param {Ops[O]['params']} params
   * @param {(answer: Ops[O]['result']) => string} keep keeps an answer, and says it once it is whole
   */
  async function ask(op, params, keep) {
    const mine = ++begun;
    running = op;
    error = '';
    changed();
    try {
      for (;;) {
        const answer = await lab.ask(op, .../** @type {Given<O>} */ ([params]));
        if (mine !== begun) return;
        const said = keep(answer);
        if (answer.done >= answer.of) {
          notifier.say(said);
          break;
        }
        changed();
      }
    } catch (failure) {
      if (mine !== begun) return;
      error = /** @type {Error} */ (failure).message;
    }
    running = '';
    changed();
  }

  /** @returns {CauseParams} */
  const subject = () => ({ kind: cause?.kind ?? 'change', number: cause?.number ?? 0 });

  /** @param {CauseParams} ref */
  async function show({ kind, number }) {
    forget();
    const mine = begun;
    try {
      const answer = await lab.ask('cause', { kind, number });
      if (mine === begun) cause = answer;
    } catch {
      // Until the engine has loaded, there is only the sum.
    }
    changed();
  }

  const on = {
    go: (/** @type {Cursor} */ cursor) => select({ kind: 'event', cursor }),
    close,
    show,
    stop: () => {
      begun++;
      running = '';
      changed();
    },
    whatIf: () =>
      ask('whatIf', subject(), (answer) => {
        whatIf = answer;
        return answer.lines.length > 0 ? `With ${answer.lines[0].sentence}.` : 'There is nothing to change.';
      }),
    reroll: () =>
      ask('reroll', { ...subject(), runs: RUNS, points: POINTS }, (answer) => {
        rerolled = answer;
        return answer.inevitable === undefined
          ? 'It was inevitable at none of these instants.'
          : 'The point of no return is found.';
      }),
    tryIt: async (/** @type {WhatIfLine} */ line) => {
      const { kind, number } = subject();
      const view = await lab.change('try', { kind, number, line: line.number });
      if (!view) return;
      notifier.say(`New branch with ${line.label}.`);
      close();
    },
  };

  return {
    /**
     * Explains a change of leader; a change that began an overlap gets the overlap's story.
     * @param {ChangeRef} change
     */
    async explain(change) {
      await show({ kind: 'change', number: change.index });
      if (change.leaderlessNs > 0 || change.from === '') return;
      const overlap = cause?.subject.find((ref) => ref.rule === 'moreThanOneActive' && ref.cursor.t === change.at);
      if (overlap) await show(overlap);
    },
    /** Explains the violation that begins at a cursor. @param {Cursor} cursor */
    async explainAt(cursor) {
      await show({ kind: 'change', number: 0 });
      const found = cause?.subject.find(
        (ref) => ref.kind === 'violation' && ref.cursor.t === cursor.t && ref.cursor.n === cursor.n,
      );
      if (found) await show(found);
      return found !== undefined;
    },
    forget,
    /**
     * @param {unknown} sum the sum of a change, as it is shown without the engine
     * @param {number} change which one that is, -1: none
     */
    template(sum, change) {
      void version.value;
      // The run has changed since, so earlier answers no longer hold.
      if (cause && cause.run !== state.view.value.run) return sum;
      const shown = { cause, whatIf, rerolled, running, error, now: state.view.value.cursor.t };
      const same = !cause || (cause.kind === 'change' && cause.number === change);
      return [same ? sum : storyTemplate(/** @type {Cause} */ (cause), on), causeTemplate(shown, on)];
    },
  };
}
