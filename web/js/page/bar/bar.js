/** The app bar: the run, the cursor, the speed, sharing and help. */
import { html, nothing } from 'lit-html';
import { withValue } from '../../lib/control.js';
import { formatInstant, formatSeconds } from '../../lib/format.js';
import { SPEEDS, speedAt, speedIndex, speedText } from '../state.js';

/** @import { Run } from '../actions.js' */
/** @import { Hello, Nanos, View } from '../../protocol.js' */

/** "00:34.039 · 1.961 s behind live". @param {Nanos} now @param {Nanos} live */
export function readout(now, live) {
  const gap = live - now;
  return `${formatInstant(now)} · ${gap > 0 ? `${formatSeconds(gap)} behind live` : 'live'}`;
}

/** @typedef {{key: (id: string) => string, shortcut: (id: string) => string}} Keys */

/** @param {Keys} keys @param {Run} run */
const iconOf =
  ({ key, shortcut }, run) =>
  (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ sign) =>
    html`<button
    type="button"
    class="icon"
    data-command=${id}
    aria-label=${label}
    aria-keyshortcuts=${shortcut(id) || nothing}
    title=${key(id) ? `${label} (${key(id)})` : label}
    @click=${() => run(id)}
  >${sign}</button>`;

/** Beside the totals of the timeline. @param {Keys} keys @param {Run} run */
export function zoomTemplate(keys, run) {
  const icon = iconOf(keys, run);
  return html`${icon('zoomOut', 'Zoom out', '−')}${icon('zoomIn', 'Zoom in', '+')}${icon('fit', 'Fit the run', 'Fit')}`;
}

/**
 * @param {View} view @param {Hello} hello
 * @param {Keys & {speed: number}} shown
 * @param {Run} run
 */
export function barTemplate(view, hello, shown, run) {
  const { key, shortcut } = shown;
  const icon = iconOf(shown, run);
  const scenarioInfo = hello.scenarios.find((scenario) => scenario.name === view.scenario);
  return html`
    <div class="which">
      <button type="button" id="scenario" data-command="scenarios" data-scenario=${scenarioInfo?.name ?? ''}
        aria-haspopup="dialog" aria-keyshortcuts=${shortcut('scenarios') || nothing}
        title=${scenarioInfo?.summary || 'Choose a scenario'} @click=${() => run('scenarios')}
        ><span class="visually-hidden">Scenario: </span><span
          class="title">${scenarioInfo?.title ?? (view.title || 'Your scenario')}</span><span
            aria-hidden="true">▾</span></button>
      <button type="button" data-command="museum" title="The museum of real incidents"
        @click=${() => run('museum')}>Museum</button>
      <button type="button" data-command="compare" aria-keyshortcuts=${shortcut('compare') || nothing}
        title=${`Compare two runs (${key('compare')})`} @click=${() => run('compare')}>Compare</button>
      <button type="button" data-command="search" aria-keyshortcuts=${shortcut('search') || nothing}
        title=${`Many runs: heat map, adviser, hunt (${key('search')})`} @click=${() => run('search')}>Search</button>
      <label class="seed">seed
        <input
          id="seed"
          type="text"
          inputmode="numeric"
          autocomplete="off"
          size="6"
          .value=${String(view.seed)}
          @change=${(/** @type {Event} */ event) => run('seed', /** @type {HTMLInputElement} */ (event.target))}
        />
      </label>
      <button type="button" class="icon" aria-label="Another seed" title="Another seed"
        @click=${() => run('reroll')}>⟳</button>
    </div>
    <div class="transport" role="group" aria-label="Time">
      ${icon('landmarkBack', 'Previous landmark', '|◂')}
      ${icon('eventBack', 'Previous event', '◂')}
      <button type="button" class="play" data-command="playPause" aria-keyshortcuts=${shortcut('playPause') || nothing}
        title=${`Play or pause (${key('playPause')})`} @click=${() => run('playPause')}>
        <span aria-hidden="true">${view.playing ? '❚❚' : '▶'}</span> ${view.playing ? 'Pause' : 'Play'}
      </button>
      ${icon('eventForth', 'Next event', '▸')}
      ${icon('landmarkForth', 'Next landmark', '▸|')}
      <label class="speed"><span class="speed-text">${speedText(shown.speed)}</span>
        <input
          type="range"
          id="speed"
          aria-label="Speed"
          aria-valuetext=${speedText(shown.speed)}
          title=${`Speed (${key('slower')} ${key('faster')})`}
          min="0"
          max=${SPEEDS.length}
          step="1"
          .value=${String(speedIndex(shown.speed))}
          @input=${withValue((at) => run('speed', speedAt(Number(at))))}
        />
      </label>
      <output class="readout" id="readout" aria-live="off"></output>
    </div>
    <div class="out">
      <button type="button" class="icon" data-command="undo" aria-label=${view.undo ? `Undo: ${view.undo}` : 'Undo'}
        title=${view.undo ? `Undo: ${view.undo} (${key('undo')})` : 'Nothing to undo'}
        aria-disabled=${view.undo ? 'false' : 'true'} @click=${() => run('undo')}>↶</button>
      <button type="button" class="icon" data-command="redo" aria-label=${view.redo ? `Redo: ${view.redo}` : 'Redo'}
        title=${view.redo ? `Redo: ${view.redo} (${key('redo')})` : 'Nothing to redo'}
        aria-disabled=${view.redo ? 'false' : 'true'} @click=${() => run('redo')}>↷</button>
      <button type="button" data-command="copyLink" title=${`Copy a link to this very instant (${key('copyLink')})`}
        @click=${() => run('copyLink')}>Share</button>
      ${icon('export', 'Export: picture, report, Go test', '⤓')}
      <button type="button" class="icon" data-command="projector" aria-label="Projector"
        aria-keyshortcuts=${shortcut('projector') || nothing}
        title=${`Projector: large type, no side panels (${key('projector')})`} @click=${() => run('projector')}><svg
          viewBox="0 0 16 16" aria-hidden="true"><path d="M1 2H15V11H1ZM8 11V14M5 14H11" /></svg></button>
      ${
        key('palette')
          ? html`<button type="button" data-command="palette" title="Every command by name"
            @click=${() => run('palette')}>${key('palette')}</button>`
          : nothing
      }
      <button type="button" class="icon" data-command="menu" aria-label="More" title="More"
        popovertarget="menu">⋯</button>
      <button type="button" class="icon" data-command="help" aria-label="Keys and help"
        title=${`Keys and help (${key('help')})`} @click=${() => run('help')}>?</button>
    </div>
  `;
}

/**
 * The bar at the foot of the page on a phone and on a projector: the time, and whatever has no room in the bar above.
 * @param {View} view @param {{target: string, refusal: string}} shown @param {(command: string) => void} run
 */
export function footTemplate(view, { target, refusal }, run) {
  return html`
    <p class="foot-row"><output class="readout" id="foot-readout" aria-live="off"></output>
      <button type="button" class="icon" aria-label=${view.undo ? `Undo: ${view.undo}` : 'Undo'}
        aria-disabled=${view.undo ? 'false' : 'true'} @click=${() => run('undo')}>↶</button>
      <button type="button" @click=${() => run('copyLink')}>Share</button></p>
    <button type="button" aria-label="Previous event" @click=${() => run('eventBack')}>◂</button>
    <button type="button" class="play" @click=${() => run('playPause')}><span
      aria-hidden="true">${view.playing ? '❚❚' : '▶'}</span><span
        class="word"> ${view.playing ? 'Pause' : 'Play'}</span></button>
    <button type="button" aria-label="Next event" @click=${() => run('eventForth')}>▸</button>
    <button type="button" class="crash" aria-disabled=${refusal ? 'true' : 'false'} title=${refusal}
      @click=${() => run('crash')}>Crash ${target}</button>
    <button type="button" aria-label="More" popovertarget="menu">⋯</button>
  `;
}
