/**
 * The one table of keys. The help, the palette, tooltips, the handler and the tests read it. No other code names a key.
 *
 * An entry names a key by the character it types ("k", "?", "Shift+z") or by its name ("Space", "ArrowLeft"), with Mod+
 * for Ctrl or ⌘. Letters are lower case. A symbol that needs Shift appears without Shift.
 */

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
export const KEYS = [
  { id: 'playPause', group: 'Time', keys: ['Space'], label: 'Play or pause' },
  { id: 'eventBack', group: 'Time', keys: ['ArrowLeft'], label: 'Previous event' },
  { id: 'eventForth', group: 'Time', keys: ['ArrowRight'], label: 'Next event' },
  { id: 'landmarkBack', group: 'Time', keys: ['Shift+ArrowLeft'], label: 'Previous landmark' },
  { id: 'landmarkForth', group: 'Time', keys: ['Shift+ArrowRight'], label: 'Next landmark' },
  { id: 'toStart', group: 'Time', keys: ['Home'], label: 'Go to the start' },
  { id: 'toLive', group: 'Time', keys: ['End'], label: 'Go to live' },
  { id: 'fineBack', group: 'Time', keys: [','], label: 'Step back slightly' },
  { id: 'fineForth', group: 'Time', keys: ['.'], label: 'Step forward slightly' },
  { id: 'slower', group: 'Time', keys: ['['], label: 'Slower' },
  { id: 'faster', group: 'Time', keys: [']'], label: 'Faster' },
  { id: 'goTo', group: 'Time', keys: ['g'], label: 'Go to a time…' },

  { id: 'zoomIn', group: 'View', keys: ['w', '+'], label: 'Zoom in' },
  { id: 'zoomOut', group: 'View', keys: ['s', '-'], label: 'Zoom out' },
  { id: 'panLeft', group: 'View', keys: ['a'], label: 'Move the view left' },
  { id: 'panRight', group: 'View', keys: ['d'], label: 'Move the view right' },
  { id: 'fit', group: 'View', keys: ['f'], label: 'Fit the run, or the marked span' },
  { id: 'projector', group: 'View', keys: ['v'], label: 'Projector: large type, no side panels' },
  { id: 'laneUp', group: 'View', keys: ['ArrowUp'], label: 'Lane above' },
  { id: 'laneDown', group: 'View', keys: ['ArrowDown'], label: 'Lane below' },
  { id: 'markSpan', group: 'View', keys: ['m'], label: 'Mark a span: its start, then its end' },

  { id: 'lessonBack', group: 'Lesson', keys: ['PageUp'], label: 'Previous step of the lesson' },
  { id: 'lessonForth', group: 'Lesson', keys: ['PageDown'], label: 'Next step of the lesson' },

  { id: 'crash', group: 'Act', keys: ['k'], act: true, label: 'Crash' },
  { id: 'pauseNode', group: 'Act', keys: ['p'], act: true, label: 'Pause or resume' },
  { id: 'cut', group: 'Act', keys: ['x'], act: true, label: 'Cut off or heal' },
  { id: 'stop', group: 'Act', keys: ['t'], act: true, label: 'Stop gracefully' },
  { id: 'restart', group: 'Act', keys: ['r'], act: true, label: 'Restart' },
  { id: 'add', group: 'Act', keys: ['n'], act: true, label: 'Add a node' },
  { id: 'undo', group: 'Act', keys: ['z', 'Mod+z'], act: true, label: 'Undo' },
  { id: 'redo', group: 'Act', keys: ['Shift+z', 'Mod+Shift+z'], act: true, label: 'Redo' },

  ...Array.from({ length: 9 }, (_, i) => ({
    id: `node${i + 1}`,
    group: 'Select',
    keys: [String(i + 1)],
    label: `Select node ${i + 1}`,
  })),
  { id: 'selectLease', group: 'Select', keys: ['0'], label: 'Select the Lease' },
  { id: 'message', group: 'Select', keys: ['i'], label: 'Stop a message on its way…' },
  { id: 'filter', group: 'Select', keys: ['/'], label: 'Filter the events' },
  { id: 'api', group: 'Page', keys: [':'], label: 'API: type a kubectl command' },
  { id: 'scenarios', group: 'Page', keys: ['o'], label: 'Choose a scenario…' },
  { id: 'compare', group: 'Page', keys: ['c'], label: 'Compare two runs' },
  { id: 'search', group: 'Page', keys: ['h'], label: 'Studies: many runs…' },
  { id: 'copyLink', group: 'Page', keys: ['l'], label: 'Copy the link' },
  { id: 'export', group: 'Page', keys: ['e'], label: 'Export: picture, report, Go test…' },
  { id: 'palette', group: 'Page', keys: ['Mod+k'], everywhere: true, label: 'Every command by name' },
  { id: 'help', group: 'Page', keys: ['?'], label: 'Keys and help' },
  { id: 'escape', group: 'Page', keys: ['Escape'], label: 'Close, then deselect' },
];

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
