/** One tab stop for a group of buttons: two arrow keys move within it, in reading order. */

export class Roving {
  /**
   * @param {HTMLElement} root
   * @param {string} selector
   * @param {[string, string]} keys back and forth
   */
  constructor(root, selector, keys) {
    this.root = root;
    this.selector = selector;
    /** @type {HTMLElement|null} */
    this.current = null;
    root.addEventListener('keydown', (e) => {
      const by = e.key === keys[1] ? 1 : e.key === keys[0] ? -1 : 0;
      if (by === 0 || e.ctrlKey || e.metaKey || e.altKey) return;
      const items = this.items();
      const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      if (at < 0) return;
      const next = items[at + by];
      e.preventDefault();
      e.stopPropagation();
      if (!next) return;
      this.#set(next);
      next.focus();
    });
    root.addEventListener('focusin', (e) => {
      const item = /** @type {HTMLElement} */ (e.target).closest(selector);
      if (item) this.#set(/** @type {HTMLElement} */ (item));
    });
  }

  /** Left to right, then top to bottom, whatever the order of creation was. */
  items() {
    const all = [.../** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(this.selector))];
    if (all.length < 2) return all;
    const boxes = new Map(all.map((el) => [el, el.getBoundingClientRect()]));
    return all.sort((a, b) => {
      const p = /** @type {DOMRect} */ (boxes.get(a));
      const q = /** @type {DOMRect} */ (boxes.get(b));
      // Marks of one instant begin within a few pixels of each other; those go from top to bottom.
      return Math.round(p.left / 8) - Math.round(q.left / 8) || p.top - q.top || p.left - q.left;
    });
  }

  /** After items came or went: exactly one of them is in the tab order. */
  refresh() {
    if (this.current && this.root.contains(this.current)) return;
    const first = /** @type {HTMLElement|null} */ (this.root.querySelector(this.selector));
    this.current = null;
    if (first) this.#set(first);
  }

  /** @param {HTMLElement} item */
  #set(item) {
    if (this.current && this.current !== item) this.current.tabIndex = -1;
    this.current = item;
    item.tabIndex = 0;
  }
}
