/**
 * Buffers typed letters while a room loads, so that the page does not run them as commands.
 * @param {(typed: () => string) => Promise<void>} load @param {EventTarget} [target]
 */
export async function typeAhead(load, target = globalThis) {
  let typed = '';
  const keep = (/** @type {Event} */ event) => {
    const { key, ctrlKey, metaKey } = /** @type {KeyboardEvent} */ (event);
    if (key.length > 1 || ctrlKey || metaKey) return;
    typed += key;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  target.addEventListener('keydown', keep, { capture: true });
  try {
    await load(() => typed);
  } finally {
    target.removeEventListener('keydown', keep, { capture: true });
  }
}
