/**
 * The address of the page: the run, the step of a lesson, or a page such as the museum. Copies it, keeps it up to date,
 * and follows it when the visitor goes back or changes it. Each scenario, step, incident and page is an entry of the
 * history; an entry also holds the panel and the zoom.
 */
import { effect } from '@preact/signals-core';
import { formatInstant } from '../../lib/format.js';
import { decodeLink, droppedWords, encodeLink, isUnchanged, MAX_LINK } from '../../lib/share.js';
import { waitUntil } from '../../lib/until.js';
import { pageOf, runIn } from '../../page/pages.js';
import { openEntries } from './entries.js';

/** @import { Linked } from '../../lib/share.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { Entry } from './entries.js' */
/** @import { Page } from './index.js' */

/** The run must rest this long before the page writes its address, in milliseconds. */
const REST_MS = 150;

/**
 * @param {Pick<Page, "state" | "lab" | "notifier" | "run" | "pages" | "showTab">} ports
 * @param {(length: number) => void} tellTooLong what to do when the link is too long for an address
 */
export function openLinks({ state, lab, notifier, run, pages, showTab }, tellTooLong) {
  const fragmentNow = () => location.hash.replace(/^#/, '');
  /** The address that the page has written or followed last. */
  let address = fragmentNow();
  /** The last link to the run that was short enough; "" for the run of the start page. */
  let runLink = runIn(address);
  /** The number of links that are opening. In that time, the address does not change. */
  let opening = 0;

  /** The address of what is on screen besides the run; "" for the run. */
  const namedPlace = () => state.place.value || state.step.value;
  const entries = openEntries({ state, lab, showTab });

  async function copyLink() {
    const page = state.place.peek();
    if (page) {
      await lab.copy(new URL(`#${page}`, location.href).href, 'the link to this page');
      return;
    }
    const link = await encodeLink(await lab.share());
    if (link.length > MAX_LINK) {
      tellTooLong(link.length);
      return;
    }
    runLink = link;
    if (!state.step.peek()) write(link);
    const at = formatInstant(state.view.value.cursor.t);
    await lab.copy(new URL(`#${link}`, location.href).href, `the link, which opens at ${at}`, {
      label: 'Embed it…',
      run: () => run('embed'),
    });
  }

  /** @param {string} to */
  function write(to) {
    address = to;
    entries.write(to, runLink);
  }

  /** The address follows the page, so that a reload and Back lose nothing. */
  let timer = 0;
  let last = '';
  effect(() => {
    const named = namedPlace();
    const { run: number, hash, cursor, live, branch, playing } = state.view.value;
    const of = [named, lab.opens, state.tab.value, state.watch.value];
    if (!named) {
      if (state.phase.value !== 'ready' || playing) return;
      of.push(number, hash, JSON.stringify([cursor, live, state.selection.value]), branch);
    }
    if (!playing) of.push(state.viewport.value.from, state.viewport.value.to);
    const now = of.join();
    if (now === last) return;
    last = now;
    clearTimeout(timer);
    timer = window.setTimeout(follow, REST_MS);
  });

  async function follow() {
    if (opening > 0) return;
    if (namedPlace()) return write(namedPlace());
    // A link cannot contain a record, and a reload must not show what a prediction hides.
    if (state.view.peek().record || state.betting.peek()) return;
    const link = lab.touched ? await encodeLink(await lab.share()).catch(() => '') : '';
    if (opening > 0 || namedPlace()) return;
    if (link && link.length <= MAX_LINK) runLink = link;
    write(runLink);
  }

  /** Receives the other parts of a link once the link's run is open. @type {(linked: Linked) => unknown} */
  let tell = () => {};

  /** @type {Lab['guard']} */
  const holdBack = async (...[op]) => (op === 'open' ? {} : { refusal: 'Wait: the question of this link is loading.' });

  /**
   * Opens a link: its run, and then its other parts.
   * @param {Linked} linked @param {() => Promise<boolean>} openRun false if the run does not open
   */
  async function openParts(linked, openRun) {
    if (linked.predict) lab.guard = holdBack;
    opening++;
    try {
      if (await openRun()) await tell(linked);
    } finally {
      // Without the question's room, the page cannot ask the question, so do not wait for the room.
      if (lab.guard === holdBack) lab.guard = undefined;
      opening--;
      entries.settle();
    }
  }

  /** Opens the other parts of the link that opened the page. @param {typeof tell} to */
  async function startTelling(to) {
    tell = to;
    const stored = /** @type {Entry | null} */ (history.state);
    const page = pageOf(address);
    const linked = page
      ? /** @type {Linked} */ ({ page })
      : await decodeLink(address).catch(() => /** @type {undefined} */ (undefined));
    if (linked)
      await openParts({ ...linked, isNew: isRun(linked) && !stored?.tab }, async () => {
        await waitUntil(() => page !== undefined || state.phase.value !== 'opening');
        return page !== undefined || state.phase.value === 'ready';
      });
    entries.settle();
    entries.restore(stored);
  }

  /** @param {string} fragment @param {Entry | null} stored by the entry of the history; null for an address by hand */
  async function open(fragment, stored) {
    const page = pageOf(fragment);
    const linked = page ? /** @type {Linked} */ ({ page }) : await decodeLink(fragment);
    if (!page) pages.close();
    const isShown = fragment === runLink && !state.step.peek();
    if (!page && !linked?.lesson) runLink = fragment;
    if (linked)
      await openParts({ ...linked, isNew: isRun(linked) && !stored }, async () => {
        if (!page && !linked.lesson && !isShown) await lab.openLink(linked);
        return true;
      });
    else if (!isShown) await openFirst();
    entries.settle();
    const words = droppedWords(linked);
    if (words) notifier.notify(words, { tone: 'error' });
    entries.restore(stored);
  }

  /** Opens the run of the start page again. */
  async function openFirst() {
    const { scenario, seed, live } = lab.opening.frames[0];
    const cursor = { t: lab.opening.why.change.at, n: -1 };
    const given = { scenario, seed, cursor, live: { ...live, ...cursor }, patch: [], actions: [], engine: 0, hash: '' };
    await openParts(given, async () => {
      await lab.openLink(given);
      return true;
    });
  }

  // Both Back and an address by hand. At this moment, the address is the one to open. The page opens one at a time, and
  // skips an address that the visitor has already left.
  let queue = Promise.resolve();
  addEventListener('popstate', ({ state: stored }) => {
    const fragment = fragmentNow();
    if (fragment === address || fragment === 'timeline') return;
    address = fragment;
    opening++;
    queue = queue
      .then(() => (address === fragment ? openOrTell(fragment, stored) : undefined))
      .then(() => {
        opening--;
      });
  });

  /** @param {string} fragment @param {Entry | null} stored */
  async function openOrTell(fragment, stored) {
    try {
      await open(fragment, stored);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      const instead = /(t)he default scenario is open instead/i;
      notifier.notify(message.replace(instead, '$1he run you had stays open'), { tone: 'error' });
    }
  }

  return { copyLink, startTelling };
}

/** Whether a link leads to a shipped run, and not to a part of the page around it. @param {Linked} linked */
const isRun = ({ lesson, predict, museum, study, page, ...run }) =>
  isUnchanged(run) && !lesson && !predict && !museum && !study && !page;
