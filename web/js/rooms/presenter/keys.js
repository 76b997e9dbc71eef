/** The keys of presenter mode, which clickers send, too. Pure. */

/** @typedef {"forth" | "back" | "blank" | "leave"} Move */

/**
 * Clickers send PageDown and PageUp or the arrows, and a period or B for a blank screen.
 * @type {Record<string, Move>}
 */
const MOVES = {
  PageDown: 'forth',
  ArrowRight: 'forth',
  PageUp: 'back',
  ArrowLeft: 'back',
  '.': 'blank',
  b: 'blank',
  Escape: 'leave',
};

/**
 * The action of a key in a presentation; undefined: the key's usual command.
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "target">} event
 * @param {boolean} inDialog a dialog is open
 * @returns {Move | undefined}
 */
export function moveOf({ key, ctrlKey, metaKey, altKey, shiftKey, target }, inDialog) {
  const move = MOVES[key];
  if (!move || inDialog || ctrlKey || metaKey || altKey || shiftKey) return undefined;
  const field = /** @type {Element | null} */ (target)?.closest?.('input, select, textarea');
  // In a field, typing keys work as usual, but a clicker's page keys still move the lesson.
  return field && !key.startsWith('Page') ? undefined : move;
}
