/** The panel of causes. It asks the engine for one part after another and shows each when it arrives. */
import { batch, signal } from '@preact/signals-core';
import { openTools } from '../engine/tools.js';
import { causeTemplate, storyTemplate } from './cause.js';

/**
 * @import { Ask, Cause, CauseParams, CauseRef, ChangeRef, Cursor, Given, Ops, Rerolled } from '../../protocol.js'
 * @import { WhatIf, WhatIfLine } from '../../protocol.js'
 */
/** @import { Page } from '../desk/index.js' */

/** The number of futures for each instant, and the number of instants. Computing all futures takes a second or two. */
const RUNS = 200;
const POINTS = 16;

/**
 * @param {Pick<Page, "state" | "lab" | "notifier" | "select"> & {close: () => void}} ports
 * @param {{ask: Ask}} [tools] the second engine, which finds the point of no return
 */
export function open({ state, lab, notifier, select, close }, tools = openTools(lab.assets)) {
  const cause = signal(/** @type {Cause | null} */ (null));
  const whatIf = signal(/** @type {WhatIf | null} */ (null));
  const rerolled = signal(/** @type {Rerolled | null} */ (null));
  const running = signal(/** @type {"" | "whatIf" | "reroll"} */ (''));
  const error = signal('');
  /** Counts the questions, so that the panel can drop late answers to older questions. */
  let turn = 0;

  function forget() {
    turn++;
    batch(() => {
      cause.value = whatIf.value = rerolled.value = null;
      running.value = error.value = '';
    });
  }

  /**
   * Asks until the answer is complete or another question begins.
   * @template {"whatIf" | "reroll"} O
   * @param {{ask: Ask}} engine @param {O} op @param {() => Ops[O]['params'] | Promise<Ops[O]['params']>} question
   * @param {(answer: Ops[O]['result']) => string} keep keeps an answer, and returns its sentence once it is complete
   */
  async function ask(engine, op, question, keep) {
    const mine = ++turn;
    running.value = op;
    error.value = '';
    try {
      const params = await question();
      while (mine === turn) {
        const answer = await engine.ask(op, .../** @type {Given<O>} */ ([params]));
        if (mine !== turn) return;
        const isCurrent = keep(answer);
        if (answer.done >= answer.of) {
          notifier.say(isCurrent);
          break;
        }
      }
    } catch (failure) {
      if (mine !== turn) return;
      error.value = /** @type {Error} */ (failure).message;
    }
    running.value = '';
  }

  /** @returns {CauseParams} */
  const subject = () => ({ kind: cause.peek()?.kind ?? 'change', number: cause.peek()?.number ?? 0 });

  /** The page's run, for an engine that does not have it. */
  const futures = async () => ({
    ...subject(),
    scenario: (await lab.ask('save')).scenario,
    until: state.view.peek().live.t,
    runs: RUNS,
    points: POINTS,
  });

  /** @param {CauseParams} ref */
  async function show({ kind, number }) {
    forget();
    const mine = turn;
    try {
      const answer = await lab.ask('cause', { kind, number });
      if (mine !== turn) return;
      cause.value = answer;
      if (answer.kind === 'violation' && !state.view.peek().playing) on.whatIf();
    } catch {
      // Until the engine has loaded, only the sum is available.
    }
  }

  const on = {
    go: (/** @type {Cursor} */ cursor) => select({ kind: 'event', cursor }),
    close,
    show,
    stop: () => {
      turn++;
      running.value = '';
    },
    whatIf: () =>
      ask(lab, 'whatIf', subject, (answer) => {
        whatIf.value = answer;
        return answer.lines.length > 0 ? `With ${answer.lines[0].sentence}.` : 'This run has nothing to change.';
      }),
    reroll: () =>
      ask(tools, 'reroll', futures, (answer) => {
        rerolled.value = answer;
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
     * Explains a change of leader. For a change that began an overlap, explains the overlap instead.
     * @param {ChangeRef} change
     */
    async explain(change) {
      await show({ kind: 'change', number: change.index });
      if (change.leaderlessNs > 0 || change.from === '') return;
      const overlap = cause
        .peek()
        ?.subject.find((ref) => ref.rule === 'moreThanOneActive' && ref.cursor.t === change.at);
      if (overlap) await show(overlap);
    },
    /** Explains the violation that begins at a cursor. @param {Cursor} cursor */
    async explainAt(cursor) {
      await show({ kind: 'change', number: 0 });
      const found = cause
        .peek()
        ?.subject.find((ref) => ref.kind === 'violation' && ref.cursor.t === cursor.t && ref.cursor.n === cursor.n);
      if (found) await show(found);
      return found !== undefined;
    },
    forget,
    /**
     * @param {unknown} sum the sum of a change, as the page shows it without the engine
     * @param {number} change the index of that change; -1: none
     */
    template(sum, change) {
      const { run, cursor } = state.view.value;
      const values = {
        cause: cause.value,
        whatIf: whatIf.value,
        rerolled: rerolled.value,
        running: running.value,
        error: error.value,
        now: cursor.t,
      };
      const { cause: known } = values;
      // The run has changed in the meantime, so earlier answers are out of date.
      if (known && known.run !== run) return sum;
      const other = known && (known.kind !== 'change' || known.number !== change);
      return [other ? storyTemplate(known, on) : sum, causeTemplate(values, on)];
    },
  };
}
