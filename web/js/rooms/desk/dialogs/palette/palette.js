/** Every command by name. Typing filters, arrows choose, Enter runs. */
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { withValue } from '../../../../lib/control.js';

/** @typedef {{id: string, label: string, keys: string, refusal?: string, run: () => void}} Command */

/**
 * Commands whose name contains every typed word. Names that begin with the text come first.
 * @param {Command[]} commands @param {string} text
 */
export function narrow(commands, text) {
  const words = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const fits = commands.filter((command) => words.every((word) => command.label.toLowerCase().includes(word)));
  const rankOf = (/** @type {Command} */ command) => (command.label.toLowerCase().startsWith(words.join(' ')) ? 0 : 1);
  return fits
    .map((command, i) => ({ command, i }))
    .sort((a, b) => rankOf(a.command) - rankOf(b.command) || a.i - b.i)
    .map(({ command }) => command);
}

/**
 * @param {Command[]} commands only the matching ones
 * @param {string} text @param {number} chosen
 * @param {{type: (text: string) => void, choose: (i: number) => void, run: (command: Command) => void}} on
 */
export function paletteTemplate(commands, text, chosen, on) {
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      on.choose((chosen + step + commands.length) % Math.max(1, commands.length));
      event.preventDefault();
    } else if (event.key === 'Enter' && commands[chosen]) {
      on.run(commands[chosen]);
      event.preventDefault();
    }
  };
  return html`
    <input id="palette-text" type="text" role="combobox" placeholder="What do you want to do?" autocomplete="off"
      aria-label="Command" aria-expanded="true" aria-controls="palette-list"
      aria-activedescendant=${commands[chosen] ? `command-${commands[chosen].id}` : nothing}
      .value=${text} @input=${withValue(on.type)} @keydown=${keydown} />
    <ul id="palette-list" role="listbox" aria-label="Commands">
      ${commands.map(
        (command, i) => html`<li id=${`command-${command.id}`} role="option"
          aria-selected=${i === chosen ? 'true' : 'false'} aria-disabled=${command.refusal ? 'true' : 'false'}
          @click=${() => on.run(command)}><span>${command.label}${
            command.refusal ? html`<span class="mute"> · ${command.refusal}</span>` : nothing
          }</span>${command.keys ? html`<kbd>${command.keys}</kbd>` : nothing}</li>`,
      )}
    </ul>
    ${commands.length === 0 ? html`<p class="empty">No command contains “${text}”.</p>` : nothing}
  `;
}

/**
 * The palette, with the typed text and the chosen command. @param {() => Command[]} commands @param {() => void} close
 */
export function openPalette(commands, close) {
  const text = signal('');
  const chosen = signal(0);
  const on = {
    type(/** @type {string} */ typed) {
      text.value = typed;
      chosen.value = 0;
    },
    choose(/** @type {number} */ i) {
      chosen.value = i;
      document.querySelector('#palette-list [aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
    },
    run(/** @type {Command} */ command) {
      close();
      command.run();
    },
  };
  return {
    template: () => paletteTemplate(narrow(commands(), text.value), text.value, chosen.value, on),
    reset: () => on.type(''),
  };
}
