/** The menus: Share; and the seed, rare commands, and on a phone the pages. */
import { html, nothing } from 'lit-html';
import { speedText } from '../../page/state.js';

/** @import { Run } from '../../page/actions.js' */
/** @import { View } from '../../protocol.js' */

/** An entry of a menu. @param {(id: string) => string} key @param {Run} run */
const entries = (key, run) => (/** @type {string} */ id, /** @type {string} */ label) =>
  html`<button type="button" @click=${() => run(id)}><span>${label}</span>${
    key(id) ? html`<kbd aria-hidden="true">${key(id)}</kbd>` : nothing
  }</button>`;

/** The ways to pass on what is on screen. @param {(id: string) => string} key @param {Run} run */
export function shareTemplate(key, run) {
  const entry = entries(key, run);
  return html`${entry('copyLink', 'Copy a link to this instant')}
    ${entry('predict', 'Ask for a prediction…')}
    ${entry('qrCode', 'The link as a QR code…')}
    ${entry('embed', 'Embed it in a page…')}
    ${entry('export', 'Export: picture, report, Go test…')}`;
}

/**
 * The rare controls, as a list in groups. On a phone, the list also holds what the header has no space for.
 * @param {View} view @param {{speed: number, key: (id: string) => string, engine: number, hash: string}} shown
 * @param {Run} run
 */
export function menuTemplate(view, shown, run) {
  const entry = entries(shown.key, run);
  return html`
    <div class="narrow-only">
      ${entry('lessons', 'Lessons')} ${entry('museum', 'Museum')} ${entry('search', 'Studies')}
      ${entry('numbers', 'Numbers')}
      ${entry('evidence', 'Your logs')} ${entry('projector', 'Present')} ${entry('add', 'Add a node')}
      ${entry('redo', view.redo ? `Redo: ${view.redo}` : 'Nothing to redo')}
      <hr />
    </div>
    <h2 class="label">This run</h2>
    <div class="seed"><label for="seed">Seed</label> <input id="seed" type="text" inputmode="numeric"
      autocomplete="off" size="8"
      .value=${String(view.seed)}
      @change=${(/** @type {Event} */ event) => run('seed', /** @type {HTMLInputElement} */ (event.target))} />
      <button type="button" class="btn tint" @click=${() => run('reroll')}>Another seed</button></div>
    ${entry('scenarios', 'Choose a scenario…')}
    ${entry('faults', 'All settings and faults…')}
    ${entry('branches', 'Branches…')}
    ${entry('compare', 'Compare two runs…')}
    <hr />
    <h2 class="label">Run to</h2>
    ${entry('toLeaderChange', 'Run to the next leader change')}
    ${entry('toViolation', 'Run to the next violation')}
    ${entry('toBreakpoint', 'Run to the next breakpoint')}
    ${entry('toEnd', 'Show the whole run')}
    ${entry('breakpoints', 'Breakpoints…')}
    ${entry('goTo', 'Go to a time…')}
    ${entry('slower', `Slower (${speedText(shown.speed)})`)}
    ${entry('faster', `Faster (${speedText(shown.speed)})`)}
    <hr />
    <h2 class="label">Files</h2>
    ${entry('saveJson', 'Save as JSON')}
    ${entry('saveYaml', 'Save as YAML')}
    ${entry('saveSession', 'Save the whole session')}
    ${entry('openFile', 'Open a file…')}
    <hr />
    ${entry('palette', 'Every command by name')}
    ${entry('help', 'Keys, marks, theme and help')}
    <hr />
    <p class="run-id mute">engine ${shown.engine} · trace <code id="hash">${shown.hash}</code></p>
  `;
}
