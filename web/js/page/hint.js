/** The hint to try the first act. Its states: not there yet, shown, tried (the other suggestions stay), done. */

/** @import { State } from './state.js' */

/**
 * The next hint, by what happened and then by the previous hint. Without an entry here, the hint stays.
 * @type {Record<'waits' | 'touched' | 'undone' | 'left', Partial<Record<State['hint']['value'],
 *   State['hint']['value']>>>}
 */
const NEXT = {
  /** The recorded run pauses, and nobody has acted. */
  waits: { '': 'shown' },
  touched: { shown: 'tried' },
  /** The run has no act yet. */
  undone: { tried: 'shown' },
  /** Another run is open. */
  left: { tried: 'done' },
};

/** @param {Pick<State, 'hint'>} state @param {keyof typeof NEXT} happened */
export function moveHint(state, happened) {
  state.hint.value = NEXT[happened][state.hint.value] ?? state.hint.value;
}
