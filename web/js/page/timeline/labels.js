/** The names on the left: rows as words, lanes as buttons. On a narrow page they are inside their rows. */

import { ARROWS, asPlaced, Roving } from '../../lib/roving.js';
import { roleAt } from './lanelayout.js';
import { NAME_WIDTH } from './layout.js';
import { attr, place } from './twin.js';

/** @import { Lane, NodeView } from '../../protocol.js' */
/** @import { Row } from './geometry.js' */
/** @import { Layout } from './layout.js' */

/** Where the words begin: aligned with the headline. */
const MARGIN = 16;

export class Labels {
  /** @type {{button: HTMLButtonElement, name: HTMLElement, role: HTMLElement, node: string}[]} */
  #pool = [];

  /** @param {HTMLElement} root @param {(node: string, index: number) => void} select */
  constructor(root, select) {
    this.root = root;
    const word = (/** @type {string} */ text) => {
      const el = document.createElement('span');
      el.className = 'tl-word';
      el.textContent = text;
      root.append(el);
      return el;
    };
    this.holder = word('Lease holder');
    this.lanes = document.createElement('div');
    this.lanes.className = 'tl-lanes';
    this.lanes.setAttribute('role', 'group');
    this.lanes.setAttribute('aria-label', 'Lanes');
    root.append(this.lanes);
    this.bands = word('Nobody leads');
    this.two = word('Two leaders');
    this.two.dataset.kind = 'two';
    this.faults = word('Faults');
    this.violations = word('Violations');
    this.overview = word('So far');
    this.roving = new Roving(this.lanes, '.tl-lane', ARROWS.down, asPlaced);
    this.lanes.addEventListener('click', (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest('button');
      if (b) select(b.dataset.node ?? '', Number(b.dataset.index));
    });
  }

  /**
   * @param {Layout} l @param {Lane[]} lanes
   * @param {Map<string, NodeView>} nodes by name; the view lists at most a hundred
   * @param {number} t the cursor's instant
   */
  update(l, lanes, nodes, t) {
    const { g } = l;
    const narrow = g.narrow;
    attr(this.root, 'data-narrow', narrow ? '' : null);
    const w = narrow ? null : g.gutter - MARGIN - 4;
    const at = (/** @type {HTMLElement} */ el, /** @type {Row} */ row, h = row.h) =>
      place(el, narrow ? 12 : MARGIN, row.y, w, h);
    at(this.holder, { y: g.holder.y + 4, h: g.holder.h - 12 });
    // A narrow page has no room for the words where the bar itself says it.
    this.holder.hidden = narrow;
    // Where a bar is in the way, the word goes under it, unless a sum is there.
    const taken = narrow && l.bands.some((b) => b.x < NAME_WIDTH && b.x + b.w > 14);
    at(this.bands, { y: g.bands.y + (taken ? g.bandHeight : 0), h: taken ? 18 : g.bandHeight });
    this.bands.hidden = taken && l.brackets.some((b) => b.textX < NAME_WIDTH);
    this.two.hidden = !l.anyTwo || narrow;
    at(this.two, { y: g.bands.y + g.bandHeight - 2, h: 18 });
    at(this.faults, { y: g.faults.y, h: g.faults.h - 2 });
    this.faults.hidden = narrow && l.faults.some((b) => b.x < 56);
    at(this.violations, { y: g.violations.y, h: g.violations.h - 2 });
    this.violations.hidden = narrow && l.violations.some((b) => b.x < 72);
    at(this.overview, g.strip);
    this.overview.hidden = narrow;
    place(this.lanes, 0, g.lanes.y, narrow ? 110 : g.gutter, g.lanes.h);
    this.#updateLanes(l, lanes, nodes, t);
  }

  /** @param {Layout} l @param {Lane[]} lanes @param {Map<string, NodeView>} nodes @param {number} t */
  #updateLanes(l, lanes, nodes, t) {
    const { g } = l;
    while (this.#pool.length > l.lanes.length) this.#pool.pop()?.button.remove();
    while (this.#pool.length < l.lanes.length) this.#pool.push(this.#make());
    l.lanes.forEach((shown, i) => {
      const slot = this.#pool[i];
      const lane = lanes[l.firstLane + i];
      const node = nodes.get(lane.node);
      const small = shown.h < 40;
      if (g.narrow)
        place(
          slot.button,
          10,
          shown.y - g.lanes.y + Math.min(10, shown.h * 0.1),
          null,
          Math.min(small ? 20 : 28, shown.h),
        );
      else place(slot.button, MARGIN - 8, shown.y - g.lanes.y, g.gutter - MARGIN + 6, shown.h - 2);
      attr(slot.button, 'data-node', lane.node);
      attr(slot.button, 'data-index', String(lane.index));
      attr(slot.button, 'data-small', small ? '' : null);
      const role = node?.roleWord ?? roleAt(lane, t);
      attr(slot.button, 'data-role', node?.role ?? role);
      attr(slot.button, 'aria-pressed', String(shown.selected));
      attr(slot.button, 'aria-label', role ? `Lane ${lane.node}, ${role}` : `Lane ${lane.node}`);
      if (slot.name.textContent !== lane.node) slot.name.textContent = lane.node;
      if (slot.role.textContent !== role) slot.role.textContent = role;
    });
    this.roving.refresh();
  }

  #make() {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'tl-lane';
    button.tabIndex = -1;
    const name = document.createElement('b');
    const role = document.createElement('span');
    button.append(name, ' ', role);
    this.lanes.append(button);
    return { button, name, role, node: '' };
  }
}
