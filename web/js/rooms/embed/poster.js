/** What stands in an embed before its run: a title, a sentence, and the button that loads the simulator. */
import { html, nothing } from 'lit-html';
import { formatInstant } from '../../lib/format.js';
import { isText } from '../../lib/shape.js';
import { languageOf } from '../lesson/lessons.js';
import { exhibitsOf } from '../museum/exhibits.js';

/** @import { LessonLink, Linked } from '../../lib/share.js' */
/** @import { Shipped } from '../museum/exhibits.js' */

/** @typedef {{title: string, summary: string, at: number, lesson?: boolean}} Poster at: the instant that opens */

/** @type {Promise<Shipped[]> | undefined} */
let loading;
/** The shipped scenarios; none without a network. @param {string} url @returns {Promise<Shipped[]>} */
function shippedAt(url) {
  loading ??= fetch(url)
    .then((answer) => answer.json())
    .catch(() => []);
  return loading;
}

/** A link to an incident of the museum as one to its failing run. @param {Linked | undefined} linked @param {string} scenarios address of the shipped */
export async function incidentOf(linked, scenarios) {
  if (!linked?.museum) return linked;
  const found = exhibitsOf(await shippedAt(scenarios)).find(({ id }) => id === linked.museum);
  if (!found)
    throw new Error(`The museum has no incident “${linked.museum}”, so the default scenario is open instead.`);
  return { ...linked, scenario: found.failing.name };
}

/** @param {Linked} linked @param {string} scenarios the address of the shipped @returns {Promise<Poster>} */
export async function posterOf({ scenario, cursor, museum }, scenarios) {
  const at = cursor.t;
  if (!isText(scenario)) {
    const { title, name, summary = '' } = /** @type {{title?: string, name?: string, summary?: string}} */ (scenario);
    return { title: title ?? name ?? 'A run', summary, at };
  }
  const found = (await shippedAt(scenarios)).find(({ name }) => name === scenario);
  const title = found?.title ?? scenario;
  if (museum) return { title: `${museum} ${title}`, summary: found?.museum?.watch ?? '', at };
  return { title, summary: found?.summary ?? '', at };
}

/** @param {LessonLink} link @param {string} lessons the address of the lessons @returns {Promise<Poster>} */
export async function posterOfLesson({ name }, lessons) {
  const all = await fetch(lessons)
    .then((answer) => answer.json())
    .catch(() => []);
  const found = all.find((/** @type {any} */ one) => one.name === name || `${one.number}` === name);
  if (!found) return { title: `Lesson ${name}`, summary: '', at: 0, lesson: true };
  const { title } = found.texts[languageOf(Object.keys(found.texts), navigator.languages)];
  return { title: `Lesson ${found.number}: ${title}`, summary: '', at: 0, lesson: true };
}

/**
 * @param {Poster} poster @param {{started: boolean, progress: number, bytes: number}} loading progress: 0…1
 * @param {() => unknown} start
 */
export function posterTemplate({ title, summary, at, lesson }, { started, progress, bytes }, start) {
  const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const opens = lesson ? 'opens the lesson' : at > 0 ? `opens the run at ${formatInstant(at)}` : 'plays the run';
  return html`<div class="poster">
    <h2>${title}</h2>
    ${summary ? html`<p class="soft">${summary}</p>` : nothing}
    <button type="button" class="primary" aria-disabled=${started ? 'true' : 'false'} @click=${start}>${started ? `Loading the simulator, ${Math.round(progress * 100)} %` : 'Start'}</button>
    <p class="soft">${bytes > 0 ? `Loads the simulator (${size}) and ${opens}.` : nothing}</p>
  </div>`;
}
