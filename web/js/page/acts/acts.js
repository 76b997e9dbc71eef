/** The acts on the selected node. Every button names its target, and a refused act says why. */
import { html, nothing } from 'lit-html';
import { actLabel, refusalOf } from '../commands.js';

/** @import { ActInfo, NodeView, View } from '../../protocol.js' */

const BUTTONS = [
  { act: 'crash', command: 'crash' },
  { act: 'restart', command: 'restart' },
  { act: 'pause', command: 'pauseNode' },
  { act: 'resume', command: 'pauseNode' },
  { act: 'stop', command: 'stop' },
  { act: 'cut', command: 'cut' },
  { act: 'heal', command: 'cut' },
  { act: 'clock', command: '' },
  { act: 'remove', command: '' },
  { act: 'add', command: 'add' },
];

/**
 * @typedef {object} On
 * @property {(act: string, options?: object) => void} act
 * @property {() => void} clock
 * @property {(command: string) => string} key as it is printed
 * @property {(command: string) => string} shortcut as aria-keyshortcuts wants it
 * @property {ActInfo[]} acts
 */

/** @param {View} view @param {string} target @param {On} on */
export function actsTemplate(view, target, on) {
  const node = view.nodes.find((candidate) => candidate.name === target);
  if (!node) return html`<p class="empty">No node. Add one.</p>`;
  const shown = BUTTONS.filter(({ act }) => visible(act, node));
  return html`
    <h2 class="pane-title" data-index=${node.index}>
      <b class="letter">${node.name}</b> <span>${node.roleWord}</span>
    </h2>
    <div class="acts" ?data-long=${target.length > 4}>
      ${shown.map(({ act, command }) => button(view, target, act, command, on))}
    </div>
  `;
}

/** Every act has its place; pause and resume share a place, and so do cut and heal.
 * @param {string} act
 * @param {NodeView} node
 */
function visible(act, node) {
  const paused = node.paused || node.role === 'paused';
  if (act === 'pause') return !paused;
  if (act === 'resume') return paused;
  if (act === 'cut') return node.cut === '';
  if (act === 'heal') return node.cut !== '';
  return true;
}

/** @param {View} view @param {string} target @param {string} act @param {string} command @param {On} on */
function button(view, target, act, command, on) {
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
