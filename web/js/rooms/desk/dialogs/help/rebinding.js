/** What a key pressed for a command does: it binds, is refused, or is no answer. */
import { KEYS, keyName, keysOf, printKey } from '../../../../page/keys.js';

/** @import { Bindings } from '../../../../page/keys.js' */

const MODIFIERS = ['Tab', 'Shift', 'Control', 'Alt', 'Meta'];

/**
 * The command that already has this key, if binding it to `id` would take it away.
 * @param {string} name @param {string} id @param {Bindings} bindings
 */
export function conflict(name, id, bindings) {
  return KEYS.find((entry) => entry.id !== id && keysOf(entry, bindings).includes(name));
}

/**
 * @param {KeyboardEvent} event
 * @param {string} id of the command
 * @param {Bindings} bindings
 * @returns {{bindings?: Bindings, error: string} | undefined} undefined: the key is not an answer
 */
export function rebound(event, id, bindings) {
  if (MODIFIERS.includes(event.key)) return undefined;
  if (event.key === 'Escape') return { error: '' };
  const name = keyName(event);
  if (!name || name.startsWith('Mod+')) return { error: 'Choose a key without Ctrl, Alt or ⌘.' };
  const other = conflict(name, id, bindings);
  if (other)
    return {
      error: `${printKey(name)} already means “${other.label}”. Choose another key, or change that one first.`,
    };
  return { bindings: { ...bindings, [id]: [name] }, error: '' };
}
