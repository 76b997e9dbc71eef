/**
 * Says what the pointer or the focus is on: at once, not after the second that a browser waits. A control says its title or
 * its name, a place on the timeline what is drawn there (what.js).
 */
import { zoomOf } from '../../../lib/zoom.js';
import { whatIsAt } from './what.js';

/** @import { Page } from '../index.js' */

/** Not at every control that the pointer crosses on its way. */
const AFTER_MS = 80;

/** What has a name but no title. */
const NAMED = '.tl-mark, .tl-lane, .stage-node, .stage-lease, .stage-message, .chip-node';

/** @param {Pick<Page, "state" | "timeline">} ports */
export function openTips({ state, timeline }) {
  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.setAttribute('role', 'tooltip');
  tip.hidden = true;
  document.body.append(tip);
  /** The control that is explained; its title waits in the meantime. @type {Element | null} */
  let on = null;
  let title = '';
  let timer = 0;

  function hide() {
    clearTimeout(timer);
    tip.hidden = true;
    if (on && title && !on.hasAttribute('title')) on.setAttribute('title', title);
    on = null;
    title = '';
  }

  /** @param {string} text @param {DOMRect} beside */
  function show(text, beside) {
    tip.textContent = text;
    tip.hidden = text === '';
    if (tip.hidden) return;
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
    const text = wordsOf(element, title);
    // Two tips would say the same.
    element.removeAttribute('title');
    timer = window.setTimeout(() => element.isConnected && show(text, element.getBoundingClientRect()), AFTER_MS);
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
  for (const kind of ['pointerdown', 'keydown', 'scroll', 'focusout'])
    document.addEventListener(kind, hide, { capture: true, passive: true });

  // The timeline is a picture: what is under the pointer, the layout knows.
  timeline.root.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'mouse' || on || event.buttons > 0) return;
    clearTimeout(timer);
    const { clientX, clientY } = event;
    timer = window.setTimeout(() => {
      const l = timeline.layout;
      const { timeline: data, view } = state;
      if (!l || !data.value) return;
      const box = timeline.root.getBoundingClientRect();
      const zoom = zoomOf(timeline.root);
      const text = whatIsAt(l, data.value, view.value, (clientX - box.left) / zoom, (clientY - box.top) / zoom);
      show(text, new DOMRect(clientX + 12, clientY, 0, 12));
    }, AFTER_MS);
  });
  timeline.root.addEventListener('pointerleave', hide);
}

/** @param {Element} element @param {string} title */
function wordsOf(element, title) {
  if (title) return title;
  const name = element.getAttribute('aria-label') ?? '';
  if (!element.matches('.stage-node')) return name;
  return `${name}\nThe arc is the time left on its countdown.`;
}
