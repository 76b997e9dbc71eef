/** Many nodes: cells with letter and role shape, the important roles first, and a count of every role. */
import { formatCount } from '../../lib/format.js';
import { ARROWS, Roving } from '../../lib/roving.js';
import { setGlyph } from '../../page/stage/glyph.js';
import { attr, html, svg, text } from '../../page/stage/svg.js';
import { byRole, ROLES, sentence } from '../../page/stage/words.js';

/** @import { StageProps } from '../../page/stage/stage.js' */
/** @import { NodeView } from '../../protocol.js' */

const MOST = 120;

export class NodeGrid {
  /** @type {{el: HTMLButtonElement, glyph: SVGElement, name: HTMLElement}[]} */
  #cells = [];

  /** @param {HTMLElement} root @param {(name: string) => void} select */
  constructor(root, select) {
    this.root = root;
    this.lease = html('p', 'stage-grid-lease');
    this.counts = html('p', 'stage-grid-counts');
    this.cells = html('div', 'stage-cells');
    this.cells.setAttribute('role', 'group');
    this.cells.setAttribute('aria-label', 'Nodes');
    this.more = html('p', 'stage-grid-more');
    root.append(this.lease, this.counts, this.cells, this.more);
    this.cells.addEventListener('click', (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest('button');
      if (b) select(b.dataset.node ?? '');
    });
    this.roving = new Roving(this.cells, 'button', ARROWS.both);
  }

  /** @param {StageProps} props */
  update({ view, now, selection }) {
    const { lease } = view;
    text(
      this.lease,
      lease.exists
        ? `Lease ${lease.name}: ${lease.holder || 'nobody'} · v${lease.version}`
        : `Lease ${lease.name}: none yet`,
    );
    const sorted = byRole(view.nodes);
    const counts = ROLES.flatMap((role) => {
      const n = sorted.filter((node) => node.role === role).length;
      return n > 0 ? [`${formatCount(n)} ${role}`] : [];
    });
    // Of very many nodes the engine sends only the important ones; the counts then cover only those.
    const part = view.nodesTotal > view.nodes.length ? ` (of ${formatCount(view.nodes.length)} shown)` : '';
    text(this.counts, counts.join(' · ') + part);
    const shown = sorted.slice(0, MOST);
    const prefix = commonPrefix(shown);
    // The selected node is always among them.
    const chosen = selection?.kind === 'node' ? view.nodes.find((n) => n.name === selection.node) : undefined;
    if (chosen && !shown.includes(chosen)) shown[shown.length - 1] = chosen;
    const left = view.nodesTotal - shown.length;
    text(this.more, left > 0 ? `and ${formatCount(left)} more` : '');
    while (this.#cells.length > shown.length) this.#cells.pop()?.el.remove();
    while (this.#cells.length < shown.length) this.#cells.push(this.#make());
    shown.forEach((n, i) => {
      const c = this.#cells[i];
      attr(c.el, 'data-node', n.name);
      attr(c.el, 'data-index', n.index);
      attr(c.el, 'data-role', n.role);
      attr(c.el, 'aria-pressed', String(n.name === selection?.node && selection?.kind === 'node'));
      attr(c.el, 'aria-label', sentence(n, now));
      setGlyph(c.glyph, n.role);
      attr(c.el, 'title', n.name);
      text(c.name, n.name.slice(prefix));
    });
    this.roving.refresh();
  }

  #make() {
    const el = /** @type {HTMLButtonElement} */ (html('button', 'stage-cell'));
    el.type = 'button';
    el.tabIndex = -1;
    const glyph = svg('g', { class: 'stage-glyph' });
    const icon = svg('svg', { viewBox: '-8 -8 16 16', width: 14, height: 14, 'aria-hidden': 'true' }, [glyph]);
    const name = html('span');
    el.append(icon, name);
    this.cells.append(el);
    return { el, glyph, name };
  }
}

/**
 * Length of the common prefix of all names, up to a separator: in a cell, the "node-" of "node-1" and "node-2" is noise.
 * @param {NodeView[]} nodes
 */
function commonPrefix(nodes) {
  const first = /^.*[-_./]/.exec(nodes[0]?.name ?? '')?.[0] ?? '';
  return nodes.every(({ name }) => name.startsWith(first) && name.length > first.length) ? first.length : 0;
}
