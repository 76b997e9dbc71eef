/** The museum: real incidents, each with a failing and a fixed run. */
import { computed, effect, signal } from '@preact/signals-core';
import { html } from 'lit-html';
import { set, withValue } from '../../lib/control.js';
import { element } from '../../lib/element.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { intoList } from '../../lib/parts.js';
import { ARROWS, Roving } from '../../lib/roving.js';
import { exhibitsOf, filterExhibits } from './exhibits.js';
import { exhibitTemplate, listTemplate } from './templates.js';

/** @import { Page } from '../desk/index.js' */
/** @import { Shipped } from './exhibits.js' */
/** @import { Asserted, Callbacks, Results } from './templates.js' */

const TITLE = 'The museum of real incidents';

/**
 * @param {Pick<Page, "lab" | "notifier" | "run"> & {pages?: Page['pages'], compare: (variants: {failing: string, fixed: string}) => unknown}}
 *   ports
 */
export async function open({ lab, notifier, run, compare, pages }) {
  /** The file of scenarios, which the browser has cached because the engine loaded it. @type {Shipped[]} */
  const shipped = await (await fetch(lab.assets.scenarios)).json();
  const exhibits = exhibitsOf(shipped);

  const text = signal('');
  const chosen = signal('');
  const asserted = signal(/** @type {Asserted} */ ({}));
  const checked = signal(/** @type {Results} */ ({}));
  const found = computed(() => filterExhibits(exhibits, text.value));
  const { dialog, show, close } = modal(newDialog('museum', TITLE), template, { pages });

  /** @type {Callbacks} */
  const on = {
    choose(name) {
      const left = dialog.querySelector('nav [aria-current]');
      chosen.value = name;
      dialog.querySelector('article')?.scrollTo(0, 0);
      /** @type {HTMLElement | null} */ (name ? dialog.querySelector('article h3') : left)?.focus();
    },
    async open(scenario) {
      close();
      if (await lab.open({ scenario: scenario.name }, `“${scenario.title}” will open`, scenario.museum?.watch))
        await lab.play();
    },
    async check({ name }) {
      try {
        const { outcomes } = await lab.ask('expect', { scenario: name });
        checked.value = { ...checked.value, [name]: outcomes };
        const met = outcomes.filter((one) => one.met).length;
        notifier.say(`${met} of ${outcomes.length} expectations hold.`);
      } catch (error) {
        checked.value = { ...checked.value, [name]: /** @type {Error} */ (error).message };
      }
    },
    compare({ failing, fixed }) {
      // The comparison opens over the museum, so closing the comparison returns to the museum.
      compare({ failing: failing.name, fixed: fixed.name });
    },
    learn(lesson) {
      close();
      run('lesson', lesson);
    },
  };

  function template() {
    const search = html`<input
      type="search"
      id="museum-text"
      aria-label="Search the museum"
      placeholder="project, symptom, B05, lesson 3…"
      autocomplete="off"
      .value=${text.value}
      @input=${withValue((typed) => set(text, typed))}
      @keydown=${intoList(dialog)}
    />`;
    return html`
      ${dialogHead(TITLE, close)}
      <div class="museum-body">
        <div class="museum-list">
          ${search}
          <p class="mute" role="status">${found.value.length} of ${exhibits.length} incidents</p>
          <nav aria-label="Incidents">${listTemplate(found.value, chosen.value, on)}</nav>
        </div>
        <article aria-label="Incident" tabindex="0">
          ${exhibitTemplate(
            exhibits.find(({ failing }) => failing.name === chosen.value),
            { asserted: asserted.value, checked: checked.value },
            on,
          )}
        </article>
      </div>
    `;
  }

  effect(() => {
    const exhibit = exhibits.find(({ failing }) => failing.name === chosen.value);
    for (const { name } of exhibit ? [exhibit.failing, exhibit.fixed] : []) tellAssertions(name);
  });
  /** @param {string} scenario */
  async function tellAssertions(scenario) {
    try {
      const { clauses = [] } = await lab.ask('expect', { scenario, words: true });
      asserted.value = { ...asserted.value, [scenario]: clauses };
    } catch {
      // If the engine cannot answer, the check of the expectations will say why.
    }
  }

  const roving = new Roving(dialog, 'nav button', ARROWS.down);
  effect(() => {
    dialog.dataset.chosen = chosen.value ? 'true' : 'false';
  });
  found.subscribe(() => {
    queueMicrotask(() => roving.refresh());
  });

  return {
    /** @param {string} [id] of the catalogue */
    show(id) {
      // Never an empty page: where the list stands beside it, the first incident is open.
      const first = pages && matchMedia('(min-width: 720px)').matches ? exhibits[0]?.failing.name : '';
      if (id) chosen.value = exhibits.find((one) => one.id === id)?.failing.name ?? '';
      else chosen.value ||= first ?? '';
      show();
      roving.refresh();
      element('museum-text').focus();
    },
  };
}
