/**
 * The panels that the page does not need for its first frame. Each panel redraws whenever one of its signals changes.
 */

import { computed, effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { set } from '../../lib/control.js';
import { element } from '../../lib/element.js';
import { fieldsOf } from '../../lib/fields.js';
import { panel } from '../../lib/panel.js';
import { refusalOf } from '../../page/commands.js';
import { leaderNode } from '../../page/state.js';
import { menuTemplate, shareTemplate } from './menu.js';
import { beliefsTemplate } from './panels/beliefs.js';
import { branchesTemplate } from './panels/branches.js';
import { knobsTemplate } from './panels/knobs/knobs.js';
import { legendTemplate } from './panels/promises.js';
import { storyTemplate } from './panels/story.js';
import { computingTemplate, toastsTemplate } from './toast.js';

/** @import { Page } from './index.js' */

/**
 * @typedef {object} Parts templates of the other units
 * @property {() => unknown} object
 * @property {() => unknown} beliefPanels the panels below the beliefs
 * @property {{readonly value: number}} now the instant on screen, in ns, as exact as the words of the countdowns need
 *   it
 */

/**
 * @param {Pick<Page, "state" | "lab" | "notifier" | "run" | "key" | "selectNode" | "currentTab" | "remember">} ports
 * @param {Parts} parts
 */
export function openPanels({ state, lab, notifier, run, key, selectNode, currentTab, remember }, parts) {
  /** The members of the view as separate signals, so that a panel redraws only when a member that it shows changes. */
  const view = fieldsOf(state.view);
  const menu = element('menu');
  const menuOpen = signal(false);
  menu.addEventListener('toggle', () => set(menuOpen, menu.matches(':popover-open')));
  panel(menu, () => {
    // The trace hash changes with every event, so only an open menu shows it.
    const hash = menuOpen.value ? view.hash : '';
    return menuTemplate(view, { speed: state.speed.value, key, engine: state.hello.value.engine, hash }, run);
  });
  panel(element('share'), () => shareTemplate(key, run));

  /** The leader, whatever the selection; "" without a leader that can crash, and for real programs. */
  const victim = computed(() => {
    const leader = leaderNode(view);
    return leader && !view.record && !refusalOf(view, leader, 'crash') ? leader : '';
  });
  /** The key and the tile crash the target, so the story mentions the key only if the target is this node. */
  const isTarget = () => victim.value !== '' && victim.value === state.target.value;
  const forgetLegend = () => {
    state.legend.value = false;
    remember({ legend: true });
  };
  element('told').replaceChildren();
  panel(element('told'), () => {
    const { value: name } = victim;
    const own = !state.hello.value.scenarios.some((one) => one.name === view.scenario);
    const watch = state.isShipped.value || (own && !view.undo) ? state.watch.value : '';
    const shown = { victim: name, key: isTarget() ? key('crash') : '', watch, own, arrival: state.arrival.value };
    const act = (/** @type {string} */ act, /** @type {string} */ node) => lab.act(act, node);
    const on = { run, act, forgetWatch: () => set(state.watch, '') };
    return storyTemplate(view, { ...shown, first: state.hint.value === 'shown' }, on);
  });
  panel(element('hint'), () => (state.legend.value ? legendTemplate(forgetLegend, () => run('help')) : nothing));
  effect(() => {
    document.documentElement.dataset.hint = state.hint.value === 'shown' && isTarget() ? 'shown' : '';
  });

  panel(element('knobs'), () => knobsTemplate(view, state.hello.value, run));

  const beliefs = () => {
    const shown = { betting: state.betting.value, selected: state.selection.value?.node ?? '' };
    return beliefsTemplate(view, parts.now.value, shown, selectNode);
  };
  panel(element('objects'), () => (currentTab() === 'objects' ? parts.object() : nothing));
  panel(element('beliefs'), () => (currentTab() === 'beliefs' ? html`${beliefs()}${parts.beliefPanels()}` : nothing));

  const goTo = (/** @type {number} */ branch) => lab.change('branch', { branch });
  panel(element('branches'), () => branchesTemplate(view, goTo, () => run('branches')));

  const dismiss = (/** @type {number} */ id) => notifier.withdraw((toast) => toast.id === id);
  panel(element('toasts'), () => [
    computingTemplate(state.computing.value),
    toastsTemplate(state.toasts.value, dismiss),
  ]);
}
