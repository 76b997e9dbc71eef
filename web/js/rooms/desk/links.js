/**
 * The link to the run: copies it, keeps the address up to date as the run changes, and follows an address that the
 * visitor changes.
 */
import { effect } from '@preact/signals-core';
import { formatInstant } from '../../lib/format.js';
import { decodeLink, droppedWords, encodeLink, MAX_LINK } from '../../lib/share.js';
import { waitUntil } from '../../lib/until.js';

/** @import { Linked } from '../../lib/share.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { Page } from './index.js' */

/**
 * @param {Pick<Page, "state" | "lab" | "notifier" | "run">} ports
 * @param {(length: number) => void} tellTooLong what to do when the link is too long for an address
 */
export function openLinks({ state, lab, notifier, run }, tellTooLong) {
  /** The last link that was short enough. */
  let goodLink = location.hash.replace(/^#/, '');

  async function copyLink() {
    const link = await encodeLink(await lab.share());
    if (link.length > MAX_LINK) {
      tellTooLong(link.length);
      return;
    }
    keepLink(link);
    const at = formatInstant(state.view.value.cursor.t);
    await lab.copy(new URL(`#${link}`, location.href).href, `the link, which opens at ${at}`, {
      label: 'Embed it…',
      run: () => run('embed'),
    });
  }

  /** @param {string} link */
  function keepLink(link) {
    goodLink = link;
    history.replaceState(history.state, '', `#${link}`);
  }

  /** Once the visitor has done something, the address follows the run, so that a reload loses nothing. */
  let linkTimer = 0;
  let linkedPlace = '';
  effect(() => {
    const { view, phase, selection } = state;
    const mark = selection.value;
    // A link cannot contain a record.
    const { run, hash, cursor, live, branch, playing, record } = view.value;
    if (phase.value !== 'ready' || playing || !lab.touched || record) return;
    const place = JSON.stringify([run, hash, cursor, live, branch, mark]);
    if (place === linkedPlace) return;
    linkedPlace = place;
    clearTimeout(linkTimer);
    linkTimer = window.setTimeout(async () => {
      // A reload must not show what a prediction hides.
      if (isHeld || state.betting.peek()) return;
      const link = await encodeLink(await lab.share()).catch(() => '');
      if (link && link.length <= MAX_LINK) keepLink(link);
    }, 150);
  });

  /** Receives the other parts of a link once the link's run is open. @type {(linked: Linked) => unknown} */
  let tell = () => {};

  /** True while the question of a link loads. In that time, neither the run nor the address changes. */
  let isHeld = false;
  /** @type {Lab['guard']} */
  const holdBack = async (...[op]) => (op === 'open' ? {} : { refusal: 'Wait: the question of this link is loading.' });

  /** @param {Linked} linked @param {Promise<boolean>} [opened] whether the run of the link opens */
  async function tellBesides(linked, opened = Promise.resolve(true)) {
    if (linked.predict) {
      isHeld = true;
      lab.guard = holdBack;
    }
    try {
      if (await opened) await tell(linked);
    } finally {
      isHeld = false;
      // Without the question's room, the page cannot ask the question, so do not wait for the room.
      if (lab.guard === holdBack) lab.guard = undefined;
    }
  }

  /** @param {typeof tell} to */
  async function startTelling(to) {
    tell = to;
    // The link that opened the page.
    const linked = await decodeLink(goodLink).catch(() => undefined);
    if (!linked || !holdsMore(linked)) return;
    const settling = waitUntil(() => state.phase.value !== 'opening');
    await tellBesides(
      linked,
      settling.then(() => state.phase.value === 'ready'),
    );
  }

  addEventListener('hashchange', async ({ newURL }) => {
    // The address that the visitor entered. keepLink may have written another address since.
    const fragment = new URL(newURL).hash.replace(/^#/, '');
    if (fragment === goodLink || fragment === 'timeline') return;
    try {
      const linked = await decodeLink(fragment);
      if (!linked) return;
      await lab.openLink(linked);
      if (linked.dropped) notifier.notify(droppedWords(linked), { tone: 'error' });
      await tellBesides(linked);
    } catch (error) {
      notifier.notify(
        /** @type {Error} */ (error).message.replace(
          /the default scenario is open instead/i,
          (was) => `${was[0]}he run you had stays open`,
        ),
        { tone: 'error' },
      );
    }
  });

  return { copyLink, startTelling };
}

/** Whether a link contains more than a run. @param {Linked} linked */
const holdsMore = ({ compare, study, lesson, predict, museum, breakpoints }) =>
  Boolean(compare || study || lesson || predict || museum || breakpoints?.length);
