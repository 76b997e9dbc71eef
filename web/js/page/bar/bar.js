/** The header with the pages, the row over the headline, and the transport under the chart. */
import { html, nothing } from 'lit-html';
import { formatInstant, formatSeconds, SECOND } from '../../lib/format.js';
import { icon } from '../../lib/icons.js';
import { segmentsTemplate } from '../../lib/parts.js';
import { PLACES } from './places.js';

/** @import { Icon } from '../../lib/icons.js' */
/** @import { Run } from '../actions.js' */
/** @import { Hello, Nanos, View } from '../../protocol.js' */

/** "00:34.039 · 2.0 s behind". @param {Nanos} now @param {Nanos} live */
export function readout(now, live) {
  const gap = live - now;
  return `${formatInstant(now)} · ${gap > 0 ? `${formatSeconds(gap, gap < SECOND ? 3 : 1)} behind` : 'live'}`;
}

/** @typedef {{key: (id: string) => string, shortcut: (id: string) => string}} Keys */

/** @param {Keys} keys @param {Run} run */
const iconButtons =
  ({ key, shortcut }, run) =>
  (/** @type {string} */ id, /** @type {string} */ label, /** @type {Icon} */ name, disabled = false) =>
    html`<button type="button" class="btn icon-only" data-command=${id} aria-label=${label}
      aria-keyshortcuts=${shortcut(id) || nothing} aria-disabled=${disabled ? 'true' : nothing}
      title=${key(id) ? `${label} (${key(id)})` : label} @click=${() => run(id)}>${icon(name)}</button>`;

/** @param {Keys} keys @param {{page: string, learning: boolean}} shown @param {Run} run */
export function barTemplate(keys, { page, learning }, run) {
  const { key, shortcut } = keys;
  return html`
    <nav class="pages" aria-label="Main">${PLACES.map(
      ([id, label, , counted]) =>
        html`<button type="button" data-command=${id} aria-current=${id === page ? 'page' : nothing}
          @click=${() => run(id)}>${label}${counted ? html` <small>${__COUNTS__[counted]}</small>` : nothing}</button>`,
    )}<a href="./docs/index.html">Docs</a></nav>
    <span class="spacer"></span>
    <button type="button" class="find" data-command="palette" aria-keyshortcuts=${shortcut('palette') || nothing}
      aria-label="Find anything" @click=${() => run('palette')}>${icon('find')}<span>Find anything</span
      ><span class="spacer"></span>${
        key('palette') ? html`<kbd aria-hidden="true">${key('palette')}</kbd>` : nothing
      }</button>
    <button type="button" class="btn present" data-command="projector" aria-label="Present"
      aria-keyshortcuts=${shortcut('projector') || nothing}
      title=${`Present: large type, no side panels (${key('projector')})`}
      @click=${() => run(learning ? 'present' : 'projector')}>${icon('present')}<span>Present</span></button>
    <button type="button" class="btn tint share" data-command="share" aria-label="Share"
      title="A link, a prediction, a QR code, a page of yours or a file" popovertarget="share">${icon('share')}<span
        >Share</span></button>
    <button type="button" class="btn icon-only" data-command="menu" aria-label="More" title="More"
      popovertarget="menu">${icon('more')}</button>
  `;
}

/** The speeds that have a button; the others are in the menu. 0 is story speed. */
const SPEED_BUTTONS = /** @type {const} */ ([
  ['0.25', '¼×'],
  ['1', '1×'],
  ['4', '4×'],
  ['0', 'story'],
]);

// biome-ignore format: a row
const ZOOMS = [['zoomOut', 'Zoom out', '−'], ['fit', 'Fit the run', 'fit'], ['zoomIn', 'Zoom in', '+']];

/** @param {View} view @param {Keys & {speed: number}} shown @param {Run} run */
export function transportTemplate(view, shown, run) {
  const { key, shortcut, speed } = shown;
  const button = iconButtons(shown, run);
  const steps = /** @type {const} */ (['undo', 'redo']).map((id) =>
    button(id, view[id] ? `${id === 'undo' ? 'Undo' : 'Redo'}: ${view[id]}` : `Nothing to ${id}`, id, !view[id]),
  );
  return html`
    <button type="button" class="play" data-command="playPause" aria-label=${view.playing ? 'Pause' : 'Play'}
      aria-keyshortcuts=${shortcut('playPause') || nothing} title=${`Play or pause (${key('playPause')})`}
      @click=${() => run('playPause')}>${icon(view.playing ? 'pause' : 'play')}</button>
    <button type="button" class="time" data-command="goTo" title=${`Go to a time (${key('goTo')})`}
      @click=${() => run('goTo')}><output class="readout" id="readout" aria-live="off"></output></button>
    <span class="spacer"></span>
    <span class="group">${button('landmarkBack', 'Previous landmark', 'first')}
      ${button('eventBack', 'Previous event', 'back')}
      ${button('eventForth', 'Next event', 'forth')}
      ${button('landmarkForth', 'Next landmark', 'last')}</span>
    <span class="group">${steps}</span>
    ${segmentsTemplate(SPEED_BUTTONS, { label: 'Speed', chosen: String(speed), class: 'seg speeds' }, (value) =>
      run('speed', Number(value)),
    )}
    <span class="seg zooms" role="group" aria-label="Zoom">
      ${ZOOMS.map(
        ([id, label, sign]) => html`<button type="button" data-command=${id} aria-label=${label}
          title=${`${label} (${key(id)})`} @click=${() => run(id)}>${sign}</button>`,
      )}
    </span>
    <button type="button" class="btn tint leave" data-command="predictCrash"
      @click=${() => run('predictCrash')}>Predict a crash</button>
    <button type="button" class="btn tint leave" data-command="projector"
      @click=${() => run('projector')}>Leave</button>
  `;
}

/**
 * The run over the headline: which scenario, and whether it broke a rule.
 * @param {View} view @param {Hello} hello @param {Keys} keys @param {Run} run
 */
export function runTemplate(view, hello, { key, shortcut }, run) {
  const info = hello.scenarios.find((scenario) => scenario.name === view.scenario);
  const { violations } = view.totals;
  return html`<button type="button" id="scenario" class="btn tint" data-command="scenarios"
      data-scenario=${info?.name ?? ''} aria-haspopup="dialog" aria-keyshortcuts=${shortcut('scenarios') || nothing}
      title=${`${info?.summary || 'Choose a scenario'} (${key('scenarios')})`} @click=${() => run('scenarios')}
      ><span class="visually-hidden">Scenario: </span><span
        class="title">${info?.title ?? (view.title || 'Your scenario')}</span>${icon('chevron')}</button>
    ${
      violations > 0
        ? html`<span class="tag" data-tone="bad">${icon('two')}${
            violations === 1 ? 'Violation' : `${violations} violations`
          }</span>`
        : nothing
    }`;
}
