/** Announces the landmarks that the cursor passes while the run plays. */

/** @import { Notifier } from '../lib/notify.js' */
/** @import { View } from '../protocol.js' */
/** @import { State } from './state.js' */

/**
 * @param {Pick<State, 'view' | 'timeline'>} state
 * @param {Pick<Notifier, 'landmark'>} notifier
 * @returns {() => void} announces what the cursor has passed since the last call; call it in every frame of a playing
 *   run
 */
export function openLandmarks(state, notifier) {
  /** The run of the last announcement, and the instant up to which the page has announced everything. */
  let lastSpoken = { run: -1, to: 0 };
  return () => {
    const view = state.view.value;
    const { run, cursor } = view;
    if (run !== lastSpoken.run || cursor.t < lastSpoken.to) lastSpoken = { run, to: cursor.t };
    const timeline = state.timeline.value;
    if (!timeline || timeline.run !== run || !view.playing) return;
    const last = timeline.landmarks.findLast((mark) => mark.t > lastSpoken.to && mark.t <= cursor.t);
    if (!last) return;
    lastSpoken.to = cursor.t;
    const words = last.kind === 'leader' ? withReason(last.text, view) : last.text;
    notifier.landmark(words, view.speed || view.storySpeed);
  };
}

/**
 * Adds the reason to the sentence about a change of leader: the headline and its sum.
 * @param {string} text
 * @param {View} view
 */
function withReason(text, { headline: { title, addends, kind } }) {
  if (addends.length === 0 || kind === 'leads') return text;
  return `${text}. ${title} ${addends.map(({ shown, text: part }) => `${shown} s ${part}`).join(' + ')}.`;
}
