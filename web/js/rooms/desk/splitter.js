/** The height of the event list: drag the splitter or move it with the arrow keys. The page remembers it. */
import { element } from '../../lib/element.js';
import { zoomOf } from '../../lib/zoom.js';

/** @import { Page } from './index.js' */

const STEP_PX = 28;

/** @param {Pick<Page, "remember" | "memory" | "schedule">} ports */
export function openSplitter({ remember, memory, schedule }) {
  const splitter = element('splitter');
  let eventsPx = Number(memory.eventsPx) || 184;
  /** @param {number} px */
  function setEventsHeight(px) {
    const most = Math.max(120, Math.round(innerHeight / 2));
    eventsPx = Math.min(most, Math.max(96, Math.round(px)));
    document.documentElement.style.setProperty('--events', `${eventsPx}px`);
    splitter.setAttribute('aria-valuenow', String(eventsPx));
    splitter.setAttribute('aria-valuemin', '96');
    splitter.setAttribute('aria-valuemax', String(most));
  }
  setEventsHeight(eventsPx);
  splitter.addEventListener('pointerdown', (down) => {
    const before = eventsPx;
    splitter.setPointerCapture(down.pointerId);
    const move = (/** @type {PointerEvent} */ event) =>
      setEventsHeight(before + (down.clientY - event.clientY) / zoomOf(splitter));
    splitter.addEventListener('pointermove', move);
    splitter.addEventListener(
      'lostpointercapture',
      () => {
        splitter.removeEventListener('pointermove', move);
        remember({ eventsPx });
        schedule();
      },
      { once: true },
    );
  });
  splitter.addEventListener('keydown', (event) => {
    const to = { ArrowUp: eventsPx + STEP_PX, ArrowDown: eventsPx - STEP_PX, Home: 0, End: innerHeight }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setEventsHeight(to);
    remember({ eventsPx });
  });
}
