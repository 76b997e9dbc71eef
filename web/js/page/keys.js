/**
 * The one table of keys. Help, palette, tooltips, the handler and the tests read it; nothing else knows a key.
 *
 * A key is written as the character it types ("k", "?", "Shift+z") or its name ("Space", "ArrowLeft"), with Mod+ for
 * Ctrl or ⌘. Letters are lower case; a symbol that needs Shift to be typed is written without Shift.
 */

/**
 * @typedef {object} KeyEntry
 * @property {string} id the command it runs
 * @property {string} group heading in the help
 * @property {string[]} keys
 * @property {boolean} [act] changes the world: ignores key repeat and names its target
 * @property {boolean} [everywhere] also in fields, and when the other keys are off (only with Mod+)
 */

/** @type {KeyEntry[]} */
export const KEYS = [
  { id: 'playPause', group: 'Time', keys: ['Space'] },
  { id: 'eventBack', group: 'Time', keys: ['ArrowLeft'] },
  { id: 'eventForth', group: 'Time', keys: ['ArrowRight'] },
  { id: 'landmarkBack', group: 'Time', keys: ['Shift+ArrowLeft'] },
  { id: 'landmarkForth', group: 'Time', keys: ['Shift+ArrowRight'] },
  { id: 'toStart', group: 'Time', keys: ['Home'] },
  { id: 'toLive', group: 'Time', keys: ['End'] },
  { id: 'fineBack', group: 'Time', keys: [','] },
  { id: 'fineForth', group: 'Time', keys: ['.'] },
  { id: 'slower', group: 'Time', keys: ['['] },
  { id: 'faster', group: 'Time', keys: [']'] },
  { id: 'goTo', group: 'Time', keys: ['g'] },

  { id: 'zoomIn', group: 'View', keys: ['w', '+'] },
  { id: 'zoomOut', group: 'View', keys: ['s', '-'] },
  { id: 'panLeft', group: 'View', keys: ['a'] },
  { id: 'panRight', group: 'View', keys: ['d'] },
  { id: 'fit', group: 'View', keys: ['f'] },
  { id: 'laneUp', group: 'View', keys: ['ArrowUp'] },
  { id: 'laneDown', group: 'View', keys: ['ArrowDown'] },
  { id: 'markSpan', group: 'View', keys: ['m'] },

  { id: 'lessonBack', group: 'Lesson', keys: ['PageUp'] },
  { id: 'lessonForth', group: 'Lesson', keys: ['PageDown'] },

  { id: 'crash', group: 'Act', keys: ['k'], act: true },
  { id: 'pauseNode', group: 'Act', keys: ['p'], act: true },
  { id: 'cut', group: 'Act', keys: ['x'], act: true },
  { id: 'stop', group: 'Act', keys: ['t'], act: true },
  { id: 'restart', group: 'Act', keys: ['r'], act: true },
  { id: 'add', group: 'Act', keys: ['n'], act: true },
  { id: 'undo', group: 'Act', keys: ['z', 'Mod+z'], act: true },
  { id: 'redo', group: 'Act', keys: ['Shift+z', 'Mod+Shift+z'], act: true },

  ...Array.from({ length: 9 }, (_, i) => ({
    id: `node${i + 1}`,
    group: 'Select',
    keys: [String(i + 1)],
  })),
  { id: 'selectLease', group: 'Select', keys: ['0'] },
  { id: 'filter', group: 'Select', keys: ['/'] },
  { id: 'api', group: 'Page', keys: [':'] },
  { id: 'compare', group: 'Page', keys: ['c'] },
  { id: 'copyLink', group: 'Page', keys: ['l'] },
  { id: 'palette', group: 'Page', keys: ['Mod+k'], everywhere: true },
  { id: 'help', group: 'Page', keys: ['?'] },
  { id: 'escape', group: 'Page', keys: ['Escape'] },
];

/** @typedef {"on" | "focus" | "off"} KeyMode */
/** @typedef {Record<string, string[]>} Bindings keys chosen by the visitor, by command */

/** @param {KeyEntry} entry @param {Bindings} bindings */
export function keysOf(entry, bindings) {
  return bindings[entry.id] ?? entry.keys;
}

/** What the non-letter keys type on an English keyboard. @type {Record<string, string>} */
const BESIDE = { BracketLeft: '[', BracketRight: ']', Comma: ',', Period: '.' };

/**
 * What a key types; where it types a letter of another script (Cyrillic, Greek, Hebrew), what it types on an English
 * keyboard.
 * @param {{key: string, code?: string}} event
 */
function latin({ key, code = '' }) {
  if ([...key].length !== 1 || key <= '~') return key;
  return BESIDE[code] ?? (/^Key[A-Z]$/.test(code) ? code[3].toLowerCase() : key);
}

/**
 * The table's name for the keys pressed, or "" for a combination that the table never uses.
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
 * @param {{mode: KeyMode, bindings: Bindings, inField: boolean, inDialog: boolean, inInstrument: boolean}} where
 * @returns {KeyEntry | undefined}
 */
export function entryFor(event, { mode, bindings, inField, inDialog, inInstrument }) {
  const name = keyName(event);
  if (!name || event.isComposing) return undefined;
  const entry = KEYS.find((candidate) => keysOf(candidate, bindings).includes(name));
  if (!entry) return undefined;
  if (inDialog) return undefined;
  if (entry.everywhere && name.startsWith('Mod+')) return entry;
  if (inField || mode === 'off') return undefined;
  if (mode === 'focus' && !inInstrument) return undefined;
  if (entry.act && event.repeat) return undefined;
  return entry;
}

const GLYPHS = /** @type {Record<string, string>} */ ({
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  '-': '−',
});

const MAC = /^(Mac|iP)/.test(globalThis.navigator?.platform ?? '');

/**
 * How a key is printed: "Shift+ArrowLeft" → "Shift ←", "Mod+k" → "Ctrl K", on a Mac "⌘ K".
 * @param {string} name @param {boolean} [mac]
 */
export function printKey(name, mac = MAC) {
  return name
    .replace(/^Mod\+/, mac ? '⌘ ' : 'Ctrl ')
    .replace(/Shift\+/, 'Shift ')
    .replace(/[^ ]+$/, (last) => GLYPHS[last] ?? (last.length === 1 ? last.toUpperCase() : last));
}

/** The printed keys of a command, for tooltips: "K" or "W or +". @param {string} id @param {Bindings} [bindings] */
export function printedKeys(id, bindings = {}) {
  const entry = KEYS.find((candidate) => candidate.id === id);
  return entry
    ? keysOf(entry, bindings)
        .map((name) => printKey(name))
        .join(' or ')
    : '';
}

/**
 * The keys of a command as aria-keyshortcuts wants them: "Shift+ArrowLeft", alternatives apart by spaces.
 * @param {string} id @param {Bindings} [bindings] @param {boolean} [mac]
 */
export function ariaKeys(id, bindings = {}, mac = MAC) {
  const entry = KEYS.find((candidate) => candidate.id === id);
  const aria = (/** @type {string} */ name) =>
    name
      .replace(/^\+$/, 'Plus')
      .replace(/^Mod/, mac ? 'Meta' : 'Control')
      .replace(/\b[a-z]$/, (letter) => letter.toUpperCase());
  return entry ? keysOf(entry, bindings).map(aria).join(' ') : '';
}
