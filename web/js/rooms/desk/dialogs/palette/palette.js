/**
 * Every command by name. Typing filters, arrows choose, Enter runs. For lines of a log, an error, or words about what
 * happened, the engine names the incidents and questions that fit; the text stays on this page.
 */
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { withValue } from '../../../../lib/control.js';

/** @import { Findings } from '../../../../protocol.js' */
/** @typedef {{id: string, label: string, keys: string, refusal?: string, run: () => void}} Command */

/** Shorter texts name a command. */
const LEAST_WORDS = 3;
/** @type {Findings} */
const NOTHING = { matches: [], question: '' };
const LOOKING = { ...NOTHING, question: 'Looking for incidents and questions that fit …' };

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
 * @param {{text: string, chosen: number, question: string}} shown
 * @param {{type: (text: string, whole?: string) => void, choose: (i: number) => void,
 *   run: (command: Command) => void}} on
 */
export function paletteTemplate(commands, { text, chosen, question }, on) {
  // A field of one line drops line ends, and a log needs them.
  const paste = (/** @type {ClipboardEvent} */ event) => {
    const whole = event.clipboardData?.getData('text') ?? '';
    if (!whole.includes('\n')) return;
    event.preventDefault();
    on.type(whole.replaceAll(/\s+/g, ' ').trim(), whole);
  };
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
    <input id="palette-text" type="text" role="combobox" placeholder="A command, or an error to look up"
      autocomplete="off"
      aria-label="Command" aria-expanded="true" aria-controls="palette-list"
      aria-activedescendant=${commands[chosen] ? `command-${commands[chosen].id}` : nothing}
      .value=${text} @input=${withValue(on.type)} @paste=${paste} @keydown=${keydown} />
    <ul id="palette-list" role="listbox" aria-label="Commands">
      ${commands.map(
        (command, i) => html`<li id=${`command-${command.id}`} role="option"
          aria-selected=${i === chosen ? 'true' : 'false'} aria-disabled=${command.refusal ? 'true' : 'false'}
          @click=${() => on.run(command)}><span>${command.label}${
            command.refusal ? html`<span class="mute"> · ${command.refusal}</span>` : nothing
          }</span>${command.keys ? html`<kbd>${command.keys}</kbd>` : nothing}</li>`,
      )}
    </ul>
    ${question ? html`<p class="mute">${question}</p>` : nothing}
    ${
      commands.length === 0 && question === ''
        ? html`<p class="empty">No command contains “${text}”, and no incident or question fits it. Try other words,
            or <a href="#logs">open whole logs</a>.</p>`
        : nothing
    }
  `;
}

/**
 * The palette, with the typed text and the chosen command.
 * @param {() => Command[]} commands @param {() => void} close
 * @param {{fits: (text: string) => Promise<Findings>, open: (address: string) => void}} pages of the documentation
 */
export function openPalette(commands, close, pages) {
  const text = signal('');
  const chosen = signal(0);
  const answer = signal(NOTHING);
  async function look(/** @type {string} */ typed, /** @type {string} */ whole) {
    const found = await pages.fits(whole).catch(() => NOTHING);
    if (text.value === typed) answer.value = found;
  }
  const on = {
    type(/** @type {string} */ typed, whole = typed) {
      text.value = typed;
      chosen.value = 0;
      const looks = typed.trim().split(/\s+/).length >= LEAST_WORDS && narrow(commands(), typed).length === 0;
      answer.value = looks ? LOOKING : NOTHING;
      if (looks) look(typed, whole);
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
  const offers = () => [
    ...narrow(commands(), text.value),
    ...answer.value.matches.map(({ id, title, address }) => ({
      id: `fits-${id}`,
      label: `${id}: ${title}`,
      keys: '',
      run: () => pages.open(`docs/${address}.html`),
    })),
  ];
  return {
    template: () =>
      paletteTemplate(offers(), { text: text.value, chosen: chosen.value, question: answer.value.question }, on),
    reset: () => on.type(''),
  };
}
