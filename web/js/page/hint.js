/** The story's invitation to a first act. Its states: not there yet, shown, tried (the visitor has acted), done. */

/** @import { View } from '../protocol.js' */
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

/** What the page is about, for a first visit. */
export const OPENING_LINE = 'Leader election in Kubernetes: copies of one program run, and only one may lead.';

/** The scenario of the opening story. */
const OPENING = 'a-leader-dies';

/** Whether the page shows the opening story, and nobody has acted. @param {Pick<State, 'hint' | 'view'>} state */
export function isOpening({ hint, view }) {
  const run = /** @type {View | null} */ (view.value);
  return ['', 'shown'].includes(hint.value) && run?.scenario === OPENING && run.branches.length < 2;
}
