/** Which keys clash after a new binding. */
import { KEYS, keysOf } from '../../../../page/keys.js';

/** @import { Bindings } from '../../../../page/keys.js' */

/**
 * The command that already has this key, if binding it to `id` would take it away.
 * @param {string} name @param {string} id @param {Bindings} bindings
 */
export function conflict(name, id, bindings) {
  return KEYS.find((entry) => entry.id !== id && keysOf(entry, bindings).includes(name));
}
