/**
 * The commands that keys, buttons and the palette run. The engine says the words of an act and whether it is possible now
 * (Hello.acts, View.acts).
 */

/** @import { ActInfo, NodeView, View } from '../protocol.js' */

/**
 * The acts of the key table by the engine's names. A toggle has two acts and chooses by the node's state.
 * @type {Record<string, {acts: [string, string], on: (node: NodeView) => boolean}>}
 */
const TOGGLES = {
  crash: { acts: ['crash', 'crash'], on: () => false },
  pauseNode: { acts: ['pause', 'resume'], on: (node) => node.paused || node.role === 'paused' },
  cut: { acts: ['cut', 'heal'], on: (node) => node.cut !== '' },
  stop: { acts: ['stop', 'stop'], on: () => false },
  restart: { acts: ['restart', 'restart'], on: () => false },
};

/** The act that a command runs on this node now. @param {string} id @param {View} view @param {string} target */
export function actOf(id, view, target) {
  if (id === 'add') return 'add';
  const toggle = TOGGLES[id];
  const node = view.nodes.find((candidate) => candidate.name === target);
  if (!toggle || !node) return toggle?.acts[0] ?? '';
  return toggle.acts[toggle.on(node) ? 1 : 0];
}

/** @param {ActInfo[]} acts @param {string} act */
const infoOf = (acts, act) => acts.find((info) => info.act === act);

/** What the button says. @param {ActInfo[]} acts @param {string} act @param {string} target */
export function actLabel(acts, act, target) {
  if (act === 'add') return 'Add a node';
  if (act === 'clock') return `Clock of ${target}…`;
  return `${infoOf(acts, act)?.label ?? act} ${target}`;
}

/** "b will crash", for an act that waits for the engine. @param {ActInfo[]} acts @param {string} act @param {string} target */
export function actPromise(acts, act, target) {
  return `${act === 'add' ? 'A node' : target} ${infoOf(acts, act)?.promise ?? act}`;
}

/** "b crashes", for the status region. @param {ActInfo[]} acts @param {string} act @param {string} target */
export function actDone(acts, act, target) {
  return `${act === 'add' ? 'A node' : target} ${infoOf(acts, act)?.told ?? act}`;
}

/** Why the act is not possible now, or "". @param {View} view @param {string} node @param {string} act */
export function refusalOf(view, node, act) {
  return view.acts.find((state) => state.node === node && state.act === act)?.refusal ?? '';
}
