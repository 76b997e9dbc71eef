/**
 * The view of many nodes: a cell for each node with a letter and the shape of its role, the important roles first, and
 * a count of every role.
 */
import { html, render } from 'lit-html';
import { formatCount } from '../../lib/format.js';
import { ARROWS, Roving } from '../../lib/roving.js';
import { glyph } from '../../page/stage/glyph.js';
import { byRole, ROLES, sentence } from '../../page/stage/words.js';

/** @import { StageProps } from '../../page/stage/stage.js' */
/** @import { NodeView } from '../../protocol.js' */

const MOST = 120;

export class NodeGrid {
  /** @param {HTMLElement} root @param {(name: string) => void} select */
  constructor(root, select) {
    this.root = root;
    this.select = select;
    this.roving = new Roving(root, '.stage-cell', ARROWS.both);
  }

  /** @param {StageProps} props */
  update({ view, now, selection }) {
    const { lease } = view;
    const sorted = byRole(view.nodes);
    const counts = ROLES.flatMap((role) => {
      const n = sorted.filter((node) => node.role === role).length;
      return n > 0 ? [`${formatCount(n)} ${role}`] : [];
    });
    // With very many nodes, the engine sends only the important ones, and the counts cover only them.
    const part = view.nodesTotal > view.nodes.length ? ` (of ${formatCount(view.nodes.length)} shown)` : '';
    const rows = sorted.slice(0, MOST);
    const prefix = commonPrefix(rows);
    // The selected node is always one of the cells.
    const chosen = selection?.kind === 'node' ? view.nodes.find((n) => n.name === selection.node) : undefined;
    if (chosen && !rows.includes(chosen)) rows[rows.length - 1] = chosen;
    const left = view.nodesTotal - rows.length;
    const stored = lease.exists ? `${lease.holder || 'nobody'} · v${lease.version}` : 'none yet';
    render(
      html`<p class="stage-grid-lease">Lease ${lease.name}: ${stored}</p>
        <p class="stage-grid-counts">${counts.join(' · ')}${part}</p>
        <div class="stage-cells" role="group" aria-label="Nodes">${rows.map(
          (n) =>
            html`<button type="button" class="stage-cell" tabindex="-1" data-node=${n.name} data-index=${n.index}
              data-role=${n.role} title=${n.name}
              aria-pressed=${n === chosen ? 'true' : 'false'} aria-label=${sentence(n, now)}
              @click=${() => this.select(n.name)}
              ><svg viewBox="-8 -8 16 16" width="14" height="14"
                aria-hidden="true">${glyph(n.role)}</svg><span>${n.name.slice(prefix)}</span></button>`,
        )}</div>
        <p class="stage-grid-more">${left > 0 ? `and ${formatCount(left)} more` : ''}</p>`,
      this.root,
    );
    this.roving.refresh();
  }
}

/**
 * The length of the names' common prefix, up to a separator. In a cell, the "node-" of "node-1" and "node-2" is only
 * noise.
 * @param {NodeView[]} nodes
 */
function commonPrefix(nodes) {
  const first = /^.*[-_./]/.exec(nodes[0]?.name ?? '')?.[0] ?? '';
  return nodes.every(({ name }) => name.startsWith(first) && name.length > first.length) ? first.length : 0;
}
