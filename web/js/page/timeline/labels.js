/** The names on the left: words for rows, buttons for lanes. */

import { html, nothing, render } from 'lit-html';
import { ARROWS, Roving, sortByPlace } from '../../lib/roving.js';
import { tail } from '../stage/words.js';
import { RIBBON } from './geometry.js';
import { roleAt } from './lanelayout.js';
import { placeStyle } from './twin.js';

/** @import { Lane, NodeView } from '../../protocol.js' */
/** @import { Row } from './geometry.js' */
/** @import { LaneLayout } from './lanelayout.js' */
/** @import { Layout } from './layout.js' */

/** Where the words begin. A lane's button begins before that, but its name aligns with the words. */
export const MARGIN = 12;

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
    this.root.toggleAttribute('data-narrow', g.narrow);
    const margin = g.narrow ? 4 : MARGIN;
    /** A row without height has no room for a word. */
    const word = (/** @type {string} */ text, /** @type {Row} */ { y, h }, strong = false) =>
      html`<span class="tl-word" ?hidden=${h === 0} ?data-strong=${strong}
        .style=${placeStyle(margin, y, g.gutter - margin - 4, h)}
      >${text}</span>`;
    render(
      html`${word('Who works', { y: g.ribbon.y + 2, h: RIBBON }, true)}
        ${word('Lease names', g.lease)}
        ${word('API server', g.network.h > 0 && g.server.h === 0 ? g.network : g.server)}
        <div class="tl-lanes" role="group" aria-label="Lanes"
          .style=${placeStyle(0, g.lanes.y, g.gutter, g.lanes.h)}>${l.lanes.map((shown, i) =>
            this.#lane(l, shown, lanes[l.firstLane + i], { nodes, t }),
          )}</div>
        ${word('Whole run', g.strip)}`,
      this.root,
    );
    this.roving.refresh();
  }

  /**
   * @param {Layout} l @param {LaneLayout} shown @param {Lane} lane
   * @param {{nodes: Map<string, NodeView>, t: number}} now
   */
  #lane({ g }, { y, selected }, lane, { nodes, t }) {
    const { node, index } = lane;
    const known = nodes.get(node);
    const role = known?.roleWord ?? roleAt(lane, t);
    const top = y - g.lanes.y + g.lane.ramp - 6;
    const height = g.lane.rampH + 12;
    // Right of it are the numbers of the ramp.
    const style = g.narrow ? placeStyle(0, top, g.gutter, height) : placeStyle(4, top, g.gutter - 24, height);
    return html`<button type="button" class="tl-lane" tabindex="-1" data-node=${node} data-index=${index}
      data-role=${known?.role ?? role} aria-pressed=${selected ? 'true' : 'false'}
      aria-label=${role ? `Lane ${node}, ${role}` : `Lane ${node}`}
      .style=${style} ?data-long=${node.length > 5} title=${node.length > 11 ? node : nothing}
      @click=${() => this.select(node, index)}><b>${tail(node, 11)}</b> <span>${role}</span></button>`;
  }
}
