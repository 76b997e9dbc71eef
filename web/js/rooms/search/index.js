/**
 * Studies: a pool of workers makes many runs of one scenario. A map of two settings, settings for goals, failures that
 * nobody thought of, the smallest run that fails like this one, and every schedule within bounds.
 */

import { effect, signal, untracked } from '@preact/signals-core';
import { html, nothing } from 'lit-html';
import { set } from '../../lib/control.js';
import { modal, newDialog } from '../../lib/modal.js';
import { tabsTemplate } from '../../lib/parts.js';
import { placePatterns } from '../../lib/strip.js';
import { waitUntil } from '../../lib/until.js';
import { openDoors } from './doors.js';
import { HeatPanel } from './heatpanel.js';
import { studyOf } from './link.js';
import { Pool } from './pool.js';
import { Strips } from './strip.js';
import { Study } from './study.js';
import { studyHead, studyTemplate } from './studypanel.js';
import { Subjects } from './subject.js';

/** @import { StudyKind } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { HeatLink } from './heatpanel.js' */
/** @import { Document } from './subject.js' */

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
/** Studies that need no goals from the visitor, so they start when their tab opens. */
const EAGER = ['hunt', 'shrink', 'explore'];

/**
 * @param {Pick<Page, "state" | "lab" | "notifier" | "run" | "select"> & {pages?: Page['pages']}} ports
 * @param {Pool} [pool]
 */
export function open({ state, lab, notifier, run, select, pages }, pool = new Pool(lab.assets)) {
  const tab = signal(/** @type {StudyKind | "heat"} */ ('heat'));
  const loading = signal(-1);
  const room = modal(newDialog('search', 'Studies'), contents, { pages });
  placePatterns();
  const strips = new Strips(pool);
  // The browser has cached them, because the engine loaded them.
  const subjects = new Subjects(async () => (await fetch(lab.assets.scenarios)).json());
  const doors = openDoors({ lab, notifier, run, pool, subjects, close: room.close });
  const subjectTemplate = () => subjects.template((to) => about(to));
  const ports = { ...doors, pool, strips, lab, subjects, subject: subjectTemplate, run, about, choose, explain };
  const heat = new HeatPanel(ports);
  const studies = /** @type {Record<StudyKind, Study>} */ (
    Object.fromEntries(TABS.flatMap(([kind]) => (kind === 'heat' ? [] : [[kind, new Study(pool, kind)]])))
  );
  pool.onProgress = (share) => set(loading, share < 1 ? share : -1);
  for (const one of [heat.heat, ...Object.values(studies)])
    effect(() => {
      if (one.status.value === 'done') untracked(() => notifier.say('The study is done.'));
    });

  /**
   * Shows a tab, and starts its study unless it has an answer about the subject.
   * @param {StudyKind | "heat"} kind @param {boolean} [start]
   */
  async function choose(kind, start = true) {
    tab.value = kind;
    // The visitor may have left the page while the simulator loaded.
    if (room.dialog.open) pages?.enter(room.dialog, kind);
    document.getElementById(`search-tab-${kind}`)?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
    if (!subjects.chosen.value) return;
    try {
      if (kind === 'heat') {
        if (start) await heat.ask();
        return;
      }
      const study = studies[kind];
      await study.ask(subjects.document);
      if (start && EAGER.includes(kind) && study.spec?.scenario !== subjects.document)
        await study.start(subjects.document);
    } catch (error) {
      lab.tellFailure(error);
    }
  }

  /** Studies another run. @param {Document} to @param {StudyKind | "heat"} [kind] */
  async function about(to, kind = tab.value) {
    subjects.chosen.value = to;
    await choose(kind);
  }

  /** Explains what the open run violates. @param {number} at */
  async function explain(at) {
    const begun = () => state.timeline.value?.violations.find(({ from }) => from === at);
    if (at < state.view.value.end) await waitUntil(() => begun() !== undefined);
    const found = begun();
    if (found) select({ ...found, kind: 'violation' });
    await run('why');
  }

  function contents() {
    const kind = tab.value;
    const study = kind === 'heat' ? undefined : studies[kind];
    const status = (study ?? heat.heat).status.value;
    const { title, sub, act } = study ? studyHead(study, ports) : heat.head();
    return html`<div class="study-head"><div><h1 tabindex="-1" aria-live=${
      status === 'running' ? 'off' : 'polite'
    }>${title}</h1>
        <p>${sub}</p></div><div class="study-acts">${act}</div></div>
      <div class="search-tabs" role="tablist" aria-label="Studies">${tabsTemplate(
        TABS,
        { chosen: kind, prefix: 'search-tab-', panelOf: () => 'search-panel' },
        choose,
      )}</div>
      ${loadingTemplate()}
      <div class="search-panel" id="search-panel" role="tabpanel"
        aria-labelledby=${`search-tab-${kind}`}>${study ? studyTemplate(study, ports) : heat.template()}</div>`;
  }

  /** What the page waits for. */
  function loadingTemplate() {
    const { phase, failure, progress } = state;
    if (phase.value === 'failed') return html`<p class="study-loading" role="alert">${failure.value}</p>`;
    const share = phase.value === 'opening' ? progress.value : loading.value;
    return share < 0
      ? nothing
      : html`<p class="study-loading" role="status"><progress aria-label="Loading the simulator" max="1"
        .value=${share}></progress> Loading the simulator: ${Math.round(100 * share)} %</p>`;
  }

  /** @param {StudyKind | "heat"} kind @param {boolean} start */
  async function show(kind, start) {
    tab.value = kind;
    room.show();
    pages?.enter(room.dialog, kind);
    room.dialog.querySelector('h1')?.focus();
    subjects.read().catch(() => {}); // without them, fewer runs to choose from
    await waitUntil(() => state.phase.value !== 'opening');
    if (state.phase.value === 'failed') return;
    if (state.view.value.playing) await lab.pause();
    subjects.opens((await lab.ask('save')).scenario);
    await choose(kind, start);
  }

  return {
    /** Shows the page; nobody waits for its study. @param {StudyKind | "heat"} [kind] by default the last tab */
    show: (kind = tab.value) => {
      show(kind, true);
    },
    /** Opens the study of a link, and starts it. @param {unknown} linked */
    async follow(linked) {
      const found = studyOf(linked);
      if (!found)
        return notifier.notify('The study in this link cannot be read, so only its scenario is open.', {
          tone: 'error',
        });
      await show(found.kind, false);
      if (found.kind === 'heat') return heat.follow(found);
      const study = studies[found.kind];
      for (const [name, value] of Object.entries(found.values)) study.fill(name, value);
      await study.start(subjects.document);
    },
  };
}
