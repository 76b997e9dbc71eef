/**
 * Edits a setting in place. The engine checks the value after every keystroke. At the end, the page asks when the
 * change should apply.
 */
import { element } from '../../../../lib/element.js';
import { durationOf } from '../../../../lib/format.js';
import { Latest } from '../../../../lib/latest.js';

/** @import { Lab } from '../../../../page/lab.js' */
/** @import { State } from '../../../../page/state.js' */
/** @import { EditMode } from '../../../../protocol.js' */
/** @import { KnobCallbacks } from './knobs.js' */

/**
 * @param {State} state @param {Lab} lab @param {(path: string, value: string, mode: EditMode) => Promise<unknown>} edit
 * @returns {KnobCallbacks}
 */
export function knobEditor(state, lab, edit) {
  const checkKnob = new Latest(
    (params) => lab.ask('check', params),
    (answer) => {
      const edit = state.edit.value;
      if (edit && answer) state.edit.value = { ...edit, error: answer.error?.message ?? '' };
    },
  );

  return {
    begin: (/** @type {string} */ path) => {
      const value = state.view.value.knobs.find((knob) => knob.path === path)?.value ?? '';
      state.edit.value = { path, value, error: '', ask: false };
      requestAnimationFrame(() => {
        const field = /** @type {HTMLInputElement | null} */ (element(`knob-${path.replaceAll('.', '-')}`));
        field?.focus();
        field?.select?.();
      });
    },
    type: (/** @type {string} */ value) => {
      const edit = state.edit.value;
      if (!edit) return;
      state.edit.value = { ...edit, value, ask: false };
      checkKnob.reset();
      checkKnob.want(value, { path: edit.path, value: durationOf(value) });
    },
    commit: async () => {
      const now = state.edit.value;
      if (!now) return;
      const value = durationOf(now.value);
      const before = state.view.value.knobs.find((knob) => knob.path === now.path)?.value;
      if (value === before) {
        state.edit.value = null;
        return;
      }
      const checked = await lab.ask('check', { path: now.path, value }).catch(() => null);
      if (state.edit.value?.path !== now.path) return;
      if (checked?.error) state.edit.value = { ...now, value: now.value, error: checked.error.message };
      else state.edit.value = { ...now, value: now.value, error: '', ask: true };
      requestAnimationFrame(() =>
        /** @type {HTMLElement | null} */ (document.querySelector('.question .primary'))?.focus(),
      );
    },
    apply: async (/** @type {EditMode} */ mode) => {
      const now = state.edit.value;
      if (!now) return;
      state.edit.value = null;
      await edit(now.path, durationOf(now.value), mode);
    },
    cancel: () => {
      const path = state.edit.value?.path;
      state.edit.value = null;
      if (path) requestAnimationFrame(() => element(`knob-${path.replaceAll('.', '-')}`)?.focus());
    },
  };
}
