/**
 * The pages: rooms that take the place of the lab under the header, and are entries of the history. Back, Escape and the
 * button "Lab" lead back to the run.
 */

/** @import { State } from './state.js' */

/** @typedef {ReturnType<typeof openPages>} Pages */

/**
 * @param {Pick<State, 'page'>} state @param {HTMLElement} main the lab
 * @param {(id: string) => unknown} reopen opens a page that the visitor comes back to
 */
export function openPages(state, main, reopen) {
  /** @type {HTMLDialogElement | null} */
  let current = null;

  function leave() {
    current = null;
    state.page.value = 'lab';
    main.inert = false;
    if (history.state?.page) history.back();
  }

  addEventListener('popstate', ({ state: entry }) => {
    if (entry?.page) reopen(entry.page);
    else current?.close();
  });

  return {
    /** @param {HTMLDialogElement} dialog the room */
    enter(dialog) {
      if (current === dialog) return;
      const before = current;
      current = dialog;
      before?.close();
      dialog.classList.add('page');
      dialog.show();
      state.page.value = dialog.id;
      main.inert = true;
      if (history.state?.page === dialog.id) return;
      if (before) history.replaceState({ page: dialog.id }, '');
      else history.pushState({ page: dialog.id }, '');
    },
    /** @param {HTMLDialogElement} dialog that has closed */
    left(dialog) {
      if (current === dialog) leave();
    },
    /** Leads back to the lab; false if it is there. */
    close() {
      if (!current) return false;
      current.close();
      return true;
    },
  };
}
