/**
 * The stage: the Lease in the middle, the nodes around it, and what travels between them. Everything is a function of
 * (view, now): nothing is tweened, so a paused picture is as accurate as a moving one.
 */

import { STATES_ONLY_ABOVE } from './flight.js';
import { fitsRing, stageGeometry } from './geometry.js';
import { NodeMark } from './node.js';
import { attr, html, svg, text } from './svg.js';

/** @import { Flight, Nanos, View } from '../../protocol.js' */
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
/** @typedef {{onSelectNode: (name: string) => void, onSelectLease: () => void}} StageCallbacks */

export class StageView {
  /** @type {NodeMark[]} */
  #marks = [];
  #size = { width: 0, height: 0 };
  /** @type {StageProps|null} */
  #props = null;

  /** @param {HTMLElement} root @param {StageCallbacks} callbacks */
  constructor(root, callbacks) {
    this.root = root;
    root.classList.add('stage');
    if (!root.hasAttribute('aria-label')) {
      root.setAttribute('role', 'group');
      root.setAttribute('aria-label', 'Stage');
    }
    this.wires = svg('g');
    this.nodes = svg('g');
    this.boxRect = svg('rect', { class: 'stage-box', rx: 7 });
    this.boxName = svg('text', { class: 'stage-box-name' });
    this.boxHolder = svg('text', { class: 'stage-box-holder' });
    this.boxServer = svg('text', { class: 'stage-box-server' });
    this.box = svg('g', { class: 'stage-lease', role: 'button', tabindex: 0 }, [
      this.boxRect,
      this.boxName,
      this.boxHolder,
      this.boxServer,
    ]);
    this.svg = svg('svg', { class: 'stage-svg' }, [this.wires, this.box, this.nodes]);
    this.callbacks = callbacks;
    /** The table of many nodes, which loads with the desk. @type {NodeGrid | null} */
    this.grid = null;
    root.append(this.svg);
    const press = (/** @type {Event} */ e) => {
      const target = /** @type {Element} */ (e.target);
      const node = target.closest('.stage-node');
      if (node) callbacks.onSelectNode(node.getAttribute('data-node') ?? '');
      else if (target.closest('.stage-lease')) callbacks.onSelectLease();
    };
    this.svg.addEventListener('click', press);
    // To the browser an SVG group is not a button, so Enter and Space need a handler.
    this.svg.addEventListener('keydown', (e) => {
      const k = /** @type {KeyboardEvent} */ (e);
      if ((k.key !== 'Enter' && k.key !== ' ') || k.repeat || k.ctrlKey || k.metaKey || k.altKey) return;
      k.preventDefault();
      k.stopPropagation();
      press(e);
    });
    new ResizeObserver(() => {
      this.#size = { width: root.clientWidth, height: root.clientHeight };
      if (this.#props) this.update(this.#props);
    }).observe(root);
  }

  /** @param {typeof import('../../rooms/desk/grid.js').NodeGrid} Grid */
  useGrid(Grid) {
    this.grid = new Grid(html('div', 'stage-grid'), this.callbacks.onSelectNode);
    this.root.append(this.grid.root);
    if (this.#props) this.update(this.#props);
  }

  /** @param {StageProps} props */
  update(props) {
    this.#props = props;
    const { view } = props;
    const { width, height } = this.#size;
    if (width === 0) return;
    const many = !fitsRing(view.nodes.length, width);
    attr(this.svg, 'hidden', many ? '' : null);
    if (this.grid) this.grid.root.hidden = !many;
    if (many) {
      this.grid?.update(props);
      return;
    }
    this.#ring(props, width, height);
  }

  /** @param {StageProps} props @param {number} width @param {number} height */
  #ring({ view, now, selection, speed }, width, height) {
    const compact = view.nodes.length > 3;
    const g = stageGeometry(view.nodes.length, width, height);
    const tall = Math.max(...g.nodes.map((p) => p.y + g.r + (compact ? 38 : 54)), g.server.y + g.boxH, 120);
    const used = Math.min(Math.max(height, 0) || tall, tall);
    attr(this.svg, 'viewBox', `0 0 ${width} ${Math.ceil(Math.max(used, tall))}`);
    attr(this.svg, 'width', width);
    attr(this.svg, 'height', Math.ceil(Math.max(used, tall)));
    while (this.#marks.length > view.nodes.length) {
      const m = this.#marks.pop();
      m?.el.remove();
      m?.wire.remove();
    }
    while (this.#marks.length < view.nodes.length) {
      const m = new NodeMark();
      this.#marks.push(m);
      this.wires.append(m.wire);
      this.nodes.append(m.el);
    }
    this.#lease(view, g);
    view.nodes.forEach((n, i) => {
      this.#marks[i].update(n, g, i, {
        now,
        selected: selection?.kind === 'node' && selection.node === n.name,
        compact,
      });
      this.#marks[i].updateFlights(
        view.flights.filter((f) => f.node === n.index),
        g,
        i,
        { now, speed, show: speed <= STATES_ONLY_ABOVE },
      );
    });
  }

  /** @param {View} view @param {StageGeometry} g */
  #lease({ lease }, g) {
    const { x, y } = g.server;
    const holder = !lease.exists
      ? 'no Lease yet'
      : lease.holder === ''
        ? `nobody · v${lease.version}`
        : `${lease.holder} · v${lease.version}`;
    attr(this.box, 'data-index', lease.holderIndex);
    attr(
      this.box,
      'aria-label',
      lease.exists
        ? `Lease ${lease.name}, held by ${lease.holder || 'nobody'}, version ${lease.version}`
        : `Lease ${lease.name}: none yet, the first node to ask creates it`,
    );
    attr(this.boxRect, 'x', x - g.boxW / 2);
    attr(this.boxRect, 'y', y - g.boxH / 2);
    attr(this.boxRect, 'width', g.boxW);
    attr(this.boxRect, 'height', g.boxH);
    const step = g.boxH >= 60 ? 17 : 15;
    [this.boxName, this.boxHolder, this.boxServer].forEach((line, i) => {
      attr(line, 'x', x);
      attr(line, 'y', y + (i - 1) * step + 4);
    });
    text(this.boxName, `Lease ${lease.name}`);
    text(this.boxHolder, holder);
    text(this.boxServer, 'API server');
  }
}
