/** Scenario files: saved by a command, opened by a command or dropped on the page. */

import { element } from '../../lib/element.js';
import { Mistakes, readScenario, refuseMistakes, saveScenario } from './files.js';
import { mistakesDialog } from './mistakes.js';

/** @import { Mistake } from './files.js' */
/** @import { Page } from './index.js' */

/** @param {Pick<Page, "lab" | "notifier"> & {playLesson: (text: string) => Promise<Mistake[]>}} ports playLesson: the errors of a lesson that cannot be played */
export function openFiling({ lab, notifier, playLesson }) {
  const showMistakes = mistakesDialog();
  /** Does it, and tells the reader what went wrong. @param {() => Promise<unknown>} work */
  async function told(work) {
    try {
      await work();
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }

  /** What a file holds; undefined once its errors are shown. @param {File} file */
  async function readMine(file) {
    try {
      const scenario = await readScenario(file);
      // Until the simulator has loaded nothing checks the file; it is opened later, and tells its first error.
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
    told(async () => {
      if (!file) return;
      const scenario = await readMine(file);
      if (!scenario) return;
      if ('kind' in scenario && scenario.kind === 'Lesson') {
        const wrong = await playLesson(await file.text());
        if (wrong.length > 0) showMistakes(file.name, new Mistakes(wrong));
        return;
      }
      if (await lab.open({ scenario }, `${file.name} will open`)) notifier.notify(`${file.name} is open.`);
    });
  const fileInput = /** @type {HTMLInputElement} */ (element('file'));
  fileInput.addEventListener('change', async () => {
    await openFile(fileInput.files?.[0]);
    fileInput.value = '';
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    openFile(event.dataTransfer?.files[0]);
  });

  return {
    save: (/** @type {"json" | "yaml"} */ format) => told(async () => saveScenario(await lab.ask('save'), format)),
    saveSession: () => told(async () => saveScenario(await lab.ask('saveSession'), 'json')),
  };
}
