/** The names on the left: words for rows, buttons for lanes. On a narrow page the words are inside their rows. */

import { html, nothing, render } from 'lit-html';
import { ARROWS, Roving, sortByPlace } from '../../lib/roving.js';
import { roleAt } from './lanelayout.js';
import { NAME_WIDTH } from './layout.js';
import { attr, placeStyle } from './twin.js';

/** @import { Lane, NodeView } from '../../protocol.js' */
/** @import { Row } from './geometry.js' */
/** @import { LaneLayout } from './lanelayout.js' */
/** @import { Layout } from './layout.js' */

/**
 * Where the words begin, aligned with the headline. A lane's button begins before that, but its name aligns with the
 * words.
 */
export const MARGIN = 8;

export class Labels {
  /** @param {HTMLElement} root @param {(node: string, index: number) => void} select */
  constructor(root, select) {
    this.root = root;
    this.select = select;
    this.roving = new Roving(root, '.tl-lane', ARROWS.down, sortByPlace);
  }

  /**
   * @param {Layout} l @param {Lane[]} lanes
   * @param {Map<string, NodeView>} nodes by name; the view lists at most a hundred
   * @param {number} t the cursor's instant
   */
  update(l, lanes, nodes, t) {
    const { g } = l;
    const { narrow } = g;
    attr(this.root, 'data-narrow', narrow ? '' : null);
    /** Where a narrow page has no room, it hides the word, because the row itself says it. */
    const word = (/** @type {string} */ text, /** @type {Row} */ { y, h }, hidden = narrow) =>
      html`<span class="tl-word" ?hidden=${hidden}
        .style=${placeStyle(narrow ? g.gutter + 4 : MARGIN, y, narrow ? null : g.gutter - MARGIN - 4, h)}
      >${text}</span>`;
    // If a bar is in the way, the word goes under it, unless a sum is already there.
    const isCovered = narrow && l.bands.some((b) => b.x < g.gutter + NAME_WIDTH && b.x + b.w > g.gutter);
    const violations = { y: g.violations.y, h: g.violations.h - 2 };
    const bands = { y: g.bands.y + (isCovered ? g.bandHeight : 0), h: isCovered ? 18 : g.bandHeight };
    render(
      html`${word('Lease holder', { y: g.holder.y + 4, h: g.holder.h - 12 })}
        ${word('API server', { y: g.server.y, h: narrow ? 16 : g.server.h }, g.server.h === 0)}
        <div class="tl-lanes" role="group" aria-label="Lanes"
          .style=${placeStyle(0, g.lanes.y, g.gutter, g.lanes.h)}>${l.lanes.map((shown, i) =>
            this.#lane(l, shown, lanes[l.firstLane + i], { nodes, t }),
          )}</div>
        ${word('Active leaders', bands, isCovered && l.brackets.some((b) => b.textX < g.gutter + NAME_WIDTH))}
        ${word('Faults', { y: g.faults.y, h: g.faults.h - 2 }, narrow && l.faults.some((b) => b.x < g.gutter + 56))}
        ${word('Violations', violations, narrow && l.violations.some((b) => b.x < g.gutter + 72))}
        ${word('So far', g.strip)}`,
      this.root,
    );
    this.roving.refresh();
  }

  /**
   * @param {Layout} l @param {LaneLayout} shown @param {Lane} lane
   * @param {{nodes: Map<string, NodeView>, t: number}} now
   */
  #lane({ g }, { y, h, selected }, lane, { nodes, t }) {
    const { node, index } = lane;
    const known = nodes.get(node);
    const role = known?.roleWord ?? roleAt(lane, t);
    const small = h < 40;
    const top = y - g.lanes.y;
    const style = g.narrow
      ? placeStyle(0, top, g.gutter, h - 2)
      : placeStyle(MARGIN - 8, top, g.gutter - MARGIN + 6, h - 2);
    return html`<button type="button" class="tl-lane" tabindex="-1" data-node=${node} data-index=${index}
      data-small=${small ? '' : nothing}
      data-role=${known?.role ?? role} aria-pressed=${selected ? 'true' : 'false'}
      aria-label=${role ? `Lane ${node}, ${role}` : `Lane ${node}`}
      .style=${style} @click=${() => this.select(node, index)}><b>${node}</b> <span>${role}</span></button>`;
  }
}
