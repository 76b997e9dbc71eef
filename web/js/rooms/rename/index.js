/**
 * Gives the nodes other names: everything that names them follows, and each keeps its random draws. The second engine, which loads with the
 * first renaming, knows what to change; the page's engine changes the branch.
 */
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { onSubmit } from '../../lib/control.js';
import { formatInstant } from '../../lib/format.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { openTools } from '../engine/tools.js';

/** @import { NewName } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */

const TITLE = 'Rename the nodes';

/** @param {Pick<Page, "state" | "lab" | "notifier" | "select"> & {learning: () => boolean}} page @param {ReturnType<typeof openTools>} [tools] */
export function open({ state, lab, notifier, select, learning }, tools = openTools(lab.assets)) {
  const nodes = signal(/** @type {string[]} */ ([]));
  /** A refusal, and the node whose field it is about. */
  const wrong = signal({ message: '', node: '' });
  const { dialog, show, close } = modal(newDialog('rename', TITLE), contents);
  const fields = () => /** @type {HTMLInputElement[]} */ ([...dialog.querySelectorAll('input')]);

  /** What the engine says of new names of the present run. @param {NewName[]} names */
  async function asked(names) {
    const { scenario } = await lab.ask('save', {});
    return tools.ask('rename', { scenario, names, until: state.view.peek().live.t });
  }

  /** @param {NewName[]} names */
  async function rename(names) {
    const { changes, differsAt } = await asked(names);
    const view = changes.length > 0 && (await lab.change('edit', { path: '', value: '', mode: 'same', changes }));
    if (!view) return;
    const chosen = names.find(({ from }) => from === state.selection.peek()?.node);
    if (chosen) select({ ...state.selection.peek(), kind: 'node', node: chosen.to });
    const said = names.map(({ from, to }, i) => `${from} ${i ? '' : 'is now '}${to}`).join(', ');
    const stays =
      differsAt < 0
        ? 'The run stays the same.'
        : `The run differs from ${formatInstant(differsAt)} on: there a name decides.`;
    notifier.notify(`${said}. ${stays}`, { action: { label: 'Undo', run: () => lab.undo() } });
  }

  const submit = onSubmit(async (data) => {
    const names = nodes.value
      .map((from) => ({ from, to: String(data.get(from)).trim() }))
      .filter(({ from, to }) => from !== to);
    try {
      await rename(names);
      close();
    } catch (error) {
      const { message, reply } = /** @type {Error & {reply?: import('../../protocol.js').ErrorReply}} */ (error);
      const node = names.find(({ to }) => to === reply?.value)?.from ?? reply?.path ?? '';
      const named = reply?.path?.endsWith('.name') && node; // the field says which
      wrong.value = { message: named ? `“${reply?.value}” ${reply?.rule}.` : message, node };
      fields()
        .find(({ name }) => name === node)
        ?.focus();
    }
  });

  /** A list pasted into one field fills those below it, too. @param {ClipboardEvent} event */
  function paste(event) {
    const names = event.clipboardData?.getData('text').split(/[,;\n]+/) ?? [];
    if (names.length < 2) return;
    event.preventDefault();
    const all = fields();
    const first = all.indexOf(/** @type {HTMLInputElement} */ (event.target));
    for (const [i, name] of names.entries()) if (all[first + i]) all[first + i].value = name.trim();
  }

  function contents() {
    const { message, node } = wrong.value;
    return html`${dialogHead(TITLE, close)}
      <p>Acts, checks and holders follow, and the run stays the same. Only its trace hash changes: it counts the names in the Lease. Titles and summaries keep the old names.</p>
      <form @submit=${submit}>
        ${nodes.value.map(
          (
            name,
          ) => html`<label><span>${name}</span> <input name=${name} .value=${name} maxlength="63" autocomplete="off" spellcheck="false"
            aria-invalid=${message && node === name ? 'true' : 'false'} aria-describedby="rename-error" @paste=${paste} /></label>`,
        )}
        <p id="rename-error" class="field-error" role="alert">${message || nothing}</p>
        <p class="buttons"><button type="submit" class="primary">Rename</button> <button type="button" @click=${close}>Cancel</button></p>
      </form>`;
  }

  return {
    /** @param {string} [node] the one whose field has the focus */
    async show(node) {
      if (state.phase.value !== 'ready') {
        notifier.notify('The simulator is still loading.');
        return;
      }
      if (learning()) {
        notifier.notify('The sentences of a lesson name its nodes. Leave the lesson first, then rename them.');
        return;
      }
      if (state.view.peek().playing) await lab.pause();
      try {
        ({ nodes: nodes.value } = await asked([]));
      } catch (error) {
        lab.failed(error);
        return;
      }
      wrong.value = { message: '', node: '' };
      show();
      const all = fields();
      for (const one of all) one.value = one.name;
      const first = all.find(({ name }) => name === node) ?? all[0];
      first?.focus();
      first?.select();
    },
  };
}
