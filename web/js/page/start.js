/** The start of a visit: first the address's run or the recorded one, then the desk, then the engine. */
import { element } from '../lib/element.js';
import { decodeLink, droppedWords } from '../lib/share.js';
import { runIn } from './pages.js';

/** @import { Notifier } from '../lib/notify.js' */
/** @import { Linked } from '../lib/share.js' */
/** @import { Embed } from '../rooms/embed/index.js' */
/** @import { Lab } from './lab.js' */

/**
 * @typedef {object} Ports
 * @property {Pick<Lab, 'announce' | 'begin' | 'fetchRest' | 'arrive'>} lab
 * @property {Pick<Notifier, 'notify' | 'say'>} notifier
 * @property {{seen: boolean}} memory of the previous visit
 * @property {(change: {seen: boolean}) => void} remember
 * @property {{readonly value: boolean}} reducedMotion
 * @property {() => void} schedule asks for a frame
 * @property {() => Promise<unknown>} loadDesk
 * @property {() => Promise<Embed | undefined>} loadEmbed
 */

/** @param {Ports} ports */
export async function start({ lab, notifier, memory, remember, reducedMotion, schedule, loadEmbed, loadDesk }) {
  const embed = new URLSearchParams(location.search).has('embed') ? await loadEmbed() : undefined;
  /** @type {Linked | undefined} */
  let linked;
  let bad = '';
  const fragment = runIn(location.hash.replace(/^#/, ''));
  // The "skip to the timeline" link does not name a run.
  if (fragment !== '' && fragment !== 'timeline') {
    try {
      linked = await (embed ? embed.decodeLink(fragment) : decodeLink(fragment));
    } catch (error) {
      bad = /** @type {Error} */ (error).message;
    }
  }
  element('unstarted').remove();
  lab.begin({ linked, autoplay: !reducedMotion.value && !embed });
  if (linked && !embed) lab.announce(linked);
  const notice = bad || droppedWords(linked);
  if (notice) {
    notifier.notify(notice, { tone: 'error' });
    notifier.say(notice);
  }
  schedule();
  new ResizeObserver(schedule).observe(element('timeline'));
  await new Promise(requestAnimationFrame);
  // A page may embed several runs, so each embed waits for the reader's touch before it loads more.
  await embed?.waitForTouch();
  loadDesk();
  lab.fetchRest().catch(() => {});
  await lab.arrive();
  if (!memory.seen) remember({ seen: true });
}
