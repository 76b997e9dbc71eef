/** Scenario files: saved by a command, opened by a command or dropped on the page. */

import { element } from '../../lib/element.js';
import { readScenario, saveScenario } from './files.js';

/** @import { Page } from './index.js' */

/** @param {Pick<Page, "lab" | "notifier">} ports */
export function openFiling({ lab, notifier }) {
  /** @param {"json" | "yaml"} format */
  async function save(format) {
    try {
      await saveScenario(await lab.ask('save'), format);
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }

  /** @param {File | undefined} file */
  async function openFile(file) {
    if (!file) return;
    try {
      const scenario = await readScenario(file);
      if (await lab.open({ scenario }, `${file.name} will open`)) notifier.notify(`${file.name} is open.`);
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }
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

  async function saveSession() {
    try {
      await saveScenario(await lab.ask('saveSession'), 'json');
    } catch (error) {
      notifier.notify(/** @type {Error} */ (error).message, { tone: 'error' });
    }
  }

  return { save, saveSession };
}
