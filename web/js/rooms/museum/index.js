/** The museum: real incidents, each with a failing and a fixed run. */
import { computed, effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { modal, newDialog } from '../../lib/modal.js';
import { intoList } from '../../lib/parts.js';
import { ARROWS, Roving } from '../../lib/roving.js';
import { loadStrips } from '../../lib/strip.js';
import { exhibitsOf, filterExhibits, likeIt, missingText } from './exhibits.js';
import { exhibitTemplate, headTemplate, listTemplate } from './templates.js';

/** @import { Page } from '../desk/index.js' */
/** @import { Exhibit, Shipped } from './exhibits.js' */
/** @import { Asserted, Callbacks, Results } from './templates.js' */

/** Whether the list stands beside the incident. */
const isBeside = () => matchMedia('(min-width: 960px)').matches;

/**
 * @param {Pick<Page, "lab" | "notifier" | "run" | "pages"> & {compare: (variants: {failing: string, fixed: string}) =>
 *   unknown}} ports
 */
export async function open({ lab, notifier, run, compare, pages }) {
  // The browser has cached the file of scenarios, because the engine loaded it.
  const [shipped, strips] = await Promise.all([
    fetch(lab.assets.scenarios).then((answer) => /** @type {Promise<Shipped[]>} */ (answer.json())),
    loadStrips(lab.assets.strips),
  ]);
  const exhibits = exhibitsOf(shipped);

  const text = signal('');
  const kind = signal('');
  const chosen = signal('');
  const asserted = signal(/** @type {Asserted} */ ({}));
  const checked = signal(/** @type {Results} */ ({}));
  const found = computed(() =>
    filterExhibits(exhibits, text.value).filter((one) => !kind.value || one.kind === kind.value),
  );
  const { dialog, show, close } = modal(newDialog('museum', 'The museum of real incidents'), template, { pages });

  /** @type {Callbacks} */
  const on = {
    choose(name) {
      const left = dialog.querySelector('nav [aria-current]');
      chosen.value = name;
      dialog.querySelector('article')?.scrollTo(0, 0);
      /** @type {HTMLElement | null} */ (name ? dialog.querySelector('article h2') : left)?.focus();
    },
    ofKind(name) {
      kind.value = name;
      const [first] = found.peek();
      if (isBeside() && !found.peek().some(({ failing }) => failing.name === chosen.peek()))
        chosen.value = first?.failing.name ?? '';
    },
    search(typed) {
      text.value = typed;
      if (found.peek().length === 0) kind.value = '';
    },
    intoList: intoList(dialog),
    async open(scenario) {
      close();
      if (await lab.open({ scenario: scenario.name }, `“${scenario.title}” will open`, scenario.museum?.watch))
        await lab.play();
    },
    async ask({ failing, fixed }) {
      for (const { name: scenario } of [failing, fixed]) {
        try {
          const { clauses = [] } = await lab.ask('expect', { scenario, words: true });
          asserted.value = { ...asserted.value, [scenario]: clauses };
        } catch {
          // If the engine cannot answer, the check of the expectations will say why.
        }
      }
    },
    async check({ failing, fixed }) {
      for (const { name } of [failing, fixed]) checked.value = { ...checked.value, [name]: await outcomesOf(name) };
      const outcomes = [failing, fixed].flatMap(({ name }) => {
        const all = checked.value[name];
        return typeof all === 'string' ? [] : all;
      });
      notifier.say(`${outcomes.filter(({ met }) => met).length} of ${outcomes.length} expectations hold.`);
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

  /** @param {string} scenario */
  const outcomesOf = (scenario) =>
    lab.ask('expect', { scenario }).then(
      ({ outcomes }) => outcomes,
      (error) => /** @type {Error} */ (error).message,
    );

  function template() {
    const exhibit = exhibits.find(({ failing }) => failing.name === chosen.value);
    const known = { asserted: asserted.value, checked: checked.value, strips };
    return html`
      <div class="museum-list">
        ${headTemplate(exhibits, { text: text.value, kind: kind.value }, on)}
        <p class="visually-hidden" role="status">${found.value.length} of ${exhibits.length} incidents</p>
        <nav aria-label="Incidents">${listTemplate(
          found.value,
          { chosen: chosen.value, strips, text: text.value },
          on,
        )}</nav>
      </div>
      <article aria-label="Incident" tabindex="0">${
        exhibit ? exhibitTemplate(exhibit, { ...known, like: likeIt(exhibit, exhibits) }, on) : nothing
      }</article>
    `;
  }

  const roving = new Roving(dialog, 'nav a', ARROWS.both);
  /** The address of the page names the incident. */
  const named = () => exhibits.find(({ failing }) => failing.name === chosen.value)?.id;
  effect(() => {
    dialog.dataset.chosen = chosen.value ? 'true' : 'false';
    if (dialog.open) pages.enter(dialog, named());
  });
  found.subscribe(() => {
    queueMicrotask(() => roving.refresh());
  });

  return {
    /** @param {string} [id] of the catalogue */
    show(id) {
      const wanted = exhibits.find((one) => one.id === id || one.failing.name === id);
      // Never an empty page: where the list stands beside it, an incident is open.
      const beside = isBeside();
      if (id) text.value = wanted || !missingText(id) ? '' : id;
      chosen.value = wanted?.failing.name ?? (chosen.value || (beside && exhibits[0]?.failing.name) || '');
      show();
      pages.enter(dialog, named());
      roving.refresh();
      // Where a keyboard would cover half of the screen, the search waits for a tap.
      const start = beside ? 'input' : chosen.value ? 'article h2' : 'h1';
      /** @type {HTMLElement | null} */ (dialog.querySelector(start))?.focus();
    },
  };
}
