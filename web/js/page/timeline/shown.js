/** Decides which span of time the page shows. Only this file writes the viewport. */
import { fitAll, fitSpan, followViewport } from './viewport.js';

/** @import { Nanos } from '../../protocol.js' */
/** @import { Viewport } from './viewport.js' */

/** @typedef {Pick<import('../state.js').State, 'viewport' | 'view'>} State */

export const STORY_VIEW = { from: 0, to: 40e9 };

/** @param {State} state @param {Viewport} viewport */
export function show(state, viewport) {
  const { from, to } = state.viewport.value;
  if (viewport.from !== from || viewport.to !== to) state.viewport.value = viewport;
}

/** The run so far, and at least as much as the story shows. @param {State} state */
export function showAll(state) {
  const { live, end } = state.view.value;
  show(state, { from: 0, to: Math.max(fitAll(live.t, end).to, Math.min(STORY_VIEW.to, end)) });
}

/** @param {State} state @param {Viewport} span */
export function showSpan(state, { from, to }) {
  show(state, fitSpan(from, to, state.view.value.end));
}

/**
 * The viewport after a jump: unchanged if it contains the cursor and the run fills half of it, else forty seconds
 * around the cursor, most of them before it.
 * @param {State} state
 */
export function showRelevant(state) {
  const { cursor, live } = state.view.value;
  const { from, to } = state.viewport.value;
  const filled = Math.min(live.t, to) - from;
  if (cursor.t >= from && cursor.t <= to && filled * 2 >= to - from) return;
  const width = STORY_VIEW.to - STORY_VIEW.from;
  const last = Math.min(live.t, cursor.t + width / 2);
  const start = Math.max(0, Math.round(last - width * 0.9));
  show(state, { from: start, to: start + width });
}

/** Moves on with the cursor while a run plays. @param {State} state @param {Nanos} now */
export function follow(state, now) {
  show(state, followViewport(state.viewport.value, now, Math.max(state.view.value.end, now)));
}

/** Centers an instant that is off screen. @param {State} state @param {Nanos} t */
export function showInstant(state, t) {
  const { from, to } = state.viewport.value;
  if (t >= from && t <= to) return;
  const start = Math.max(0, t - (to - from) / 2);
  show(state, { from: start, to: start + to - from });
}
