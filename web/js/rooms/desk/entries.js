/**
 * The entries of the history: one for each run, step of a lesson and page. An entry also holds the panel and the
 * zoom.
 */
import { show } from '../../page/timeline/shown.js';

/** @import { Page } from './index.js' */

/**
 * What an entry holds besides its address. under: the link to the run under a page; watch: what to watch.
 * @typedef {{under?: string, tab: string, from: number, to: number, watch: string}} Entry
 */

/** @param {Pick<Page, "state" | "lab" | "showTab">} ports */
export function openEntries({ state, lab, showTab }) {
  /** What the current entry shows. */
  let entry = '';
  const shownNow = () => state.place.peek() || state.step.peek() || `run ${lab.opens}`;

  return {
    /** The current entry shows what is on screen. */
    settle() {
      entry = shownNow();
    },
    /**
     * Writes the address: into a new entry if the page shows another place.
     * @param {string} to @param {string} runLink
     */
    write(to, runLink) {
      const isAnother = shownNow() !== entry && document.documentElement.dataset.embed === undefined;
      this.settle();
      const { from, to: until } = state.viewport.peek();
      /** @type {Entry} */
      const stored = { tab: state.tab.peek(), from, to: until, watch: state.watch.peek() };
      if (state.place.peek()) stored.under = runLink;
      const address = to ? `#${to}` : location.pathname + location.search;
      history[isAnother ? 'pushState' : 'replaceState'](stored, '', address);
    },
    /** Shows the panel and the zoom of an entry. @param {Entry | null} stored */
    restore(stored) {
      if (!stored?.tab) return;
      showTab(stored.tab);
      if (stored.to > stored.from) show(state, { from: stored.from, to: stored.to });
      if (!state.place.peek()) state.watch.value = stored.watch;
    },
  };
}
