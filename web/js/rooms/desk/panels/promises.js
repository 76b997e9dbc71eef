/**
 * The notes under the timeline: what to watch in the run, the hint after the first pause with suggestions, and the
 * legend.
 */
import { html, nothing } from 'lit-html';
import { MARKS, marksTemplate } from './legend.js';

/** @import { Hello, ScenarioInfo, View } from '../../../protocol.js' */

/**
 * What each suggestion opens: the first shipped scenario whose name matches.
 * @type {{words: string, names: RegExp[]}[]}
 */
const PROMISES = [
  { words: 'Release the Lease instead', names: [/^graceful-stop-release$/, /release/] },
  { words: 'Pause the leader', names: [/^paused-leader$/, /pause/] },
  { words: 'Get two leaders with correct clocks', names: [/^two-leaders/, /^same-name$/] },
];

/** @param {Hello} hello @param {RegExp[]} names @returns {ScenarioInfo | undefined} */
function find(hello, names) {
  for (const name of names) {
    const found = hello.scenarios.find((scenario) => name.test(scenario.name));
    if (found) return found;
  }
  return undefined;
}

/**
 * The hint, with the button that it mentions. If no leader can crash, it has only the suggestions.
 * @param {View} view
 * @param {Hello} hello
 * @param {{target: string, key: string}} shown target: the leader to crash, or ""
 * @param {{crash: () => void, open: (name: string) => void, lesson: () => void, close: () => void}} on
 */
export function hintTemplate(view, hello, { target, key }, on) {
  if (view.nodes.length === 0) return nothing;
  return html`<div class="hint">
    ${
      target
        ? html`<p><b>Your turn: crash ${target}.</b>
      <button type="button" class="primary"
        @click=${on.crash}>Crash ${target}${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}</button>
      <span class="soft">Or:</span></p>`
        : html`<p><b>Try next:</b></p>`
    }
    <ul>
      ${PROMISES.map(({ words, names }) => {
        const scenario = find(hello, names);
        return scenario
          ? html`<li><button type="button" class="quiet" title=${scenario.title}
            @click=${() => on.open(scenario.name)}>${words}</button></li>`
          : nothing;
      })}
      <li><button type="button" class="quiet" @click=${on.lesson}>Lesson 1, 3 min</button></li>
    </ul>
    ${closeTemplate('Dismiss the hint', on.close)}
  </div>`;
}

/** @param {string} text @param {() => void} close */
export const watchTemplate = (text, close) => html`<div class="hint">
    <p><b>What to watch.</b> ${text}</p>
    ${closeTemplate('Dismiss what to watch', close)}
  </div>`;

/** The three most important marks of the timeline. @param {() => void} close @param {() => void} more */
export const legendTemplate = (close, more) => html`<div class="hint legend">
    ${marksTemplate(MARKS.slice(0, 3))}
    <button type="button" class="quiet" @click=${more}>All marks</button>
    ${closeTemplate('Dismiss the legend', close)}
  </div>`;

/** @param {string} label @param {() => void} close */
const closeTemplate = (label, close) =>
  html`<button type="button" class="icon close" aria-label=${label} @click=${close}>×</button>`;
