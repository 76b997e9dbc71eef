/** Under the timeline: what to watch in the run, the hint after the first pause with what to try next, and the legend. */
import { html, nothing } from 'lit-html';

/** @import { Hello, ScenarioInfo, View } from '../../../protocol.js' */

/** What each suggestion opens: the first shipped scenario whose name matches. @type {{words: string, names: RegExp[]}[]} */
const PROMISES = [
  { words: 'Let it release the Lease: how short is the gap?', names: [/^graceful-stop-release$/, /release/] },
  { words: 'Pause the leader instead', names: [/^paused-leader$/, /pause/] },
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
 * It names the button that it stands beside: the button is in it. Where no leader can crash, only the suggestions remain.
 * @param {View} view @param {Hello} hello @param {{target: string, key: string}} shown target: the leader to crash, or ""
 * @param {{crash: () => void, open: (name: string) => void, lesson: () => void, close: () => void}} on
 */
export function hintTemplate(view, hello, { target, key }, on) {
  if (view.nodes.length === 0) return nothing;
  return html`<div class="hint">
    ${
      target
        ? html`<p><b>Your turn: crash ${target}.</b>
      <button type="button" class="primary" @click=${on.crash}>Crash ${target}${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}</button>
      <span class="soft">Or:</span></p>`
        : html`<p><b>Try next:</b></p>`
    }
    <ul>
      ${PROMISES.map(({ words, names }) => {
        const scenario = find(hello, names);
        return scenario
          ? html`<li><button type="button" class="quiet" title=${scenario.title} @click=${() => on.open(scenario.name)}>${words}</button></li>`
          : nothing;
      })}
      <li><button type="button" class="quiet" @click=${on.lesson}>Lesson 1, 3 min</button></li>
    </ul>
    ${closing('Dismiss the hint', on.close)}
  </div>`;
}

/** @param {string} text @param {() => void} close */
export const watchTemplate = (text, close) => html`<div class="hint">
    <p><b>What to watch.</b> ${text}</p>
    ${closing('Dismiss what to watch', close)}
  </div>`;

/** The three marks that the picture is made of. @param {() => void} close */
export const legendTemplate = (close) => html`<div class="hint legend">
    <dl aria-label="Legend">
      <div><dt><svg viewBox="0 0 20 14" aria-hidden="true"><path d="M4 1V13M10 7V13M16 1V13" /></svg></dt><dd>a request; a tall one writes the Lease</dd></div>
      <div><dt><svg viewBox="0 0 20 14" aria-hidden="true"><path class="area" d="M1 2L19 11V13H1Z" /><path d="M1 2L19 11" /></svg></dt><dd>the time left, as that node believes</dd></div>
      <div><dt><svg viewBox="0 0 20 14" aria-hidden="true"><path d="M1 1H19V13H1ZM1 9L9 1M3 13L15 1M11 13L19 5" /></svg></dt><dd>nobody leads</dd></div>
    </dl>
    ${closing('Dismiss the legend', close)}
  </div>`;

/** @param {string} label @param {() => void} close */
const closing = (label, close) =>
  html`<button type="button" class="icon close" aria-label=${label} @click=${close}>×</button>`;
