/**
 * The second window. It has the page's origin and no code. The page draws into the second window, so both windows
 * agree. When the presentation ends, the page closes the window.
 */

import { signal } from '@preact/signals-core';
import { render } from 'lit-html';
import { set } from '../../lib/control.js';

/** @param {(event: KeyboardEvent) => void} press handles the second window's keys like the page's keys */
export function openWindow(press) {
  /** @type {Window | null} */
  let other = null;
  const isOpen = signal(false);
  addEventListener('pagehide', () => other?.close());

  return {
    isOpen,
    /**
     * Opens the window, or brings it to the front.
     * @param {string} title @returns {boolean} false: the browser blocks it
     */
    show(title) {
      if (other && !other.closed) {
        other.focus();
        return true;
      }
      other = window.open('', 'leaselab-notes', 'popup,width=560,height=760');
      if (!other) return false;
      const { document: page } = other;
      page.title = title;
      page.body.className = 'notes';
      page.head.replaceChildren(...styles(page));
      Object.assign(page.documentElement.dataset, { theme: document.documentElement.dataset.theme ?? '' });
      other.addEventListener('keydown', press);
      other.addEventListener('pagehide', () => set(isOpen, false));
      isOpen.value = true;
      return true;
    },
    /** @param {unknown} template */
    draw(template) {
      if (other && !other.closed) render(template, other.document.body);
    },
    close() {
      other?.close();
      other = null;
      isOpen.value = false;
    },
  };
}

/** The styles of the page, for another document. @param {Document} page */
function styles(page) {
  return [...document.querySelectorAll('link[rel="stylesheet"]')].map((one) => {
    const link = page.createElement('link');
    link.rel = 'stylesheet';
    link.href = /** @type {HTMLLinkElement} */ (one).href;
    return link;
  });
}
