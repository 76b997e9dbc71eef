/** The runs that the studies are about, and the incidents with the same faults. */
import { signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { optionsTemplate } from '../../lib/parts.js';

/**
 * What the room reads of a scenario.
 * @typedef {{name?: string, title?: string, summary?: string, actions?: {act: string}[], museum?: {catalogue: string,
 *   variant: string, class?: string}}} Document
 */

/** @param {object | null | undefined} a @param {object | null | undefined} b */
export const sameRun = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** @param {Document | null} document */
const titleOf = (document) => document?.title || document?.name || 'your run';

export class Subjects {
  /** @param {() => Promise<Document[]>} fetchShipped the scenarios that leaselab ships */
  constructor(fetchShipped) {
    this.fetchShipped = fetchShipped;
    /** What the studies are about. @type {import('@preact/signals-core').Signal<Document | null>} */
    this.chosen = signal(null);
    /** The run that is open on the page. @type {import('@preact/signals-core').Signal<Document | null>} */
    this.opened = signal(null);
    /** The run that a study opened on the page. It does not become the subject. @type {object | undefined} */
    this.ours = undefined;
    this.shipped = signal(/** @type {Document[]} */ ([]));
  }

  /** What the studies are about. @returns {Document} */
  get document() {
    return this.chosen.value ?? {};
  }

  get title() {
    return titleOf(this.chosen.value);
  }

  /** The page shows a run: unless a study has opened it, the studies are about it now. @param {Document} document */
  opens(document) {
    this.opened.value = document;
    if (!sameRun(document, this.ours) && !sameRun(document, this.chosen.value)) this.chosen.value = document;
  }

  async read() {
    if (this.shipped.value.length === 0) this.shipped.value = await this.fetchShipped();
    return this.shipped.value;
  }

  /** A crash of the leader, with the electors of a scenario. @param {object} document */
  async crash(document) {
    const found = (await this.read()).find(({ name }) => name === 'crash');
    const { elector, network } = /** @type {{elector?: object, network?: object}} */ (document);
    return found && { ...found, expect: undefined, ...(elector && { elector }), ...(network && { network }) };
  }

  /** The choice of the run: this one, the one on the page, or a shipped one. @param {(to: Document) => void} choose */
  template(choose) {
    const subject = this.chosen.value;
    const opened = this.opened.value;
    const other = opened && !sameRun(opened, subject) ? [['open', `${titleOf(opened)} (open now)`]] : [];
    const menu = this.shipped.value.filter(({ summary, name }) => summary && name !== subject?.name);
    const change = (/** @type {string} */ to) => {
      const found = to === 'open' ? opened : menu.find(({ name }) => name === to);
      if (found) choose(found);
    };
    return html`<label class="study-subject"><b>Run</b><select aria-label="Run"
      @change=${withValue(change)}>${optionsTemplate(
        [['', this.title], ...other, ...menu.map(({ name = '', title = name }) => [name, title])],
        '',
      )}</select></label>`;
  }
}

/** How many incidents stand beside a failure. */
const MOST = 2;

/**
 * The incidents of the museum whose failing run has the kinds of faults of a scenario, and no others.
 * @param {Document[]} shipped @param {object} scenario @param {boolean} two whether two lead at once
 */
export function incidentsLike(shipped, scenario, two) {
  const kindsOf = (/** @type {Document} */ { actions = [] }) =>
    [...new Set(actions.map(({ act }) => act))].sort().join();
  const kinds = kindsOf(/** @type {Document} */ (scenario));
  if (!kinds) return [];
  return shipped
    .filter(({ museum }) => museum?.variant === 'failing' && (museum.class === 'twoLeaders') === two)
    .filter((one) => kindsOf(one) === kinds)
    .slice(0, MOST)
    .map(({ title = '', museum }) => ({ id: museum?.catalogue ?? '', title }));
}
