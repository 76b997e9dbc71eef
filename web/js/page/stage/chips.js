/** The stage of a narrow page: a row of chips with letter, role shape and countdown. */
import { html, nothing, render } from 'lit-html';
import { glyph } from './glyph.js';
import { byRole, sentence, shortStatus, statusLabel } from './words.js';

/** @import { StageProps } from './stage.js' */

/** The most chips to show, because nobody scrolls further. */
const MOST = 60;

export class ChipsView {
  /** @param {HTMLElement} root @param {{onSelectNode: (name: string) => void}} callbacks */
  constructor(root, { onSelectNode }) {
    this.root = root;
    this.select = onSelectNode;
    root.classList.add('chips');
    root.setAttribute('role', 'group');
  }

  /** @param {StageProps} props */
  update({ view, now, selection }) {
    const nodes = (view.nodes.length > 8 ? byRole(view.nodes) : view.nodes).slice(0, MOST);
    const chosen = selection?.kind === 'node' ? selection.node : '';
    render(
      nodes.map(
        (n) =>
          html`<button type="button" class="chip-node" data-node=${n.name} data-index=${n.index} data-role=${n.role}
            data-cut=${n.cut || nothing} aria-pressed=${n.name === chosen ? 'true' : 'false'}
            aria-label=${sentence(n, now)} @click=${() => this.select(n.name)}
            ><svg viewBox="-8 -8 16 16" width="20" height="20"
              aria-hidden="true">${glyph(n.role)}</svg><b>${n.name}</b><span>${shortStatus(n, now)}</span
            ><small>${statusLabel(n, now) || n.roleWord}</small></button>`,
      ),
      this.root,
    );
  }
}
