/**
 * The one table of keys. The help, the palette, tooltips, the handler and the tests read it. No other code names a key.
 *
 * An entry names a key by the character it types ("k", "?", "Shift+z") or by its name ("Space", "ArrowLeft"), with Mod+
 * for Ctrl or ⌘. Letters are lower case. A symbol that needs Shift appears without Shift.
 */
import keys from './keys.json' with { type: 'json' };

/**
 * @typedef {object} KeyEntry
 * @property {string} id the command it runs
 * @property {string} group heading in the help
 * @property {string[]} keys
 * @property {string} label what it does, in help and palette
 * @property {boolean} [act] changes the world: ignores key repeat and names its target
 * @property {boolean} [everywhere] also in fields, and when the other keys are off (only with Mod+)
 */

/** @type {KeyEntry[]} */
export const KEYS = /** @type {any} */ (keys);

/** @typedef {"on" | "focus" | "off"} KeyMode */

/** What the non-letter keys type on an English keyboard. @type {Record<string, string>} */
const BESIDE = { BracketLeft: '[', BracketRight: ']', Comma: ',', Period: '.' };

/**
 * The character that a key types. For a letter of another script (Cyrillic, Greek, Hebrew), the character that the key
 * types on an English keyboard.
 * @param {{key: string, code?: string}} event
 */
function latin({ key, code = '' }) {
  if ([...key].length !== 1 || key <= '~') return key;
  return BESIDE[code] ?? (/^Key[A-Z]$/.test(code) ? code[3].toLowerCase() : key);
}

/**
 * The table's name for the pressed keys, or "" for a combination that the table never uses.
 * @param {{key: string, code?: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean}} event
 */
export function keyName(event) {
  if (event.altKey || event.key === 'AltGraph') return '';
  const mod = event.ctrlKey || event.metaKey ? 'Mod+' : '';
  if (event.key === ' ') return mod || event.shiftKey ? '' : 'Space';
  const key = latin(event);
  const single = [...key].length === 1;
  const letter = single && key.toLowerCase() !== key.toUpperCase();
  const shift = event.shiftKey && (letter || !single) ? 'Shift+' : '';
  return mod + shift + (letter ? key.toLowerCase() : key);
}

/**
 * The entry that a key press runs, if keys are active now.
 * @param {KeyboardEvent} event
 * @param {{mode: KeyMode, inField: boolean, inDialog: boolean, inInstrument: boolean}} where
 * @returns {KeyEntry | undefined}
 */
export function entryFor(event, { mode, inField, inDialog, inInstrument }) {
  const name = keyName(event);
  if (!name || event.isComposing) return undefined;
  const entry = KEYS.find((candidate) => candidate.keys.includes(name));
  if (!entry) return undefined;
  if (inDialog) return undefined;
  if (entry.everywhere && name.startsWith('Mod+')) return entry;
  if (inField || mode === 'off') return undefined;
  if (mode === 'focus' && !inInstrument) return undefined;
  if (entry.act && event.repeat) return undefined;
  return entry;
}

/** @type {Record<string, string>} */
const GLYPHS = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', '-': '−' };

const MAC = /^(Mac|iP)/.test(globalThis.navigator?.platform ?? '');

/**
 * Prints a key for people: "Shift+ArrowLeft" → "Shift ←", "Mod+k" → "Ctrl K", on a Mac "⌘ K".
 * @param {string} name @param {boolean} [mac]
 */
export function printKey(name, mac = MAC) {
  return name
    .replace(/^Mod\+/, mac ? '⌘ ' : 'Ctrl ')
    .replace(/Shift\+/, 'Shift ')
    .replace(/[^ ]+$/, (last) => GLYPHS[last] ?? (last.length === 1 ? last.toUpperCase() : last));
}

/** The printed keys of a command, for tooltips: "K" or "W or +". @param {string} id */
export function printedKeys(id) {
  const entry = KEYS.find((candidate) => candidate.id === id);
  return entry ? entry.keys.map((name) => printKey(name)).join(' or ') : '';
}

/**
 * The keys of a command in the form of aria-keyshortcuts: "Shift+ArrowLeft", with spaces between alternatives.
 * @param {string} id @param {boolean} [mac]
 */
export function ariaKeys(id, mac = MAC) {
  const entry = KEYS.find((candidate) => candidate.id === id);
  const aria = (/** @type {string} */ name) =>
    name
      .replace(/^\+$/, 'Plus')
      .replace(/^Mod/, mac ? 'Meta' : 'Control')
      .replace(/\b[a-z]$/, (letter) => letter.toUpperCase());
  return entry ? entry.keys.map(aria).join(' ') : '';
}
