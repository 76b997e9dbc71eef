/** The panel "why": the parts of a leader change and, once the panel's room has loaded, the causes of the change. */
import { signal } from '@preact/signals-core';
import { element } from '../../lib/element.js';
import { panel } from '../../lib/panel.js';
import { whyTemplate } from './panels/why.js';

/** @import { Cursor } from '../../protocol.js' */
/** @import { Page } from './index.js' */

/** @param {Pick<Page, "state" | "lab" | "notifier" | "select" | "mark" | "rooms">} ports */
export function openExplaining({ state, lab, notifier, select, mark, rooms }) {
  const dialog = /** @type {HTMLDialogElement} */ (element('why'));
  const causes = signal(/** @type {ReturnType<typeof import('../why/index.js').open> | undefined} */ (undefined));
  const loadCauses = rooms.openOnce('why', ({ open }) => {
    causes.value = open({ state, lab, notifier, select, close });
    return causes.value;
  });

  /** Explains the selected violation, or else the leader change at the cursor. */
  async function show() {
    const { change } = state.view.value;
    const selection = state.selection.value;
    if (
      selection?.kind === 'violation' &&
      selection.cursor &&
      (await (await loadCauses())?.explainAt(selection.cursor))
    ) {
      state.why.value = null;
      if (!dialog.open) dialog.show();
      return;
    }
    if (!change) return;
    try {
      state.why.value = await lab.ask('why', { change: change.index });
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
      return;
    }
    if (!dialog.open) dialog.show();
    (await loadCauses())?.explain(change);
  }

  function close() {
    if (dialog.open) dialog.close();
    causes.peek()?.forget();
    mark(null);
  }

  const go = (/** @type {Cursor} */ cursor) => select({ kind: 'event', cursor });
  panel(dialog, () => {
    const sum = whyTemplate(state.why.value, { go, close, mark });
    return causes.value?.template(sum, state.why.value?.change.index ?? -1) ?? sum;
  });

  return { show, close, isOpen: () => dialog.open };
}
