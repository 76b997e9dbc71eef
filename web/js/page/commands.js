/**
 * Every command of the page by name: what a key, a button and the palette run. A command knows its own words; whether an
 * act is possible is the engine's answer (View.acts), only repeated here.
 */

/** @import { View } from '../protocol.js' */

/**
 * The world acts of the key table and what they ask of the engine. A toggle names the act for the state it meets.
 * @type {Record<string, {acts: [string, string], on: (node: import('../protocol.js').NodeView) => boolean}>}
 */
const TOGGLES = {
  crash: { acts: ['crash', 'crash'], on: () => false },
  pauseNode: { acts: ['pause', 'resume'], on: (node) => node.paused || node.role === 'paused' },
  cut: { acts: ['cut', 'heal'], on: (node) => node.cut !== '' },
  stop: { acts: ['stop', 'stop'], on: () => false },
  restart: { acts: ['restart', 'restart'], on: () => false },
};

/**
 * The act a command of the table means for this node now.
 * @param {string} id
 * @param {View} view
 * @param {string} target
 */
export function actOf(id, view, target) {
  if (id === 'add') return 'add';
  const toggle = TOGGLES[id];
  const node = view.nodes.find((candidate) => candidate.name === target);
  if (!toggle || !node) return toggle?.acts[0] ?? '';
  return toggle.acts[toggle.on(node) ? 1 : 0];
}

const VERBS = /** @type {Record<string, string>} */ ({
  crash: 'Crash',
  restart: 'Restart',
  pause: 'Pause',
  resume: 'Resume',
  cut: 'Cut',
  heal: 'Heal',
  stop: 'Stop',
  remove: 'Remove',
});

/** @param {string} act @param {string} target */
export function actLabel(act, target) {
  if (act === 'add') return 'Add a node';
  if (act === 'clock') return `Clock of ${target}…`;
  return `${VERBS[act] ?? act} ${target}`;
}

const FUTURE = /** @type {Record<string, string>} */ ({
  crash: 'will crash',
  restart: 'will restart',
  pause: 'will pause',
  resume: 'will resume',
  cut: 'will be cut off',
  heal: 'will be healed',
  stop: 'will stop',
  clock: 'will get its new clock',
  remove: 'will be removed',
});

/** "b will crash", for an act that waits for the engine. @param {string} act @param {string} target */
export function actPromise(act, target) {
  return act === 'add' ? 'A node will be added' : `${target} ${FUTURE[act] ?? act}`;
}

const DONE = /** @type {Record<string, string>} */ ({
  crash: 'crashes',
  restart: 'restarts',
  pause: 'is paused',
  resume: 'goes on',
  cut: 'is cut off',
  heal: 'is healed',
  stop: 'is asked to stop',
  clock: 'has a new clock',
  remove: 'leaves for good',
});

/** "b crashes", for the status region. @param {string} act @param {string} target */
export function actDone(act, target) {
  return act === 'add' ? 'A node joins' : `${target} ${DONE[act] ?? act}`;
}

/**
 * Why the act cannot be done now, or "".
 * @param {View} view
 * @param {string} node
 * @param {string} act
 */
export function refusalOf(view, node, act) {
  return view.acts.find((state) => state.node === node && state.act === act)?.refusal ?? '';
}
