/**
 * The draw loop. It draws at most once a frame, while the run plays or after a change of a signal that a drawing reads.
 */
import { element } from '../lib/element.js';
import { track } from '../lib/panel.js';
import { readout } from './bar/bar.js';
import { documentTitle } from './state.js';
import { follow } from './timeline/shown.js';

/** @import { Frames } from '../lib/frames.js' */
/** @import { View } from '../protocol.js' */
/** @import { Lab } from './lab.js' */
/** @import { State } from './state.js' */

/**
 * What a frame draws, in order.
 * @typedef {object} Ports
 * @property {Pick<Frames, 'want'>} frames
 * @property {State} state
 * @property {Pick<Lab, 'now' | 'linked' | 'reload'>} lab
 * @property {() => void} sayLandmarks announces the landmarks that the cursor has passed
 * @property {() => void} ask asks for what the panels show of the run
 * @property {(view: View, now: number) => void} drawViews the views that move with the clock
 * @property {() => void} drawPanels
 * @property {() => string} notLoaded the sentence about what did not load, until the desk can show it
 * @property {{readonly value: number}} rowPx
 */

/** @param {Ports} ports @returns {() => void} asks for a frame */
export function openFrame({ frames, state, lab, sayLandmarks, ask, drawViews, drawPanels, notLoaded, rowPx }) {
  const schedule = () => frames.want(frame);

  function frame() {
    if (state.view.value.playing) {
      follow(state, lab.now());
      sayLandmarks();
    }
    redraw();
  }

  const redraw = track(() => {
    const view = state.view.value;
    const now = lab.now();
    ask();
    drawViews(view, now);
    const place = document.getElementById('readout');
    const at = readout(now, view.live.t);
    if (place && place.textContent !== at) place.textContent = at;
    drawNotice();
    const title = documentTitle(view);
    if (document.title !== title) document.title = title;
    drawPanels();
    keepEventInSight();
    if (view.playing) schedule();
  }, schedule);

  function drawNotice() {
    const missing = notLoaded();
    const words = missing || noticeOf(state, lab.linked !== undefined);
    const place = element('notice');
    if (place.firstChild?.nodeValue !== words) {
      place.textContent = words;
      if (missing) place.append(reloadButton(() => lab.reload()));
    }
    place.hidden = words === '';
  }

  let scrolledFor = '';
  /** Keeps the row at the cursor in sight, unless the reader has scrolled away. */
  function keepEventInSight() {
    const events = state.events.value;
    const list = document.getElementById('events-scroll');
    if (!events || !list || events.at < 0 || state.eventsFrom.value >= 0) return;
    const place = `${events.run} ${events.at} ${events.total} ${list.clientHeight}`;
    if (place === scrolledFor || list.clientHeight === 0) return;
    scrolledFor = place;
    list.scrollTop = scrollTopOf({
      row: events.at,
      height: list.clientHeight,
      rowPx: rowPx.value,
      total: events.total,
    });
  }

  return schedule;
}

/** Centers a row, and shows the top row whole. @param {Record<'row' | 'height' | 'rowPx' | 'total', number>} list */
export function scrollTopOf({ row, height, rowPx, total }) {
  const visible = Math.max(1, Math.floor(height / rowPx));
  return Math.min(row - Math.floor(visible / 2), total - visible) * rowPx;
}

/**
 * What the page says above the picture until the engine has loaded.
 * @param {Pick<State, 'queued' | 'phase' | 'failure' | 'progress'>} state
 * @param {boolean} linked a link waits for the engine
 */
export function noticeOf({ queued, phase, failure, progress }, linked) {
  const percent = `${Math.round(progress.value * 100)} %`;
  if (phase.value === 'failed') return failure.value;
  if (queued.value.length > 0)
    return `${queued.value.map((act) => act.sentence).join(', ')} as soon as the simulator has loaded, ${percent}`;
  if (phase.value === 'opening' && linked) return `The link opens as soon as the simulator has loaded, ${percent}`;
  return '';
}

/** @param {() => void} reload */
function reloadButton(reload) {
  const button = document.createElement('button');
  button.textContent = 'Reload';
  button.onclick = reload;
  return button;
}
