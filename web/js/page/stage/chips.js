/** The stage of a narrow page: a row of chips with letter, role shape and countdown. */
import { setGlyph } from './glyph.js';
import { attr, html, svg, text } from './svg.js';
import { byRole, sentence, shortStatus } from './words.js';

/** @import { StageProps } from './stage.js' */

/** The most chips to show: nobody scrolls past more. */
const MOST = 60;

export class ChipsView {
  /** @type {{el: HTMLButtonElement, glyph: SVGElement, name: HTMLElement, status: HTMLElement}[]} */
  #chips = [];

  /** @param {HTMLElement} root @param {{onSelectNode: (name: string) => void}} callbacks */
  constructor(root, callbacks) {
    this.root = root;
    root.classList.add('chips');
    if (!root.hasAttribute('aria-label')) {
      root.setAttribute('role', 'group');
      root.setAttribute('aria-label', 'Nodes');
    }
    root.addEventListener('click', (e) => {
      const b = /** @type {HTMLElement} */ (e.target).closest('.chip-node');
      if (b) callbacks.onSelectNode(b.getAttribute('data-node') ?? '');
    });
  }

  /** @param {StageProps} props */
  update({ view, now, selection }) {
    const shown = (view.nodes.length > 8 ? byRole(view.nodes) : view.nodes).slice(0, MOST);
    while (this.#chips.length > shown.length) this.#chips.pop()?.el.remove();
    while (this.#chips.length < shown.length) this.#chips.push(this.#make());
    shown.forEach((n, i) => {
      const c = this.#chips[i];
      attr(c.el, 'data-node', n.name);
      attr(c.el, 'data-index', n.index);
      attr(c.el, 'data-role', n.role);
      attr(c.el, 'data-cut', n.cut === '' ? null : n.cut);
      attr(c.el, 'aria-pressed', String(selection?.kind === 'node' && selection.node === n.name));
      attr(c.el, 'aria-label', sentence(n, now));
      setGlyph(c.glyph, n.role);
      text(c.name, n.name);
      text(c.status, shortStatus(n, now) || n.roleWord);
    });
  }

  #make() {
    const el = /** @type {HTMLButtonElement} */ (html('button', 'chip-node'));
    el.type = 'button';
    const glyph = svg('g', { class: 'stage-glyph' });
    const icon = svg('svg', { viewBox: '-8 -8 16 16', width: 20, height: 20, 'aria-hidden': 'true' }, [glyph]);
    const name = html('b');
    const status = html('span');
    el.append(icon, name, status);
    this.root.append(el);
    return { el, glyph, name, status };
  }
}
