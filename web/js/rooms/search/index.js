/**
 * Search: many runs of the scenario that is open, made by a pool of workers beside the page. Two fields against any measure as a heat
 * map; other studies have their own tabs, which load when they are chosen.
 */
import { effect, signal, untracked } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { encodeLink, MAX_LINK } from '../../lib/share.js';
import { download } from '../desk/files.js';
import { formTemplate, measureTemplate, progressTemplate, USUAL } from './form.js';
import { Heat } from './heat.js';
import { detailTemplate, gridTemplate, legendTemplate } from './map.js';
import { Pool } from './pool.js';
import { csvOf, jsonOf } from './save.js';

/** @import { Field, HeatStudy, StudiedRun } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */

/** What a link says of a study. @typedef {Omit<HeatStudy, "scenario"> & {kind: "heat", measure: string}} StudyLink */

/** @param {Pick<Page, "state" | "lab" | "notifier" | "run">} ports @param {Pool} [pool] */
export function open({ state, lab, notifier, run }, pool = new Pool(lab.assets)) {
  const heat = new Heat(pool);
  const fields = signal(/** @type {Field[]} */ ([]));
  const wanted = signal(USUAL);
  const measure = signal('leaderlessP99');
  const chosen = signal(-1);
  const loading = signal(-1);
  const busy = signal(-1);
  /** The scenario that is studied, and its run on the page. @type {object | undefined} */
  let scenario;
  let studied = '';

  const room = modal(newDialog('search', 'Search'), contents);
  pool.onProgress = (share) => {
    loading.value = share < 1 ? share : -1;
  };
  effect(() => {
    if (heat.status.value === 'done') untracked(() => notifier.say(`The study is done: ${heat.of} runs.`));
  });

  async function start() {
    chosen.value = -1;
    scenario ??= (await lab.ask('save')).scenario;
    await heat.start({ scenario, ...wanted.value });
  }

  /** @param {number} cell */
  function choose(cell) {
    chosen.value = cell;
    heat.show(cell, measure.value);
  }

  /** Opens a run of a study on the page, at its worst instant. @param {StudiedRun} found @param {string} sentence */
  async function openRun({ scenario: document, at, end }, sentence) {
    const opened = await lab.open(
      { scenario: document, cursor: { t: at, n: -1 }, live: { t: end, n: -1 } },
      'The run will open',
    );
    if (!opened) return;
    room.close();
    notifier.notify(sentence, { action: { label: 'Back to the search', run: () => run('search') } });
  }

  /** @param {number} seed */
  async function openSeed(seed) {
    if (!heat.study) return;
    busy.value = seed;
    try {
      const found = await pool.ask('heatOpen', { study: heat.study, cell: chosen.value, seed, measure: measure.value });
      await openRun(found, `Seed ${seed} is open. WHY explains it.`);
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
    busy.value = -1;
  }

  async function copyLink() {
    const study = { kind: /** @type {const} */ ('heat'), ...wanted.value, measure: measure.value };
    const link = await encodeLink({ ...(await lab.share()), study });
    if (link.length > MAX_LINK)
      notifier.notify('This link would be too long. Copy the command instead.', { tone: 'error' });
    else await lab.copy(new URL(`#${link}`, location.href).href, 'the link to this study');
  }

  /** @param {string} ending @param {string} text @param {string} type */
  const save = (ending, text, type) => download(`${state.view.value.scenario || 'scenario'}-map.${ending}`, text, type);

  function shownMap() {
    const plan = heat.plan.value;
    const { study } = heat;
    if (!plan || !study) return undefined;
    const index = Math.max(
      0,
      plan.measures.findIndex(({ id }) => id === measure.value),
    );
    const paths = { x: study.x.path, y: study.y.path };
    return {
      plan,
      cells: heat.cells,
      seeds: study.seeds,
      paths,
      measure: plan.measures[index],
      index,
      chosen: chosen.value,
    };
  }

  function mapTemplate() {
    void heat.version.value;
    const shown = shownMap();
    if (!shown) return nothing;
    const { plan, paths, cells } = shown;
    const rule = plan.refused.find(({ cell }) => cell === chosen.value)?.rule;
    const detail = heat.detail.value?.cell === chosen.value ? heat.detail.value.detail : null;
    const changed = (/** @type {string} */ id) => {
      measure.value = id;
      if (chosen.value >= 0) heat.show(chosen.value, id);
    };
    return html`<div class="heat-body">
      <div class="heat-picture">
        ${measureTemplate(plan.measures, measure.value, changed)}
        <div class="heat-scroll">${gridTemplate(shown, choose)}</div>
        ${legendTemplate(plan)}
        <p class="heat-out" role="group" aria-label="Take it with you">
          <button type="button" @click=${copyLink}>Copy the link</button>
          <button type="button" @click=${() => lab.copy(plan.command, 'the command that makes the same runs')}>Copy the command</button>
          <button type="button" @click=${() => lab.copy(csvOf(plan, cells, paths), 'the map as CSV')}>Copy as CSV</button>
          <button type="button" @click=${() => save('csv', csvOf(plan, cells, paths), 'text/csv')}>Save CSV</button>
          <button type="button" @click=${() => save('json', jsonOf(plan, cells, paths), 'application/json')}>Save JSON</button>
        </p>
        <p><code class="heat-command">${plan.command}</code></p>
      </div>
      <section class="heat-detail" aria-label="The chosen cell" aria-live="polite">${
        chosen.value < 0
          ? html`<p class="soft">Choose a cell to see its runs, the worst first. Arrow keys move, Enter chooses.</p>`
          : detailTemplate(shown, detail, { rule, open: openSeed, busy: busy.value })
      }</section>
    </div>`;
  }

  function contents() {
    void heat.version.value;
    const { runs, of, pace } = heat;
    return html`${dialogHead('Search', room.close, { beside: html`<span class="soft">${state.view.value.title || 'your scenario'}</span>` })}
      ${formTemplate(
        { wanted: wanted.value, fields: fields.value, status: heat.status.value, error: heat.error.value },
        {
          axis(axis, to) {
            wanted.value = { ...wanted.value, [axis]: to };
          },
          change(to) {
            wanted.value = { ...wanted.value, ...to };
          },
          start,
        },
      )}
      ${loading.value >= 0 ? html`<p role="status">Loading the simulator: ${Math.round(100 * loading.value)} %</p>` : nothing}
      ${progressTemplate({ runs, of, pace, status: heat.status.value }, { pause: () => heat.pause(), resume: () => heat.resume(), stop: () => heat.stop() })}
      ${heat.plan.value ? mapTemplate() : html`<p class="soft">Two fields of the scenario, every combination of their values, each with the same seeds. A cell opens its runs, a run opens in the timeline.</p>`}`;
  }

  async function show() {
    if (state.phase.value !== 'ready') {
      notifier.notify('The simulator is still loading.');
      return;
    }
    if (state.view.value.playing) await lab.pause();
    room.show();
    const here = `${state.view.value.run}`;
    if (here === studied || ['running', 'paused'].includes(heat.status.value)) return;
    studied = here;
    // The map that is there stays until another one is started.
    scenario = (await lab.ask('save')).scenario;
    try {
      fields.value = (await pool.ask('heatFields', { scenario })).fields;
    } catch (error) {
      heat.error.value = { message: /** @type {Error} */ (error).message, path: '' };
    }
  }

  return {
    show,
    /** Opens the study of a link, and starts it. @param {StudyLink} study */
    async follow({ measure: by, x, y, first, seeds, varyPhase }) {
      await show();
      wanted.value = { x, y, first, seeds, varyPhase };
      measure.value = by;
      await start();
    },
  };
}
