/** The acts on the selected node, as tiles. Every button names its target, and a refused act says why. */
import { html, nothing } from 'lit-html';
import { icon } from '../../lib/icons.js';
import { actLabel, actOf, refusalOf } from '../commands.js';
import { messageName } from '../stage/flight.js';

/** @import { Icon } from '../../lib/icons.js' */
/** @import { ActInfo, NodeView, View } from '../../protocol.js' */

/** The command of each tile. A tile offers the act that makes sense now: pause or resume, cut or heal. */
const TILES = ['crash', 'pauseNode', 'cut', 'stop'];
/** @type {Record<string, {label: string, icon: Icon}>} */
const SHORT = {
  crash: { label: 'Crash', icon: 'crash' },
  restart: { label: 'Restart', icon: 'restart' },
  pause: { label: 'Pause', icon: 'pause' },
  resume: { label: 'Resume', icon: 'play' },
  cut: { label: 'Cut off', icon: 'cut' },
  heal: { label: 'Heal', icon: 'check' },
  stop: { label: 'Stop', icon: 'stop' },
};

/**
 * @typedef {object} On
 * @property {(act: string, options?: object) => void} act
 * @property {() => void} faults opens all faults
 * @property {(one: {node: string, seq: number, message?: string}) => void} message asks what to do with a message
 * @property {(command: string) => string} key as printed
 * @property {(command: string) => string} shortcut as aria-keyshortcuts wants it
 * @property {ActInfo[]} acts
 */

/** @param {View} view @param {string} target @param {On} on */
export function actsTemplate(view, target, on) {
  const node = view.nodes.find((candidate) => candidate.name === target);
  const add = html`<button class="btn tint" type="button" data-act="add"
    aria-keyshortcuts=${on.shortcut('add') || nothing}
    title=${on.key('add')} @click=${() => on.act('add')}>${icon('add')}Add a node</button>`;
  if (!node) return html`<p class="empty">No node.</p>${add}`;
  return html`
    <h2 class="label">Break something: <span class="letter" data-index=${node.index}>${node.name}</span>
      <span class="role">${node.roleWord}</span></h2>
    ${heldTemplate(view, on)}
    <div class="tiles">${TILES.map((command) => tile(view, node, command, on))}</div>
    <div class="beside">${add}
      <button class="btn tint" type="button" data-command="faults" @click=${on.faults}>${icon('more')}<span
        >More<i> faults</i></span></button>
    </div>
  `;
}

/**
 * The messages of all nodes that acts hold, each with buttons to deliver or drop it.
 * @param {View} view @param {On} on
 */
function heldTemplate({ flights, nodes }, on) {
  const heldFlights = flights.filter((f) => f.held);
  if (heldFlights.length === 0) return nothing;
  return html`<div class="held" role="group" aria-label="Held messages">${heldFlights.map((f) => {
    const node = nodes.find(({ index }) => index === f.node)?.name ?? '';
    return html`<button class="btn tint" type="button" aria-haspopup="dialog"
      @click=${() => on.message({ node, seq: f.seq, message: f.message })}>
      ${icon('hold')}Held: ${node}’s ${messageName(f)}…</button>`;
  })}</div>`;
}

/** @param {View} view @param {NodeView} node @param {string} command @param {On} on */
function tile(view, node, command, on) {
  const isDown = command === 'crash' && refusalOf(view, node.name, 'restart') === '';
  const act = isDown ? 'restart' : actOf(command, view, node.name);
  const key = on.key(isDown ? 'restart' : command);
  const refusal = refusalOf(view, node.name, act);
  const help = refusal || (on.acts.find((info) => info.act === act)?.help ?? '');
  const { label, icon: name } = SHORT[act];
  return html`<button class="tile" type="button" data-act=${act} aria-label=${actLabel(on.acts, act, node.name)}
    aria-disabled=${refusal ? 'true' : 'false'}
    aria-keyshortcuts=${on.shortcut(isDown ? 'restart' : command) || nothing}
    title=${key ? `${help} (${key})` : help} @click=${() => on.act(act)}>${icon(name)}<span>${label}</span></button>`;
}
