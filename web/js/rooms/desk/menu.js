/** The menu: the controls that do not fit in the bar. */
import { html, nothing } from 'lit-html';
import { speedText } from '../../page/state.js';

/** @import { Run } from '../../page/actions.js' */
/** @import { View } from '../../protocol.js' */

/**
 * The controls that do not fit in the bar, as a list. On a phone, the list replaces the bar.
 * @param {View} view @param {{speed: number, key: (id: string) => string, engine: number, hash: string}} shown
 * @param {Run} run
 */
export function menuTemplate(view, shown, run) {
  const entry = (/** @type {string} */ id, /** @type {string} */ label) =>
    html`<button type="button" @click=${() => run(id)}><span>${label}</span>${
      shown.key(id) ? html`<kbd aria-hidden="true">${shown.key(id)}</kbd>` : nothing
    }</button>`;
  return html`
    ${entry('toLeaderChange', 'Run to the next leader change')}
    ${entry('toViolation', 'Run to the next violation')}
    ${entry('toBreakpoint', 'Run to the next breakpoint')}
    ${entry('breakpoints', 'Breakpoints…')}
    ${entry('toEnd', 'Show the whole run')}
    ${entry('goTo', 'Go to a time…')}
    ${entry('faults', 'All settings and faults…')}
    ${entry('evidence', 'What really happened: open logs…')}
    ${entry('museum', 'The museum of real incidents…')}
    <hr />
    ${entry('undo', view.undo ? `Undo: ${view.undo}` : 'Nothing to undo')}
    ${entry('redo', view.redo ? `Redo: ${view.redo}` : 'Nothing to redo')}
    <hr />
    ${entry('branches', 'Branches…')}
    ${entry('compare', 'Compare two runs…')}
    ${entry('search', 'Search: heat map, adviser, hunt…')}
    <hr />
    ${entry('copyLink', 'Copy the link')}
    ${entry('predict', 'Ask for a prediction…')}
    ${entry('qrCode', 'The link as a QR code…')}
    ${entry('embed', 'Embed it in a page…')}
    ${entry('export', 'Export: picture, report, Go test…')}
    ${entry('saveJson', 'Save as JSON')}
    ${entry('saveYaml', 'Save as YAML')}
    ${entry('saveSession', 'Save the whole session')}
    ${entry('openFile', 'Open a file…')}
    <hr />
    ${entry('slower', `Slower (${speedText(shown.speed)})`)}
    ${entry('faster', `Faster (${speedText(shown.speed)})`)}
    ${entry('palette', 'Every command by name')}
    ${entry('help', 'Keys, theme and help')}
    <hr />
    <p class="run-id soft">seed ${view.seed} · engine ${shown.engine} · trace <code id="hash">${shown.hash}</code></p>
  `;
}
