/**
 * Files: commands save and open scenarios, and the visitor can drop or paste scenario files. All other files may be
 * evidence of a cluster.
 */

import { element } from '../../lib/element.js';
import { Missing } from '../../lib/later.js';
import { filesOf } from './dropped.js';
import { Mistakes, readScenario, refuseMistakes, saveScenario } from './files.js';
import { mistakesDialog } from './mistakes.js';

/** @import { Mistake } from './files.js' */
/** @import { Page } from './index.js' */

/**
 * @param {Pick<Page, "lab" | "notifier"> & {playLesson: (text: string) => Promise<Mistake[]>, readEvidence: (files:
 *   File[]) => Promise<boolean>, readRecord: (files: File[]) => Promise<boolean>}} ports playLesson: returns the errors
 *   of a lesson that cannot play; readEvidence: whether one of the files is evidence; readRecord: whether they are one
 *   record of real programs
 */
export function openFiling({ lab, notifier, playLesson, readEvidence, readRecord }) {
  const showMistakes = mistakesDialog();
  /** Does the work, and tells the reader about a failure. @param {() => Promise<unknown>} work */
  async function tellFailure(work) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Missing)) notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }

  /** The contents of a file; undefined after the page has shown its errors. @param {File} file */
  async function readMine(file) {
    try {
      const scenario = await readScenario(file);
      // The page cannot check the file until the simulator has loaded. Then it opens the file and shows the first
      // error.
      if ('kind' in scenario && scenario.kind === 'Lesson') return scenario;
      const found = await lab.ask('errors', { scenario }).catch(() => ({ errors: [], whole: true }));
      await refuseMistakes(file, found);
      return scenario;
    } catch (error) {
      if (!(error instanceof Mistakes)) throw error;
      showMistakes(file.name, error);
      return undefined;
    }
  }

  /** @param {File | undefined} file */
  const openFile = (file) =>
    tellFailure(async () => {
      if (!file) return;
      const scenario = await readMine(file);
      if (!scenario) return;
      if ('kind' in scenario && scenario.kind === 'Lesson') {
        const wrong = await playLesson(await file.text());
        if (wrong.length > 0) showMistakes(file.name, new Mistakes(wrong));
        return;
      }
      if (!(await lab.open({ scenario }, `${file.name} will open`))) return;
      notifier.notify(`${file.name} is open.`);
      // Of a Deployment, the summary lists what the run does not show.
      const { scenario: whole } = await lab.ask('save');
      lab.state.watch.value = /** @type {{summary?: string}} */ (whole).summary ?? '';
    });
  const fileInput = /** @type {HTMLInputElement} */ (element('file'));
  /** Opens the files as evidence, or else the first one as a scenario. @param {File[]} files */
  const openAny = (files) =>
    tellFailure(async () => {
      if (files.length > 0 && !(await readRecord(files)) && !(await readEvidence(files))) await openFile(files[0]);
    });
  fileInput.addEventListener('change', async () => {
    await openAny([...(fileInput.files ?? [])]);
    fileInput.value = '';
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    filesOf(event.dataTransfer).then(openAny, (error) => notifier.notify(error.message));
  });
  addEventListener('paste', (event) => {
    const target = /** @type {Element | null} */ (event.target);
    if (target?.closest?.('input, textarea, dialog, [contenteditable]')) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (files.length > 0) openAny(files);
    else if (text.includes('\n')) openPasted(text);
  });

  /**
   * Ignores text that is neither evidence nor a scenario, because it is not meant for the page.
   * @param {string} text
   */
  async function openPasted(text) {
    const name = text.trimStart().startsWith('{') ? 'pasted.json' : 'pasted.yaml';
    const file = new File([text], name);
    if (!(await readEvidence([file])) && /leaselab\.dev\/|kind"?: *"?Deployment/.test(text)) await openFile(file);
  }

  return {
    save: (/** @type {"json" | "yaml"} */ format) =>
      tellFailure(async () => saveScenario(await lab.ask('save'), format)),
    saveSession: () => tellFailure(async () => saveScenario(await lab.ask('saveSession'), 'json')),
  };
}
