/** What stands in an embed before its run: a title, a sentence, and the button that loads the simulator. */
import { html, nothing } from 'lit-html';
import { formatInstant } from '../../lib/format.js';
import { isText } from '../../lib/shape.js';

/** @import { Linked } from '../../lib/share.js' */

/** @typedef {{title: string, summary: string, at: number}} Poster at: the instant that opens */

/**
 * @param {Linked} linked @param {string} scenarios the address of the shipped scenarios
 * @returns {Promise<Poster>}
 */
export async function posterOf({ scenario, cursor }, scenarios) {
  const at = cursor.t;
  if (!isText(scenario)) {
    const { title, name, summary = '' } = /** @type {{title?: string, name?: string, summary?: string}} */ (scenario);
    return { title: title ?? name ?? 'A run', summary, at };
  }
  const named = { title: scenario, summary: '', at };
  try {
    const shipped = await (await fetch(scenarios)).json();
    const found = shipped.find((/** @type {{name: string}} */ { name }) => name === scenario);
    return found ? { title: found.title, summary: found.summary ?? '', at } : named;
  } catch {
    return named; // the run may still open
  }
}

/**
 * @param {Poster} poster @param {{started: boolean, progress: number, bytes: number}} loading progress: 0…1
 * @param {() => unknown} start
 */
export function posterTemplate({ title, summary, at }, { started, progress, bytes }, start) {
  const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const opens = at > 0 ? `opens the run at ${formatInstant(at)}` : 'plays the run';
  return html`<div class="poster">
    <h2>${title}</h2>
    ${summary ? html`<p class="soft">${summary}</p>` : nothing}
    <button type="button" class="primary" aria-disabled=${started ? 'true' : 'false'} @click=${start}>${started ? `Loading the simulator, ${Math.round(progress * 100)} %` : 'Start'}</button>
    <p class="soft">${bytes > 0 ? `Loads the simulator (${size}) and ${opens}.` : nothing}</p>
  </div>`;
}
