/** The acts on the selected node. Every button names its target, and a refused act says why. */
import { html, nothing } from 'lit-html';
import { actLabel, actOf, refusalOf } from '../commands.js';
import { messageName } from '../stage/flight.js';

/** @import { ActInfo, View } from '../../protocol.js' */

/** The command of each button. Pause and resume share a button, and so do cut and heal. */
const BUTTONS = ['crash', 'restart', 'pauseNode', 'stop', 'cut', 'clock', 'remove', 'add'];

/**
 * @typedef {object} On
 * @property {(act: string, options?: object) => void} act
 * @property {() => void} clock
 * @property {(one: {node: string, seq: number, message?: string}) => void} message asks what to do with a message
 * @property {(command: string) => string} key as printed
 * @property {(command: string) => string} shortcut as aria-keyshortcuts wants it
 * @property {ActInfo[]} acts
 */

/** @param {View} view @param {string} target @param {On} on */
export function actsTemplate(view, target, on) {
  const node = view.nodes.find((candidate) => candidate.name === target);
  if (!node) return html`<p class="empty">No node. Add one.</p>`;
  return html`
    <h2 class="pane-title" data-index=${node.index}>
      <b class="letter">${node.name}</b> <span>${node.roleWord}</span>
    </h2>
    ${heldTemplate(view, on)}
    <div class="acts" ?data-long=${target.length > 2}>
      ${BUTTONS.map((command) => button(view, target, command, on))}
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
  return html`<div class="acts" role="group" aria-label="Held messages">${heldFlights.map((f) => {
    const node = nodes.find(({ index }) => index === f.node)?.name ?? '';
    return html`<button class="act" type="button" aria-haspopup="dialog"
      @click=${() => on.message({ node, seq: f.seq, message: f.message })}>
      <span>Held: ${node}’s ${messageName(f)}…</span></button>`;
  })}</div>`;
}

/** @param {View} view @param {string} target @param {string} command @param {On} on */
function button(view, target, command, on) {
  const act = actOf(command, view, target);
  const key = on.key(command);
  const refusal = act === 'add' ? '' : refusalOf(view, target, act);
  const words = actLabel(on.acts, act, target);
  const title = refusal || (on.acts.find((info) => info.act === act)?.help ?? '');
  const press = () => (act === 'clock' ? on.clock() : on.act(act));
  const main = html`<button
    class="act"
    type="button"
    data-act=${act}
    aria-disabled=${refusal ? 'true' : 'false'}
    aria-keyshortcuts=${on.shortcut(command) || nothing}
    title=${title}
    @click=${press}
  ><span>${words}</span>${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}</button>`;
  if (act !== 'cut') return main;
  const way = (/** @type {string} */ direction, /** @type {string} */ name, /** @type {string} */ sign) => html`<button
    class="act small"
    type="button"
    aria-label=${`Cut ${target}, ${name}`}
    title=${`Cut ${target}, ${name}`}
    aria-disabled=${refusal ? 'true' : 'false'}
    @click=${() => on.act('cut', { direction })}
  >${sign}</button>`;
  return html`<span class="joined"
    >${main}${way('up', 'requests only', '↑')}${way('down', 'answers only', '↓')}</span
  >`;
}
