/** The preferences of visitor and device: what the page remembers between visits, and the media queries. */

import { computed, effect, signal } from '@preact/signals-core';
import { set } from '../lib/control.js';
import { readMemory } from './memory.js';

/** @import { State } from './state.js' */

/**
 * @param {State} state
 * @param {(query: string) => {matches: boolean, addEventListener: (type: 'change', changed: () => void) => void}}
 *   [query]
 */
export function openPrefs(state, query = (text) => matchMedia(text)) {
  const memory = readMemory();
  if (memory.theme) state.theme.value = memory.theme;
  if (memory.keyMode) state.keyMode.value = memory.keyMode;
  state.playOn.value = memory.playOn;
  state.legend.value = !memory.legend;

  /** @param {string} text */
  function follow(text) {
    const list = query(text);
    const matches = signal(list.matches);
    list.addEventListener('change', () => set(matches, list.matches));
    return matches;
  }
  const wide = follow('(min-width: 1280px)');
  const middle = follow('(min-width: 960px)');
  const coarse = follow('(pointer: coarse)');
  const dark = follow('(prefers-color-scheme: dark)');
  effect(() => {
    state.layout.value = wide.value ? 'wide' : middle.value ? 'middle' : 'narrow';
  });

  return {
    memory,
    /** Whether the device has a keyboard. A device with only a touch screen has none. */
    keyboard: follow('(any-pointer: fine), (hover: hover)'),
    reducedMotion: follow('(prefers-reduced-motion: reduce)'),
    theme: computed(() => (state.theme.value === 'system' ? (dark.value ? 'dark' : 'light') : state.theme.value)),
    /** Height of a row of the event list: taller for touch, and where a sentence takes two lines. */
    rowPx: computed(() => (coarse.value || state.layout.value === 'narrow' ? 44 : 28)),
  };
}
