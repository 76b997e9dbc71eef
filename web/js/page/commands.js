/**
 * The commands that keys, buttons and the palette run. The engine supplies the words of each act and says whether it is
 * possible now (Hello.acts, View.acts).
 */

/** @import { ActInfo, NodeView, View } from '../protocol.js' */

/** Commands that have two acts and choose by the node's state. @type {Record<string, (node: NodeView) => string>} */
const TOGGLES = {
  pauseNode: (node) => (node.paused || node.role === 'paused' ? 'resume' : 'pause'),
  cut: (node) => (node.cut === '' ? 'cut' : 'heal'),
};

/**
 * The act that a command runs on this node now, by the engine's name.
 * @param {string} id
 * @param {View} view
 * @param {string} target
 */
export function actOf(id, view, target) {
  const node = view.nodes.find((candidate) => candidate.name === target);
  return (node && TOGGLES[id]?.(node)) ?? (id === 'pauseNode' ? 'pause' : id);
}

/** @param {ActInfo[]} acts @param {string} act */
const infoOf = (acts, act) => acts.find((info) => info.act === act);

/** What the button says. @param {ActInfo[]} acts @param {string} act @param {string} target */
export function actLabel(acts, act, target) {
  if (act === 'add') return 'Add a node';
  if (act === 'clock') return `Clock of ${target}…`;
  return `${infoOf(acts, act)?.label ?? act} ${target}`;
}

/**
 * "b will crash", for an act that waits for the engine.
 * @param {ActInfo[]} acts
 * @param {string} act
 * @param {string} target
 */
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
