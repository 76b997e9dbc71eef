/**
 * Search: a pool of workers makes many runs of the open scenario. It offers a heat map of two fields, an adviser, a
 * hunt for failures, the smallest scenario with the same violation, and every schedule within bounds.
 */

import { effect, signal, untracked } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { set } from '../../lib/control.js';
import { dialogHead, modal, newDialog } from '../../lib/modal.js';
import { tabsTemplate } from '../../lib/parts.js';
import { encodeLink, MAX_LINK } from '../../lib/share.js';
import { saveScenario } from '../desk/files.js';
import { HeatPanel } from './heatpanel.js';
import { studyOf } from './link.js';
import { Pool } from './pool.js';
import { Study } from './study.js';
import { studyTemplate } from './studypanel.js';

/** @import { Opens, StudyKind } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { HeatLink } from './heatpanel.js' */

/**
 * The part of a link that holds a study.
 * @typedef {HeatLink | {kind: StudyKind, values: Record<string, string>}} StudyLink
 */

/** @type {[StudyKind | "heat", string][]} */
const TABS = [
  ['heat', 'Map settings'],
  ['advise', 'Find settings'],
  ['hunt', 'Find failures'],
  ['shrink', 'Simplify a failure'],
  ['explore', 'Prove within bounds'],
];

/**
 * @param {Pick<Page, "state" | "lab" | "notifier" | "run"> & {pages?: Page['pages']}} ports
 * @param {Pool} [pool]
 */
export function open({ state, lab, notifier, run, pages }, pool = new Pool(lab.assets)) {
  const tab = signal(/** @type {StudyKind | "heat"} */ ('heat'));
  const loading = signal(-1);
  /** The scenario of the study. @type {object} */
  let scenario = {};

  const room = modal(newDialog('search', 'Studies'), contents, { pages });
  const heat = new HeatPanel({
    pool,
    scenario: () => scenario,
    openRun,
    copy: (text, what) => lab.copy(text, what),
    copyLink,
    tellFailure: (error) => lab.tellFailure(error),
    saveScenario: () => saveFile(heat.heat.scenario),
    of: ofTemplate,
  });
  const studies = new Map(
    TABS.flatMap(([kind]) => (kind === 'heat' ? [] : [[kind, new Study(pool, kind)]])).map(
      (one) => /** @type {[StudyKind, Study]} */ (one),
    ),
  );
  pool.onProgress = (share) => set(loading, share < 1 ? share : -1);
  for (const one of [heat.heat, ...studies.values()])
    effect(() => {
      const status = one.status.value;
      if (status === 'done') untracked(() => notifier.say('The study is done.'));
      // On a phone the form fills the dialog.
      if (status === 'running') reveal('.heat-progress');
      else if (status === 'done') reveal('.study-answer h3');
    });

  /** Scrolls to a part of the panel after the next drawing. @param {string} selector */
  function reveal(selector) {
    const block = matchMedia('(max-width: 719.98px)').matches ? 'start' : 'nearest';
    requestAnimationFrame(() => room.dialog.querySelector(selector)?.scrollIntoView({ block }));
  }

  /** Opens a run of a study on the page, at the run's worst instant. @param {Opens} found @param {string} sentence */
  async function openRun({ scenario: document, at, end }, sentence) {
    const params = { scenario: document, cursor: { t: at, n: -1 }, live: { t: end, n: -1 } };
    if (!(await lab.open(params, 'The run will open'))) return;
    room.close();
    notifier.notify(sentence, { action: { label: 'Back to the search', run: () => run('search') } });
  }

  /** The file that a command reads. @param {object} [document] */
  function saveFile(document = scenario) {
    saveScenario({ name: 'scenario', scenario: document }, 'yaml').catch((error) => lab.tellFailure(error));
  }

  const isOpen = (/** @type {object} */ document) => JSON.stringify(document) === JSON.stringify(scenario);

  /** Names the scenario of the results, if another one is open by now. @param {object} document */
  function ofTemplate(document) {
    const { title, name } = /** @type {{title?: string, name?: string}} */ (document);
    return Object.keys(document).length === 0 || isOpen(document)
      ? nothing
      : html`<p class="search-of">These are results for <b>${title || name || 'another scenario'}</b>, which the
        study began with. A new study uses the scenario that is open now.</p>`;
  }

  /**
   * Copies a link. It opens the scenario of the study, even if another scenario is open now.
   * @param {object} study
   * @param {object} studied
   */
  async function copyLink(study, studied) {
    const share = await lab.share();
    const start = { t: 0, n: -1 };
    const note = isOpen(studied)
      ? share
      : { scenario: studied, patch: [], actions: [], engine: share.engine, hash: '', cursor: start, live: start };
    const link = await encodeLink({ ...note, study: /** @type {StudyLink} */ (study) });
    if (link.length > MAX_LINK)
      notifier.notify('This link would be too long. Copy the command instead.', { tone: 'error' });
    else await lab.copy(new URL(`#${link}`, location.href).href, 'the link to this study');
  }

  /** @param {StudyKind | "heat"} kind */
  async function choose(kind) {
    tab.value = kind;
    await (kind === 'heat' ? heat.ask() : studies.get(kind)?.ask(scenario));
  }

  /** @param {StudyKind} kind */
  function panelTemplate(kind) {
    const study = /** @type {Study} */ (studies.get(kind));
    return studyTemplate(study, {
      start: () => study.start(scenario),
      open: (found) => openRun(found, 'The run is open. WHY explains it.'),
      copy: (command) => lab.copy(command, 'the command that does the same'),
      link: () => {
        const { values = [], scenario: studied = scenario } = study.spec ?? {};
        return copyLink({ kind, values: Object.fromEntries(values.map(({ name, value }) => [name, value])) }, studied);
      },
      saveScenario: () => saveFile(study.spec?.scenario),
      saveRun: (run) => saveFile(run.scenario),
      source: () => (study.report.value ? ofTemplate(study.spec?.scenario ?? {}) : nothing),
    });
  }

  function contents() {
    const kind = tab.value;
    const title = html`<span class="mute">many runs of ${state.view.value.title || 'your scenario'}</span>`;
    return html`${dialogHead('Studies', room.close, { beside: title })} 
      <div class="search-tabs" role="tablist" aria-label="Studies">${tabsTemplate(
        TABS,
        { chosen: kind, prefix: 'search-tab-', panelOf: () => 'search-panel' },
        choose,
      )}</div>
      ${
        loading.value >= 0
          ? html`<p role="status">Loading the simulator: ${Math.round(100 * loading.value)} %</p>`
          : nothing
      }
      <div class="search-panel" id="search-panel" role="tabpanel"
        aria-labelledby=${`search-tab-${kind}`}>${kind === 'heat' ? heat.template() : panelTemplate(kind)}</div>`;
  }

  /** @param {StudyKind | "heat"} [kind] the tab, by default the last one */
  async function show(kind = tab.value) {
    if (state.phase.value !== 'ready') {
      notifier.notify('The simulator is still loading.');
      return;
    }
    if (state.view.value.playing) await lab.pause();
    scenario = (await lab.ask('save')).scenario;
    room.show();
    await choose(kind);
  }

  return {
    show,
    /** Opens the study of a link, and starts it. @param {unknown} linked */
    async follow(linked) {
      const study = studyOf(linked);
      if (!study) {
        notifier.notify('The study in this link cannot be read, so only its scenario is open.', { tone: 'error' });
        return;
      }
      await show(study.kind);
      if (study.kind === 'heat') {
        await heat.follow(study);
        return;
      }
      const one = /** @type {Study} */ (studies.get(study.kind));
      for (const [name, value] of Object.entries(study.values)) one.fill(name, value);
      await one.start(scenario);
    },
  };
}
