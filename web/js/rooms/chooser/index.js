/** The chooser: the scenarios of the menu by group, each with a line of text, and a search field for all of them. */
import { computed, signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { set, withValue } from '../../lib/control.js';
import { element } from '../../lib/element.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { intoList } from '../../lib/parts.js';
import { ARROWS, Roving } from '../../lib/roving.js';
import { firstSentence } from '../../page/arrival.js';
import { filterScenarios, groupScenarios, watchOf } from './groups.js';

/** @import { Linked } from '../../lib/share.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { PatchEntry, ScenarioInfo } from '../../protocol.js' */

const TITLE = 'Choose a scenario';

/** @param {Pick<Page, "state" | "lab" | "run" | "notifier">} ports */
export function open({ state, lab, run, notifier }) {
  const text = signal('');
  const found = computed(() => filterScenarios(state.hello.value.scenarios, text.value));
  const { dialog, show, close } = modal(newDialog('scenarios', TITLE), template);
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

  /** Opens a scenario, says what to watch and plays it. @param {string} name */
  async function choose(name) {
    close();
    const title = infoOf(name)?.title ?? name;
    const { patch = [] } = (await lab.ask('share').catch(() => null)) ?? {};
    if (!(await lab.open({ scenario: name }, `“${title}” will open`, watchIn(name)))) return;
    const changes = patch.filter(({ path }) => path.startsWith('elector.'));
    if (changes.length > 0) offer(changes);
    await play();
  }
  /** Offers the settings that the visitor changed in the run before. @param {PatchEntry[]} changes */
  function offer(changes) {
    const words = changes.map(({ path, value }) => `${path.replace('elector.', '')} ${value}`).join(', ');
    const keep = async () => {
      if (await lab.change('edit', { path: '', value: '', changes, mode: 'rerun' })) await play();
    };
    notifier.notify(`This run has its own settings, not ${words}.`, { action: { label: 'Keep mine', run: keep } });
  }
  const infoOf = (/** @type {string} */ name) => state.hello.value.scenarios.find((one) => one.name === name);
  const watchIn = (/** @type {string} */ name) => watchOf(name) || (infoOf(name)?.summary ?? '');
  const play = async () => reducedMotion.matches || (await lab.play());

  /** @param {"museum" | "openFile"} room */
  function leaveFor(room) {
    close();
    run(room);
  }

  /** @param {ScenarioInfo} one */
  function entry({ name, title, summary }) {
    const isOpen = name === state.view.value.scenario;
    return html`<li><button type="button" tabindex="-1" data-scenario=${name} aria-current=${isOpen ? 'true' : 'false'}
      @click=${() => choose(name)}>
      <b>${title}</b> <span class="mute">${firstSentence(summary)}</span></button></li>`;
  }

  function template() {
    const groups = groupScenarios(found.value);
    return html`${dialogHead(TITLE, close)}
      <input type="search" id="scenarios-text" aria-label="Search the scenarios"
        placeholder="crash, clock, two leaders, release…" autocomplete="off"
        .value=${text.value} @keydown=${intoList(dialog)}
        @input=${withValue((typed) => set(text, typed))} />
      <p class="mute" role="status">${found.value.length} of ${state.hello.value.scenarios.length} scenarios</p>
      <nav aria-label="Scenarios">${groups.map(
        ({ heading, scenarios }) => html`<h3>${heading}</h3><ul>${scenarios.map(entry)}</ul>`,
      )}</nav>
      <p><button type="button" @click=${() => leaveFor('museum')}>Real incidents: the museum…</button>
      <button type="button" @click=${() => leaveFor('openFile')}>Open a file…</button></p>`;
  }

  const roving = new Roving(dialog, 'nav button', ARROWS.down);
  found.subscribe(() => {
    queueMicrotask(() => roving.refresh());
  });

  return {
    show() {
      text.value = '';
      show();
      roving.refresh();
      element('scenarios-text').focus();
    },
    choose,
    /**
     * Says what to watch in the run of a link, and plays the run unless the link names an instant.
     * @param {Linked} linked
     */
    async present({ scenario, plays }) {
      state.watch.value = watchIn(String(scenario));
      if (plays) await play();
    },
  };
}
