/** The search of the documentation. It loads when the reader first uses its field, and draws what find.js finds. */
import { html, render } from 'lit-html';
import { finder } from './find.js';

/** @import { Match, Piece, Section } from './find.js' */

/** @param {Piece[]} pieces */
const markTerms = (pieces) => pieces.map(({ text, marked }) => (marked ? html`<mark>${text}</mark>` : text));

/** @param {Match} found @param {(file: string) => string} site */
const row = ({ href, title, heading, excerpt }, site) => html`<li>
  <a href=${site(`docs/${href}`)}>
    <strong>${markTerms(title)}${heading.length > 0 ? [' › ', markTerms(heading)] : ''}</strong>
    <span>${markTerms(excerpt)}</span>
  </a>
</li>`;

/** @param {string} query @param {number} count */
const summary = (query, count) => {
  if (query === '') return '';
  if (count === 0) return `Nothing contains “${query}”. Try fewer or shorter words.`;
  return count === 1 ? 'One section' : `${count} sections`;
};

/**
 * @param {HTMLElement} panel
 * @param {(file: string) => string} site the address of a file of the site
 * @returns {Promise<(query: string) => void>} shows what a query finds; an empty query closes the panel
 */
export async function openSearch(panel, site) {
  const answer = await fetch(site(__DOCS__.sections));
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const find = finder(/** @type {Section[]} */ (await answer.json()));
  return (query) => {
    const words = query.trim();
    const found = words === '' ? [] : find(words);
    panel.dataset.open = String(words !== '');
    // The status stays in the document, so that a screen reader hears it change.
    render(
      html`<p role="status">${summary(words, found.length)}</p><ol>${found.map((one) => row(one, site))}</ol>`,
      panel,
    );
  };
}
