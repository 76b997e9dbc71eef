/**
 * Opens each room when its command runs or the visitor chooses its tab. Gives the room the parts of the page that it
 * uses.
 */

import { computed, effect } from '@preact/signals-core';
import { set } from '../../lib/control.js';
import { encodeLink } from '../../lib/share.js';
import { yamlTools } from '../../lib/yaml.js';
import { SPANS } from '../../page/timeline/lanelayout.js';
import { isEvidence, isRecord } from '../evidence/detect.js';
import { download } from './files.js';
import { typeAhead } from './typeahead.js';

/** @import { Commands } from '../../page/actions.js' */
/** @import { Linked } from '../../lib/share.js' */
/** @import { Client } from './client.js' */
/** @import { Page } from './index.js' */

/** @typedef {Awaited<ReturnType<typeof import('../lesson/index.js').open>>} Lessons */
/** @typedef {ReturnType<typeof import('../api/index.js').open>} Api */

/** @param {string} fragment */
const addressOf = (fragment) => new URL(`#${fragment}`, location.href).href;

/**
 * @param {Page} page
 * @param {Client} client
 * @param {Parameters<typeof import('../snippet/index.js').open>[0]['lessons']} titles of the lessons
 */
export function openRooms(page, client, titles) {
  const { state, lab, notifier, run, key, shortcut, select, mark, timeline } = page;
  const { currentTab, showTab, schedule, rooms, pages } = page;
  /** @type {Lessons | undefined} */
  let lessons;
  /** @type {Api | undefined} */
  let api;

  const compare = rooms.openOnce('compare', ({ open }) => open({ state, lab, notifier }));
  const breakpoints = rooms.openOnce('breakpoints', ({ open }) => open({ state, lab, notifier, run }));
  const branches = rooms.openOnce('branches', ({ open }) => open({ state, lab, notifier, run }));
  const messages = rooms.openOnce('messages', ({ open }) => open({ state, lab, notifier, timeline }));
  const museum = rooms.openOnce('museum', ({ open }) => open({ lab, notifier, run, pages, compare: compareVariants }));
  const numbers = rooms.openOnce('numbers', ({ open }) => open({ lab, notifier, run, pages }));
  const chooser = rooms.openOnce('chooser', ({ open }) => open({ state, lab, run, notifier }));
  const evidence = rooms.openOnce('evidence', ({ open }) => open({ state, lab, notifier, run, pages, readRecord }));
  const live = rooms.openOnce('live', ({ open }) => open({ lab, notifier }));
  const exports = rooms.openOnce('export', ({ open }) => open({ state, lab, notifier }));
  const faults = rooms.openOnce('faults', ({ open }) => open({ state, lab, notifier }));
  const search = rooms.openOnce('search', ({ open }) => open({ state, lab, notifier, run, select, pages }));
  const snippet = rooms.openOnce('snippet', ({ open }) => open({ state, lab, lessons: titles, step: lessonStep }));
  const loadLessons = rooms.openOnce('lesson', async ({ open }) => {
    lessons = await open({ state, lab, notifier, timeline, run, select, mark, key, showTab, schedule, pages });
    schedule();
    return lessons;
  });
  const presenter = rooms.openOnce('presenter', async ({ open }) => {
    const learned = await loadLessons();
    return learned && open({ state, notifier, run, showTab }, learned);
  });
  const predict = rooms.openOnce('predict', ({ open }) => open({ state, lab, run }));
  const qrcode = rooms.openOnce('qrcode', ({ open }) => open({ lab }));
  const author = rooms.openOnce('author', ({ open }) =>
    open({ state, lab, notifier, showTab, player: loadLessons, download }),
  );
  const loadApi = rooms.openOnce('api', ({ open }) => {
    api = open({ state, lab, notifier, select, currentTab, shortcut }, client);
    return api;
  });

  /** @param {File[]} files */
  async function readRecord(files) {
    if (files.length !== 1 || !(await isRecord(files[0]))) return false;
    await (await live())?.openFile(files[0], async () => (await evidence())?.take(files));
    return true;
  }

  /** The step of the course on screen. */
  function lessonStep() {
    const at = lessons?.place();
    if (!at?.lesson.number) return undefined;
    const { number, title } = at.lesson;
    return { title, number, step: at.progress.step + 1, link: lessons?.link() ?? '' };
  }

  const noteStep = () => set(state.step, lessons?.link() ?? '');

  /** @param {{failing: string, fixed: string}} two */
  async function compareVariants({ failing, fixed }) {
    await (await compare())?.show({ a: { scenario: failing }, b: { scenario: fixed } });
  }

  /**
   * Plays a teacher's lesson.
   * @param {string} text YAML
   * @returns {Promise<{line: number, message: string}[]>} its errors
   */
  async function playLesson(text) {
    return (await (await author())?.play(text)) ?? [];
  }

  /** Plays the lesson whose document is in a link. @param {object} document */
  async function playDocument(document) {
    const [wrong] = await playLesson((await yamlTools()).printYaml(document));
    if (wrong) notifier.notify(`The lesson of this link has an error: ${wrong.message}`, { tone: 'error' });
  }

  // The arrows load when the visitor first zooms in far enough.
  timeline.overlays.add((_, { lod }) => {
    if (lod === SPANS) messages();
  });

  // Choosing the tab API loads its room, and tries again after a failure.
  const tab = computed(currentTab);
  effect(() => {
    if (tab.value === 'api') loadApi();
  });

  /** @type {Commands} */
  const commands = {
    scenarios: async () => (await chooser())?.show(),
    scenario: async (name) => name && (await chooser())?.choose(name),
    museum: async (id) => (await museum())?.show(id),
    numbers: async (which) => (await numbers())?.show(which),
    evidence: async () => (await evidence())?.show(),
    faults: (which) => typeAhead(async (typed) => (await faults())?.show(which, typed)),
    export: async (kind) => (await exports())?.show(kind),
    compare: async () => (await compare())?.show(),
    search: async (kind) => (await search())?.show(kind),
    message: async (one) => (await messages())?.pick(one),
    breakpoints: async () => (await breakpoints())?.show(),
    branches: async () => (await branches())?.show(),
    embed: async () => (await snippet())?.show(),
    lessons: async () => (await loadLessons())?.shelf(),
    lesson: async (number) => (await loadLessons())?.begin(number),
    present: async () => (await presenter())?.present(),
    copyStep: async () => {
      const at = lessons?.place();
      if (at?.lesson.number && lessons) await lab.copy(addressOf(lessons.link()), lessons.linkWords());
    },
    qrCode: async (link) =>
      (await qrcode())?.show(link ?? addressOf(lessons?.link() || (await encodeLink(await lab.share())))),
    predict: async () => (await predict())?.show(),
    predictCrash: async () => (await predict())?.crash(await loadLessons()),
    nextClass: async () => (await loadLessons())?.nextClass(),
    author: async () => (await author())?.show(),
    lessonForth: () => lessons?.forth(),
    lessonBack: () => lessons?.back(),
    async api() {
      showTab('api');
      if (api) api.focus('');
      else await typeAhead(async (typed) => (await loadApi())?.focus(typed()));
    },
  };

  return {
    playLesson,
    /** Reads files of a cluster. @param {File[]} files @returns {Promise<boolean>} false: none is evidence */
    async readEvidence(files) {
      const kinds = await Promise.all(files.map(isEvidence));
      if (kinds.includes(true)) (await evidence())?.take(files.filter((_, i) => kinds[i]));
      return kinds.includes(true);
    },
    /**
     * Opens a record of real programs.
     * @param {File[]} files
     * @returns {Promise<boolean>} false: they are something else
     */
    readRecord,
    update() {
      lessons?.update();
      noteStep();
    },
    isLearning: () => lessons?.isOn() ?? false,
    /** False when no lesson is open. */
    leaveLesson: () => lessons?.leave() ?? false,
    /** Opens the other parts of a link, besides the run. @param {Linked} linked */
    async openBesides(linked) {
      const openPage = linked.page && /** @type {Commands[string] | undefined} */ (commands[linked.page.id]);
      await openPage?.(/** @type {never} */ (linked.page?.item));
      if (linked.breakpoints?.length) await (await breakpoints())?.set(linked.breakpoints);
      if (linked.compare) await (await compare())?.show(linked.compare);
      if (linked.study) await (await search())?.follow(linked.study);
      if (linked.predict) await (await loadLessons())?.predict(linked.predict);
      if (linked.lesson?.document) await playDocument(linked.lesson.document);
      else if (linked.lesson) await (await loadLessons())?.follow(linked.lesson);
      noteStep();
      const { embed } = document.documentElement.dataset;
      // An embed opens the incident's run instead.
      if (linked.museum && !embed) await (await museum())?.show(linked.museum);
      if (linked.isNew && !embed) await (await chooser())?.present(linked);
    },
    commands,
  };
}
