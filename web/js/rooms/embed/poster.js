/**
 * What an embed shows before its run: a title, a sentence, a still of the run, and the button that loads the simulator.
 */
import { html, nothing } from 'lit-html';
import { formatInstant } from '../../lib/format.js';
import { isText, textOf } from '../../lib/shape.js';
import { isPlain } from '../../lib/share.js';
import { exhibitsOf } from '../museum/exhibits.js';

/** @import { LessonLink, Linked } from '../../lib/share.js' */
/** @import { Described } from '../../page/arrival.js' */
/** @import { Shipped } from '../museum/exhibits.js' */

/**
 * at: the instant to open; still: the address of the still, missing if the link contains a whole run or hides the
 * future; changed: the link's run differs from the still's run.
 * @typedef {{title: string, summary: string, at: number, still?: string, changed?: boolean, lesson?: boolean}} Poster
 */

/** The build draws a still for every shipped scenario, incident and step of a lesson. @param {string} name */
const stillOf = (name) => `./stills/${name}.svg`;

/** @type {Promise<Shipped[]> | undefined} */
let loading;
/** The shipped scenarios; none without a network. @param {string} url @returns {Promise<Shipped[]>} */
function shippedAt(url) {
  loading ??= listAt(url);
  return loading;
}

/** A list in a file of the site; empty without a network. @param {string} url @returns {Promise<any[]>} */
async function listAt(url) {
  return (await fetch(url).catch(() => undefined))?.json().catch(() => []) ?? [];
}

/**
 * Turns a link to an incident of the museum into a link to its failing run.
 * @param {Linked | undefined} linked
 * @param {string} scenarios address of the shipped scenarios
 */
export async function incidentOf(linked, scenarios) {
  if (!linked?.museum) return linked;
  const found = exhibitsOf(await shippedAt(scenarios)).find(({ id }) => id === linked.museum);
  if (!found)
    throw new Error(`The museum has no incident “${linked.museum}”, so the default scenario is open instead.`);
  return { ...linked, scenario: found.failing.name };
}

/** @param {Linked} linked @param {string} scenarios the address of the shipped @returns {Promise<Poster>} */
export async function posterOf(linked, scenarios) {
  const { scenario, cursor, museum, predict } = linked;
  const at = cursor.t;
  if (!isText(scenario)) {
    const { title, name, summary } = /** @type {Described} */ (scenario);
    return { title: textOf(title, textOf(name, 'A run')), summary: textOf(summary), at };
  }
  const scenarioInfo = (await shippedAt(scenarios)).find(({ name }) => name === scenario);
  const title = scenarioInfo?.title ?? scenario;
  const still =
    scenarioInfo && !predict ? { still: stillOf(scenario), changed: !isPlain(linked, scenarioInfo.seed ?? 0) } : {};
  if (museum) return { title: `${museum} ${title}`, summary: scenarioInfo?.museum?.watch ?? '', at, ...still };
  return { title, summary: scenarioInfo?.summary ?? '', at, ...still };
}

/** @param {LessonLink} link @param {string} lessons the address of the lessons @returns {Promise<Poster>} */
export async function posterOfLesson({ name, document, step = 1 }, lessons) {
  if (document) {
    const { title, teaser } = /** @type {{title?: unknown, teaser?: unknown}} */ (document);
    return { title: textOf(title, 'A lesson'), summary: textOf(teaser), at: 0, lesson: true };
  }
  const found = (await listAt(lessons)).find((one) => one.name === name || `${one.number}` === name);
  if (!found) return { title: `Lesson ${name}`, summary: '', at: 0, lesson: true };
  const { title, question, teaser } = found;
  // A link to a missing step opens the first step.
  const still = stillOf(`lesson-${found.number}-${step >= 1 && step <= found.steps.length ? step : 1}`);
  return { title: `Lesson ${found.number}: ${title}`, summary: `${question} ${teaser}`, at: 0, still, lesson: true };
}

/**
 * The poster in place of the run, and the bar below it.
 * @param {Poster} poster @param {{started: boolean, progress: number, bytes: number}} loading progress: 0…1
 * @param {() => unknown} start @param {unknown} [link] to the whole page
 */
export function posterTemplate(poster, { started, progress, bytes }, start, link) {
  const { title, summary, at, still, changed, lesson } = poster;
  const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const opens = lesson ? 'opens the lesson' : at > 0 ? `opens the run at ${formatInstant(at)}` : 'plays the run';
  const loads = bytes > 0 ? `Loads the simulator (${size}) and ${opens}.` : '';
  const alt = `The timeline of the ${changed ? 'shipped ' : ''}run`;
  return html`<div class="poster">
      <h2>${title}</h2>
      ${summary ? html`<p class="mute">${summary}</p>` : nothing}
      ${
        changed
          ? html`<p class="mute">The picture shows the scenario as shipped. The run of this link differs.</p>`
          : nothing
      }
      ${still ? html`<img class="still" alt=${alt} src=${still} @error=${hide} />` : nothing}
    </div>
    <div class="embed-bar">
      <button type="button" class="primary" aria-disabled=${started ? 'true' : 'false'}
        @click=${start}>${started ? `Loading the simulator, ${Math.round(progress * 100)} %` : 'Start'}</button>
      <p class="mute readout" title=${loads}>${loads}</p>
      ${link}
    </div>`;
}

/** Removes a still that does not load, so that the words get its space. @param {Event} event */
function hide({ currentTarget }) {
  /** @type {HTMLElement} */ (currentTarget).hidden = true;
}
