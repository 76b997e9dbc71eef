/** The entries of the history: one for each run, step of a lesson and page. An entry also holds the panel and the zoom. */
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
    /** Writes the address: into a new entry if the page shows another place. @param {string} to @param {string} runLink */
    write(to, runLink) {
      const isAnother = shownNow() !== entry && document.documentElement.dataset.embed === undefined;
      this.settle();
      const { from, to: until } = state.viewport.peek();
      /** @type {Entry} */
      const held = { tab: state.tab.peek(), from, to: until, watch: state.watch.peek() };
      if (state.place.peek()) held.under = runLink;
      history[isAnother ? 'pushState' : 'replaceState'](held, '', to ? `#${to}` : location.pathname + location.search);
    },
    /** Shows the panel and the zoom of an entry. @param {Entry | null} held */
    restore(held) {
      if (!held?.tab) return;
      showTab(held.tab);
      if (held.to > held.from) show(state, { from: held.from, to: held.to });
      if (!state.place.peek()) state.watch.value = held.watch;
    },
  };
}
