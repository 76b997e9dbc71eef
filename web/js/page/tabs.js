/** Decides which panels are tabs at this width, and which one is open. */

import { element } from '../lib/element.js';
import { tabsTemplate } from '../lib/parts.js';

/** @import { Layout, State } from './state.js' */

const LABELS = { story: 'Story', events: 'Events', objects: 'The Lease', beliefs: 'Beliefs', api: 'API' };
const PANELS = /** @type {(keyof typeof LABELS)[]} */ (Object.keys(LABELS));
/** Panels that always show in a layout, and so are not tabs. @type {Record<Layout, (keyof typeof LABELS)[]>} */
const ALWAYS = { wide: ['events'], middle: [], narrow: [] };

/** @param {State} state */
export function openTabs(state) {
  /** @param {string} tab */
  function showTab(tab) {
    if (state.layout.value === 'wide' && tab === 'events') return;
    state.tab.value = tab;
  }

  const tabsOf = () => PANELS.filter((id) => !ALWAYS[state.layout.value].includes(id));

  function currentTab() {
    const tabs = tabsOf();
    return tabs.find((id) => id === state.tab.value) ?? tabs[0];
  }

  function template() {
    const tabs = tabsOf().map((id) => /** @type {const} */ ([id, LABELS[id]]));
    return tabsTemplate(tabs, { chosen: currentTab(), prefix: 'tab-', panelOf: (id) => id }, showTab);
  }

  /** Shows the chosen panel; panels that are not tabs at this width always show. */
  function arrange() {
    const tabs = tabsOf();
    const current = currentTab();
    document.documentElement.dataset.tab = current;
    for (const id of PANELS) {
      const isTab = tabs.includes(id);
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
