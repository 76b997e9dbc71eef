/** Loads the desk after the first picture, and tells the reader when a part of the page did not load. */
import { signal } from '@preact/signals-core';
import { loadOnce, missing } from '../lib/later.js';
import { loadStyles } from '../lib/styles.js';

/** @import { Signal } from '@preact/signals-core' */
/** @import { Notifier } from '../lib/notify.js' */
/** @import { Lab } from './lab.js' */
/** @import { Room, Rooms } from './rooms.js' */

/** Dialogs, links, files and rooms, once their chunk has loaded. @typedef {ReturnType<Room<'desk'>['open']>} Desk */

/**
 * @param {{lab: Pick<Lab, 'assets' | 'reload'>, notifier: Pick<Notifier, 'notify'>, schedule: () => void,
 *   rooms: Rooms}} ports
 * @param {(room: Room<'desk'>) => Desk} open passes the desk the parts of the page that it uses
 */
export function openDesk({ lab, notifier, schedule, rooms }, open) {
  const desk = /** @type {Signal<Desk | null>} */ (signal(null));
  const loadModule = rooms.openOnce('desk', (room) => room);
  const fetchStyles = loadOnce(() => loadStyles(lab.assets.styles));

  /** @returns {Promise<Desk | null>} null after a failure */
  async function loadDesk() {
    const [room, styles] = await Promise.all([loadModule(), fetchStyles()]);
    if (room) desk.value ??= open(room);
    if (room && styles) notLoaded = '';
    return desk.value;
  }

  /** The sentence about what did not load, until the desk can show it. */
  let notLoaded = '';
  missing.script = import.meta.url;
  missing.tell = (sentence) => {
    if (desk.value) notifier.notify(sentence, { tone: 'error', action: { label: 'Reload', run: () => lab.reload() } });
    else {
      notLoaded = sentence;
      schedule();
    }
  };

  return { desk, loadDesk, notLoaded: () => notLoaded };
}
