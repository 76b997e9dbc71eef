/** Which panels are tabs at this width, and which one is open. */
import { html } from 'lit-html';
import { element } from '../lib/element.js';

/** @import { State } from './state.js' */

/** @param {State} state */
export function openTabs(state) {
  /** @param {string} tab */
  function showTab(tab) {
    if (state.layout.value === 'wide' && tab === 'events') return;
    state.tab.value = tab;
  }

  function tabsOf() {
    const lesson = { id: 'lesson', label: 'Lesson' };
    const objects = { id: 'objects', label: 'Objects' };
    const beliefs = { id: 'beliefs', label: 'Beliefs' };
    const api = { id: 'api', label: 'API' };
    const events = { id: 'events', label: 'Events' };
    if (state.layout.value === 'wide') return [lesson, objects, beliefs, api];
    return state.layout.value === 'middle'
      ? [lesson, events, objects, beliefs, api]
      : [lesson, events, { id: 'side', label: 'Controls' }, objects, beliefs, api];
  }

  function currentTab() {
    const tabs = tabsOf();
    return tabs.some((tab) => tab.id === state.tab.value) ? state.tab.value : tabs[1].id;
  }

  function template() {
    const tabs = tabsOf();
    const current = currentTab();
    const keydown = (/** @type {KeyboardEvent} */ event) => {
      const at = tabs.findIndex((tab) => tab.id === current);
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (by === 0) return;
      event.preventDefault();
      state.tab.value = tabs[(at + by + tabs.length) % tabs.length].id;
      requestAnimationFrame(() => element(`tab-${state.tab.value}`)?.focus());
    };
    return tabs.map(
      (tab) => html`<button
        type="button"
        role="tab"
        id=${`tab-${tab.id}`}
        aria-controls=${tab.id}
        aria-selected=${tab.id === current ? 'true' : 'false'}
        tabindex=${tab.id === current ? '0' : '-1'}
        @click=${() => showTab(tab.id)}
        @keydown=${keydown}
      >${tab.label}</button>`,
    );
  }

  /** Shows the chosen panel; panels that are not tabs at this width always show. */
  function arrange() {
    const tabs = tabsOf();
    const current = currentTab();
    document.documentElement.dataset.tab = current;
    for (const id of ['lesson', 'objects', 'beliefs', 'api', 'events', 'side']) {
      const isTab = tabs.some((tab) => tab.id === id);
      const panel = element(id);
      panel.hidden = isTab && id !== current;
      if (isTab) {
        panel.setAttribute('role', 'tabpanel');
        panel.setAttribute('aria-labelledby', `tab-${id}`);
      } else {
        panel.removeAttribute('role');
        panel.removeAttribute('aria-labelledby');
      }
    }
  }

  return { showTab, currentTab, template, arrange };
}
