/**
 * Explains what is under the pointer, the finger or the focus, without the browser's delay of a second. A control shows
 * its title or its name, and a place on the timeline shows what is there (what.js). A lane with the focus shows its
 * state at the cursor. So a visitor can move from request to request with the cursor's keys.
 */
import { effect } from '@preact/signals-core';
import { zoomOf } from '../../../lib/zoom.js';
import { laneAtCursor, whatIsAt } from './what.js';

/** @import { Page } from '../index.js' */

/** The delay before a tip, so that tips do not appear on every control that the pointer crosses. */
const AFTER_MS = 80;

/** Controls with a name but no title. */
const NAMED = '.tl-mark, .tl-lane, .stage-node, .stage-lease, .stage-message';

/** @param {Pick<Page, "state" | "timeline">} ports */
export function openTips({ state, timeline }) {
  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.setAttribute('role', 'tooltip');
  tip.hidden = true;
  document.body.append(tip);
  /** The control with a tip. It has no title attribute while the tip shows. @type {Element | null} */
  let on = null;
  let title = '';
  let timer = 0;

  function hide() {
    clearTimeout(timer);
    tip.hidden = true;
    on?.removeAttribute('aria-describedby');
    if (on && title && !on.hasAttribute('title')) on.setAttribute('title', title);
    on = null;
    title = '';
  }

  /** @param {string} text @param {{left: number, top: number, bottom: number}} beside */
  function show(text, beside) {
    tip.textContent = text;
    tip.hidden = text === '';
    if (tip.hidden) return;
    // An open dialog covers the page.
    (on?.closest('dialog') ?? document.body).append(tip);
    const zoom = zoomOf(document.body);
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.max(4, Math.min(beside.left, innerWidth - width - 8));
    const above = beside.bottom + height + 8 > innerHeight;
    const top = above ? Math.max(4, beside.top - height - 6) : beside.bottom + 6;
    tip.style.setProperty('translate', `${left / zoom}px ${top / zoom}px`);
  }

  /** @param {Element} element */
  function explain(element) {
    hide();
    on = element;
    title = element.getAttribute('title') ?? '';
    const text = laneWords(element) || wordsOf(element, title);
    // Otherwise two tips would say the same.
    element.removeAttribute('title');
    timer = window.setTimeout(() => {
      if (!element.isConnected) return;
      show(text, element.getBoundingClientRect());
      if (element.matches('.tl-lane')) element.setAttribute('aria-describedby', tip.id);
    }, AFTER_MS);
  }

  /** The state at the cursor of a lane with the focus. @param {Element} element */
  function laneWords(element) {
    const data = state.timeline.value;
    if (!data || !element.matches('.tl-lane:focus-visible')) return '';
    return laneAtCursor(data, state.view.value, element.getAttribute('data-node') ?? '');
  }

  /** @param {Element} target */
  const control = (target) => target.closest(`[title], ${NAMED}`);

  document.addEventListener('pointerover', ({ target, pointerType }) => {
    const found = pointerType === 'mouse' ? control(/** @type {Element} */ (target)) : null;
    if (found && found === on) return;
    if (found) explain(found);
    else if (on) hide();
  });
  document.addEventListener('focusin', ({ target }) => {
    const found = /** @type {Element} */ (target).matches(':focus-visible')
      ? control(/** @type {Element} */ (target))
      : null;
    if (found) explain(found);
    else hide();
  });
  for (const kind of ['pointerdown', 'keydown', 'focusout'])
    document.addEventListener(kind, hide, { capture: true, passive: true });
  // Only scrolling of an element around the control hides the tip, because the event list also scrolls as it follows
  // the cursor.
  document.addEventListener(
    'scroll',
    ({ target }) => {
      if (/** @type {Node} */ (target).contains(on ?? timeline.root)) hide();
    },
    { capture: true, passive: true },
  );
  effect(() => {
    const { playing } = state.view.value ?? { playing: true };
    const { activeElement } = document;
    if (!playing && activeElement && laneWords(activeElement) !== '') explain(activeElement);
  });

  // The timeline is a canvas, so only its layout tells what is under the pointer.
  timeline.root.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'mouse' || on || event.buttons > 0) return;
    clearTimeout(timer);
    const { clientX, clientY } = event;
    timer = window.setTimeout(() => {
      const text = placeWords(clientX, clientY);
      if (text !== undefined) show(text, { left: clientX + 12, top: clientY, bottom: clientY + 12 });
    }, AFTER_MS);
  });
  // A tap shows the tip of its target until the next tap.
  timeline.root.addEventListener('click', (event) => {
    const { target, clientX, clientY, pointerType } = /** @type {PointerEvent} */ (event);
    if (pointerType !== 'touch') return;
    const owner = control(/** @type {Element} */ (target));
    const text = owner ? wordsOf(owner, owner.getAttribute('title') ?? '') : placeWords(clientX, clientY);
    clearTimeout(timer);
    timer = window.setTimeout(
      () => show(text ?? '', { left: clientX, top: clientY - 24, bottom: clientY + 24 }),
      AFTER_MS,
    );
  });

  /** What the timeline shows at a place of the page. @param {number} clientX @param {number} clientY */
  function placeWords(clientX, clientY) {
    const l = timeline.layout;
    const { timeline: data, view } = state;
    if (!l || !data.value) return undefined;
    const box = timeline.root.getBoundingClientRect();
    const zoom = zoomOf(timeline.root);
    return whatIsAt(l, data.value, view.value, { x: (clientX - box.left) / zoom, y: (clientY - box.top) / zoom });
  }
  timeline.root.addEventListener('pointerleave', hide);
}

/** @param {Element} element @param {string} title */
function wordsOf(element, title) {
  if (title) return title;
  const name = element.getAttribute('aria-label') ?? '';
  if (!element.matches('.stage-node')) return name;
  return `${name}\nThe arc is the time left on its countdown.`;
}
