/**
 * The pages: rooms that take the place of the lab under the header. Each has an address, so links, Back, Forward and
 * Refresh lead to it. Escape and the button "Lab" lead back to the run.
 */

/** @import { State } from './state.js' */

/** @typedef {ReturnType<typeof openPages>} Pages */
/** @typedef {{id: string, item?: string}} PageAddress id: of the command that opens the page; item: such as B03 */

/** The word in a page's address, by the page's id. @type {{[id: string]: string}} */
const WORDS = { lessons: 'lessons', museum: 'museum', search: 'studies', numbers: 'numbers', evidence: 'logs' };

/**
 * The page that an address names; an embed has no pages.
 * @param {string} fragment @returns {PageAddress | undefined}
 */
export function pageOf(fragment) {
  if (document.documentElement.dataset.embed !== undefined) return undefined;
  const [, word, item] = /^(\w+)(?:=([\w./,-]+))?$/.exec(fragment) ?? [];
  const id = Object.keys(WORDS).find((one) => WORDS[one] === word);
  return id ? { id, item } : undefined;
}

/**
 * The link to the run that an address shows: also to the one under a page.
 * @param {string} fragment @returns {string}
 */
export const runIn = (fragment) => (pageOf(fragment) ? (history.state?.under ?? '') : fragment);

/** @param {Pick<State, 'page' | 'place'>} state @param {HTMLElement} main the lab */
export function openPages(state, main) {
  /** @type {HTMLDialogElement | null} */
  let current = null;

  return {
    /** @param {HTMLDialogElement} dialog the room @param {string} [item] what the page shows, for its address */
    enter(dialog, item = '') {
      const before = current;
      current = dialog;
      state.place.value = WORDS[dialog.id] + (item ? `=${item}` : '');
      if (before === dialog) return;
      before?.close();
      dialog.classList.add('page');
      dialog.show();
      state.page.value = dialog.id;
      main.inert = true;
    },
    /** @param {HTMLDialogElement} dialog that has closed */
    left(dialog) {
      if (current !== dialog) return;
      current = null;
      state.page.value = 'lab';
      state.place.value = '';
      main.inert = false;
    },
    /** Leads back to the lab; false if it is there. */
    close() {
      if (!current) return false;
      current.close();
      return true;
    },
  };
}
