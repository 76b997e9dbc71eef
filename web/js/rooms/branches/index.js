/** The tree of branches. The visitor can go to a branch, rename it, delete it, or fork at the cursor. */

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { onSubmit, set } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';

/** @import { Notifier } from '../../lib/notify.js' */
/** @import { Lab } from '../../page/lab.js' */
/** @import { State } from '../../page/state.js' */
/** @import { BranchParams, BranchView } from '../../protocol.js' */

/** The visible children of each branch. Children of a deleted branch move to its parent.
 * @param {BranchView[]} all
 * @returns {Map<number, BranchView[]>} by parent, -1 for the roots
 */
export function childrenOf(all) {
  const children = new Map();
  for (const branch of all) {
    if (branch.hidden) continue;
    let parent = branch.parent;
    while (parent >= 0 && all[parent].hidden) parent = all[parent].parent;
    children.set(parent, [...(children.get(parent) ?? []), branch]);
  }
  return children;
}

/** @param {{state: State, lab: Lab, notifier: Notifier, run: (command: string) => void}} ports */
export function open({ state, lab, notifier, run }) {
  /** The branch that the visitor is renaming; -1 for none. */
  const naming = signal(-1);
  const { dialog, show, close } = modal(newDialog('tree', 'Branches'), contents);
  dialog.addEventListener('close', () => set(naming, -1));

  /** @param {BranchParams} params @param {string} done */
  async function change(params, done) {
    lab.touch();
    const view = await lab.change('branch', params, done);
    if (view) notifier.say(done);
  }

  /** @param {BranchView} branch */
  function rename(branch) {
    naming.value = branch.id;
    const field = /** @type {HTMLInputElement | null} */ (dialog.querySelector('input[name="name"]'));
    field?.focus();
    field?.select();
  }

  /** @param {BranchView} branch */
  function nameTemplate(branch) {
    const submit = onSubmit(async (data) => {
      const name = String(data.get('name')).trim();
      naming.value = -1;
      if (name && name !== branch.name)
        await change({ branch: branch.id, do: 'rename', name }, `The branch is called ${name}.`);
      focusOn(branch.id);
    });
    const keydown = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault(); // keeps the dialog open
      event.stopPropagation();
      naming.value = -1;
      focusOn(branch.id);
    };
    return html`<form @submit=${submit}>
      <label><span class="visually-hidden">Name of the branch</span>
        <input name="name" maxlength="80" autocomplete="off" .value=${branch.name} @keydown=${keydown} /></label>
      <button type="submit" class="primary">Rename</button>
    </form>`;
  }

  /** @param {number} id */
  function focusOn(id) {
    /** @type {HTMLElement | null} */ (dialog.querySelector(`[data-branch="${id}"] button`))?.focus();
  }

  /** @param {number} parent @param {Map<number, BranchView[]>} children @returns {unknown} */
  function listTemplate(parent, children) {
    const currentBranch = state.view.value.branch;
    const only = [...children.values()].flat().length === 1;
    return html`<ul>
      ${(children.get(parent) ?? []).map((branch) => {
        const current = branch.id === currentBranch;
        const from = branch.parent < 0 ? 'the first run' : `forks at ${formatInstant(branch.forkAt)}`;
        return html`<li data-branch=${branch.id}>
          ${
            naming.value === branch.id
              ? nameTemplate(branch)
              : html`<button type="button" class="name" aria-current=${current ? 'true' : nothing}
                @click=${() => change({ branch: branch.id }, `${branch.name}.`)}>${branch.name}</button>
                <span class="mute">${from}, shown up to
                  ${formatInstant(branch.live)}${current ? ', you are here' : ''}</span>
                <button type="button" class="quiet" aria-label=${`Rename ${branch.name}`}
                  @click=${() => rename(branch)}>Rename</button>
                <button type="button" class="quiet" aria-label=${`Delete ${branch.name}`} ?disabled=${only}
                  @click=${() =>
                    change(
                      { branch: branch.id, do: 'delete' },
                      `${branch.name} is deleted. Undo brings it back.`,
                    )}>Delete</button>`
          }
          ${children.has(branch.id) ? listTemplate(branch.id, children) : nothing}
        </li>`;
      })}
    </ul>`;
  }

  function contents() {
    const view = state.view.value;
    return html`${dialogHead('Branches', close)}
      ${listTemplate(-1, childrenOf(view.branches))}
      <p class="buttons">
        <button type="button"
          @click=${() => change({ branch: view.branch, do: 'fork' }, `A branch at ${formatInstant(view.cursor.t)}.`)}
          >Fork at ${formatInstant(view.cursor.t)}</button>
        <button type="button" ?disabled=${!view.undo}
          @click=${() => lab.undo()}>Undo${view.undo ? `: ${view.undo}` : ''}</button>
        <button type="button" ?disabled=${!view.redo}
          @click=${() => lab.redo()}>Redo${view.redo ? `: ${view.redo}` : ''}</button>
        <button type="button" @click=${() => run('compare')}>Compare two…</button>
        <button type="button" @click=${() => run('saveSession')}>Save the tree</button>
      </p>`;
  }

  return {
    show() {
      show();
      focusOn(state.view.value.branch);
    },
  };
}
