/**
 * The stage: the Lease in the middle, the nodes around it, and the messages between them. Everything is a function of
 * (view, now). It interpolates nothing, so a paused picture is as accurate as a moving one.
 */

import { html, render, svg } from 'lit-html';
import { STATES_ONLY_ABOVE } from './flight.js';
import { fitsRing, link, stageGeometry } from './geometry.js';
import { nodeTemplate, wireTemplate } from './node.js';
import { sentence, statusLine, tail } from './words.js';

/** @import { Nanos, NodeView, View } from '../../protocol.js' */
/** @import { NodeGrid } from '../../rooms/desk/grid.js' */
/** @import { StageGeometry } from './geometry.js' */

/**
 * @typedef {object} StageProps
 * @property {View} view
 * @property {Nanos} now
 * @property {{kind: string, node?: string}|null} [selection]
 * @property {number} speed virtual seconds per second in force (story speed already resolved)
 * @property {boolean} [reducedMotion]
 */
/**
 * @typedef {{onSelectNode: (name: string) => void, onSelectLease: () => void,
 *   onSelectMessage?: (one: {node: string, seq: number, message?: string}) => void}} StageCallbacks
 */

/** In pixels. With less height, the stage is a list. */
const LEAST_HEIGHT = 160;

export class StageView {
  #size = { width: 0, height: 0 };
  /** @type {StageProps|null} */
  #props = null;
  /** The table of many nodes, which loads with the desk. @type {NodeGrid | null} */
  #grid = null;

  /** @param {HTMLElement} root @param {StageCallbacks} callbacks */
  constructor(root, callbacks) {
    this.root = root;
    this.callbacks = callbacks;
    root.classList.add('stage');
    root.setAttribute('role', 'group');
    const press = (/** @type {Event} */ e) => {
      const target = /** @type {Element} */ (e.target);
      const node = target.closest('.stage-node');
      if (node) callbacks.onSelectNode(node.getAttribute('data-node') ?? '');
      else if (target.closest('.stage-lease')) callbacks.onSelectLease();
      const message = target.closest('.stage-message');
      if (message)
        callbacks.onSelectMessage?.({
          node: message.getAttribute('data-node') ?? '',
          seq: Number(message.getAttribute('data-seq')),
          message: message.getAttribute('data-message') ?? undefined,
        });
    };
    root.addEventListener('click', press);
    // To the browser an SVG group is not a button, so Enter and Space need a handler.
    root.addEventListener('keydown', (e) => {
      if ((e.key !== 'Enter' && e.key !== ' ') || e.repeat || e.ctrlKey || e.metaKey || e.altKey) return;
      if (!(/** @type {Element} */ (e.target).closest('.stage-svg'))) return;
      e.preventDefault();
      e.stopPropagation();
      press(e);
    });
    new ResizeObserver(() => {
      this.#size = { width: root.clientWidth, height: root.clientHeight };
      if (this.#props) this.update(this.#props);
    }).observe(root);
  }

  /** @param {typeof import('../../rooms/desk/grid.js').NodeGrid} Grid */
  useGrid(Grid) {
    const root = document.createElement('div');
    root.className = 'stage-grid';
    this.root.prepend(root); // lit-html clears everything after its own part
    this.#grid = new Grid(root, this.callbacks.onSelectNode);
    if (this.#props) this.update(this.#props);
  }

  /** @param {StageProps} props */
  update(props) {
    this.#props = props;
    const { width, height } = this.#size;
    if (width === 0) return;
    const isMany = !fitsRing(props.view.nodes.length, width);
    if (this.#grid) this.#grid.root.hidden = !isMany;
    if (isMany) this.#grid?.update(props);
    const ring = isMany ? html`` : height < LEAST_HEIGHT ? listTemplate(props) : ringTemplate(props, width, height);
    render(ring, this.root);
  }
}

/** @param {StageProps} props */
function listTemplate({ view, now, selection }) {
  return view.nodes.map(
    (n) => html`<button type="button" class="stage-node stage-line" data-node=${n.name} data-index=${n.index}
      data-role=${n.role} aria-pressed=${selection?.kind === 'node' && selection.node === n.name ? 'true' : 'false'}
      aria-label=${sentence(n, now)}><b>${n.name}</b> <span>${n.roleWord}</span> <small>${statusLine(n, now)}</small
      ></button>`,
  );
}

/** @param {StageProps} props @param {number} width @param {number} height */
function ringTemplate({ view, now, selection, speed }, width, height) {
  const compact = view.nodes.length > 3;
  const g = stageGeometry(view.nodes.length, width, height);
  const tall = Math.ceil(Math.max(...g.nodes.map((p) => p.y + g.r + (compact ? 38 : 54)), g.server.y + g.boxH, 120));
  const chosen = selection?.kind === 'node' ? selection.node : '';
  const flightsOf = (/** @type {NodeView} */ { index }) => view.flights.filter((f) => f.node === index);
  const flights = { now, speed, show: speed <= STATES_ONLY_ABOVE };
  return html`<svg class="stage-svg" viewBox=${`0 0 ${width} ${tall}`} width=${width} height=${tall}>
    <g>${view.nodes.map((n, i) => wireTemplate(n, flightsOf(n), link(g, i), flights))}</g>
    ${leaseTemplate(view, g)}
    <g>${view.nodes.map((n, i) => nodeTemplate(n, g, i, { now, selected: n.name === chosen, compact }))}</g>
  </svg>`;
}

/** @param {string} name */
const heldBy = (name) => (name.length > 6 ? tail(name, 13) : `${name} leads`);

/** @param {View} view @param {StageGeometry} g */
function leaseTemplate({ lease }, { server: { x, y }, boxW, boxH }) {
  const label = lease.exists
    ? `Lease ${lease.name}, held by ${lease.holder || 'nobody'}, version ${lease.version}`
    : `Lease ${lease.name}: none yet, the first node to ask creates it`;
  const [name, says, server] = lease.exists
    ? ['the Lease says', heldBy(lease.holder || 'nobody'), `version ${lease.version}`]
    : [`Lease ${lease.name}`, 'none yet', 'API server'];
  const step = boxH >= 60 ? 17 : 15;
  const lineAt = (/** @type {number} */ k) => y + k * step + 4;
  return svg`<g class="stage-lease" role="button" tabindex="0" data-index=${lease.holderIndex} aria-label=${label}>
    <rect class="stage-box" rx="7" x=${x - boxW / 2} y=${y - boxH / 2} width=${boxW} height=${boxH} />
    <text class="stage-box-name" x=${x} y=${lineAt(-1)}>${name}</text>
    <text class="stage-box-holder" x=${x} y=${lineAt(0) + 1}>${says}</text>
    <text class="stage-box-server" x=${x} y=${lineAt(1)}>${server}</text>
  </g>`;
}
