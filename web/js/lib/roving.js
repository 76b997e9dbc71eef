/** Makes a group of controls one tab stop. Arrow keys move back and forth within the group. */

/** @typedef {{back: string[], forth: string[]}} Keys */

/** @type {Record<"across" | "down" | "both", Keys>} */
export const ARROWS = {
  across: { back: ['ArrowLeft'], forth: ['ArrowRight'] },
  down: { back: ['ArrowUp'], forth: ['ArrowDown'] },
  both: { back: ['ArrowLeft', 'ArrowUp'], forth: ['ArrowRight', 'ArrowDown'] },
};

export class Roving {
  /**
   * @param {HTMLElement} root
   * @param {string} selector of the items
   * @param {Keys} keys
   * @param {(items: HTMLElement[]) => HTMLElement[]} [order] in which the arrow keys move; default: document order
   */
  constructor(root, selector, keys, order = (items) => items) {
    this.root = root;
    this.selector = selector;
    this.order = order;
    /** The tab stop. @type {HTMLElement | null} */
    this.current = null;
    root.addEventListener('keydown', (event) => this.#keydown(event, keys));
    root.addEventListener('focusin', (event) => {
      const item = /** @type {HTMLElement} */ (event.target).closest(selector);
      if (item) this.#set(/** @type {HTMLElement} */ (item));
    });
  }

  /** @param {KeyboardEvent} event @param {Keys} keys */
  #keydown(event, { back, forth }) {
    const by = forth.includes(event.key) ? 1 : back.includes(event.key) ? -1 : 0;
    if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.items();
    const at = items.indexOf(/** @type {HTMLElement} */ (event.target));
    if (at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    items[at + by]?.focus();
  }

  items() {
    return this.order([.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(this.selector))]);
  }

  /**
   * Keeps exactly one item in the tab order. Call it after adding or removing items.
   * @param {string} [preferred] selector of that item, unless another one has the focus
   */
  refresh(preferred) {
    const isInside = this.current !== null && this.root.contains(this.current);
    if (isInside && (!preferred || this.root.matches(':focus-within'))) return;
    if (!isInside) this.current = null;
    const first =
      (preferred && this.root.querySelector(preferred)) || (!isInside && this.root.querySelector(this.selector));
    if (first) this.#set(/** @type {HTMLElement} */ (first));
  }

  /** @param {HTMLElement} item */
  #set(item) {
    if (this.current && this.current !== item) this.current.tabIndex = -1;
    this.current = item;
    item.tabIndex = 0;
  }
}

/** Left to right, then top to bottom, by position on the screen. @param {HTMLElement[]} items */
export function sortByPlace(items) {
  if (items.length < 2) return items;
  const boxes = new Map(items.map((item) => [item, item.getBoundingClientRect()]));
  return items.sort((a, b) => {
    const p = /** @type {DOMRect} */ (boxes.get(a));
    const q = /** @type {DOMRect} */ (boxes.get(b));
    // Marks of one instant begin within a few pixels of each other. They sort from top to bottom.
    return Math.round(p.left / 8) - Math.round(q.left / 8) || p.top - q.top || p.left - q.left;
  });
}
