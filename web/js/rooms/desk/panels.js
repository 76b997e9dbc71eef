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
import { menuTemplate } from './menu.js';
import { beliefsTemplate } from './panels/beliefs.js';
import { branchesTemplate } from './panels/branches.js';
import { knobsTemplate } from './panels/knobs/knobs.js';
import { hintTemplate, legendTemplate, watchTemplate } from './panels/promises.js';
import { computingTemplate, toastsTemplate } from './toast.js';

/** @import { Page } from './index.js' */
/** @import { KnobCallbacks } from './panels/knobs/knobs.js' */

/**
 * @typedef {object} Parts templates of the other units
 * @property {() => unknown} object
 * @property {() => unknown} beliefPanels the panels below the beliefs
 * @property {KnobCallbacks} knobs
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

  /** The node that the hint asks the visitor to crash: the leader, whatever the selection; "" without a leader that can
   * crash. */
  const victim = computed(() => {
    const leader = state.hint.value === 'shown' ? leaderNode(view) : undefined;
    return leader && !refusalOf(view, leader, 'crash') ? leader : '';
  });
  /**
   * The key and the act button crash the target. So the hint mentions them only if the target is the hint's node.
   */
  const isTarget = () => victim.value !== '' && victim.value === state.target.value;
  const hint = {
    crash: () => lab.act('crash', victim.value),
    open: (/** @type {string} */ scenario) => run('scenario', scenario),
    lesson: () => run('lesson'),
    close() {
      state.hint.value = 'done';
    },
  };
  const forgetWatch = () => {
    state.watch.value = '';
  };
  const forgetLegend = () => {
    state.legend.value = false;
    remember({ legend: true });
  };
  // Shows one panel at a time, because the plot needs the space.
  panel(element('hint'), () => {
    if (state.watch.value) return watchTemplate(state.watch.value, forgetWatch);
    if (!['shown', 'tried'].includes(state.hint.value))
      return state.legend.value ? legendTemplate(forgetLegend, () => run('help')) : nothing;
    const crash = { target: victim.value, key: isTarget() ? key('crash') : '' };
    return hintTemplate(view, state.hello.value, crash, hint);
  });
  effect(() => {
    document.documentElement.dataset.hint = isTarget() ? 'shown' : '';
  });

  panel(element('knobs'), () =>
    knobsTemplate(
      view,
      state.hello.value,
      { edit: state.edit.value, target: state.target.value },
      { ...parts.knobs, run },
    ),
  );

  const beliefs = () =>
    beliefsTemplate(
      view,
      parts.now.value,
      { betting: state.betting.value, selected: state.selection.value?.node ?? '' },
      selectNode,
    );
  panel(element('objects'), () => {
    if (currentTab() !== 'objects') return nothing;
    // The wide layout has space for the beliefs.
    const below = state.layout.value === 'wide' ? html`<div class="beliefs-below">${beliefs()}</div>` : nothing;
    return html`${parts.object()}${below}`;
  });
  panel(element('beliefs'), () => (currentTab() === 'beliefs' ? html`${beliefs()}${parts.beliefPanels()}` : nothing));

  panel(element('branches'), () =>
    branchesTemplate(
      view,
      (branch) => lab.change('branch', { branch }),
      () => run('branches'),
    ),
  );

  const dismiss = (/** @type {number} */ id) => notifier.withdraw((toast) => toast.id === id);
  panel(element('toasts'), () => [
    computingTemplate(state.computing.value),
    toastsTemplate(state.toasts.value, dismiss),
  ]);
}
