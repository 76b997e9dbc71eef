/** Turns a key press into a command: knows which keys work where, and which ones a control keeps for itself. */
import { entryFor } from './keys.js';

/** @import { KeyMode } from './keys.js' */

/**
 * @param {{keyMode: {value: KeyMode}}} state
 * @param {{run: (id: string) => void, isLearning: () => boolean, inDialog: () => boolean,
 *   inPage?: () => boolean, body: Element}}
 *   page isLearning: a lesson is open
 * @returns {(event: KeyboardEvent) => void}
 */
export function openKeyboard(state, { run, isLearning, inDialog, inPage = () => false, body }) {
  return (event) => {
    if (inPage() && !inDialog() && event.key === 'Escape') {
      if (event.defaultPrevented) return;
      event.preventDefault();
      run('lab');
      return;
    }
    const target = /** @type {Element} */ (event.target && 'closest' in event.target ? event.target : body);
    // A dialog that has just closed keeps the focus until the next frame, but the key is not meant for it.
    const at = target.closest('dialog:not([open])') ? body : target;
    const inField = at.matches('input:not([type="range"]), select, textarea, [contenteditable]');
    const entry = entryFor(event, {
      mode: state.keyMode.value,
      inField,
      // Under a page the lab keeps its run; what works everywhere still works.
      inDialog: inDialog() || (inPage() && !(event.ctrlKey || event.metaKey)),
      inInstrument: at.closest('#timeline, #stage') !== null,
    });
    if (!entry || event.defaultPrevented || ownsKey(at, event.key)) return;
    // Outside lessons these keys scroll, as on any page.
    if (entry.group === 'Lesson' && !isLearning()) return;
    event.preventDefault();
    run(entry.id);
  };
}

/** Controls keep their own Space, Enter and arrows. @param {Element} at @param {string} key */
function ownsKey(at, key) {
  if (key === ' ' || key === 'Enter') return at.closest('button, a, select, summary, input, [role="tab"]') !== null;
  if (!/^(Arrow|Home|End|Page)/.test(key)) return false;
  return at.closest('input[type="range"], [role="slider"], [role="tab"], [role="listbox"], .menu, pre') !== null;
}
