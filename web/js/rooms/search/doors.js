/** The ways out of the studies: a run opens on the page, and a file, a command or a link goes along. */
import { linkUrl } from '../../lib/share.js';
import { download, saveScenario } from '../desk/files.js';
import { sameRun } from './subject.js';

/** @import { Opens, StudiedRun } from '../../protocol.js' */
/** @import { Page } from '../desk/index.js' */
/** @import { StudyLink } from './index.js' */
/** @import { Pool } from './pool.js' */
/** @import { Subjects } from './subject.js' */

/**
 * @param {Pick<Page, "lab" | "notifier" | "run"> & {pool: Pick<Pool, "ask">, subjects: Subjects, close: () => void}}
 *   ports
 */
export function openDoors({ lab, notifier, run, pool, subjects, close }) {
  return {
    /**
     * Opens a run of a study on the page, at the run's worst instant.
     * @param {StudiedRun | Opens} found @param {string} sentence @param {() => unknown} [then]
     */
    async openRun({ scenario: document, at, end }, sentence, then) {
      const params = { scenario: document, cursor: { t: at, n: -1 }, live: { t: end, n: -1 } };
      if (!(await lab.open(params, 'The run will open'))) return;
      subjects.ours = (await lab.ask('save')).scenario;
      close();
      notifier.notify(sentence, { action: { label: 'Back to the studies', run: () => run('search') } });
      await then?.();
    },

    /** The file that a command reads. @param {object} document */
    saveFile(document) {
      saveScenario({ name: 'scenario', scenario: document }, 'yaml').catch((error) => lab.tellFailure(error));
    },

    /** @param {Opens} found the failure */
    async saveGoTest({ scenario: document }) {
      try {
        const { file, text } = await pool.ask('goTest', { scenario: document });
        download(file, text, 'text/x-go');
      } catch (error) {
        lab.tellFailure(error);
      }
    },

    /**
     * Copies a link. It opens the scenario of the study, even if another scenario is open now.
     * @param {object} study
     * @param {object} studied
     */
    async copyLink(study, studied) {
      const share = await lab.share();
      const start = { t: 0, n: -1 };
      const note = sameRun(studied, subjects.opened.value)
        ? share
        : { scenario: studied, patch: [], actions: [], engine: share.engine, hash: '', cursor: start, live: start };
      const link = await linkUrl({ ...note, study: /** @type {StudyLink} */ (study) });
      if (link) await lab.copy(link, 'the link to this study');
      else notifier.notify('This link would be too long. Copy the command instead.', { tone: 'error' });
    },
  };
}
